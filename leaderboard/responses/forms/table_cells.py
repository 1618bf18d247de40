"""The cells of tables: texts where a record has numbers, objects or nothing."""

from __future__ import annotations

import math
from typing import Final

from leaderboard.responses.forms.foreign_records import Row, error_text
from leaderboard.responses.forms.plain_records import decoded
from leaderboard.types import Json

_AMOUNTS: Final = ("input_tokens", "output_tokens", "cost_usd")


def read_cells(row: Row) -> dict[str, Json]:
    """A row with the amounts of a record in place of the texts of its cells.

    Columns of tokens and cost become `usage`. What is no number stays as it is, and is a problem
    later.
    """
    others = {"trial", "latency_s", "usage", "error", *_AMOUNTS}
    found = {name: value for name, value in row.items() if name not in others}
    amounts = {name: number_in(row.get(name)) for name in _AMOUNTS}
    usage = decoded(row.get("usage")) or {
        name: amount for name, amount in amounts.items() if amount not in (None, "")
    }
    read = {
        "trial": number_in(row.get("trial")),
        "latency_s": number_in(row.get("latency_s")),
        "usage": usage or None,
        "error": error_text(row.get("error")),
    }
    return found | {name: value for name, value in read.items() if value not in (None, "")}


def number_in(cell: Json) -> Json:
    """The number in a cell, whole if it has no fraction. Anything else stays as it is."""
    try:
        number = float(cell) if isinstance(cell, str) else cell
    except ValueError:
        return cell
    if not isinstance(number, float) or not math.isfinite(number):
        return cell
    return int(number) if number.is_integer() else number
