"""Texts without the marks of emphasis in Markdown, and without what is struck out."""

from __future__ import annotations

import re
from typing import Final

# Text that is struck out. Paragraphs end it.
_STRUCK: Final = re.compile(r"~~(?=\S)(?:[^~\n]|\n(?!\n))+(?<=\S)~~")
_EMPHASIS: Final = re.compile(r"\*+|_+|`+|\n[ \t]*\n")


def strip_emphasis(text: str) -> str:
    """The text without the marks of Markdown emphasis and inline code.

    A mark opens before a word and closes after one, within a paragraph: `*so*`, `**so**`, `_so_`.
    The marks in `5*3`, `2 * 3`, `snake_case`, `**kwargs`, in code and in a fenced block are kept.
    """
    if not any(mark in text for mark in "*_`"):
        return text
    opened: dict[str, tuple[int, int]] = {}
    marks: list[tuple[int, int]] = []
    for run in _EMPHASIS.finditer(text):
        mark, (start, end) = run.group(), run.span()
        if mark[0] == "\n":
            opened.clear()
            continue
        before, after = text[start - 1 : start] or " ", text[end : end + 1] or " "
        if mark in opened and not before.isspace() and not after.isalnum():
            place, earlier = opened.pop(mark)
            if mark[0] == "`":  # what is inside is code, and no mark
                del marks[earlier:]
                opened = {other: at for other, at in opened.items() if at[0] < place}
            marks += [(place, place + len(mark)), (start, end)]
        elif len(mark) <= 3 and not after.isspace() and not before.isalnum():
            opened[mark] = start, len(marks)

    kept, place = [], 0
    for start, end in sorted(marks):
        kept.append(text[place:start])
        place = end
    return "".join([*kept, text[place:]])


def blank_struck_out(text: str) -> str:
    """The text with blanks for what is struck out, so that the other characters do not move."""
    return _STRUCK.sub(lambda struck: " " * len(struck[0]), text)
