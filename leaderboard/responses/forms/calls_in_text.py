"""Tool calls that an answer writes as JSON in its text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from leaderboard.responses.forms.model_reply import ToolCall
from leaderboard.responses.forms.plain_records import decoded, listed_calls
from leaderboard.types import Tool

_FENCE: Final = re.compile(r"```(?:json)?\s*\n(.*?)\n?```", re.DOTALL)


def calls_in_text(
    text: str | None, tools: Sequence[Tool]
) -> tuple[tuple[ToolCall, ...], str | None]:
    """Splits a text into calls of offered tools that it gives as JSON, and the other text.

    Harnesses that keep only texts write calls in this way.
    """
    names = {tool.name for tool in tools}
    names |= {name.replace(".", "_") for name in names}
    calls: list[ToolCall] = []
    others = []
    for part in _parts(text or ""):
        value = decoded(part)
        listed = None if isinstance(value, str) else listed_calls(value)
        if listed and all(call.name in names for call in listed):
            calls += listed
        else:
            others.append(part)
    return (tuple(calls), "\n\n".join(others) or None) if calls else ((), text)


def _parts(text: str) -> Iterator[str]:
    """A text that may be JSON as a whole or in a fence; else its paragraphs."""
    stripped = text.strip()
    if fenced := _FENCE.fullmatch(stripped):
        stripped = fenced[1]
    if not isinstance(decoded(stripped), str):
        yield stripped
    else:
        yield from text.split("\n\n")
