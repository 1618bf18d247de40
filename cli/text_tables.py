"""Tables as text for a terminal and as Markdown for a pull request."""

from __future__ import annotations

import re
from collections.abc import Sequence

from cli.console import printable

# The longest text in a table cell. Case ids and reasons are shorter.
_LIMIT = 120

# A comment on a pull request holds 65,536 characters.
_COMMENT = 60_000
_ROWS = 150


def text_table(rows: Sequence[Sequence[str]], left: int = 1) -> str:
    """Rows in columns: the first `left` columns are left-aligned, the others right-aligned."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        cells = [
            cell.ljust(width) if place < left else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def markdown_table(rows: Sequence[Sequence[str]], left: int = 1) -> str:
    """The same in Markdown, with the first row as its head.

    Cells are not escaped: pass foreign text through `code`.
    """
    head, *body = rows
    rule = [":---" if place < left else "---:" for place in range(len(head))]
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, rule, *body))


def folded(title: str, head: Sequence[str], rows: Sequence[Sequence[str]], left: int = 1) -> str:
    """A Markdown table folded behind its title, with a limited number of rows."""
    more = f"\n\nand {len(rows) - _ROWS:,} more" if len(rows) > _ROWS else ""
    table = markdown_table([head, *rows[:_ROWS]], left)
    return f"<details><summary>{title}</summary>\n\n{table}{more}\n\n</details>"


def comment(blocks: Sequence[str]) -> str:
    """Blocks of Markdown, as many as one comment holds. The last line counts the others."""
    kept: list[str] = []
    room = _COMMENT
    for place, block in enumerate(blocks):
        room -= len(block) + 2
        if room < 0:
            kept.append(f"… and {len(blocks) - place:,} more parts, too long for a comment.")
            break
        kept.append(block)
    return "\n\n".join(kept)


def code(text: str) -> str:
    """Any text as inline code: nothing in it is read as Markdown, HTML, a link or a mention."""
    shown = plain(text).replace("|", "\\|")
    fence = "`" * (1 + max(map(len, re.findall("`+", shown)), default=0))
    pad = " " if shown.startswith("`") or shown.endswith("`") or not shown else ""
    return f"{fence}{pad}{shown}{pad}{fence}"


def plain(text: str) -> str:
    """One line without control characters, cut to the longest text of a cell."""
    shown = printable(text).replace("\n", "\\n")
    return shown if len(shown) <= _LIMIT else shown[: _LIMIT - 1] + "…"
