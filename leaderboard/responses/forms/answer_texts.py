"""What texts of models contain besides the answer: thoughts, and calls written as JSON."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from leaderboard.responses.forms.model_reply import ToolCall
from leaderboard.responses.forms.plain_records import decoded, listed_calls
from leaderboard.types import Json, Tool

# A block between backticks at the start of a line, where a language may follow, and backticks at
# the start or end of a line.
_FENCE: Final = re.compile(
    r"^[ \t]*```[^`\n]*\n(.*?)(?:^[ \t]*```|```[ \t]*$)", re.DOTALL | re.MULTILINE
)
# What Mistral and Llama write before calls.
_MARK: Final = re.compile(r"\s*(?:\[TOOL_CALLS\]|<\|python_tag\|>)")


class _Part(NamedTuple):
    """A part of a text, and what may be JSON in it. A tag says that it is meant as a call."""

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
    """Splits a text into calls of offered tools that it gives as JSON, and the other text.

    Harnesses that keep only texts write calls in this way, and so do servers that do not know how
    a model writes its calls. Calls without tags must end the text: before other words they may be
    examples.
    """
    names = {tool.name for tool in tools}
    names |= {name.replace(".", "_") for name in names}
    calls: list[ToolCall] = []
    others: list[str] = []
    is_end = True
    for part in reversed([*_parts(text or "")]):
        found = _offered_calls(part.inner, names) if is_end or part.is_tagged else ()
        if found:
            calls += reversed(found)
        elif part.text.strip():
            others.append(part.text.strip())
            is_end = False
    if not calls:
        return (), text
    return tuple(reversed(calls)), "\n\n".join(reversed(others)) or None


def _offered_calls(text: str, names: set[str]) -> tuple[ToolCall, ...]:
    """The calls that a part is JSON of, if all of them name offered tools."""
    value = _decoded(text)
    if isinstance(value, Mapping) and value.keys() == {"tool_calls"}:
        value = value["tool_calls"]
    listed = None if isinstance(value, str) else listed_calls(value)
    return listed if listed and all(call.name in names for call in listed) else ()


def _parts(text: str) -> Iterator[_Part]:
    """The parts of a text that may be JSON: in tags, and what is around them."""
    before, *tagged = text.split("<tool_call>")
    yield from _blocks(before)
    for part in tagged:
        call, _, after = part.partition("</tool_call>")
        yield _Part(call, call, is_tagged=True)
        yield from _blocks(after)


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
    return not isinstance(_decoded(text), str)


def _decoded(text: str) -> Json:
    mark = _MARK.match(text)
    return decoded(text[mark.end() :] if mark else text)
