"""One spelling for each tool reply, so that a reported reply can be compared with the real one."""

from __future__ import annotations

from leaderboard.files.python_literals import read_literal
from leaderboard.types import Json
from runners.apis.reply_cache import key_of


def spelling_of(reply: Json) -> str:
    """One spelling of a reply: JSON text is read, and blanks in other text count once."""
    if isinstance(reply, str):
        try:
            reply = read_literal(reply)
        except (ValueError, RecursionError):
            return one_line(reply)
    return reply if isinstance(reply, str) else key_of({"reply": reply})


def one_line(text: str) -> str:
    """The text with one blank for each run of blanks."""
    return " ".join(text.split())
