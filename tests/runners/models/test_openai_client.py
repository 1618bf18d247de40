"""OpenAI-compatible servers: their replies in every form, and their own turns given back."""

from __future__ import annotations

from typing import Any

import pytest

from leaderboard.network.retries import RetryPolicy
from leaderboard.types import Json
from runners.models.model_settings import ModelError
from runners.models.openai_client import read_reply as read_openai
from tests.each_row import each_row
from tests.runners.model_board import (
    Bench,
)
from tests.runners.scripted_server import (
    Answer,
    always,
    for_query,
    in_turn,
    said,
    scripted_turns,
)


@each_row(
    ("message", "text", "calls"),
    [
        ({"content": "Hello."}, "Hello.", []),
        (
            {"content": [{"type": "text", "text": "Hel"}, {"type": "text", "text": "lo."}]},
            "Hello.",
            [],
        ),
        ({"content": None, "refusal": "I will not."}, "I will not.", []),
        ({"content": " \n"}, None, []),
        (
            {"content": "", "tool_calls": [{"function": {"name": "f", "arguments": '{"a": 1}'}}]},
            None,
            [("f", {"a": 1}, None)],
        ),
        (
            {"tool_calls": [{"id": "7", "function": {"name": "f", "arguments": {"a": 1}}}]},
            None,
            [("f", {"a": 1}, None)],
        ),
        (
            {"tool_calls": [{"id": "7", "function": {"name": "f", "arguments": ""}}]},
            None,
            [("f", {}, None)],
        ),
        ({"function_call": {"name": "f", "arguments": "{}"}}, None, [("f", {}, None)]),
        (
            {"tool_calls": [{"function": {"name": "f", "arguments": "[1]"}}]},
            None,
            [("f", "[1]", "the arguments are not an object")],
        ),
        (
            {"tool_calls": [{"type": "custom", "custom": {"name": "f", "input": "[1]"}}]},
            None,
            [("f", "[1]", "the arguments are not an object")],
        ),
        (
            {"tool_calls": [{"function": {"arguments": "{}"}}]},
            None,
            [("", {}, "the call names no tool")],
        ),
        (
            {
                "tool_calls": [
                    {"function": {"name": "f", "arguments": '{"n": 12345678901234567890123}'}}
                ]
            },
            None,
            [("f", {"n": 12345678901234567890123}, None)],
        ),
    ],
)
def test_chat_completions_are_read_in_every_form(
    message: Json, text: str | None, calls: list[Any]
) -> None:
    """Text, parts, refusals and every form of a call are read; unreadable calls are kept."""
    reply = read_openai({"choices": [{"message": message, "finish_reason": "stop"}]})
    assert (reply.text, [(call.name, call.arguments, call.problem) for call in reply.calls]) == (
        text,
        calls,
    )
    assert (reply.failure, reply.input_tokens, reply.model) == (None, None, None)


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (
            {"choices": [{"message": {"content": None}, "finish_reason": "content_filter"}]},
            "withheld: content_filter",
        ),
        (
            {"choices": [{"message": {"content": ""}, "finish_reason": "length"}]},
            "before it said anything: length",
        ),
        ({"choices": []}, "contains no choice"),
        ({}, "contains no choice"),
    ],
)
def test_a_completion_without_an_answer_says_why(body: Json, why: str) -> None:
    """Filtered, cut off and empty replies are named failures; half a text is an answer."""
    assert why in str(read_openai(body).failure)
    half = {"choices": [{"message": {"content": "It is"}, "finish_reason": "length"}]}
    assert (read_openai(half).text, read_openai(half).failure) == ("It is", None)


def test_openai_compatible_servers_get_their_own_fields_back(openai_bench: Bench) -> None:
    """Thoughts and unknown keys of a turn go back to the server; a call without an id gets one."""
    call = {
        "type": "function",
        "function": {"name": "type_letter", "arguments": {"letter": "h"}},
        "extra_content": {"s": 1},
    }
    message = {
        "role": "assistant",
        "content": None,
        "reasoning_content": "Hm.",
        "tool_calls": [call, call],
    }
    first = Answer({"choices": [{"message": message, "finish_reason": "tool_calls"}]})
    _, server = openai_bench.run(
        scripted_turns(always(first), lambda seen: said(seen, "ok")), "acts", limit=1
    )
    _, _, turn, *results = server.seen[1].body["messages"]
    assert (turn["reasoning_content"], [call["extra_content"] for call in turn["tool_calls"]]) == (
        "Hm.",
        [{"s": 1}] * 2,
    )
    assert len({call["id"] for call in turn["tool_calls"]}) == 2
    assert [result["tool_call_id"] for result in results] == [
        call["id"] for call in turn["tool_calls"]
    ]


def half_a_text(finish: str, **choice: Json) -> Json:
    """A choice that holds half a text."""
    return {"choices": [{"message": {"content": "It"}, "finish_reason": finish, **choice}]}


@pytest.mark.parametrize(
    ("body", "error"),
    [
        ({"error": "overloaded"}, "its reply is an error: overloaded"),
        ({"error": {"code": "x"}, "choices": []}, "its reply is an error: it contains no choice"),
        (half_a_text("error"), "its reply is an error: it ended early"),
        (half_a_text("stop", error={"code": 502, "message": "bad"}), "answered 502: bad"),
    ],
)
@pytest.mark.large
def test_errors_beside_or_within_a_choice_are_no_answers(
    openai_bench: Bench, body: Json, error: str
) -> None:
    """Such a request is repeated. A case that gets no better reply is asked again on resume."""
    report, _ = openai_bench.run(in_turn(Answer(body)), limit=1)
    assert (report.errors, len(openai_bench.clock.slept)) == ((), 1)
    script = for_query("B001", always(Answer(body)))
    report, _ = openai_bench.run(script, submission="n", retry_policy=RetryPolicy(attempts=2))
    assert (report.errors, report.unanswered) == ((f"B001: {error}",), 1)


@pytest.mark.large
def test_errors_that_a_body_names_as_lasting_are_not_repeated(openai_bench: Bench) -> None:
    """A bad request is refused at once, and an account without money ends the run."""
    bad = Answer({"error": {"code": 400, "message": "too long"}})
    report, _ = openai_bench.run(for_query("B001", always(bad)))
    assert (report.errors, openai_bench.clock.slept) == (("B001: answered 400: too long",), [])
    broke: Json = {"message": "no money", "type": "insufficient_quota"}
    for code in ("insufficient_quota", 429):
        answer = Answer({"error": {**broke, "code": code}})
        words = r"no money: the run was stopped, nothing was answered \(add credit to the account;"
        with pytest.raises(ModelError, match=words):
            openai_bench.run(always(answer), submission="n")
