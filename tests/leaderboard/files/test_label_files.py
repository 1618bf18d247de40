"""Labelled pairs over simulated APIs: their calls, what is refused, and how they are asked."""

from __future__ import annotations

from typing import Any

import orjson
import pytest

from leaderboard.errors import FilesError, Problem
from leaderboard.files.label_files import LabelledPair, LabelledSet, load_labels
from leaderboard.files.suite_files import load_suite
from leaderboard.types import Call
from leaderboard.workspace import open_workspace
from scoring.rules import KINDS
from tests.conftest import Folder
from tests.judge_prompts import judge_prompt

FILE = "prompts/trams/labels/rides.json"
SUITE = """\
schema = 1
title = "Trams"
kind = "stable_toolbench"

[[categories]]
id = "rides"
title = "Rides"
file = "rides.json"
prompt = "answer_status"
follow_up = "execution_status"
"""
STATUS = {
    "name": "TramLine_line status",
    "arguments": {"line": "7"},
    "response": {"status": "minor delays"},
}
FAILED = {**STATUS, "response": "Error: no such line\nResponse: "}
RIGHT = {
    "id": "L-1-1",
    "case_id": "1",
    "got": "There are minor delays.",
    "calls": [STATUS],
    "label": "solved",
    "why": "As replied.",
}
WRONG = {
    **RIGHT,
    "id": "L-1-2",
    "got": "Sorry, I cannot tell.",
    "calls": [],
    "label": "unsolved",
    "why": "An apology.",
}


@pytest.fixture
def trams(folder: Folder) -> Folder:
    """The small workspace with a second suite: one query over two simulated APIs."""
    apis = [
        {"category_name": "Transport", "tool_name": "TramLine", "api_name": name}
        for name in ("line status", "fares")
    ]
    query = {
        "query_id": 1,
        "query": "Is line 7 on time?",
        "api_list": apis,
        "relevant APIs": [["TramLine", "line status"]],
    }
    folder.write("datasets/trams/suite.toml", SUITE)
    folder.write("datasets/trams/rides.json", [query])
    for name in ("answer_status", "execution_status"):
        folder.write(f"prompts/trams/{name}.md", judge_prompt(name))
    return folder


def load(folder: Folder) -> LabelledSet:
    workspace = open_workspace(folder.root)
    (labelled,) = load_labels(workspace, load_suite(workspace, "trams", KINDS))
    return labelled


def problem(folder: Folder) -> Problem:
    with pytest.raises(FilesError) as raised:
        load(folder)
    (found,) = raised.value.problems
    return found


def results(folder: Folder, name: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = orjson.loads((folder.root / f"results/{name}.json").read_bytes())
    return rows


# ---------------------------------------------------------------- loading


def test_a_pair_over_simulated_apis_has_its_calls(trams: Folder) -> None:
    """Calls keep their order, name, arguments and reply; an empty error is unwrapped."""
    wrapped = {**STATUS, "response": {"error": "", "response": {"status": "minor delays"}}}
    trams.write(FILE, [RIGHT, {**RIGHT, "id": "L-1-2", "calls": [FAILED, wrapped]}])
    pair = load(trams).pairs[1]
    calls = (
        Call("TramLine_line status", {"line": "7"}, "Error: no such line\nResponse: "),
        Call("TramLine_line status", {"line": "7"}, {"status": "minor delays"}),
    )
    answer = "There are minor delays."
    assert (
        LabelledPair(
            "L-1-2",
            "trams",
            "rides",
            "1",
            None,
            answer,
            "solved",
            "As replied.",
            calls,
        )
        == pair
    )


def test_calls_are_named_in_any_spelling(trams: Folder) -> None:
    """As the wrapper writes them, sanitised, or as StableToolBench does."""
    names = ("TramLine_line status", "TramLine_line_status", "line_status_for_tramline")
    trams.write(
        FILE,
        [
            {**RIGHT, "id": f"L-1-{n}", "calls": [{**STATUS, "name": name}]}
            for n, name in enumerate(names)
        ],
    )
    assert 3 == len(load(trams).pairs)


def test_the_same_answer_after_other_calls_is_another_pair(trams: Folder) -> None:
    """An answer that was made up is not the one that a tool bears out."""
    trams.write(FILE, [RIGHT, {**RIGHT, "id": "L-1-2", "calls": [], "label": "unsolved"}])
    assert ["solved", "unsolved"] == [pair.label for pair in load(trams).pairs]


@pytest.mark.parametrize(
    ("pairs", "at", "what"),
    [
        ([{**RIGHT, "label": "equivalent"}], "$[0].label", "'equivalent'"),
        (
            [{k: v for k, v in RIGHT.items() if k != "calls"}],
            "$[0]",
            "missing required key 'calls'",
        ),
        ([{**RIGHT, "argument": "line"}], "$[0].argument", "unknown key 'argument'"),
        (
            [{**RIGHT, "calls": [{**STATUS, "reply": 1}]}],
            "$[0].calls[0].reply",
            "unknown key 'reply'",
        ),
        (
            [{**RIGHT, "calls": [{"name": "TramLine_fares", "arguments": {}}]}],
            "$[0].calls[0]",
            "missing required key 'response'",
        ),
        (
            [{**RIGHT, "calls": [{**STATUS, "arguments": "7"}]}],
            "$[0].calls[0].arguments",
            "object, {...}, got '7'",
        ),
        (
            [{**RIGHT, "calls": [STATUS, {**STATUS, "name": "FerryFox_fare"}]}],
            "$[0].calls[1].name",
            "names an API that is not in the query: 'FerryFox_fare'",
        ),
        ([RIGHT, {**RIGHT, "id": "L-1-2"}], "$[1].got", "repeats an answer to the same case"),
        (
            [{**RIGHT, "case_id": "2"}],
            "$[0].case_id",
            "names a case that is not in the category rides: '2'",
        ),
        ([{**RIGHT, "got": "\n"}], "$[0].got", "must not be blank"),
    ],
    ids=[
        "label",
        "no calls",
        "argument",
        "extra",
        "no response",
        "arguments",
        "other API",
        "twice",
        "no case",
        "blank",
    ],
)
def test_what_is_no_pair_over_simulated_apis_is_told_with_its_place(
    trams: Folder, pairs: Any, at: str, what: str
) -> None:
    """Each mistake is one problem with file, line and JSON path."""
    trams.write(FILE, pairs)
    found = problem(trams)
    assert (FILE, at, True) == (found.file, found.at, found.line is not None)
    assert what in found.what


def test_an_unknown_api_is_told_with_those_there_are(trams: Folder) -> None:
    """So that a wrong name can be corrected."""
    trams.write(FILE, [{**RIGHT, "calls": [{**STATUS, "name": "TramLine_lines"}]}])
    assert "one of: TramLine_line status, TramLine_fares" == problem(trams).fix


@pytest.mark.parametrize(
    ("extra", "at"),
    [({"calls": []}, "$[0].calls"), ({"label": "solved"}, "$[0].label")],
    ids=["calls", "solved"],
)
def test_where_texts_are_compared_there_are_no_calls(
    folder: Folder, extra: dict[str, Any], at: str
) -> None:
    """Words and fields of one kind of suite are refused in another."""
    pair = {
        "id": "L-B001-1",
        "case_id": "B001",
        "got": "Paris",
        "label": "equivalent",
        "why": "The city alone.",
    }
    folder.write("prompts/small/labels/no_tool.json", [pair | extra])
    workspace = open_workspace(folder.root)
    with pytest.raises(FilesError) as raised:
        load_labels(workspace, load_suite(workspace, "small", KINDS))
    assert [at] == [found.at for found in raised.value.problems]


# ---------------------------------------------------------------- from the command line


@pytest.mark.large
def test_pairs_are_recorded_in_both_stages_and_replayed(trams: Folder) -> None:
    """A complete answer takes two judge calls, an apology one; offline gives the same bytes."""
    trams.write(FILE, [RIGHT, WRONG])
    assert 0 == trams.lb("rescore").exit_code
    kept = orjson.loads((trams.root / "cassettes/embedded-1/trams/_labels.json").read_bytes())
    assert 3 == len(kept["interactions"])
    before = trams.tree("results")
    assert (0, before) == (trams.lb("rescore", "--offline").exit_code, trams.tree("results"))
    assert (0, "OK\n") == (
        trams.lb("cassettes", "check").exit_code,
        trams.lb("cassettes", "check").stderr,
    )
    rows = [row for row in results(trams, "labelled") if row["judge"] == "embedded-1"]
    assert [("L-1-1", "solved", 2), ("L-1-2", "unsolved", 1)] == [
        (row["pair"], row["said"], len(row["judge_call"].split())) for row in rows
    ]
    assert rows[0]["reply"].startswith("Solved")


@pytest.mark.large
def test_a_second_stage_that_is_not_recorded_is_missing(trams: Folder) -> None:
    """The first reply of an unsure judge does not count; the missing call is listed."""
    trams.write(FILE, [RIGHT])
    trams.lb("rescore")
    path = trams.root / "cassettes/embedded-1/trams/_labels.json"
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    (second,) = (line for line in lines if "execution_status" in line)
    kept = [line for line in lines if line is not second]
    path.write_text("".join(kept).replace("},\n]", "}\n]"), encoding="utf-8")
    result = trams.lb("rescore", "--offline")
    assert (3, True) == (
        result.exit_code,
        "missing: embedded-1 on trams 1 of _labels" in result.stderr,
    )
    assert {"missing"} == {row["said"] for row in results(trams, "labelled")}
    assert (1, 0) == next(
        (row["missing"], row["graded"])
        for row in results(trams, "agreement")
        if row["suite"] == "trams"
    )


@pytest.mark.large
def test_what_a_judge_leaves_unsure_is_told(trams: Folder) -> None:
    """The embedded judge is unsure without a tool call; the command counts that separately."""
    trams.write(FILE, [RIGHT, WRONG, {**RIGHT, "id": "L-1-3", "calls": [], "label": "unsolved"}])
    result = trams.lb("rescore")
    assert (
        "agrees with 83.3 % (31.0–98.2) of 3 labelled pairs, and is unsure of 1 of them"
        in result.stderr
    )
    row = next(row for row in results(trams, "agreement") if row["suite"] == "trams")
    found = (row["pairs"], row["graded"], row["unsure"], row["agreement"])
    assert (3, 3, 1, 2.5 / 3) == found


@pytest.mark.large
def test_a_pair_that_the_rules_decide_is_not_asked(trams: Folder) -> None:
    """An answer that was given up is unsolved without a judge."""
    finish = {"name": "Finish", "arguments": {"return_type": "give_up_and_restart"}, "response": ""}
    trams.write(FILE, [RIGHT, {**WRONG, "calls": [finish]}])
    assert trams.lb("rescore").exit_code == 0
    assert {row["pairs"] for row in results(trams, "agreement")} == {1}


@pytest.mark.large
def test_a_suite_by_rule_of_thumb_asks_no_pairs(trams: Folder) -> None:
    """No judge is asked there at all."""
    trams.write(
        "datasets/trams/suite.toml", SUITE.replace("\n[[", 'status_by = "heuristic"\n\n[[', 1)
    )
    trams.write(FILE, [RIGHT])
    assert trams.lb("rescore").exit_code == 0
    assert results(trams, "agreement") == []
