"""The steps of agents in every serialised form."""

from __future__ import annotations

from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from leaderboard.files.findings import Findings
from leaderboard.responses.agent_steps import PSEUDO_TOOLS, read_steps, steps_given
from leaderboard.responses.response_records import Interner, read_records
from leaderboard.types import Call, Case, Category, GroundTruth, Record, Suite, Trajectory
from scoring.rules import KINDS
from tests.each_row import each_row
from tests.leaderboard.responses.any_json import JSON

ACTION: dict[str, Any] = {
    "tool": "find",
    "tool_input": {"name": "Ann"},
    "log": "Calling find",
    "type": "AgentAction",
}
FOUND = Call("find", {"name": "Ann"}, [7])
FORMS = {
    "plain name": ("find", Call("find", {})),
    "object with tool": (ACTION, Call("find", {"name": "Ann"})),
    "object with tool and observation": ({**ACTION, "observation": [7]}, FOUND),
    "pair": ([ACTION, [7]], FOUND),
    "tuple": ((ACTION, [7]), FOUND),
    "pair of a name": (["find", [7]], Call("find", {}, [7])),
    "pair without observation": ([ACTION], Call("find", {"name": "Ann"})),
    "action and observation": ({"action": ACTION, "observation": [7]}, FOUND),
    "action as a name": ({"action": "find", "observation": [7]}, Call("find", {}, [7])),
    "LangChain's constructor": (
        [{"lc": 1, "type": "constructor", "id": ["agents", "AgentAction"], "kwargs": ACTION}, [7]],
        FOUND,
    ),
    "OpenAI's wrapper": (
        {
            "type": "function",
            "function": {"name": "find", "arguments": '{"name": "Ann"}'},
            "result": [7],
        },
        FOUND,
    ),
    "name and args": ({"name": "find", "args": {"name": "Ann"}}, Call("find", {"name": "Ann"})),
    "input as text": ({"tool": "find", "tool_input": "Ann"}, Call("find", {"input": "Ann"})),
    "input as JSON text": (
        {"tool": "find", "tool_input": '{"name": "Ann"}'},
        Call("find", {"name": "Ann"}),
    ),
    "input as text like JSON": (
        {"tool": "find", "tool_input": "{Ann"},
        Call("find", {"input": "{Ann"}),
    ),
    "no input": ({"tool": "find", "tool_input": ""}, Call("find", {})),
    "reply that could not be parsed": (
        [{"tool": "_Exception", "tool_input": "oops"}, "bad"],
        Call("_Exception", {"input": "oops"}, "bad"),
    ),
}


@each_row(("step", "call"), FORMS.values())
def test_a_step_is_read_in_every_form(step: Any, call: Call) -> None:
    """Whatever way a framework writes a step, it is the tool, its arguments and what came back."""
    assert ((call,), None) == read_steps([step])


@each_row(
    "step",
    [
        None,
        5,
        "",
        {},
        [],
        [[]],
        {"tool": ""},
        {"tool": 3},
        {"action": None},
        ["a", "b", "c"],
        {"kwargs": {}},
    ],
)
def test_a_step_without_a_tool_is_told(step: Any) -> None:
    """A step that names no tool is said with its number; those before it are read."""
    assert ((Call("a", {}),), "step 2 names no tool") == read_steps(["a", step, "b"])


@pytest.mark.large
@given(st.lists(JSON, max_size=4))
def test_no_step_raises(steps: list[Any]) -> None:
    """Whatever JSON a step is, it is read or said to be unreadable."""
    calls, malformed = read_steps(steps)
    assert (malformed is None) == (len(calls) == len(steps))


def test_intermediate_steps_win() -> None:
    """Of the two keys the fuller one counts, also where it is empty; null is as good as absent."""
    assert ["a"] == steps_given({"actual_steps": ["b"], "intermediate_steps": ["a"]})
    assert [] == steps_given({"actual_steps": ["b"], "intermediate_steps": []})
    assert ["b"] == steps_given({"actual_steps": ["b"], "intermediate_steps": None})
    assert steps_given({}) is None


# ---------------------------------------------------------------- responses files


def suite() -> Suite:
    case = Case(
        "u_01",
        "u",
        "Who?",
        GroundTruth(trajectory=Trajectory((("find",),), reference="Ann")),
        (),
        {"outputs": {"a": 1}},
        "",
    )
    return Suite(
        "u",
        "U",
        "",
        KINDS["tool_usage"],
        (Category("u", "U", "", 1.0, None, (case,)),),
        {},
        "",
        {case.id: case},
    )


def read(
    *rows: dict[str, Any], interner: Interner | None = None
) -> tuple[tuple[Record, ...], list[str]]:
    document = [{"id": "u_01", "trial": number, **row} for number, row in enumerate(rows, start=1)]
    findings = Findings("u.json", orjson.dumps(document))
    records = read_records(document, suite(), findings, interner or Interner())
    return tuple(records), [f"{problem.severity}: {problem}" for problem in findings.problems()]


def test_a_record_of_an_agent() -> None:
    """Steps are the calls, the output is the text, and the state is kept."""
    (record,), problems = read(
        {"output": "Ann", "intermediate_steps": [[ACTION, [7]]], "state": {"x": 1}}
    )
    assert [] == problems
    response = record.response
    assert ((FOUND,), "Ann", {"x": 1}, True) == (
        response.calls,
        response.text,
        response.state,
        response.has_state,
    )
    assert (None, None) == (response.error, response.malformed)


def test_an_output_of_null_is_no_answer() -> None:
    """A program may write every field. The one with the text counts."""
    (record,), problems = read({"output": None, "model_text": "Ann", "actual_steps": []})
    assert (record.response.text, problems) == ("Ann", [])


def test_a_state_of_null_is_no_state() -> None:
    """An environment without a state reads as null; an empty text is a state."""
    (none, null, empty), _ = read(
        *(
            {"output": "", "actual_steps": [], **more}
            for more in ({}, {"state": None}, {"state": ""})
        )
    )
    assert [False, False, True] == [record.response.has_state for record in (none, null, empty)]


def test_calls_and_text_of_a_plain_model_are_an_agents_too() -> None:
    """Without steps, the calls and the text of the other format count."""
    (record,), problems = read(
        {
            "model_function_call": [{"name": "find", "arguments": {"name": "Ann"}}],
            "model_text": "Ann",
        }
    )
    assert [] == problems
    assert ((Call("find", {"name": "Ann"}),), "Ann") == (
        record.response.calls,
        record.response.text,
    )


def test_unreadable_steps_spoil_nothing_else() -> None:
    """A step without a tool is kept in mind with the record, and the answer is still read."""
    (record,), problems = read({"output": "Ann", "intermediate_steps": [{"log": "?"}]})
    assert [] == problems
    assert ("step 1 names no tool", "Ann") == (record.response.malformed, record.response.text)


def test_equal_answers_are_one_whatever_was_logged() -> None:
    """Logs and call ids are no part of an answer; steps, observations, state and text are."""
    same: list[dict[str, Any]] = [
        {"output": "Ann", "intermediate_steps": [[{**ACTION, "log": log}, [7]]], "state": 1}
        for log in ("x", "y")
    ]
    others = [
        {**same[0], "state": 2},
        {**same[0], "output": "Bob"},
        {**same[0], "error": "late"},
        {**same[0], "intermediate_steps": [[ACTION, [8]]]},
        {**same[0], "intermediate_steps": [[{**ACTION, "tool": "seek"}, [7]]]},
        {**same[0], "intermediate_steps": []},
    ]
    records, _ = read(*same, *others)
    assert records[0].response is records[1].response
    assert 1 + len(others) == len({id(record.response) for record in records})
    assert 1 + len(others) == len({record.response.key for record in records})


def test_a_record_without_steps_is_told() -> None:
    """A record without steps has taken none, with a warning; a failed system gets no warning."""
    records, problems = read({"output": "Ann"}, {"error": "boom"})
    assert [(), ()] == [record.response.calls for record in records]
    (problem,) = problems
    assert problem.startswith("warning: u.json:1 $[0]: does not say which steps were taken")


@pytest.mark.parametrize(
    ("text", "told"),
    [("Ann", []), ("", []), (None, []), ("Bob", ["$[0].model_text: is not read: output is there"])],
)
def test_a_second_text_is_told(text: str | None, told: list[str]) -> None:
    """Only `output` counts, so another text beside it would be lost without a word."""
    _, problems = read({"output": "Ann", "model_text": text, "actual_steps": []})
    assert len(problems) == len(told)
    assert all(part in problem for part, problem in zip(told, problems, strict=True))


def test_many_warnings_are_counted() -> None:
    """Twenty places are named; of the rest only the number is."""
    _, problems = read(*({"output": str(number)} for number in range(23)))
    assert 21 == len(problems)
    assert "3 more records" in problems[-1]


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ({"user_query": "Who?"}, 0),
        ({"user_query": "What?"}, 1),
        ({"ground_truth": {"a": 1}}, 0),
        ({"ground_truth": {"a": 2}}, 1),
    ],
)
def test_another_version_of_a_case_is_reported(row: dict[str, Any], told: int) -> None:
    """A question or outputs that differ from the suite's get a warning."""
    _, problems = read({"output": "Ann", "actual_steps": ["find"], **row})
    assert told == sum("answers another version of the case" in problem for problem in problems)


def test_pseudo_tools_are_known() -> None:
    """The two names under which LangChain notes that no tool was called."""
    assert {"_Exception", "invalid_tool"} == PSEUDO_TOOLS
