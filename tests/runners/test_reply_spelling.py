"""The spelling of tool replies that are compared."""

from __future__ import annotations

from leaderboard.types import Json
from runners.reply_spelling import is_same, one_line, spelling_of, unwrapped
from tests.each_row import each_row


@each_row(
    ("one", "other", "same"),
    [
        ({"a": 1, "b": [2.0]}, {"b": [2], "a": 1}, True),
        ({"a": 1}, '{"a": 1}', True),
        ({"a": 1}, "{'a': 1}", True),
        (16.5, "16.5", True),
        (16.5, 16.6, False),
        ("to  the\nline", " to the line ", True),
        ("text", '"text"', True),
        ("text", "Text", False),
        (None, "", False),
        (None, "null", True),
        ("[" * 100_000, "[" * 100_000, True),
    ],
)
def test_replies_that_say_the_same_have_one_spelling(one: Json, other: Json, same: bool) -> None:
    """As JSON or as text of it, in any order, and with any blanks."""
    assert same is (spelling_of(one) == spelling_of(other))


MESSAGE = {"type": "tool", "content": "16.5", "tool_call_id": "c1"}


@each_row(
    ("reply", "reported", "same"),
    [
        (16.5, [{"type": "text", "text": "16.5"}], True),
        (16.5, '[{"type": "text", "text": "16.5"}]', True),
        (16.5, {"type": "text", "text": "16.5"}, True),
        (16.5, MESSAGE, True),
        (16.5, str(MESSAGE), True),
        (16.5, {"content": [{"type": "text", "text": "16.5"}], "isError": False}, True),
        (16.5, {"result": 16.5}, True),
        (16.5, {"output": "16.5"}, True),
        (16.5, {"result": 16.6}, False),
        (16.5, {"arguments": 16.5}, False),
        ([{"id": 1}], {"result": '[{"id": 1}]'}, True),
        ({"result": 16.5, "unit": "m"}, {"result": 16.5, "unit": "m"}, True),
        ({"result": 16.5, "unit": "m"}, {"result": 16.5}, False),
        (None, {"result": None}, True),
        ("OK", None, False),
    ],
)
def test_a_reply_may_be_wrapped_as_frameworks_do(reply: Json, reported: Json, same: bool) -> None:
    """In a message, in content blocks, or in an object with a result. The reply itself is not."""
    assert same is is_same(reply, reported)


def test_text_inside_wrappers_is_read() -> None:
    """What is left is the value, or text that is no JSON."""
    assert {"a": 1} == unwrapped({"content": '{"result": {"a": 1}}'})
    assert "1 validation error" == unwrapped([{"type": "text", "text": "1 validation error"}])


def test_runs_of_blanks_become_one_blank() -> None:
    """Line breaks too, and none is left at the ends."""
    assert one_line("\n a \t b\n") == "a b"
