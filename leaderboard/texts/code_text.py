"""Taking source code of Java and JavaScript apart, without running or fully parsing it."""

from __future__ import annotations

import re
from typing import Final

_PAIRS: Final = {"(": ")", "[": "]", "{": "}"}
_QUOTES: Final = "\"'`"
_DEEPEST: Final = 50  # brackets in brackets; values are read with one call for each
# What can be the type arguments of a generic class, as in HashMap<String, List<Integer>>.
# With more than 200 characters, `<` is an operator.
_TYPE_TEXT: Final = re.compile(r"[\w\s,.?<>\[\]]{0,200}")
_ESCAPE: Final = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
_CONTROL: Final = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}


def split_code(text: str, separator: str) -> list[str]:
    """The parts between separators that stand outside quotes and brackets, stripped.

    The separator is one character. A blank text has no parts. Raises ValueError if a quote or a
    bracket is not closed, or is closed without being opened.
    """
    parts, start, place = [], 0, 0
    open_brackets: list[str] = []
    while place < len(text):
        sign = text[place]
        if sign in _QUOTES:
            place = _after_quotes(text, place)
            continue
        if sign in _PAIRS:
            open_brackets.append(_PAIRS[sign])
            if len(open_brackets) > _DEEPEST:
                raise ValueError("nests brackets too deep")
        elif sign in _PAIRS.values():
            if not open_brackets or open_brackets.pop() != sign:
                raise ValueError(f"closes {sign!r} without opening it")
        elif sign == "<" and place and (text[place - 1].isalnum() or text[place - 1] == "_"):
            place = _after_type_arguments(text, place)
            continue
        elif sign == separator and not open_brackets:
            parts.append(text[start:place].strip())
            start = place + 1
        place += 1
    if open_brackets:
        raise ValueError(f"lacks {open_brackets[-1]!r}")
    rest = text[start:].strip()
    return [*parts, rest] if parts or rest else []


def _after_quotes(text: str, start: int) -> int:
    """The place after the quoted text that starts here."""
    place = start + 1
    while place < len(text):
        if text[place] == text[start]:
            return place + 1
        place += 2 if text[place] == "\\" else 1
    raise ValueError(f"lacks a closing {text[start]}")


def _after_type_arguments(text: str, start: int) -> int:
    """The place after `<...>`, or after the `<` if it is an operator."""
    written = _TYPE_TEXT.match(text, start)
    if written is None or ">" not in written[0]:
        return start + 1
    depth = 0
    for place, sign in enumerate(written[0], start=start):
        depth += {"<": 1, ">": -1}.get(sign, 0)
        if depth == 0:
            return place + 1
    return start + 1


def quoted_text(text: str) -> str | None:
    """The text inside quotes, if the whole of `text` is one quoted text; else None."""
    if len(text) < 2 or text[0] not in _QUOTES:
        return None
    try:
        if _after_quotes(text, 0) != len(text):
            return None
    except ValueError:
        return None
    return _ESCAPE.sub(_unescaped, text[1:-1])


def _unescaped(match: re.Match[str]) -> str:
    escaped = match[1]
    if len(escaped) > 1:
        return chr(int(escaped[1:], 16))
    return _CONTROL.get(escaped, escaped)
