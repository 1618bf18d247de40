"""Texts and lists of them, cut for messages, verdicts and reports, and texts with single blanks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

LIMIT: Final = 120  # characters of one value in a sentence


def cut(text: str, limit: int = LIMIT) -> str:
    """At most `limit` characters, the last one an ellipsis if something is cut."""
    return text if len(text) <= limit else text[: limit - 1] + "…"


def single_spaced(text: str) -> str:
    """The text with one blank for each run of blanks and line breaks, and none at its ends."""
    return " ".join(text.split())


def and_more(hidden: int) -> str:
    """The number of those that a list does not show, for its end; "" if it shows all."""
    return f" and {hidden:,} more" if hidden > 0 else ""


def first_of(
    texts: Sequence[str], most: int, separator: str = ", ", show: Callable[[str], str] = str
) -> str:
    """The first texts of a list as they are shown, with the number of those that are not."""
    hidden = len(texts) - most
    shown = separator.join(map(show, texts[:most]))
    return f"{shown}, and {hidden:,} more" if hidden > 0 else shown
