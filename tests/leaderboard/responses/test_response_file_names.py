"""The names of responses files."""

from __future__ import annotations

import gzip

import pytest

from leaderboard.responses.response_file_names import (
    response_file_names,
    responses_file,
    suite_of_file,
)
from tests.each_row import each_row


def test_every_name_leads_back_to_its_suite() -> None:
    """A file of a suite has one of two names."""
    assert ("a.b.json", "a.b.json.gz") == response_file_names("a.b")
    assert ["a.b", "a.b"] == [suite_of_file(name) for name in response_file_names("a.b")]


@each_row("name", ["notes.txt", "small.jsonl", "small.gz", ".json", "small"])
def test_other_files_answer_no_suite(name: str) -> None:
    """Other files are not responses."""
    assert suite_of_file(name) is None


def test_a_new_file_is_packed_only_if_plain_json_would_be_too_large(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The limit of a file decides, and equal data give equal bytes."""
    assert ("a.json", b"[]") == responses_file("a", b"[]")
    monkeypatch.setattr("leaderboard.responses.response_file_names.FILE_BYTES", 1)
    name, packed = responses_file("a", b"[]")
    assert ("a.json.gz", b"[]") == (name, gzip.decompress(packed))
    assert (name, packed) == responses_file("a", b"[]")
