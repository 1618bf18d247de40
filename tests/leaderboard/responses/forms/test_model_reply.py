"""Calls, texts and counts of replies, whatever a server sends."""

from __future__ import annotations

from typing import Any

from leaderboard.responses.forms.model_reply import (
    ToolCall,
    first,
    member,
    one_line,
    text_of,
    tokens,
    tool_call,
    total_tokens,
)
from leaderboard.types import Json
from tests.each_row import each_row


@each_row(
    ("given", "call"),
    [
        (("1", "f", '{"a": 1}'), ToolCall("1", "f", {"a": 1})),
        ((None, "f", None), ToolCall("", "f", {})),
        (("1", "f", "[1]"), ToolCall("1", "f", "[1]", "the arguments are not an object")),
        (("1", 7, {"a": 1}), ToolCall("1", "", {"a": 1}, "the call names no tool")),
        (("1", "", "oops"), ToolCall("1", "", "oops", "the call names no tool")),
    ],
)
def test_a_call_keeps_what_cannot_be_read(given: tuple[Any, ...], call: ToolCall) -> None:
    """Arguments become an object, or stay as they are with a problem."""
    assert tool_call(*given) == call


@each_row("value", [None, 7, "text", [], {"a": None}])
def test_members_and_items_of_anything_are_found_or_none(value: Json) -> None:
    """Reading never fails, whatever a server sends."""
    assert (member(value, "a", "b"), first([] if value is None else value)) == (None, None)
    assert (member({"b": 0}, "a", "b"), first([5, 6])) == (0, 5)


def test_texts_counts_and_messages_have_limits() -> None:
    """Blank texts and impossible counts are none, and messages are short lines."""
    assert [text_of(value) for value in ("a", " ", None, 7)] == ["a", None, None, None]
    assert [tokens(value) for value in (3, 0, 10**12)] == [3, 0, 10**12]
    assert [tokens(value) for value in (-1, 10**12 + 1, True, 2.0, None)] == [None] * 5
    assert total_tokens([10**12, 1]) is None
    assert one_line("a\n b", 3) == "a b"
    assert one_line("a" * 9, 3) == "aa…"
