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
    assert (turn.reply.text, turn.reply.cut_off) == ("It is", cut_off)


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
