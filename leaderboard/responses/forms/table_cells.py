"""The cells of tables, which are texts where a record has numbers or objects, and their columns."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
from typing import Final

from leaderboard.responses.answer_fields import ANSWER_FIELDS
from leaderboard.responses.forms.call_syntax import decoded
from leaderboard.responses.forms.foreign_records import (
    Row,
    error_text,
    is_nothing,
    number_in,
    usage_fields,
)
from leaderboard.responses.forms.plain_records import READ_FIELDS
from leaderboard.responses.record_shapes import USAGE_NAMES
from leaderboard.types import Json

_AMOUNTS: Final = ("input_tokens", "output_tokens", "cost_usd")
_KNOWN: Final[Mapping[str, str]] = {
    name.casefold(): name
    for name in chain(READ_FIELDS, chain.from_iterable(ANSWER_FIELDS.values()))
} | dict(USAGE_NAMES)
KNOWN_FIELDS: Final = frozenset(_KNOWN.values())


def read_cells(row: Row) -> dict[str, Json]:
    """A row with the amounts of a record in place of the texts of its cells.

    Columns of tokens and cost become `usage`. What is no number stays as it is, and is a problem
    later.
    """
    others = {"trial", "latency_s", "usage", "error", *_AMOUNTS}
    read = {name: value for name, value in row.items() if name not in others}
    read |= usage_fields(*map(row.get, (*_AMOUNTS, "latency_s")))
    if usage := decoded(row.get("usage")):
        read["usage"] = usage
    if not is_nothing(row.get("trial")):
        read["trial"] = number_in(row["trial"])
    if error := error_text(row.get("error")):
        read["error"] = error
    return read


def column_name(name: str) -> str:
    """The known field that a column is, whose name may be written in any letter case."""
    return _KNOWN.get(name.strip().casefold(), name.strip())
