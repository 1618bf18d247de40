"""The spelling of tool replies that are compared."""

from __future__ import annotations

from leaderboard.types import Json
from runners.reply_spelling import one_line, spelling_of
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


def test_runs_of_blanks_become_one_blank() -> None:
    """Line breaks too, and none is left at the ends."""
    assert one_line("\n a \t b\n") == "a b"
