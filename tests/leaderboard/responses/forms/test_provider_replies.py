"""Single replies of providers. `perfect_answers.py` has them all, as harnesses write them."""

from __future__ import annotations

from typing import Any

import pytest

from leaderboard.responses.forms.model_reply import UnreadableRecordError
from leaderboard.responses.forms.provider_replies import read_provider_reply
from tests.each_row import each_row


def chat(reason: str) -> dict[str, Any]:
    return {"choices": [{"message": {"content": "It is"}, "finish_reason": reason}]}


def anthropic(reason: str) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": "It is"}], "stop_reason": reason}


def gemini(reason: str) -> dict[str, Any]:
    content = {"parts": [{"text": "It is"}]}
    return {"candidates": [{"content": content, "finishReason": reason}]}


def response(reason: str | None) -> dict[str, Any]:
    message = {"type": "message", "content": [{"type": "output_text", "text": "It is"}]}
    return {"output": [message], "incomplete_details": reason and {"reason": reason}}


def test_a_body_with_several_answers_is_refused() -> None:
    """The first one is no better than the others."""
    for body in (chat("stop"), gemini("STOP")):
        ((name, replies),) = body.items()
        with pytest.raises(UnreadableRecordError, match=f"has 2 {name}, each of which"):
            read_provider_reply({name: replies * 2})


@each_row(
    "choice",
    [
        {"text": "hi"},
        {"text": "hi", "index": 0, "logprobs": None},
        {"text": "hi", "finish_reason": "stop", "stop_reason": None},
    ],
)
def test_a_choice_of_a_plain_completion_is_a_reply(choice: dict[str, Any]) -> None:
    """Some servers write only its text."""
    found = read_provider_reply({"choices": [choice]})

    assert found is not None
    assert found.turns[0].reply.text == "hi"


@each_row(
    "row",
    [
        {"choices": ["A", "B"]},
        {"choices": [{"label": "A", "text": "gold"}]},
        {"choices": [{"id": "A", "text": "gold"}, {"id": "B", "text": "iron"}]},
        {"choices": []},
        {"candidates": ["a", "b"]},
        {"candidates": []},
        {"parts": ["a"]},
        {"parts": []},
        {"content": {"parts": ["a"]}},
        {"promptFeedback": None},
    ],
)
def test_multiple_choices_are_no_replies(row: dict[str, Any]) -> None:
    """Data sets have fields of the same names. The items say which of them are replies."""
    assert read_provider_reply(row) is None


@each_row(
    "body",
    [
        {"object": "chat.completion", "choices": []},
        {"candidates": [], "usageMetadata": {}},
        {"candidates": [{"finishReason": "SAFETY"}]},
        {"promptFeedback": {"blockReason": "SAFETY"}},
    ],
)
def test_a_body_without_an_answer_is_a_failure(body: dict[str, Any]) -> None:
    """Its other fields say that it is a body."""
    found = read_provider_reply(body)

    assert found is not None
    assert found.turns[0].reply.failure


@each_row(
    ("body", "cut_off"),
    [
        (chat("length"), True),
        (chat("stop"), False),
        (anthropic("max_tokens"), True),
        (anthropic("model_context_window_exceeded"), True),
        (anthropic("end_turn"), False),
        (gemini("MAX_TOKENS"), True),
        (gemini("STOP"), False),
        (response("max_output_tokens"), True),
        (response("content_filter"), False),
        (response(None), False),
    ],
)
def test_a_reply_that_the_token_limit_ended_is_marked(body: dict[str, Any], cut_off: bool) -> None:
    """Its text stays the answer."""
    found = read_provider_reply(body)

    assert found is not None
    [turn] = found.turns
    assert (turn.reply.text, turn.reply.ending == "cut off") == ("It is", cut_off)


@each_row(
    ("body", "unfinished"),
    [
        (chat("content_filter"), True),
        (chat("SAFETY"), True),
        (chat("length"), False),
        (chat("stop"), False),
        (anthropic("refusal"), True),
        (anthropic("pause_turn"), True),
        (anthropic("max_tokens"), False),
        (gemini("SAFETY"), True),
        (gemini("MAX_TOKENS"), False),
        (response("content_filter"), True),
        (response("max_output_tokens"), False),
        ({**response("max_output_tokens"), "status": "incomplete"}, False),
        ({**response(None), "status": "in_progress"}, True),
        ({**response(None), "status": "cancelled"}, True),
        ({**response(None), "status": "completed"}, False),
    ],
)
def test_a_reply_that_lacks_a_part_is_marked(body: dict[str, Any], unfinished: bool) -> None:
    """A filter ended it, or it is marked as incomplete. Its text stays the answer."""
    found = read_provider_reply(body)

    assert found is not None
    [turn] = found.turns
    assert (turn.reply.text, turn.reply.ending == "unfinished") == ("It is", unfinished)


@each_row(
    ("body", "failure"),
    [
        ({**response(None), "status": "failed", "error": {"message": "boom"}}, "boom"),
        ({**response(None), "status": "failed"}, "the reply failed"),
        ({**response(None), "error": {"message": "boom"}}, "boom"),
        ({**chat("stop"), "error": {"message": "boom"}}, "boom"),
        ({**chat("stop"), "error": "boom"}, "boom"),
        ({**chat("stop"), "error": {"code": 502}}, "the reply is an error"),
        (chat("error"), "the reply ended early: error"),
        ({"choices": [{**chat("error")["choices"][0], "error": {"message": "boom"}}]}, "boom"),
        ({"output": [], "object": "response", "status": "cancelled"}, "the reply is cancelled"),
    ],
)
def test_a_part_of_a_reply_that_failed_is_no_answer(body: dict[str, Any], failure: str) -> None:
    """As in the lines of batch APIs, and in `lb run`."""
    found = read_provider_reply(body)

    assert found is not None
    reply = found.turns[0].reply
    assert (reply.text, reply.calls, reply.failure) == (None, (), failure)


CALL = {"id": "1", "type": "function", "function": {"name": "f", "arguments": "{}"}}


@each_row(
    ("body", "failure"),
    [
        (chat("tool_calls"), "ended with a call, but contains none: tool_calls"),
        (chat("function_call"), "ended with a call, but contains none: function_call"),
        (anthropic("tool_use"), "ended with a call, but contains none: tool_use"),
        ({"content": [], "stop_reason": "tool_use"}, "contains none: tool_use"),
        ({"choices": [{"message": {"content": None}, "finish_reason": "tool_calls"}]}, "none"),
        ({"choices": [{"message": None, "finish_reason": "stop"}]}, "contains no message"),
        ({"choices": [{"message": {"tool_calls": [CALL]}, "finish_reason": "tool_calls"}]}, None),
        ({"choices": [{"message": {"tool_calls": [CALL]}, "finish_reason": "stop"}]}, None),
        ({"choices": [{"message": {"content": None}, "finish_reason": "stop"}]}, None),
        ({"choices": [{"text": "", "finish_reason": "stop"}]}, None),
    ],
)
def test_a_reply_whose_call_was_lost_is_no_answer(
    body: dict[str, Any], failure: str | None
) -> None:
    """Without the call it would pass cases in which a model must call nothing."""
    found = read_provider_reply(body)

    assert found is not None
    [turn] = found.turns
    assert (turn.reply.failure is None) == (failure is None)
    assert (failure or "") in (turn.reply.failure or "")
