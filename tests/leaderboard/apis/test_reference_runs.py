"""Reading `reference.json`: the runs by case, and files that are malformed or outdated."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from leaderboard.apis.reference_runs import ReferenceRun, load_reference
from leaderboard.errors import FilesError
from leaderboard.files.suite_files import load_suite
from leaderboard.types import Call, Suite
from leaderboard.workspace import Workspace
from scoring.rules import KINDS
from tests.conftest import SETTINGS, Folder

SUITE = """\
schema = 1
title = "APIs"
description = ""
kind = "stable_toolbench"

[[categories]]
id = "one"
title = "One"
file = "queries.json"
"""
PATH = "datasets/apis/reference.json"


@pytest.fixture
def suite(folder: Folder) -> Suite:
    folder.write("leaderboard.toml", SETTINGS)
    folder.write("datasets/apis/suite.toml", SUITE)
    folder.write("datasets/apis/queries.json", [{"query_id": 1, "query": "When?"}])
    return load_suite(Workspace(folder.root), "apis", KINDS)


def node(message: str) -> dict[str, Any]:
    return {"role": "tool", "message": message, "next": []}


def document(suite: Suite, **changes: Any) -> dict[str, Any]:
    """A file with one answer; `changes` go into that answer."""
    nodes = [
        node('{"name": "T_a", "arguments": {"x": 1}, "response": {"error": "", "response": [5]}}'),
        node('{"name": "T_b", "arguments": {}, "response": {"error": "miss", "response": ""}}'),
        node('{"name": "Finish", "arguments": {"return_type": "give_answer"}, "response": ""}'),
    ]
    answer = {
        "case": suite.cases[0].digest,
        "answer": {"final_answer": "[5]", "answer_details": nodes},
        **changes,
    }
    return {"schema": 1, "about": "", "answers": {"1": answer}}


def load(folder: Folder, suite: Suite) -> Mapping[str, ReferenceRun]:
    return load_reference(Workspace(folder.root), suite)


def test_most_suites_have_none(folder: Folder, suite: Suite) -> None:
    """No file is no problem."""
    assert {} == load(folder, suite)


def test_calls_come_with_their_replies(folder: Folder, suite: Suite) -> None:
    """In order, without Finish; a reply that failed keeps its error."""
    folder.write(PATH, document(suite))
    calls = (Call("T_a", {"x": 1}, [5]), Call("T_b", {}, {"error": "miss", "response": ""}))
    assert {"1": ReferenceRun(calls, "[5]")} == load(folder, suite)


@pytest.mark.parametrize(
    ("change", "at", "what"),
    [
        ({"schema": 2}, "$.schema", "input should be 1"),
        ({"scores": {}}, "$.scores", "unknown key 'scores'"),
        ({"answers": []}, "$.answers", "write an object"),
        ({"answers": {"1": {"case": "x"}}}, '$.answers["1"]', "missing required key 'answer'"),
    ],
)
def test_another_form_is_told_by_place(
    folder: Folder, suite: Suite, change: dict[str, Any], at: str, what: str
) -> None:
    """Line and path of everything that is no part of the format."""
    folder.write(PATH, {**document(suite), **change})
    with pytest.raises(FilesError) as caught:
        load(folder, suite)
    assert [(PATH, at, True)] == [
        (p.file, p.at, p.line is not None) for p in caught.value.problems if what in p.what
    ]


def test_a_run_of_other_queries_is_refused(folder: Folder, suite: Suite) -> None:
    """An unknown case, or an older version of one, is a problem that says how to make it again."""
    stale = document(suite, case="0" * 64)
    stale["answers"]["2"] = stale["answers"]["1"]
    folder.write(PATH, stale)
    with pytest.raises(FilesError) as caught:
        load(folder, suite)
    assert ["was made for another version of case 1", "names a case that is not in apis: '2'"] == [
        p.what for p in caught.value.problems
    ]
    assert {"make it again: lb suites reference apis"} == {
        problem.fix for problem in caught.value.problems
    }
