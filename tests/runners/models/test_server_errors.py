"""Replies that are no JSON or no answer, as errors that name their form and their tokens."""

from __future__ import annotations

import pytest

from leaderboard.network.retries import CallError
from leaderboard.responses.forms.model_reply import Reply
from runners.models.server_errors import body_of, refuse_error
from tests.each_row import each_row


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
