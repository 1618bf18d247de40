"""What `lb rescore` keeps about labelled pairs: when it is used again, and when not."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from leaderboard.machine.cache_folder import cache_of, read_document, write_document
from leaderboard.types import JudgeReply
from scoring.cached.cached_labels import FILE, read_labels, write_labels
from scoring.judging.labelled import LabelRows
from scoring.judging.panel_questions import MissingCall
from tests.conftest import Folder, replaced

LABELS = "prompts/small/labels/no_tool.json"
PAIR = {"id": "L1", "case_id": "B001", "got": "It must be Paris.", "label": "equivalent"}
CASSETTE = "cassettes/embedded-1/small/_labels.json"
MARK = "kept"


@pytest.fixture
def marked(folder: Folder) -> Folder:
    """A board with a labelled pair, whose kept row has the reply "kept"."""
    folder.submission("m1", [{"id": "B001", "model_text": "Rome."}])
    folder.write(LABELS, [PAIR | {"why": "In other words."}])
    assert folder.lb("rescore").exit_code == 0
    kept = read_document(cache(folder) / FILE)
    kept["small"][1] = [
        [MARK if name == "reply" else value for name, value in row.items()] for row in rows(folder)
    ]
    write_document(cache(folder) / FILE, kept)
    return folder


def cache(folder: Folder) -> Path:
    found = cache_of(folder.root)
    assert found is not None
    return found


def rows(folder: Folder) -> list[dict[str, str]]:
    return pl.read_parquet(folder.root / "results/labelled.parquet").to_dicts()


def used(folder: Folder, *options: str) -> bool:
    """Whether the next run uses what is kept."""
    for output in cache(folder).glob("output-*.json"):
        output.unlink()
    result = folder.lb("rescore", "--offline", "--allow-missing", *options)
    assert result.exit_code == 0, result.stderr
    return MARK in {row["reply"] for row in rows(folder)}


@pytest.mark.large
def test_rows_are_kept(marked: Folder) -> None:
    """Nothing is decided again if nothing has changed. Otherwise the next tests show nothing."""
    assert used(marked)
    assert not used(marked, "--fresh")


def removed(folder: Folder) -> None:
    (folder.root / CASSETTE).unlink()


@pytest.mark.parametrize(
    "change",
    [
        replaced(LABELS, "In other words.", "Paraphrased."),
        replaced("datasets/small/no_tool.json", "It is Paris.", "It is Rome."),
        replaced("prompts/small/no_tool.md", "{{got}}", "{{got}} "),
        replaced("leaderboard.toml", "seed = 7", "seed = 8"),
        removed,
    ],
)
@pytest.mark.large
def test_a_changed_input_is_decided_again(marked: Folder, change: Callable[[Folder], None]) -> None:
    """Pairs, cases, prompts, judges and recorded replies."""
    change(marked)
    assert not used(marked)


@pytest.mark.large
def test_an_edited_reply_is_found(marked: Folder) -> None:
    """The judge would not have said this, although the last run had accepted the call."""
    cassette = json.loads((marked.root / CASSETTE).read_bytes())
    body = cassette["interactions"][0]["response"]["body"]
    body["string"] = body["string"].replace("equivalent", "different")
    marked.write(CASSETTE, cassette)
    result = marked.lb("rescore", "--offline")
    assert (1, True) == (result.exit_code, "embedded-1" in result.stderr)


def test_rows_that_wait_for_a_judge_are_not_kept(tmp_path: Path) -> None:
    waiting = MissingCall("_labels", "a", "c", "j", JudgeReply("key", None))
    decided = LabelRows([("judge", None)], [("judge", "key", "text")])
    write_labels(tmp_path, {"a": "1", "b": "2"}, {"a": LabelRows([], [], (waiting,)), "b": decided})
    assert {"b": ("2", decided)} == read_labels(tmp_path)


@pytest.mark.parametrize("content", [b"", b"[]", b"0\n{}", b"\xff\n{}"])
def test_a_damaged_file_is_ignored(tmp_path: Path, content: bytes) -> None:
    (tmp_path / FILE).write_bytes(content)
    assert read_labels(tmp_path) == {}
