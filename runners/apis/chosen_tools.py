"""Reading which tools a model chose: a JSON array of names, in whatever a model wraps around it or cuts off."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Final

from leaderboard.types import Json

LONGEST_REPLY: Final = 200_000  # characters; more than any list of names
_MOST_BRACKETS: Final = 50  # that may open something else before the array begins
_DECODER: Final = json.JSONDecoder()
_FENCE: Final = "```"


def chosen_names(reply: str) -> tuple[str, ...]:
    """The names in a reply, in order, repeats included; empty where it holds no array of texts.

    A code fence, words around the array, `{"tools": [...]}` and a reply that breaks off in the middle are all taken: of a
    broken array every complete text counts.
    """
    text = _without_fence(reply[:LONGEST_REPLY].strip())
    place = 0
    for _ in range(_MOST_BRACKETS):
        start = text.find("[", place)
        if start < 0:
            break
        names, place = _array(text, start)
        if names:
            return names
    return ()


def _without_fence(text: str) -> str:
    """Without a fence line at the start, and without one at the end only if it is one."""
    if not text.startswith(_FENCE):
        return text
    first, found, rest = text.partition("\n")
    if not found:
        return first.removeprefix(_FENCE).removesuffix(_FENCE)
    lines = rest.splitlines()
    if lines and lines[-1].strip() == _FENCE:
        lines.pop()
    return "\n".join(lines)


def _array(text: str, start: int) -> tuple[tuple[str, ...], int]:
    """The texts directly inside the array that starts there, and where to look on if there are none."""
    try:
        value, end = _DECODER.raw_decode(text, start)
    except (ValueError, RecursionError):
        return tuple(_complete_texts(text, start + 1)), start + 1
    return tuple(_texts(value)), end


def _texts(value: Json) -> Iterator[str]:
    if isinstance(value, list):
        yield from (item for item in value if isinstance(item, str))


def _complete_texts(text: str, place: int) -> Iterator[str]:
    """The items of a broken array as far as they are whole."""
    while place < len(text):
        while place < len(text) and text[place] in " \t\r\n,":
            place += 1
        try:
            value, place = _DECODER.raw_decode(text, place)
        except (ValueError, RecursionError):
            return
        if isinstance(value, str):
            yield value
