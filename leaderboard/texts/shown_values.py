"""How values, names and foreign texts are shown in a sentence: short, and printable anywhere."""

from __future__ import annotations

import json
import sys
from json.encoder import encode_basestring
from typing import Final

from leaderboard.texts.short_text import LIMIT, cut
from leaderboard.types import Json

_SHORT: Final = 10**15  # integers below this need no cut

# Sorted, so that equal objects read the same and ask a judge the same.
_ENCODER: Final = json.JSONEncoder(ensure_ascii=False, check_circular=False, sort_keys=True)


def show(value: Json, limit: int = LIMIT) -> str:
    """The value as JSON, cut to `limit` characters. Never raises."""
    if isinstance(value, str):
        text = printable(encode_basestring(value[:limit]))
        return text if len(text) <= limit else cut(text, limit - 1) + '"'
    if type(value) is int and -_SHORT < value < _SHORT:
        return str(value)
    written = ""
    try:
        # Piece by piece, so that a huge answer costs no more than the part that is shown.
        for piece in _ENCODER.iterencode(value):
            written += piece
            if len(written) > limit:
                break
    except ValueError:  # Python writes no integer of more than 4,300 digits
        written = f"{written} an integer of very many digits".lstrip()
    return cut(printable(written), limit)


def written(value: Json) -> str:
    """The whole value as a judge reads it: text as it is, anything else as JSON."""
    return value if isinstance(value, str) else show(value, sys.maxsize)


def name(text: str) -> str:
    """The name of a tool or an argument, as JSON if it has characters that are not printable."""
    if 0 < len(text) <= LIMIT and text.isprintable():
        return text
    return show(text)


def first_line(text: str) -> str:
    """The first line that is not blank, trimmed and cut."""
    line = next((line.strip() for line in text.splitlines() if line.strip()), "no reason is given")
    return cut(printable(line))


def printable(text: str) -> str:
    """The text with lone surrogates escaped, because no table or page can hold them."""
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode("utf-8")
