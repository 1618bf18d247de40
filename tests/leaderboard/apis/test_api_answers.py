"""Answers over simulated APIs: final answers in every wrapping, and the list of called APIs."""

from __future__ import annotations

import json
from typing import Any

from leaderboard.apis.api_answers import (
    answer_of,
    final_answer,
    has_api_calls,
    has_final_answer,
    read_answer,
    return_type,
    unreadable_apis,
)
from leaderboard.files.findings import Findings
from leaderboard.responses.response_records import Interner, read_over_apis, read_records
from leaderboard.types import Call, CalledApi, Case, Category, GroundTruth, Response, Suite
from scoring.rules import KINDS
from tests.each_row import each_row

FINISH = {
    "name": "Finish",
    "arguments": '{"return_type": "give_answer", "final_answer": "At 18:04."}',
    "response": "",
}
DETAILS = [{"role": "tool", "message": FINISH, "next": []}]
INNER = {"final_answer": "At 18:04.", "answer_details": DETAILS}


def response(record: dict[str, Any]) -> Response:
    return read_over_apis({"id": "1", **record})


def test_wrapped_and_inner_answers_are_the_same() -> None:
    """Wrapped answers and bare fields are read the same; `called_apis` may be in each layer."""
    pairs = [["T", "a"]]
    forms: list[dict[str, Any]] = [
        {"answer": INNER, "called_apis": pairs},
        {"answer": {"answer": INNER, "called_apis": pairs}},
        {"answer": {**INNER, "called_apis": pairs}},
        {**INNER, "called_apis": pairs},
    ]
    assert {(("Finish",), "At 18:04.", (CalledApi("T", "a"),))} == {
        (tuple(call.name for call in found.calls), found.text, found.declared)
        for found in map(response, forms)
    }
    assert 1 == len({response(form).key for form in forms})


@each_row(
    ("given", "text", "kind"),
    [
        ("At 18:04.", "At 18:04.", None),
        ("", "", None),
        (None, None, None),
        ('{"return_type": "give_answer", "final_answer": "At 18:04."}', "At 18:04.", "give_answer"),
        (
            "{'return_type': 'give_answer', 'final_answer': \"It's at 18:04.\"}",
            "It's at 18:04.",
            "give_answer",
        ),
        ({"return_type": "give_answer", "final_answer": "At 18:04."}, "At 18:04.", "give_answer"),
        ('{"return_type": "give_up_and_restart"}', None, "give_up_and_restart"),
        (
            '{"return_type": "give_answer", "final_answer": "line one\nline two"}',
            "line one\nline two",
            "give_answer",
        ),
        (
            '{"return_type": "give_answer", "final_answer": "cut in the mid',
            "cut in the mid",
            "give_answer",
        ),
        ("I will give_up_and_restart my car.", "I will give_up_and_restart my car.", None),
        ('{"lines": [3, 7]}', '{"lines": [3, 7]}', None),
        (
            '{"return_type": "soup", "final_answer": "x"}',
            '{"return_type": "soup", "final_answer": "x"}',
            None,
        ),
        (
            [
                {"type": "text", "text": "At "},
                {"type": "image"},
                {"type": "text", "text": "18:04."},
            ],
            "At 18:04.",
            None,
        ),
        (["At ", "18:04."], "At 18:04.", None),
        (17, "17", None),
    ],
)
def test_the_final_answer_is_text(given: Any, text: str | None, kind: str | None) -> None:
    """Finish's arguments are unwrapped, even if broken; content parts are joined; text stays."""
    assert (text, kind) == final_answer(given)


def test_how_a_response_ended() -> None:
    """The last Finish with a return type counts, then the final answer."""
    give_up, answer = (
        Call("Finish", {"return_type": kind}) for kind in ("give_up_and_restart", "give_answer")
    )
    assert "give_answer" == return_type(
        Response("1", b"", (give_up, answer, Call("Finish", {})), None)
    )
    assert "give_up_and_restart" == return_type(
        Response(
            "1", b"", (Call("Finish", {"return_type": 1}),), "x", return_type="give_up_and_restart"
        )
    )
    assert None is return_type(
        Response("1", b"", (Call("x", {"return_type": "give_answer"}),), "x")
    )


def test_the_answer_may_stand_in_finish() -> None:
    """If the final answer is empty, that of the last Finish counts, with its parts joined."""
    assert "At 18:04." == answer_of(
        response({"answer": {"final_answer": "", "answer_details": DETAILS}})
    )
    assert "ab" == answer_of(
        Response("1", b"", (Call("Finish", {"final_answer": ["a", "b"]}),), " ")
    )
    assert "" == answer_of(
        Response("1", b"", (Call("Finish", {}), Call("Finish", {"final_answer": None})), None)
    )


@each_row(
    ("entry", "api"),
    [
        (["T", "a"], CalledApi("T", "a")),
        (["T", "a", "ok"], CalledApi("T", "a", False)),
        (["T", "a", "error"], CalledApi("T", "a", True)),
        (["T", "a", True], CalledApi("T", "a", False)),
        (["T", "a", None], CalledApi("T", "a")),
        (["T", "a", {"error": "no"}], CalledApi("T", "a", True)),
        ({"tool_name": "T", "api_name": "a"}, CalledApi("T", "a")),
        ({"tool": "T", "api": "a", "failed": True}, CalledApi("T", "a", True)),
        ({"tool_name": "T", "api_name": "a", "error": None}, CalledApi("T", "a", False)),
        ({"tool_name": "T", "api_name": "a", "status": "failed"}, CalledApi("T", "a", True)),
    ],
)
def test_entries_of_called_apis(entry: Any, api: CalledApi) -> None:
    """A pair, the same with a status behind it, or an object."""
    assert (api,) == read_answer({"called_apis": [entry]}).declared
    assert () == unreadable_apis({"called_apis": [entry]})


def test_entries_that_are_no_api_are_left_out_and_found() -> None:
    """With their places, so that they can be reported."""
    listed = [["T", "a"], ["T"], "T_a", None, [1, 2], {"tool_name": "T"}, ["T", "a", "ok", 4]]
    assert (CalledApi("T", "a"),) == read_answer({"called_apis": listed}).declared
    assert (1, 2, 3, 4, 5, 6) == unreadable_apis({"called_apis": listed})


def test_not_told_is_not_none() -> None:
    """No list and no execution is another thing than an empty one."""
    assert (None, True) == (
        response({"answer": INNER}).declared,
        response({"answer": INNER}).steps_told,
    )
    assert () == response({"answer": INNER, "called_apis": []}).declared
    assert None is response({"answer": INNER, "called_apis": None}).declared
    assert not response({"answer": {"final_answer": "x"}}).steps_told
    assert response({"answer": {"final_answer": "x", "answer_details": []}}).steps_told


def test_records_of_other_systems_are_read_too() -> None:
    """Calls and text as models give them, steps and output as agents do."""
    model = response(
        {"model_function_call": {"name": "T_a", "arguments": {"x": 1}}, "model_text": "Done."}
    )
    agent = response(
        {
            "intermediate_steps": [{"tool": "T_a", "tool_input": {"x": 1}, "observation": "r"}],
            "output": "Done.",
        }
    )
    assert [
        ((Call("T_a", {"x": 1}),), "Done.", True),
        ((Call("T_a", {"x": 1}, "r"),), "Done.", True),
    ] == [(found.calls, found.text, found.steps_told) for found in (model, agent)]


def records(*rows: dict[str, Any]) -> tuple[list[str], int]:
    """The warnings about some records, and how many were read."""
    case = Case("1", "c", "?", GroundTruth(), (), {}, "")
    suite = Suite(
        "s",
        "S",
        "",
        KINDS["stable_toolbench"],
        (Category("c", "C", "", 1.0, None, (case,)),),
        {},
        "",
        {"1": case},
    )
    numbered = [{"id": "1", "trial": number, **row} for number, row in enumerate(rows, start=1)]
    findings = Findings("f.json", json.dumps(numbered).encode())
    found = read_records(numbered, suite, findings, Interner())
    assert {"warning"} >= {problem.severity for problem in findings.problems()}
    return [f"{problem.at} {problem.what}" for problem in findings.problems()], len(found)


def test_what_is_odd_in_a_record_is_a_warning_with_its_place() -> None:
    """Entries that name no API, and records without steps, get a warning and still count."""
    told, read = records(
        {"answer": INNER, "called_apis": [["T"]]},
        {"answer": {"final_answer": "x"}},
        {"answer": INNER},
        {"error": "boom"},
    )
    assert [
        "$[0].called_apis[0] names no tool and API, and is left out",
        "$[1] has neither steps nor called APIs: only its answer is scored",
    ] == told
    assert 4 == read


def _ended(return_type: str, **arguments: str) -> dict[str, Any]:
    """The record of an agent that calls no API and then Finish."""
    finish = {"name": "Finish", "arguments": {"return_type": return_type, **arguments}}
    details = [{"role": "tool", "message": finish, "next": []}]
    return {"answer": {"final_answer": "", "answer_details": details}}


@each_row(
    ("record", "calls", "text"),
    [
        ({"answer": {"final_answer": "", "answer_details": []}}, False, False),
        ({"answer": {"final_answer": " \n", "answer_details": []}}, False, False),
        ({"answer": {"final_answer": "At 18:04.", "answer_details": []}}, False, True),
        (_ended("give_answer"), False, False),
        (_ended("give_answer", final_answer=""), False, False),
        (_ended("give_answer", final_answer="At 18:04."), False, True),
        (_ended("give_up_and_restart"), True, False),
        (
            {"answer": {"answer_details": [{"role": "tool", "message": {"name": "a_for_T"}}]}},
            True,
            False,
        ),
        ({}, False, False),
    ],
)
def test_empty_answers_have_no_calls_and_no_text(
    record: dict[str, Any], calls: bool, text: bool
) -> None:
    """A Finish without an answer is none. Giving up is one."""
    assert (calls, text) == (has_api_calls(record), has_final_answer(record))
