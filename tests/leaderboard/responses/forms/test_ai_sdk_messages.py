"""UI messages of the AI SDK. `test_conversations.py` has whole conversations."""

from __future__ import annotations

from typing import Any

import pytest

from leaderboard.responses.forms.ai_sdk_messages import (
    is_ui_message,
    model_messages,
    refuse_unknown_parts,
)
from leaderboard.responses.forms.model_reply import UnreadableRecordError
from leaderboard.responses.forms.provider_replies import read_provider_reply
from leaderboard.types import Json
from tests.each_row import each_row

GIVEN = {"a": 1}
TEXT = {"type": "text", "text": "x"}
CALLED = {"type": "tool-call", "toolCallId": "c", "toolName": "f", "input": GIVEN}
INVOCATION = {"toolCallId": "c", "toolName": "f", "args": GIVEN, "state": "result", "result": []}


def message(*parts: dict[str, Any], role: str = "assistant") -> dict[str, Any]:
    return {"role": role, "parts": list(parts)}


def replied(value: Json) -> dict[str, Any]:
    output = {"type": "json", "value": value}
    block = {"type": "tool-result", "toolCallId": "c", "output": output}
    return {"role": "tool", "content": [block]}


def said(*content: dict[str, Any]) -> dict[str, Any]:
    return {"role": "assistant", "content": list(content)}


@each_row(
    ("part", "result"),
    [
        ({"type": "tool-f", "input": GIVEN, "output": None}, None),
        ({"type": "tool-f", "input": GIVEN, "errorText": "No."}, "No."),
        ({"type": "dynamic-tool", "toolName": "f", "input": GIVEN, "output": {"b": 2}}, {"b": 2}),
        ({"type": "tool-invocation", "toolInvocation": INVOCATION}, []),
    ],
)
def test_each_step_has_its_calls_and_their_results(part: dict[str, Any], result: Json) -> None:
    """In the forms of versions 4 and 5. A text after a call starts a step, marked or not."""
    call = {**part, "toolCallId": "c"}
    start = {"type": "step-start"}
    thought = {"type": "reasoning", "text": "Hm."}
    steps = [said(TEXT, CALLED), replied(result), said(TEXT)]

    assert model_messages(message(start, thought, TEXT, call, start, thought, TEXT)) == steps
    assert model_messages(message(TEXT, call, TEXT)) == steps


def test_calls_beside_the_content_are_read() -> None:
    """The first releases of version 4 had no parts."""
    older = {"role": "assistant", "content": "x", "toolInvocations": [INVOCATION]}

    assert model_messages(older) == [said(CALLED), replied([]), said(TEXT)]


def test_a_call_without_a_result_and_a_message_without_content_are_kept() -> None:
    """The call may be the last thing that a model said."""
    assert model_messages(message({**CALLED, "type": "tool-f"})) == [said(CALLED)]
    assert model_messages(message({"type": "file", "url": "x"})) == [said()]
    assert model_messages({"type": "ai", "parts": [TEXT]}) == [{"role": "ai", "content": [TEXT]}]
    assert model_messages(message(TEXT, role="user")) == [{"role": "user", "content": [TEXT]}]


@each_row(
    "other",
    [
        {"role": "model", "parts": [{"text": "x"}, {"functionCall": {"name": "f"}}]},
        {"role": "assistant", "content": [TEXT], "toolInvocations": []},
        {"role": "assistant", "parts": "x"},
        3,
    ],
)
def test_other_messages_stay_as_they_are(other: Json) -> None:
    """Parts of Gemini have no type."""
    assert not is_ui_message(other)
    assert model_messages(other) == [other]


def test_a_single_message_is_a_reply() -> None:
    """Without the question before it."""
    reply = read_provider_reply(message({**CALLED, "type": "tool-f", "output": 3}, TEXT))

    assert reply is not None
    assert [turn.reply.text for turn in reply.turns] == [None, "x"]
    assert reply.turns[0].observations == (3,)


def test_parts_that_may_be_calls_are_refused() -> None:
    """Otherwise the calls would be gone. Data and sources are no calls."""
    known = message(TEXT, {"type": "data-weather"}, {"type": "source-url"})
    refuse_unknown_parts([known])

    with pytest.raises(UnreadableRecordError, match="a part of type 'tool_call', which is not"):
        read_provider_reply([known, message({"type": "tool_call", "name": "f"})])
