"""Cases of kind tool_selection, in both dialects, and mistakes in their ground truth."""

from __future__ import annotations

from typing import Any

import pytest

from tests.conftest import SUITE, Folder, call_case, text_case
from tests.leaderboard.workspaces import case_of, errors, load

YARDS: dict[str, Any] = {"name": "convert_units", "arguments": {"value": 1, "to_unit": "yards"}}


def test_accepted_values_close_an_argument(folder: Folder) -> None:
    """A list closes an argument, with the expected value first; null makes it optional."""
    record = call_case("A001", 3, "yards", to_unit=["yd", None], digits=[2])
    folder.write("datasets/small/tool_selection.json", [record])
    (expected,) = case_of(load(folder), "A001").ground_truth.calls
    told = {a.name: (a.accepted, a.closed, a.may_be_absent) for a in expected.arguments}
    assert {
        "value": ((3,), False, False),
        "to_unit": (("yards", "yd"), True, True),
        "digits": ((2,), True, True),
    } == told


def test_the_result_of_a_calculation(folder: Folder) -> None:
    """It belongs to a text of the call. Anything else would decide nothing."""
    record = call_case("A001", 3, "yards")
    record["ground_truth"]["results"] = {"to_unit": 3}
    folder.write("datasets/small/tool_selection.json", [record])
    (expected,) = case_of(load(folder), "A001").ground_truth.calls
    assert {a.name: a.result for a in expected.arguments} == {"value": None, "to_unit": 3}

    record["ground_truth"]["results"] = {"digits": 3, "value": 3}
    folder.write("datasets/small/tool_selection.json", [record])
    absent, number = errors(folder)
    assert "ground_truth.results: gives a result for 'digits', which is no text of" in absent
    assert "gives a result for 'value'" in number

    record["ground_truth"]["results"] = {"to_unit": "3"}
    folder.write("datasets/small/tool_selection.json", [record])
    (said,) = errors(folder)
    assert "results.to_unit" in said


def test_the_older_dataset_dialect_loads(folder: Folder) -> None:
    """Cases without `type` and `expected_response_type` load: the five-file dialect."""
    call = {
        "id": "A001",
        "user_query": "q",
        "ground_truth": {
            "function_call": {"name": "convert_units", "arguments": {"value": 1, "to_unit": "m"}}
        },
    }
    text = {
        "id": "B001",
        "user_query": "q",
        "ground_truth": {"text": "Paris.", "no_function_call": True},
    }
    folder.write("datasets/small/tool_selection.json", [call])
    folder.write("datasets/small/no_tool.json", [text])
    contents = load(folder)
    assert [] == contents.problems
    assert "convert_units" == case_of(contents, "A001").ground_truth.calls[0].name
    assert "Paris." == case_of(contents, "B001").ground_truth.text


def test_a_type_that_is_no_category_is_a_problem_in_a_shared_file(folder: Folder) -> None:
    """The record would else belong to no category, and vanish. It is reported once."""
    odd = {**text_case("B002", "y"), "type": "z"}
    folder.write(
        "datasets/small/all.json", [call_case("A001", 1, "m"), text_case("B001", "x"), odd]
    )
    shared = SUITE.replace("tool_selection.json", "all.json").replace("no_tool.json", "all.json")
    folder.write("datasets/small/suite.toml", shared)
    (said,) = errors(folder)
    assert said.endswith("$[2].type: has the unknown type 'z' (types: tool_selection, no_tool)")


def test_a_category_may_have_the_testers_own_name(folder: Folder) -> None:
    """The tester calls no_tool text_response; both names of a category take both types."""
    suite = SUITE.replace('id = "no_tool"', 'id = "text_response"')
    folder.write("datasets/small/suite.toml", suite)
    rows = [text_case("B001", "x"), {**text_case("B002", "y"), "type": "text_response"}]
    folder.write("datasets/small/no_tool.json", rows)
    contents = load(folder)
    assert contents.problems == []
    assert case_of(contents, "B001").category == "text_response"


def test_one_file_may_hold_several_categories(folder: Folder) -> None:
    """In a file for several categories `type` selects, under each of its names for no_tool."""
    rows = [
        call_case("A001", 1, "m"),
        {**text_case("B001", "x"), "type": "text_response"},
        {**text_case("B002", "y"), "type": "no_tools"},
    ]
    folder.write("datasets/small/all.json", rows)
    folder.write(
        "datasets/small/suite.toml",
        SUITE.replace("tool_selection.json", "all.json").replace("no_tool.json", "all.json"),
    )
    contents = load(folder)
    assert [] == contents.problems
    assert [1, 2] == [len(category.cases) for category in contents.suites[0].categories]


BAD_CASES: dict[str, tuple[Any, str]] = {
    "not a list": ({}, "is not a list of cases"),
    "no cases": ([], "holds no case"),
    "another type": (
        [text_case("B001", "x")],
        "has type 'no_tool' in the file of category 'tool_selection'",
    ),
    "call case without a call": (
        [
            {
                "id": "A1",
                "user_query": "q",
                "ground_truth": {"function_call": None, "expected_response_type": "function_call"},
            }
        ],
        "expects a function call and gives none",
    ),
    "text case without a text": (
        [{"id": "A1", "user_query": "q", "ground_truth": {"text": " "}}],
        "expects text and gives none",
    ),
    "unknown tool": (
        [
            {
                "id": "A1",
                "user_query": "q",
                "ground_truth": {"function_call": {"name": "f", "arguments": {}}},
            }
        ],
        "names a tool that is not in this suite: 'f'",
    ),
    "required argument left out": (
        [
            {
                "id": "A1",
                "user_query": "q",
                "ground_truth": {
                    "function_call": {"name": "convert_units", "arguments": {"value": 1}}
                },
            }
        ],
        "leaves out 'to_unit'",
    ),
    "unknown argument": (
        [
            {
                "id": "A1",
                "user_query": "q",
                "ground_truth": {
                    "function_call": {**YARDS, "arguments": {**YARDS["arguments"], "colour": 1}}
                },
            }
        ],
        "function_call.arguments: gives 'colour', which convert_units does not have",
    ),
    "unknown accepted argument": (
        [call_case("A1", 1, "m", colour=["red"])],
        "ground_truth.accepted: gives 'colour', which convert_units does not have",
    ),
    "wrong type": (
        [call_case("A1", True, "m")],
        "is True, but convert_units.value is of type number",
    ),
    "same id twice": (
        [call_case("A1", 1, "m"), call_case("A1", 2, "m")],
        "uses the case id 'A1' twice in tool_selection",
    ),
    "call and text": (
        [{"id": "A1", "user_query": "q", "ground_truth": {"function_call": YARDS, "text": "x"}}],
        "has function_call and text, of which one must be right",
    ),
    "no query": (
        [{"id": "A1", "ground_truth": {"text": "x"}}],
        "missing required key 'user_query'",
    ),
}


@pytest.mark.parametrize(("cases", "what"), BAD_CASES.values(), ids=BAD_CASES.keys())
def test_bad_ground_truth_is_found_at_load(folder: Folder, cases: Any, what: str) -> None:
    """A suite whose ground truth does not fit its tools or its form is refused, with the place."""
    folder.write("datasets/small/tool_selection.json", cases)
    told = errors(folder)
    assert any(what in problem for problem in told), told


def test_misspelt_keys_are_warnings_and_the_suite_is_read(folder: Folder) -> None:
    """They would be ignored, though they decide. Other keys are a file's own."""
    call = call_case("A001", 3, "yards")
    call["ground_truth"] |= {"acepted": {"to_unit": ["yd"]}, "note": "easy"}
    text = text_case("B001", "Paris.")
    text["ground_truth"]["Facts"] = []
    folder.write("datasets/small/tool_selection.json", [call])
    folder.write("datasets/small/no_tool.json", [text])
    contents = load(folder)
    assert [suite.id for suite in contents.suites] == ["small"]
    assert [(problem.severity, problem.fix) for problem in contents.problems] == [
        ("warning", "did you mean 'accepted'?"),
        ("warning", "did you mean 'facts'?"),
    ]
