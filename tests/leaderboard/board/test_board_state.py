"""Folders of results: damaged ones, and those of other versions."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from leaderboard.board.board_state import read_state
from leaderboard.digest import digest_bytes
from leaderboard.errors import FilesError
from tests.leaderboard.board.board_states import state, write_results

LOW = {"a": "++--", "b": "P-"}


@pytest.mark.parametrize(
    ("name", "content", "what"),
    [
        ("manifest.json", "{}", "missing required key 'digest' (run lb rescore again)"),
        ("manifest.json", "[" * 400 + "]" * 400, "nested"),
        ("scores.json", '[{"submission": 5}]', "does not hold the rows"),
        ("scores.json", "{}", "does not hold the rows"),
        ("ranks.json", "nonsense", "does not hold the rows"),
        ("verdicts.parquet", "nonsense", "is damaged, or of another version"),
    ],
)
def test_results_that_lie(tmp_path: Path, name: str, content: str, what: str) -> None:
    """Files with matching digests and wrong content are reported."""
    folder = write_results(tmp_path / "results", state("x", {"m1": LOW}))
    (folder / name).write_text(content)
    if name != "manifest.json":
        document = json.loads((folder / "manifest.json").read_text())
        document["results"][name] = digest_bytes(content.encode())
        (folder / "manifest.json").write_text(json.dumps(document))
    with pytest.raises(FilesError) as caught:
        _ = read_state(folder, "results").verdicts
    assert any(what in str(problem) for problem in caught.value.problems)


def test_columns_of_later_versions_do_not_matter(tmp_path: Path) -> None:
    """A snapshot with more columns, or with fewer, is read: what it lacks is null."""
    folder = write_results(tmp_path / "results", state("x", {"m1": LOW}))
    rows = [{**row, "novelty": 1} for row in json.loads((folder / "scores.json").read_text())]
    for row in rows:
        del row["rules_only_score"]
    data = json.dumps(rows)
    (folder / "scores.json").write_text(data)
    document = json.loads((folder / "manifest.json").read_text())
    document["results"]["scores.json"] = digest_bytes(data.encode())
    (folder / "manifest.json").write_text(json.dumps({**document, "novelty": {}}))
    found = read_state(folder, "results").scores
    assert (3, 3) == (found.height, found["rules_only_score"].null_count())
