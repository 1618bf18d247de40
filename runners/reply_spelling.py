"""One spelling for each tool reply, so that a reported reply can be compared with the real one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from leaderboard.files.python_literals import read_literal
from leaderboard.responses.answer_text import answer_text
from leaderboard.types import Json
from runners.apis.reply_cache import key_of

# Where messages of frameworks, and frameworks that write an object around a reply, have it.
_WRAPPERS: Final = ("content", "result", "output")


def is_same(reply: Json, reported: Json) -> bool:
    """Whether a reported reply is this one, in any spelling, bare or as frameworks wrap it."""
    wanted = spelling_of(reply)
    return any(spelling_of(form) == wanted for form in (reported, unwrapped(reported)))


def unwrapped(reported: Json) -> Json:
    """A reply without the message and the content blocks around it. Text of JSON is read."""
    value = _read(reported)
    while isinstance(value, Mapping) and (keys := [key for key in _WRAPPERS if key in value]):
        value = _read(value[keys[0]])
    return _read(answer_text(value))


def spelling_of(reply: Json) -> str:
    """One spelling of a reply: JSON text is read, and blanks in other text count once."""
    reply = _read(reply)
    return one_line(reply) if isinstance(reply, str) else key_of({"reply": reply})


def _read(reply: Json) -> Json:
    """A reply, as JSON if it is text of JSON."""
    if isinstance(reply, str):
        try:
            return read_literal(reply)
        except (ValueError, RecursionError):
            return reply
    return reply


def one_line(text: str) -> str:
    """The text with one blank for each run of blanks."""
    return " ".join(text.split())
