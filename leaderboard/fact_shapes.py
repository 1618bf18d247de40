"""Facts: what the text of a right answer must state, ask for, find wrong, or refuse.

docs/facts.md explains the format, which pydantic checks by the types of the fields here.
`scoring.facts.decisions` decides by the facts.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Final, Literal, Self, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    StrictBool,
    StrictFloat,
    StrictInt,
    Tag,
    model_validator,
    with_config,
)

from leaderboard.files.field_types import CLOSED, Identifier, Line, from_list, written_as
from leaderboard.text_forms import Form, parse_form

# Like CLOSED, but an object of the file becomes a dataclass.
_READ: Final = ConfigDict(**{**CLOSED, "strict": False})


def _form(text: str) -> str:
    parse_form(text)
    return text


def _day(text: str) -> str:
    if not re.fullmatch(r"(?:\d{4}|-)-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])", text):
        raise ValueError("a date must have the form YYYY-MM-DD, or --MM-DD for any year")
    if not _exists(text):
        raise ValueError("the calendar has no such day")
    return text


def _exists(day: str) -> bool:
    """Whether the calendar has this day. One without a year exists if it does in a leap year."""
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


@with_config(_READ)
@dataclass(frozen=True, slots=True)
class NumberForm:
    """A number. `tolerance` is the accepted difference as a share of it.

    `unit` is a measure, such as "km", or a form for what is counted, such as "key*".
    """

    number: StrictFloat
    unit: FormText | None = None
    tolerance: Annotated[StrictFloat, Field(ge=0, lt=1)] = 0.0


@with_config(_READ)
@dataclass(frozen=True, slots=True)
class DateForm:
    """A date, YYYY-MM-DD, or --MM-DD for that day of any year."""

    date: Annotated[str, AfterValidator(_day)]


@with_config(_READ)
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


@with_config(_READ)
@dataclass(frozen=True, slots=True)
class Fact:
    """Something that an answer must state. Any of the accepted forms will do.

    - `label`: what it is, for readers: "the author, Tove Jansson".
    - `rivals`: other candidates. `excludes`: statements that contradict it.
    - `known`: general knowledge, which no API needs to reply.
    - `source`: what a reply says that supports the fact, if not an accepted form (`from` in
      the file).
    """

    id: Identifier
    label: Line
    accepts: Annotated[tuple[Accepted, ...], from_list(1)]
    rivals: ListOf[Accepted] = ()
    excludes: ListOf[ReadForm] = ()
    known: StrictBool = False
    source: Annotated[ListOf[ReadForm], Field(alias="from")] = ()


@with_config(_READ)
@dataclass(frozen=True, slots=True)
class FactGroup:
    """Facts of which an answer must state some. With `only`, the list is complete.

    `rivals` are other members that somebody may name by mistake.
    """

    id: Identifier
    label: Line
    any: Annotated[tuple[Fact, ...], from_list(2)]
    at_least: Annotated[StrictInt, Field(ge=1)] = 1
    only: StrictBool = False
    rivals: ListOf[Accepted] = ()
    excludes: ListOf[ReadForm] = ()


def _kind_of_item(value: object) -> str:
    return "group" if isinstance(value, Mapping) and "any" in value else "fact"


FactOrGroup = Annotated[
    Annotated[Fact, Tag("fact")] | Annotated[FactGroup, Tag("group")],
    Discriminator(_kind_of_item),
]


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with a request. `details` holds what faults of this type are made of."""

    type: str
    accepts: ListOf[Form]
    excludes: ListOf[Form]
    details: Mapping[str, Any] = field(hash=False)  # mappings have no hash


@dataclass(frozen=True, slots=True)
class FaultType:
    """What a case must give for a type of fault. `why` is one or more of `reasons`, if any."""

    needs: ListOf[str]
    reasons: ListOf[str] = ()


FAULT_TYPES: Final[Mapping[str, FaultType]] = {
    "bad_address": FaultType(("name", "why"), ("no_at", "two_at", "two_dots", "blank", "no_name")),
    "bad_count": FaultType(("count", "of")),
    "bad_symbol": FaultType(("name", "noun"), ("too_long",)),
    "beyond_limit": FaultType(("why",), ("absolute_zero", "longest")),
    "fictional": FaultType(("name", "noun")),
    "future": FaultType(("day",)),
    "no_span": FaultType(("start",)),
    "no_such_day": FaultType(("day",)),
    "no_such_means": FaultType(("name",)),
    "no_such_time": FaultType(("time",)),
    "not_a_number": FaultType(("name",)),
    "not_on_earth": FaultType(("name",)),
    "other": FaultType(("label",)),
    "past": FaultType(("day",)),
    "undefined": FaultType(
        ("why",), ("division_by_zero", "negative_logarithm", "negative_root", "sine_limit")
    ),
    "units_differ": FaultType(("from", "from_measure", "to", "to_measure")),
    "unknown": FaultType(("name", "noun")),
    "unreachable": FaultType(("barrier", "means")),
    "wrong_order": FaultType(("start", "end")),
    "wrong_weekday": FaultType(("day", "weekday", "given")),
}

# How the details of faults are written: a pattern, and its words. The others are lists of forms.
_WRITTEN: Final = {
    "day": (r"(?:\d{4}|-)-\d\d-\d\d", "YYYY-MM-DD or --MM-DD"),
    "time": (r"\d\d:\d\d", "HH:MM"),
}
_TEXTS: Final = ("label", "start", "end")
_OF_A_YEAR: Final = ("past", "future")  # their forms name the year of the day


def _check_detail(name: str, value: object) -> None:
    if name in _WRITTEN:
        pattern, form = _WRITTEN[name]
        if not re.fullmatch(pattern, str(value)):
            raise ValueError(f"{name!r} must have the form {form}")
    elif name == "count":
        if not isinstance(value, int | float):
            raise ValueError("'count' must be a number")
    elif name in _TEXTS:
        if isinstance(value, list):
            raise ValueError(f"{name!r} must be a text")
    elif not isinstance(value, list):
        raise ValueError(f"{name!r} must be a list")


def _check_day_of_fault(fault: str, day: str) -> None:
    if fault == "no_such_day":
        if _exists(day):
            raise ValueError(f"{day} exists, so it cannot be a no_such_day fault")
    elif not _exists(day):
        raise ValueError(f"the calendar has no day {day}")
    elif fault in _OF_A_YEAR and day.startswith("-"):
        raise ValueError(f"a fault of type {fault} needs the year of its day")


class FaultShape(BaseModel):
    """A fault. The keys beside these are what faults of this type are made of."""

    model_config = ConfigDict(**{**CLOSED, "extra": "allow"})
    __pydantic_extra__: dict[str, str | int | float | list[FormText]]
    type: Identifier
    accepts: ListOf[ReadForm] = ()
    excludes: ListOf[ReadForm] = ()

    @model_validator(mode="after")
    def _fits_its_type(self) -> Self:
        details = self.model_extra or {}
        fault_type = FAULT_TYPES.get(self.type)
        if fault_type is None:
            raise ValueError(f"{self.type!r} is not a type of fault")
        if missing := [name for name in fault_type.needs if name not in details]:
            raise ValueError(f"a fault of type {self.type} needs {missing[0]!r}")
        for name, value in details.items():
            _check_detail(name, value)
        if "day" in details:
            _check_day_of_fault(self.type, str(details["day"]))
        if unknown := sorted(set(details.get("why", ())) - set(fault_type.reasons)):
            raise ValueError(f"{unknown[0]!r} is not a reason of {self.type}")
        return self


def _fault(shape: FaultShape) -> Fault:
    return Fault(shape.type, shape.accepts, shape.excludes, dict(shape.model_extra or {}))


# What a clarifying question can ask for. The phrases: scoring/facts/unmet_requests/questions.toml.
_SLOT_NAMES: Final = """
address bill birth check_in check_out comfort company cost country cuisine currency customer day
distance duration end end_time event goods guests ingredients item language means message month
nights number options people person place pool price price_each problem question rate reading
recipient road size source_language source_unit spent_on start start_time subject
target_language target_unit text time time_zone topic weight width word
"""
SLOTS: Final = frozenset(_SLOT_NAMES.split())


def _slots(text: str) -> str:
    unknown = sorted(set(text.split("|")) - SLOTS)
    if unknown:
        raise ValueError(f"{unknown[0]!r} is not something that a question can ask for")
    return text


SlotsText = Annotated[Line, AfterValidator(_slots)]
Refused = Literal["information", "action"]


def _as_list(value: object) -> object:
    return [value] if isinstance(value, str) else value


# The values of a record, or its only one.
Values = Annotated[tuple[Line, ...], from_list(1), BeforeValidator(_as_list)]
Pairs = tuple[tuple[str, tuple[str, ...]], ...]


def _pairs(values: Mapping[str, tuple[str, ...]]) -> Pairs:
    return tuple(values.items())


@with_config(_READ)
@dataclass(frozen=True, slots=True, eq=False)
class Facts:
    """Everything that the ground truth of a case says about the text of a right answer.

    They equal only themselves, so that what is compiled from them can be kept.

    - `items`: facts and groups of facts to state.
    - `asks`: what the answer must ask for, `may_ask` what it may, `told` what the request says,
      `guesses` statements that give a result based on a guess.
    - `fault`: what is wrong with the request. `refuses`: what nobody can do here.
    - `order`: ids of facts in the order to state them. `pairs`: a record's name and its values.
    """

    items: Annotated[tuple[FactOrGroup, ...], from_list(1), Field(alias="facts")] = ()
    asks: Annotated[tuple[SlotsText, ...], from_list(1)] = ()
    may_ask: ListOf[SlotsText] = ()
    told: ListOf[FormText] = ()
    guesses: ListOf[FormText] = ()
    fault: Annotated[Fault, written_as(FaultShape, _fault)] | None = None
    refuses: Refused | None = None
    order: ListOf[Identifier] = ()
    pairs: Annotated[Pairs, written_as(dict[Line, Values], _pairs)] = ()

    @property
    def is_stated(self) -> bool:
        """Whether the answer states facts, and does not ask, name a fault or refuse."""
        return not (self.asks or self.fault or self.refuses)
