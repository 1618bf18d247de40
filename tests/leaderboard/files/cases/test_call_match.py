"""Cases of kind call_match: mistakes in their ground truth."""

from __future__ import annotations

from typing import Any

from leaderboard.files.cases.call_match import read_call_match
from leaderboard.files.cases.category_cases import CategoryCases
from leaderboard.files.findings import Findings
from tests.each_row import each_row

NUMBER = {"type": "float", "required": True, "allowed": [3, 2.5]}
UNIT = {"type": "string", "required": False, "allowed": ["yards", ""]}
BOTH = {"value": NUMBER, "to": UNIT}
TOOL: dict[str, Any] = {
    "name": "convert",
    "description": "",
    "parameters": {
        "properties": {"value": {"type": "number"}, "to": {"type": "string"}},
        "required": ["value"],
    },
}


def found(call: dict[str, Any], tools: Any = (TOOL,), **more: Any) -> list[tuple[str, str]]:
    """The problems of a case with this call: how bad each is, and what is wrong."""
    truth = {"no_call": False, "calls": [call], **more}
    case = {"id": "c1", "user_query": "?", "tools": list(tools), "ground_truth": truth}
    findings = Findings("c.json", b"[]")
    read_call_match(CategoryCases([case], "c", (), False, findings))
    return [(one.severity, one.what) for one in findings.found]


@each_row(
    ("truth", "problems"),
    [
        ({"calls": [{"name": "convert", "parameters": {"value": NUMBER}}]}, 0),
        ({"no_call": True}, 0),
        ({"any_call": True}, 0),
        ({}, 1),
        ({"no_call": True, "any_call": True}, 1),
    ],
)
def test_a_ground_truth_says_one_of_three_things(truth: dict[str, Any], problems: int) -> None:
    """Calls, no call or any call. The others need not be written."""
    case = {"id": "c1", "user_query": "?", "tools": [TOOL], "ground_truth": truth}
    findings = Findings("c.json", b"[]")
    read_call_match(CategoryCases([case], "c", (), False, findings))
    assert problems == len(findings.found)


def call(parameters: dict[str, Any], name: str | None = "convert") -> dict[str, Any]:
    return {"name": name, "parameters": parameters}


def test_a_call_that_fits_its_tool_has_no_problem() -> None:
    """A null says on purpose that there is no such tool or parameter. Source code is text."""
    missing = {"type": None, "required": False, "allowed": ["x"]}
    source = {"type": "double", "language": "java", "required": True, "allowed": ["3.0"]}
    another = {**NUMBER, "allowed": [3, "three"]}
    assert found(call(BOTH)) == []
    assert found(call({**BOTH, "unit": missing})) == []
    assert found(call({"value": source})) == []
    assert found(call({"value": another})) == []
    assert found(call({}, name=None), tools=()) == []


@each_row(
    ("parameters", "severity", "what"),
    [
        ({"to": UNIT}, "error", "leaves out 'value', which convert requires"),
        ({**BOTH, "unit": UNIT}, "error", "gives 'unit', which convert does not have"),
        (
            {"value": {**NUMBER, "allowed": ["3"]}},
            "warning",
            "accepts '3', and no value of the type float",
        ),
        (
            {"value": {**NUMBER, "allowed": []}},
            "warning",
            "accepts no value, so no answer is right",
        ),
    ],
)
def test_a_call_that_no_answer_can_make_is_a_problem(
    parameters: dict[str, Any], severity: str, what: str
) -> None:
    """Published data has values of other types, so these are only warnings."""
    assert found(call(parameters)) == [(severity, what)]


def test_a_tool_that_does_not_exist_is_a_problem() -> None:
    """Models are offered the tools of the case alone."""
    problem = ("error", "names a tool that is not in this case: 'konvert'")
    assert found(call(BOTH, name="konvert")) == [problem]
    assert found(call(BOTH, name="konvert"), tools=()) == [problem]


def test_misspelt_keys_are_warnings() -> None:
    """They would be ignored, though they decide."""
    parameter = {**NUMBER, "optional_member": True}
    assert found(call({"value": parameter}), any_cal=False, source="a book") == [
        ("warning", "has no effect: 'any_cal' is not a known key"),
        ("warning", "has no effect: 'optional_member' is not a known key"),
    ]


def test_keys_without_effect_in_tools_of_a_case_are_warnings() -> None:
    """They are told as those of the tools of a suite."""
    call = {"name": "convert", "parameters": {"value": NUMBER}}
    tool = {**TOOL, "parameters": {**TOOL["parameters"], "required": ["value", "unit"]}}
    what = "has no effect: 'unit' is not one of the properties"
    assert found(call, tools=(tool,)) == [("warning", what)]
