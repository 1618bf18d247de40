"""What texts of models contain besides the answer: thoughts, and calls written as JSON."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from leaderboard.responses.forms.model_reply import ToolCall
from leaderboard.responses.forms.plain_records import decoded, listed_calls
from leaderboard.types import Tool

_FENCE: Final = re.compile(r"```(?:json)?\s*\n(.*?)\n?```", re.DOTALL)


def without_thoughts(text: str | None) -> str | None:
    """The text without the thoughts that some servers leave at its start."""
    if text and text.lstrip().startswith("<think>"):
        _, end, answer = text.partition("</think>")
        return (answer.strip() or None) if end else text
    return text


def calls_in_text(
    text: str | None, tools: Sequence[Tool]
) -> tuple[tuple[ToolCall, ...], str | None]:
    """Splits a text into calls of offered tools that it gives as JSON, and the other text.

    Harnesses that keep only texts write calls in this way, and so do servers that do not know how
    a model writes its calls.
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
        elif part.strip():
            others.append(part.strip())
    return (tuple(calls), "\n\n".join(others) or None) if calls else ((), text)


def _parts(text: str) -> Iterator[str]:
    """The parts of a text that may be JSON: in tags, and what is around them."""
    before, *tagged = text.split("<tool_call>")
    yield from _paragraphs(before)
    for part in tagged:
        call, _, after = part.partition("</tool_call>")
        yield call
        yield from _paragraphs(after)


def _paragraphs(text: str) -> Iterator[str]:
    """A text that may be JSON as a whole or in a fence; else its paragraphs, or lines of JSON."""
    stripped = text.strip()
    if fenced := _FENCE.fullmatch(stripped):
        stripped = fenced[1]
    if _is_json(stripped):
        yield stripped
        return
    for paragraph in text.split("\n\n"):
        lines = paragraph.splitlines()
        yield from lines if all(map(_is_json, lines)) else [paragraph]


def _is_json(text: str) -> bool:
    return not isinstance(decoded(text), str)
