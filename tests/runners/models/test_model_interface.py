"""Conversations, and the reading of replies that both providers share."""

from __future__ import annotations

from typing import Any

import pytest

from leaderboard.network.retries import CallError
from leaderboard.responses.forms.model_reply import (
    Reply,
    ToolCall,
    first,
    member,
    one_line,
    text_of,
    tokens,
    tool_call,
    total_tokens,
)
from leaderboard.types import Json, Message
from runners.models.model_interface import Conversation, body_of, refuse_error
from runners.models.request_bodies import contents, messages
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


@pytest.mark.parametrize(
    ("data", "what"), [(b'{"a": ', "is not JSON"), (b"[1]", "not a JSON object")]
)
def test_a_reply_that_is_no_object_may_be_retried(data: bytes, what: str) -> None:
    """A cut-off reply and one of another form are errors that another attempt may change."""
    assert body_of(b'{"a": 1}') == {"a": 1}
    with pytest.raises(CallError, match=what) as caught:
        body_of(data)
    assert (caught.value.retryable, caught.value.status) == (True, 200)


@each_row(
    ("data", "text"),
    [
        (b'{"text": "a\\ud83d!"}', "a\ufffd!"),
        (b'{"text": "a\\ud83d\\ude00"}', "a\U0001f600"),
        (b'\xef\xbb\xbf{"text": "a"}', "a"),
        (b'{"text": "a", "text": "b"}', "b"),
        (b'{"text": "caf\xe9"}', "caf\ufffd"),
    ],
)
def test_a_whole_reply_is_read_although_no_file_may_be_so(data: bytes, text: str) -> None:
    """Its answer is paid, and another attempt may bring the same bytes."""
    assert body_of(data) == {"text": text}


@pytest.mark.parametrize("value", [b"NaN", b"1e999", b"[" * 2000 + b"]" * 2000, b'"\xff'])
def test_a_reply_that_cannot_be_kept_is_an_error(value: bytes) -> None:
    """A number that is none, lists in lists, and a reply that is cut off."""
    with pytest.raises(CallError):
        body_of(b'{"text": ' + value + b"}")


@each_row(
    ("data", "form", "said"),
    [
        (b" \n<html>\n<p>Hi", "web page", "but a web page; it begins with <html> <p>Hi"),
        (b"\xef\xbb\xbf<?xml?>", "web page", "but a web page; it begins with <?xml?>"),
        (b"event: x\ndata: {}", "event stream", "but an event stream; it begins with event: x"),
        (b": ping\n\ndata: {}", "event stream", "but an event stream; it begins with : ping"),
        (b"data", None, "it begins with data"),
        (b"Bad Gateway " + b"x" * 999, None, "it begins with Bad Gateway xxx"),
        (b"sk-" + b"a1" * 20, None, "it begins with [redacted]"),
    ],
)
def test_a_reply_that_is_not_json_is_shown(data: bytes, form: str | None, said: str) -> None:
    """Its beginning says what it is, on one line and without keys."""
    with pytest.raises(CallError, match="is not JSON") as caught:
        body_of(data)
    assert form == caught.value.form
    assert said in str(caught.value)
    assert len(str(caught.value)) < 250
    assert "a1a1a1a1a1" not in str(caught.value)


@pytest.mark.parametrize("reported", [(None, 5), (10, None), (10, 5)])
def test_an_error_has_the_tokens_that_it_reports(reported: tuple[int | None, int | None]) -> None:
    """A count that it does not report is unknown, and not 0."""
    reply = Reply(None, (), input_tokens=reported[0], output_tokens=reported[1])
    with pytest.raises(CallError) as caught:
        refuse_error(reply, "busy", None, retry_after=None)
    assert reported == caught.value.taken


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


def test_messages_before_the_question_keep_their_roles() -> None:
    """Both providers get the whole conversation; system messages go into the system text."""
    earlier = (
        Message("system", "Be brief."),
        Message("user", "A taxi?"),
        Message("assistant", "Where to?"),
    )
    asked = Conversation("Help.", "Home.", (), earlier=earlier)
    assert messages(asked) == [
        {"role": "system", "content": "Help.\n\nBe brief."},
        {"role": "user", "content": "A taxi?"},
        {"role": "assistant", "content": "Where to?"},
        {"role": "user", "content": "Home."},
    ]
    assert asked.whole_system == "Help.\n\nBe brief."
    assert contents(asked) == [
        {"role": "user", "parts": [{"text": "A taxi?"}]},
        {"role": "model", "parts": [{"text": "Where to?"}]},
        {"role": "user", "parts": [{"text": "Home."}]},
    ]
