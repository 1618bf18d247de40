"""The forms in which a fact is accepted: a text, a number, a date or a time."""

from __future__ import annotations

import datetime
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Final, TypeVar

from pydantic import AfterValidator, ConfigDict, Discriminator, Field, StrictFloat, Tag, with_config

from leaderboard.facts.text_forms import Form, parse_form
from leaderboard.files.field_types import CLOSED, Line, from_list, written_as

# Like CLOSED, but an object of the file becomes a dataclass.
READ: Final = ConfigDict(**{**CLOSED, "strict": False})


def _form(text: str) -> str:
    parse_form(text)
    return text


def _day(text: str) -> str:
    if not re.fullmatch(r"(?:\d{4}|-)-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])", text):
        raise ValueError("a date must have the form YYYY-MM-DD, or --MM-DD for any year")
    if not is_day(text):
        raise ValueError("the calendar has no such day")
    return text


def is_day(day: str) -> bool:
    """Whether the calendar has this day. `--02-29`, which has no year, exists in a leap year."""
    try:
        datetime.date.fromisoformat(day.replace("--", "2000-", 1))
    except ValueError:
        return False
    return True


def _clock(text: str) -> str:
    if not re.fullmatch(r"(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?", text):
        raise ValueError("a time must have the form HH:MM or HH:MM:SS")
    return text


Item = TypeVar("Item")
ListOf = Annotated[tuple[Item, ...], from_list()]

# A form that stays a text, and one that is read.
FormText = Annotated[Line, AfterValidator(_form)]
ReadForm = Annotated[Form, written_as(Line, parse_form)]


@with_config(READ)
@dataclass(frozen=True, slots=True)
class NumberForm:
    """A number. `tolerance` is the accepted difference as a share of it.

    `unit` is a measure, such as "km", or a form for what is counted, such as "key*".
    """

    number: StrictFloat
    unit: FormText | None = None
    tolerance: Annotated[StrictFloat, Field(ge=0, lt=1)] = 0.0


@with_config(READ)
@dataclass(frozen=True, slots=True)
class DateForm:
    """A date, YYYY-MM-DD, or --MM-DD for that day of any year."""

    date: Annotated[str, AfterValidator(_day)]


@with_config(READ)
@dataclass(frozen=True, slots=True)
class TimeForm:
    """A time of day, HH:MM or HH:MM:SS."""

    time: Annotated[str, AfterValidator(_clock)]


def _kind_of_form(value: object) -> str:
    """Which type an accepted form has, so that a mistake in it is reported once."""
    if isinstance(value, Mapping):
        return next((key for key in ("date", "time") if key in value), "number")
    return "text"


Accepted = Annotated[
    Annotated[ReadForm, Tag("text")]
    | Annotated[NumberForm, Tag("number")]
    | Annotated[DateForm, Tag("date")]
    | Annotated[TimeForm, Tag("time")],
    Discriminator(_kind_of_form),
]
