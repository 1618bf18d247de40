"""The tester's data files: each shape is either read, or one clear problem."""

from __future__ import annotations

from typing import Any

import pytest

from tests.runners.imports.tool_selection.tester_folder import CALL, TEXT, OldTester, case


@pytest.mark.parametrize(
    ("files", "counts"),
    [
        ({"test_dataset": [case("A1", CALL, type="tool_selection")]}, {"tool_selection": 1}),
        ({"test_dataset": [case(7, type="clarifying")]}, {"clarifying": 1}),
        ({"test_no_tool": [case("B1")]}, {"no_tool": 1}),
        (
            {"any": [case("A1", CALL), case("E1"), case("D1")]},
            {"tool_selection": 1, "error": 1, "not_supported": 1},
        ),
        (
            {"test_dataset": [case("x", type="text_response"), case("y", type="no_tools")]},
            {"no_tool": 2},
        ),
        (
            {"test_error": [case("1")], "test_clarifying": [case("2")]},
            {"clarifying": 1, "error": 1},
        ),
        ({"test_error": [case("1"), case("2", type="clarifying")]}, {"clarifying": 1, "error": 1}),
    ],
)
def test_cases_find_their_category(
    tester: OldTester, files: dict[str, list[Any]], counts: dict[str, int]
) -> None:
    """By type, file name or letter of the id; numbers as ids become text."""
    for name, records in files.items():
        tester.cases(*records, name=name)
    assert dict(tester.load().cases) == counts


@pytest.mark.parametrize(
    ("records", "problem"),
    [
        ([case("A1", type="guessing")], "$[0].type: is an unknown type: 'guessing'"),
        ([case("A1", type=None)], "$[0].type: is an unknown type: None"),
        ([case("x")], "$[0]: has no type, and its file names none"),
        ([case("A1", {"text": None})], "$[0].ground_truth: expects text and gives none"),
        ([case("A1", {"expected_response_type": "function_call"})], "function call and gives none"),
        (
            [case("A1", {"function_call": {"name": "sing"}})],
            "names a tool that is not in this suite: 'sing'",
        ),
        ([case("A1", {"function_call": {"name": "ring"}})], "leaves out 'bell'"),
        ([case("A1"), case("A1")], "$[1].id: repeats the id 'A1' of test_dataset.json, record 1"),
        ([case(1, type="error"), case("1", type="error")], "repeats the id '1'"),
        (["A1"], "$[0]: is not an object"),
        ([{"id": "A1", "ground_truth": TEXT}], "missing required key 'user_query'"),
        ([], "contains no cases"),
    ],
)
def test_a_case_that_cannot_be_read_is_a_problem(
    tester: OldTester, records: list[Any], problem: str
) -> None:
    """Nothing is written, and nothing is dropped in silence."""
    tester.cases(*records)
    said = tester.problems()
    assert any(problem in line for line in said), said
    assert len(said) == 1


def test_a_folder_without_data_is_named(tester: OldTester) -> None:
    """Another folder is not taken for the tester's."""
    (said,) = tester.problems()
    assert said.startswith(f"{tester.root}: contains no datasets/*.json (name the tester's folder")
    tester.write("datasets/test_error.json", {"a": 1})
    assert "is not a list of cases" in tester.problems()[0]
