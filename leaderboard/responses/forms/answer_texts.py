"""What texts of models contain besides the answer: thoughts, and calls written as text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from leaderboard.files.tool_names import sent_name
from leaderboard.responses.forms.call_texts import calls_of, without_mark
from leaderboard.responses.forms.model_reply import ToolCall
from leaderboard.responses.forms.plain_records import decoded
from leaderboard.types import Tool

# A block between backticks at the start of a line, where a language may follow, and backticks at
# the start or end of a line.
_FENCE: Final = re.compile(
    r"^[ \t]*```[^`\n]*\n(.*?)(?:^[ \t]*```|```[ \t]*$)", re.DOTALL | re.MULTILINE
)
# Calls between tags. The last end may be missing.
_TAGGED: Final = re.compile(
    r"<tool_call>(?P<inner>.*?)(?:</tool_call>|(?=<tool_call>)|\Z)"
    r"|(?P<function><function=(?:(?!<function=).)*?</function>)",
    re.DOTALL,
)


class _Part(NamedTuple):
    """A part of a text, and what may be calls in it. A tag says that it is meant as a call."""

    text: str
    inner: str
    is_tagged: bool = False


def without_thoughts(text: str | None) -> str | None:
    """The text without the thoughts that some servers leave at its start.

    Their opening tag is missing if it was the end of the prompt.
    """
    if not text:
        return text
    if text.lstrip().startswith("<think>"):
        _, end, answer = text.partition("</think>")
    elif text.count("</think>") > text.count("<think>"):
        _, end, answer = text.rpartition("</think>")
    else:
        return text
    return (answer.strip() or None) if end else text


def calls_in_text(
    text: str | None, tools: Sequence[Tool]
) -> tuple[tuple[ToolCall, ...], str | None]:
    """Splits a text into calls of offered tools that it gives, and the other text.

    Harnesses that keep only texts write calls in this way, and so do servers that do not know how
    a model writes its calls. Calls without tags must end the text: before other words they may be
    examples.
    """
    by_name = {sent_name(tool.name): tool for tool in tools}
    by_name |= {tool.name: tool for tool in tools}
    calls: list[ToolCall] = []
    others: list[str] = []
    is_end = True
    for part in reversed([*_parts(text or "")]):
        found = calls_of(part.inner, by_name) if is_end or part.is_tagged else ()
        if found:
            calls += reversed(found)
        elif part.text.strip():
            others.append(part.text.strip())
            is_end = False
    if not calls:
        return (), text
    return tuple(reversed(calls)), "\n\n".join(reversed(others)) or None


def _parts(text: str) -> Iterator[_Part]:
    """The parts of a text that may be calls: in tags, and what is around them."""
    end = 0
    for tagged in _TAGGED.finditer(text):
        yield from _blocks(text[end : tagged.start()])
        inner = tagged["inner"] or tagged["function"] or ""
        yield _Part(inner, inner, is_tagged=True)
        end = tagged.end()
    yield from _blocks(text[end:])


def _blocks(text: str) -> Iterator[_Part]:
    """A text that is JSON as a whole; else its fenced blocks, and what is around them."""
    if _is_json(text):
        yield _Part(text, text)
        return
    end = 0
    for fenced in _FENCE.finditer(text):
        yield from _paragraphs(text[end : fenced.start()])
        yield _Part(fenced[0], fenced[1])
        end = fenced.end()
    yield from _paragraphs(text[end:])


def _paragraphs(text: str) -> Iterator[_Part]:
    """The paragraphs of a text, or lines of JSON."""
    for paragraph in text.split("\n\n"):
        lines = paragraph.splitlines()
        for part in lines if all(map(_is_json, lines)) else [paragraph]:
            yield _Part(part, part)


def _is_json(text: str) -> bool:
    return not isinstance(decoded(without_mark(text)), str)
