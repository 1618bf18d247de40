"""Which case a record answers whose suite asks questions with options."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from leaderboard.errors import FilesError
from leaderboard.files.suite_files import load_suite
from leaderboard.responses.forms.converter import Converted, convert
from leaderboard.responses.forms.file_formats import read_container
from leaderboard.responses.forms.foreign_records import CASE_FIELDS
from leaderboard.workspace import open_workspace
from scoring.rules import KINDS
from tests.conftest import PROJECT, Folder
from tests.each_row import each_row

SUITE = """\
schema = 1
title = "Colours"
kind = "exact"
[[categories]]
id = "all"
title = "All"
file = "cases.json"
"""


def found_in(folder: Folder, rows: list[Any]) -> Converted:
    """What the records become in a suite of which two cases ask the same with other options."""
    folder.write("datasets/colours/suite.toml", SUITE)
    cases = [
        {"id": "sky", "user_query": "Which colour? ", "options": ["red", "blue"]},
        {"id": "d-1", "user_query": "Which day?", "options": ["Monday", "Friday"]},
        {"id": "d-2", "user_query": "Which day?", "options": ["Sunday", "Friday"]},
    ]
    truth = {"ground_truth": {"option": "B"}}
    folder.write("datasets/colours/cases.json", [case | truth for case in cases])
    suite = load_suite(open_workspace(folder.root), "colours", KINDS)
    return convert(read_container(json.dumps(rows).encode(), "x"), suite, "x")


SHOWN = "Which colour? \n\nA) red\nB) blue"
RETRIED = [
    {"role": "user", "content": "Which colour?"},
    {"role": "assistant", "content": "B"},
    {"role": "user", "content": "Sure?"},
    {"role": "assistant", "content": "A"},
]
CONTINUES = "1 × a conversation continues after the answer; the later turns do not count"


@each_row(
    ("record", "case", "notes"),
    [
        ({"question": "Which colour?", "answer": "B"}, "sky", []),
        ({"user_query": "Which colour? ", "answer": "B"}, "sky", []),
        ({"question": SHOWN, "answer": "B"}, "sky", []),
        ({"id": "sky", "question": "Which colour?", "answer": "B"}, "sky", []),
        ({"id": "d-1", "question": "Which day?", "answer": "B"}, "d-1", []),
        ({"question": "Which day?\n\nA) Sunday\nB) Friday", "answer": "B"}, "d-2", []),
        ({"id": "sky", "messages": RETRIED}, "sky", [CONTINUES]),
    ],
)
def test_a_question_may_be_written_without_its_options(
    folder: Folder, record: dict[str, str], case: str, notes: list[str]
) -> None:
    """As in the table of questions. The answer keeps the question with its options."""
    found = found_in(folder, [record])

    assert [(one["id"], one["model_text"]) for one in found.records] == [(case, "B")]
    assert "\nB) " in found.records[0]["user_query"]
    assert found.notes == notes


def test_a_question_that_two_cases_ask_names_none(folder: Folder) -> None:
    """Their options are different, and the record has none."""
    with pytest.raises(FilesError, match="has neither the id nor the question of a case"):
        found_in(folder, [{"question": "Which day?", "answer": "B"}])


@each_row(
    ("record", "named"),
    [
        ({"question": "which colour?"}, "'which colour?'"),
        ({"id": "x", "question": "which colour?"}, "'x'"),
        ({}, "it has no id and no question"),
    ],
)
def test_a_record_of_no_case_is_named_by_what_it_has(
    folder: Folder, record: dict[str, str], named: str
) -> None:
    """Its question differs in one letter."""
    with pytest.raises(FilesError, match=rf"of a case of colours: {re.escape(named)} \(give each"):
        found_in(folder, [{**record, "answer": "B"}])


def test_the_docs_list_every_field_that_names_a_case() -> None:
    """A submitter whose harness writes one of them need not rename it."""
    docs = (PROJECT / "docs" / "formats.md").read_text(encoding="utf-8")
    section = docs.partition("## The case of a record")[2].partition("\n##")[0]

    assert set(re.findall(r"`(\w+)`", section)) >= CASE_FIELDS - {"ground_truth"}


def test_an_id_beside_the_question_of_another_case_is_a_problem(folder: Folder) -> None:
    """One of them is wrong."""
    with pytest.raises(FilesError, match="asks the question of another one: d-1 and sky"):
        found_in(folder, [{"id": "d-1", "question": "Which colour?", "answer": "B"}])
