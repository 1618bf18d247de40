"""Writing submissions: the same bytes for the same answers; other folders are not changed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from leaderboard.errors import FilesError
from runners.submission_writer import (
    Written,
    id_of,
    lines_bytes,
    responses_bytes,
    write_submission,
)
from tests.each_row import each_row

RECORDS = [
    {"id": "A1", "model_function_call": None, "model_text": "é"},
    {"id": "A2", "model_text": None},
]
CARD = {
    "schema": 1,
    "name": "Name",
    "kind": "baseline",
    "organization": "Org",
    "model": "m",
    "date": "2026-01-31",
    "settings": {"baseline": "x"},
}


def write(root: Path, card: dict[str, Any] = CARD, **changes: Any) -> Written:
    given = {"responses": {"small": RECORDS}, "origin": "baseline", "readme": "About.\n", **changes}
    responses = given.pop("responses")
    return write_submission(root, "sub", card, responses, **given)


def tree(root: Path) -> dict[str, bytes]:
    return {
        str(p.relative_to(root)): p.read_bytes() for p in sorted(root.rglob("*")) if p.is_file()
    }


def test_a_new_folder_holds_card_readme_and_responses(tmp_path: Path) -> None:
    """A submission is a card, a README and one file per suite with one record per line."""
    assert write(tmp_path) == "written"
    written = tree(tmp_path)
    assert sorted(written) == [
        "submissions/sub/README.md",
        "submissions/sub/small.json",
        "submissions/sub/submission.json",
    ]
    assert written["submissions/sub/small.json"].decode() == (
        '{"test_results": [\n'
        '{"id": "A1", "model_function_call": null, "model_text": "é"},\n'
        '{"id": "A2", "model_text": null}\n'
        "]}\n"
    )
    assert json.loads(written["submissions/sub/submission.json"]) == {
        "schema": 1,
        "name": "Name",
        "kind": "baseline",
        "organization": "Org",
        "model": "m",
        "date": "2026-01-31",
        "settings": {"baseline": "x"},
    }
    assert [p.name for p in (tmp_path / "submissions").iterdir()] == ["sub"]


def test_writing_again_changes_nothing(tmp_path: Path) -> None:
    """The same inputs change no file, even if somebody changed the card's layout."""
    write(tmp_path)
    card = tmp_path / "submissions/sub/submission.json"
    card.write_text(json.dumps(json.loads(card.read_text())))
    before = {
        p: (p.read_bytes(), p.stat().st_mtime_ns) for p in (tmp_path / "submissions/sub").iterdir()
    }
    assert write(tmp_path) == "unchanged"
    assert {
        p: (p.read_bytes(), p.stat().st_mtime_ns) for p in (tmp_path / "submissions/sub").iterdir()
    } == before


def test_a_second_suite_joins_the_first(tmp_path: Path) -> None:
    """Answers to another suite are added, and the README stays when none is given."""
    write(tmp_path)
    assert write(tmp_path, responses={"other": []}, readme=None) == "written"
    files = tree(tmp_path / "submissions/sub")
    assert sorted(files) == ["README.md", "other.json", "small.json", "submission.json"]
    assert files["other.json"] == b'{"test_results": []}\n'
    assert files["README.md"] == b"About.\n"


@pytest.mark.parametrize(
    "card",
    [
        None,
        {"schema": 1},
        {"schema": 1, "settings": None},
        {"settings": {"baseline": "y"}},
        {"settings": {"imported_from": "x"}},
        [],
    ],
)
def test_a_folder_of_another_origin_is_refused(tmp_path: Path, card: Any) -> None:
    """Without a card that names the same origin, an existing folder is left as it is."""
    folder = tmp_path / "submissions/sub"
    folder.mkdir(parents=True)
    (folder / "small.json").write_text("[]")
    if card is not None:
        (folder / "submission.json").write_text(json.dumps(card))
    before = tree(tmp_path)
    other = r"exists already, but its card does not have settings\.baseline = 'x'"
    with pytest.raises(FilesError, match=rf"^submissions/sub: {other}"):
        write(tmp_path)
    assert tree(tmp_path) == before


def test_a_broken_card_is_named(tmp_path: Path) -> None:
    """A card that is not JSON is reported with its place, and nothing is written."""
    write(tmp_path)
    (tmp_path / "submissions/sub/submission.json").write_text('{\n"schema": 1,,\n}')
    before = tree(tmp_path)
    with pytest.raises(FilesError, match=r"^submissions/sub/submission.json:2: is not JSON"):
        write(tmp_path)
    assert tree(tmp_path) == before


def test_packed_responses_are_not_answered_twice(tmp_path: Path) -> None:
    """No second responses file is written beside a packed one of the same suite."""
    write(tmp_path)
    (tmp_path / "submissions/sub/small.json").rename(tmp_path / "submissions/sub/small.json.gz")
    with pytest.raises(
        FilesError, match=r"^submissions/sub/small.json.gz: contains responses to the same suite"
    ):
        write(tmp_path)


@pytest.mark.parametrize("name", ["", "Upper", "../up", ".hidden", "a/b", "x" * 65])
def test_an_invalid_id_is_refused(tmp_path: Path, name: str) -> None:
    """An id that no submission may have is an error before anything is written."""
    with pytest.raises(FilesError, match="is not a valid id"):
        write_submission(tmp_path, name, CARD, {}, origin="baseline", readme=None)
    assert list(tmp_path.iterdir()) == []


def test_a_failed_write_leaves_no_rest(tmp_path: Path) -> None:
    """A new folder that cannot be finished is removed."""
    with pytest.raises(FileNotFoundError):
        write(tmp_path, responses={"no/such/folder": []})
    assert tree(tmp_path) == {}
    assert [p.name for p in (tmp_path / "submissions").iterdir()] == []


def test_half_characters_are_replaced() -> None:
    """Half of a surrogate pair becomes U+FFFD, because UTF-8 cannot encode it."""
    assert json.loads(lines_bytes([{"a": "x\ud83d", "b": "\U0001f600"}])) == [
        {"a": "x\ufffd", "b": "\U0001f600"}
    ]


def test_no_records_is_an_empty_list() -> None:
    """A file without records is still a responses file."""
    assert json.loads(responses_bytes([])) == {"test_results": []}


@each_row(
    ("name", "submission"),
    [
        ("gpt-x", "gpt-x"),
        ("Qwen/Qwen3-8B", "qwen-qwen3-8b"),
        ("llama3:8b", "llama3-8b"),
        ("..M..", "m"),
        ("x" * 80, "x" * 64),
    ],
)
def test_a_submission_is_named_after_the_model(name: str, submission: str) -> None:
    """The id is valid for every name of a model."""
    assert id_of(name) == submission
