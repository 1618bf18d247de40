"""The arguments of services: what a call sends, in the form that a service computes with.

An argument's form is one line: a kind, perhaps its limits, perhaps a default.

    text            any text                  integer 1..14 = 1      a whole number
    hotels.city     a value of a table        number 0..500          a number
    date 2031-05-01..2031-05-31               choice metric|imperial = metric
    time            HH:MM                     boolean = false
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import orjson

from leaderboard.texts.short_text import single_spaced
from leaderboard.types import Json
from runners.apis.service_expressions import by_spelling, plain_text

# The rows of the tables of a service, by the names of the tables.
Tables = Mapping[str, Sequence[Mapping[str, Json]]]

_FORM: Final = re.compile(r"([a-z_.]+)(?: ([^=]+?))?(?: = (.+))?")
_TIME: Final = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)")
_LARGEST: Final = 1e12
_WORDS: Final[Mapping[str, bool]] = {
    **dict.fromkeys(("true", "yes", "1"), True),
    **dict.fromkeys(("false", "no", "0"), False),
}


class RefusedError(Exception):
    """An argument that a service refuses. The text is the error that the API replies."""


@dataclass(frozen=True, slots=True)
class ArgumentForm:
    """The form of one argument. `known` has the values of a table's column by plain text."""

    kind: str
    limits: str
    default: Json
    known: Mapping[str, Json]

    def read(self, name: str, given: Json) -> Json:
        """The value of an argument; 3.0 is 3, as in `key_of`. Raises RefusedError."""
        if isinstance(given, float) and given.is_integer():
            given = int(given)
        return _READERS[self.kind](self, name, given)


def argument_form(text: str, tables: Tables) -> ArgumentForm:
    """Reads a form, which may name a column of the tables. Raises ValueError."""
    found = _FORM.fullmatch(text)
    if found is None:
        raise ValueError(f"is not a form of an argument: {text!r:.80}")
    kind, limits, default = found[1], found[2] or "", found[3]
    known: Mapping[str, Json] = {}
    if "." in kind:
        kind, known = "column", _column(kind, tables)
    elif kind == "choice":
        known = by_spelling(limits.split("|"))
    if kind not in _READERS:
        raise ValueError(f"is of an unknown kind: {kind!r}")
    try:
        value = None if default is None else orjson.loads(default)
    except orjson.JSONDecodeError:
        value = default
    return ArgumentForm(kind, limits, value, known)


def _column(name: str, tables: Tables) -> Mapping[str, Json]:
    table, _, column = name.partition(".")
    rows = tables.get(table)
    if not rows or column not in rows[0]:
        raise ValueError(f"names a column that is not in a table: {name!r}")
    return by_spelling(row[column] for row in rows)


def is_absent(value: Json) -> bool:
    """Whether an argument is left out: null or blank text."""
    return value is None or (isinstance(value, str) and not value.strip())


def _read_text(_form: ArgumentForm, name: str, given: Json) -> str:
    if isinstance(given, dict | list):
        raise RefusedError(f"{name} must be text")
    return single_spaced(str(given))


def _read_known(form: ArgumentForm, name: str, given: Json) -> Json:
    """A value of a table, in the table's own spelling."""
    text = _read_text(form, name, given)
    for spelling in (text.casefold(), plain_text(text)):
        if spelling in form.known:
            return form.known[spelling]
    if form.kind == "choice":
        words = form.limits.replace("|", ", ")
        raise RefusedError(f"{name}: {_shown(given)} is not one of {words}")
    hint = ""
    if name.endswith(("id", "code", "no", "number")) and form.known:
        hint = f"; values look like {_shown(next(iter(form.known.values())))}"
    raise RefusedError(f"unknown {name}: {_shown(given)}{hint}")


def _read_number(form: ArgumentForm, name: str, given: Json) -> float:
    try:
        number = float(str(given).strip())
    except ValueError:
        raise RefusedError(f"{name}: {_shown(given)} is not a number") from None
    if not abs(number) <= _LARGEST:  # true of NaN, too
        raise RefusedError(f"{name}: {_shown(given)} is not a number")
    low, _, high = form.limits.partition("..")
    if (low and number < float(low)) or (high and number > float(high)):
        span = f"at least {low}" if low else f"at most {high}"
        if low and high:
            span = f"from {low} to {high}"
        raise RefusedError(f"{name} must be {span}, not {_shown(given)}")
    return int(number) if number.is_integer() else number


def _read_integer(form: ArgumentForm, name: str, given: Json) -> float:
    number = _read_number(form, name, given)
    if not isinstance(number, int):
        raise RefusedError(f"{name}: {_shown(given)} is not a whole number")
    return number


def _read_date(form: ArgumentForm, name: str, given: Json) -> str:
    text = str(given).strip()
    try:
        date = datetime.date.fromisoformat(text).isoformat()
    except ValueError:
        date = ""
    if date != text:
        raise RefusedError(f"{name}: {_shown(given)} is not a date; write YYYY-MM-DD")
    first, _, last = form.limits.partition("..")
    if (first and date < first) or (last and date > last):
        raise RefusedError(f"{name}: no data for {date}; known from {first} to {last}")
    return date


def _read_time(_form: ArgumentForm, name: str, given: Json) -> str:
    found = _TIME.fullmatch(str(given).strip())
    if found is None:
        raise RefusedError(f"{name}: {_shown(given)} is not a time; write HH:MM")
    return f"{int(found[1]):02}:{found[2]}"


def _read_boolean(_form: ArgumentForm, name: str, given: Json) -> bool:
    word = str(given).strip().lower()
    if word not in _WORDS:
        raise RefusedError(f"{name}: {_shown(given)} is neither true nor false")
    return _WORDS[word]


def _shown(given: Json) -> str:
    text = str(given)
    return repr(text if len(text) <= 60 else f"{text[:60]}…")


_READERS: Final[Mapping[str, Callable[[ArgumentForm, str, Json], Json]]] = {
    "boolean": _read_boolean,
    "choice": _read_known,
    "column": _read_known,
    "date": _read_date,
    "integer": _read_integer,
    "number": _read_number,
    "text": _read_text,
    "time": _read_time,
}
