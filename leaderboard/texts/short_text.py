"""Texts and lists of them that are cut for messages, verdicts and reports."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

LIMIT: Final = 120  # characters of one value in a sentence


def cut(text: str, limit: int = LIMIT) -> str:
    """At most `limit` characters, the last one an ellipsis if something is cut."""
    return text if len(text) <= limit else text[: limit - 1] + "…"


def first_of(texts: Sequence[str], most: int, separator: str = ", ") -> str:
    """The first texts of a list, with the number of those that are not shown."""
    hidden = len(texts) - most
    return separator.join(texts[:most]) + (f", and {hidden:,} more" if hidden > 0 else "")
