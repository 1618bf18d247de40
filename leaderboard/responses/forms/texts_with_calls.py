"""Which parts of a text are calls. `call_syntax` reads each of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from leaderboard.files.tool_names import sent_name
from leaderboard.responses.forms.call_syntax import calls_of, decoded, tagged_calls_of, without_mark
from leaderboard.responses.forms.model_reply import ToolCall
from leaderboard.responses.model_texts import AnswerInText, without_ends
from leaderboard.types import Tool

# A block between backticks at the start of a line, where a language may follow, and backticks at
# the start or end of a line.
_FENCE: Final = re.compile(
    r"^[ \t]*```[^`\n]*\n(.*?)(?:^[ \t]*```|```[ \t]*$)", re.DOTALL | re.MULTILINE
)
# What starts and what ends a call. The last end may be missing.
_TAGS: Final = (
    ("<tool_call>", "</tool_call>"),  # Qwen, GLM and others
    (r"\[TOOL_CALLS\]", r"\Z"),  # Mistral
    (r"<\|tool_call\|>", r"<\|/tool_call\|>"),  # Granite and Phi
    (r'(?:<function_calls>\s*)?<invoke name="', r"</invoke>(?:\s*</function_calls>)?"),  # Claude
    (
        r"(?:<｜tool▁calls▁begin｜>\s*)?<｜tool▁call▁begin｜>",  # DeepSeek
        r"<｜tool▁call▁end｜>(?:\s*<｜tool▁calls▁end｜>)?",
    ),
    (r"(?:<\|start\|>assistant)?(?:<\|channel\|>\w+)?\s?to=functions\.", r"<\|call\|>"),  # gpt-oss
)
_TAGGED: Final = re.compile(
    r"(<function=(?:(?!<function=).)*?</function>)|"
    + "|".join(rf"{start}(.*?)(?:{end}|(?={start})|\Z)" for start, end in _TAGS),
    re.DOTALL,
)
# What models write around calls, and after the name of a tool that they call.
_CALL_MARK: Final = re.compile(
    r"<tool_call|\[TOOL_CALLS\]|<\|tool_call|<function[=_]|<invoke |to=functions\.|<｜tool▁"
    r"|<TOOLCALL>|functools\["
)
# Quotes of word processors, as those that models write around names.
_STRAIGHT: Final = str.maketrans("“”„‘’‚", "\"\"\"'''")
_GIVEN: Final = r"[\"'],\s*[\"'](?:arg|param|input|tool_input|action_input)"


class _Part(NamedTuple):
    """A part of a text, and what may be calls in it. A tag says that it is meant as a call."""

    text: str
    inner: str
    is_tagged: bool = False


def calls_in_text(
    text: str | None, tools: Sequence[Tool]
) -> tuple[tuple[ToolCall, ...], str | None]:
    """Splits a text into calls of offered tools that it gives, and the other text.

    Harnesses that keep only texts write calls in this way, and so do servers that do not know how
    a model writes its calls. Calls without tags must end the text: before other words they may be
    examples.
    """
    by_name = tools_by_name(tools)
    calls: list[ToolCall] = []
    others: list[str] = []
    is_end = True
    for part in reversed([*_parts(without_ends(text or ""))]):
        if part.is_tagged:
            part_calls = tagged_calls_of(part.inner, by_name)
        else:
            part_calls = calls_of(part.inner, by_name) if is_end else ()
        if part_calls:
            calls += reversed(part_calls)
        elif other := without_ends(part.text).strip():
            others.append(other)
            is_end = False
    if not calls:
        return (), text
    return tuple(reversed(calls)), "\n\n".join(reversed(others)) or None


def calls_in_answer(
    found: AnswerInText, written: str | None, tools: Sequence[Tool]
) -> tuple[tuple[ToolCall, ...], str | None]:
    """The calls in the answer of a text, and the rest of it. `written` is the whole text.

    Some models call a tool before they end their thoughts.
    """
    if not found.unclosed:
        return calls_in_text(found.text, tools)
    calls, _ = calls_in_text(written, tools)
    return calls, None


def looks_like_call(text: str, tools: Sequence[Tool]) -> bool:
    """Whether a text has marks of calls, or an offered tool's name as models write it in calls.

    In Python such a call starts a line. Within one it is rather an example, or code with a comment.
    """
    if not text.isascii():
        text = text.translate(_STRAIGHT)
    if _CALL_MARK.search(text):
        return True
    given = [name for tool in tools for name in (tool.name, sent_name(tool.name)) if name in text]
    if not given:
        return False
    names = "|".join(map(re.escape, given))
    in_python = rf"^[^\w\n]*(?:print\()?(?:\w+\.)?(?:{names})\("
    in_json = rf"(?<!\w)(?:{names})(?:{_GIVEN}|[\"']:\s*\{{)"
    after_action = rf"Action:\s*(?:{names})\b"
    called = f"{in_python}|{in_json}|{after_action}"
    return bool(re.search(called, text, re.MULTILINE))


def tools_by_name(tools: Sequence[Tool]) -> Mapping[str, Tool]:
    """The tools by their names, also without the dots that providers refuse."""
    by_sent_name = {sent_name(tool.name): tool for tool in tools}
    return by_sent_name | {tool.name: tool for tool in tools}


def _parts(text: str) -> Iterator[_Part]:
    """The parts of a text that may be calls: in tags, and what is around them."""
    end = 0
    for tagged in _TAGGED.finditer(text):
        yield from _blocks(text[end : tagged.start()])
        yield _Part(tagged[0], tagged[tagged.lastindex or 0], is_tagged=True)
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
