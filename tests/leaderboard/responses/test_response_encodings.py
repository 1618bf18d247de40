"""The names of responses files."""

from __future__ import annotations

from pathlib import Path

import pytest

from leaderboard.responses.response_encodings import (
    ending_of,
    response_file_names,
    suite_of_file,
)


def test_every_name_leads_back_to_its_suite() -> None:
    """A file of a suite has one of two names."""
    assert ("a.b.json", "a.b.json.gz") == response_file_names("a.b")
    assert ["a.b", "a.b"] == [suite_of_file(name) for name in response_file_names("a.b")]


@pytest.mark.parametrize("name", ["notes.txt", "small.jsonl", "small.gz", ".json", "small"])
def test_other_files_answer_no_suite(name: str) -> None:
    """Other files are not responses."""
    assert suite_of_file(name) is None


@pytest.mark.parametrize(
    ("name", "ending"), [("r.json", ".json"), ("r.json.gz", ".json.gz"), ("r", ".json")]
)
def test_a_copy_keeps_its_encoding(name: str, ending: str) -> None:
    """A packed file stays packed when `lb new` copies it."""
    assert ending == ending_of(Path(name))
