"""Reads the tools that a model chose: a JSON array of names, anywhere in its reply."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Final

MAX_REPLY: Final = 200_000  # characters, more than any list of names
_MAX_BRACKETS: Final = 50  # that may start something else before the array
_DECODER: Final = json.JSONDecoder()


def chosen_names(reply: str) -> tuple[str, ...]:
    """The names in a reply, in order, with repeats; empty if it has no array of texts.

    Text, code fences or an object around the array do not matter. If the reply breaks off inside
    the array, every complete text counts.
    """
    text = reply[:MAX_REPLY]
    place = 0
    for _ in range(_MAX_BRACKETS):
        start = text.find("[", place)
        if start < 0:
            break
        try:
            value, place = _DECODER.raw_decode(text, start)
            names = tuple(item for item in value if isinstance(item, str))
        except (ValueError, RecursionError):
            place = start + 1
            names = tuple(_complete_texts(text, place))
        if names:
            return names
    return ()


def _complete_texts(text: str, place: int) -> Iterator[str]:
    """The texts of a broken array, up to the first item that is not complete."""
    while place < len(text):
        while place < len(text) and text[place] in " \t\r\n,":
            place += 1
        try:
            value, place = _DECODER.raw_decode(text, place)
        except (ValueError, RecursionError):
            return
        if isinstance(value, str):
            yield value
