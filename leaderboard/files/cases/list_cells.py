"""Cells of tables that hold several texts: a list, the text of a list, or texts between `|`."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Final

from leaderboard.files.python_literals import read_literal
from leaderboard.types import Json

# What pandas writes for an array of texts. Python would join them to one text.
_WITHOUT_COMMAS: Final = re.compile(
    r"""\[\s*(?:'[^'\n]*'|"[^"\n]*")(?:\s+(?:'[^'\n]*'|"[^"\n]*"))+\s*\]"""
)


def is_blank(value: Json) -> bool:
    """Whether a cell, or an entry of its list, holds nothing."""
    if isinstance(value, float):
        return not math.isfinite(value)
    return value in (None, []) or (isinstance(value, str) and not value.strip())


def entries_of(cell: Json, what: str) -> list[str]:
    """The trimmed entries of a cell, which are empty where they are blank. `what` names them.

    Raises ValueError if an entry is a list or an object.
    """
    entries = _list_in(cell)
    if entries is None:
        entries = [*str(cell).split("|")]
    if any(isinstance(entry, Mapping | list | tuple) for entry in entries):
        what = f"has a list of {what} in which one entry is a list or an object"
        raise ValueError(f"{what}. Write every entry as a text")
    return ["" if is_blank(entry) else str(entry).strip() for entry in entries]


def is_list_of_texts(cell: Json) -> bool:
    """Whether a cell is a list, or the text of a list in which every entry is a text.

    The text `[1, 2]` is none: it may be the answer itself.
    """
    if isinstance(cell, list | tuple):
        return True
    entries = _list_in(cell)
    return bool(entries) and all(isinstance(entry, str) for entry in entries or ())


def _list_in(cell: Json) -> list[Json] | None:
    """The list that a cell holds, perhaps as text in JSON or Python; None for any other cell."""
    if isinstance(cell, list | tuple):
        return [*cell]
    text = cell.strip() if isinstance(cell, str) else ""
    if not (text.startswith("[") and text.endswith("]")):
        return None
    if _WITHOUT_COMMAS.fullmatch(text):
        what = f"has a list without commas between its texts: {text:.60}"
        raise ValueError(f"{what}. Write it in JSON, or as texts between |")
    try:
        value = read_literal(text)
    except ValueError:
        return None
    return value if isinstance(value, list) else None
