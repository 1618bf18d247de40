"""Tables and sentences, printed as text for a terminal or as Markdown for a comment."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING

from cli.output.console import printable
from leaderboard.limits import REPORT_BYTES
from leaderboard.texts.short_text import and_more, cut

if TYPE_CHECKING:
    from leaderboard.board.board_changes import Cause

# The longest text in a table cell. Case ids and reasons are shorter.
_LIMIT = 120

_ROWS = 150
_NAMED = 3  # files or cases of one cause


@dataclass(frozen=True, slots=True)
class Table:
    """A table of raw cells, which are escaped when it is printed.

    The first `left` columns are left-aligned. The first `foreign` columns hold text that others
    wrote (default: all columns). In Markdown, a table with a title is folded behind it.
    """

    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    left: int = 1
    foreign: int | None = None
    title: str = ""


Block = str | Table


@dataclass(frozen=True, slots=True)
class Style:
    """How a report is written. `name` escapes a name that others chose, `report` joins blocks."""

    name: Callable[[str], str]
    report: Callable[[Iterable[Block]], str]
    heading: str = "{}"
    strong: str = "{}"


def plain(text: str, limit: int = _LIMIT) -> str:
    """One line without control characters, of at most `limit` characters."""
    return cut(printable(text), limit)


def code(text: str, limit: int = _LIMIT) -> str:
    """Any text as inline code: nothing in it is read as Markdown, HTML, a link or a mention."""
    shown = plain(text, limit)
    fence = "`" * (1 + max(map(len, re.findall("`+", shown)), default=0))
    pad = " " if shown.startswith("`") or shown.endswith("`") or not shown else ""
    return f"{fence}{pad}{shown}{pad}{fence}"


def text_report(blocks: Iterable[Block]) -> str:
    """Blocks separated by blank lines, with tables indented. Empty blocks are left out."""
    parts = [block if isinstance(block, str) else _text_table(block) for block in blocks if block]
    return "\n\n".join(parts)


def markdown_report(blocks: Iterable[Block]) -> str:
    """As many lines of each block as one comment holds. The last line counts the others.

    One long block does not displace the blocks after it. A folded table is whole or left out.
    """
    kept: list[str] = []
    left_out = 0
    room = REPORT_BYTES
    for block in blocks:
        lines = (block if isinstance(block, str) else _markdown_table(block)).split("\n")
        sizes = [len(line.encode()) + 2 for line in lines]
        fitting = sum(total <= room for total in accumulate(sizes))
        if isinstance(block, Table) and block.title and fitting < len(lines):
            fitting = 0
        room -= sum(sizes[:fitting])
        left_out += len(lines) - fitting
        kept.append("\n".join(lines[:fitting]))
    if left_out:
        kept.append(f"… and {left_out:,} more lines, too long for a comment.")
    return "\n\n".join(filter(None, kept))


TEXT = Style(plain, text_report)
MARKDOWN = Style(code, markdown_report, heading="### {}", strong="**{}**")
STYLES = {"text": TEXT, "markdown": MARKDOWN}


def inputs_in_words(causes: Sequence[Cause], style: Style) -> str:
    """The causes of a change: each kind once, with the names of its first files or cases."""
    from leaderboard.board.causes_of_change import group_inputs

    parts = []
    for group in group_inputs(causes):
        part = group.what
        if group.suite is not None:
            part += f" of {style.name(group.suite)}"
        names = [
            style.name(name) if how == "changed" else f"{style.name(name)} {how}"
            for name, how in group.names[:_NAMED]
        ]
        if names:
            part += f": {', '.join(names)}"
        parts.append(part + and_more(len(group.names) - _NAMED))
    return "; ".join(parts)


def _text_table(table: Table) -> str:
    rows = [table.head, *(list(map(plain, row)) for row in table.rows)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        cells = [
            cell.ljust(width) if place < table.left else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  " + "  ".join(cells).rstrip())
    return "\n".join(lines)


def _markdown_row(cells: Iterable[str]) -> str:
    inner = " | ".join(cell.replace("|", "\\|") for cell in cells)
    return f"| {inner} |"


def _markdown_table(table: Table) -> str:
    foreign = len(table.head) if table.foreign is None else table.foreign
    rule = [":---" if place < table.left else "---:" for place in range(len(table.head))]
    shown = table.rows[:_ROWS] if table.title else table.rows
    rows = [table.head, rule]
    for row in shown:
        cells = [code(cell) if cell and place < foreign else cell for place, cell in enumerate(row)]
        rows.append(cells)
    text = "\n".join(map(_markdown_row, rows))
    if not table.title:
        return text
    more = len(table.rows) - len(shown)
    rest = f"\n\nand {more:,} more" if more else ""
    return f"<details><summary>{table.title}</summary>\n\n{text}{rest}\n\n</details>"
