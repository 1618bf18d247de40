"""Texts that are cut for messages, verdicts and reports."""

from __future__ import annotations

from typing import Final

LIMIT: Final = 120  # characters of one value in a sentence


def cut(text: str, limit: int = LIMIT) -> str:
    """At most `limit` characters, the last one an ellipsis if something is cut."""
    return text if len(text) <= limit else text[: limit - 1] + "…"
