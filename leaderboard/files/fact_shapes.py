"""The shape of facts in the ground truth of a case. Every broken form is found at loading."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from typing import Annotated, Final, Literal, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    Tag,
    TypeAdapter,
    model_validator,
)

from leaderboard.fact_forms import Form, parse_form
from leaderboard.facts import (
    FAULT_TYPES,
    SLOTS,
    Accepted,
    DateForm,
    Fact,
    FactGroup,
    Facts,
    Fault,
    NumberForm,
    TimeForm,
)
from leaderboard.files.document import At, Findings
from leaderboard.files.field_types import CLOSED, Identifier, Line
from leaderboard.files.validation import find_bad_records
from leaderboard.types import Json

# The keys of a ground truth that hold facts.
KEYS: Final = ("facts", "asks", "may_ask", "told", "fault", "refuses", "order", "pairs")

_FORMAT: Final = "see lb docs facts"


def _form(text: str) -> str:
    parse_form(text)
    return text


def _day(text: str) -> str:
    if not re.fullmatch(r"(?:\d{4}|-)-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])", text):
        raise ValueError("a date is written YYYY-MM-DD, or --MM-DD for any year")
    if not _exists(text):
        raise ValueError("the calendar has no such day")
    return text


def _exists(day: str) -> bool:
    """Whether the calendar has this day. One without a year exists if it does in a leap year."""
    try:
        date.fromisoformat(day.replace("--", "2000-", 1))
    except ValueError:
        return False
    return True


def _clock(text: str) -> str:
    if not re.fullmatch(r"(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?", text):
        raise ValueError("a time is written HH:MM or HH:MM:SS")
    return text


def _slots(text: str) -> str:
    unknown = sorted(set(text.split("|")) - SLOTS)
    if unknown:
        raise ValueError(f"{unknown[0]!r} is not something that a question can ask for")
    return text


FormText = Annotated[Line, AfterValidator(_form)]
SlotsText = Annotated[Line, AfterValidator(_slots)]


class NumberShape(BaseModel):
    """An accepted number."""

    model_config = CLOSED
    number: float
    unit: FormText | None = None
    tolerance: Annotated[float, Field(ge=0, lt=1)] = 0.0


class DateShape(BaseModel):
    """An accepted date."""

    model_config = CLOSED
    date: Annotated[str, AfterValidator(_day)]


class TimeShape(BaseModel):
    """An accepted time."""

    model_config = CLOSED
    time: Annotated[str, AfterValidator(_clock)]


def _kind_of_form(value: object) -> str:
    """Which shape an accepted form has, so that a mistake in it is reported once."""
    if isinstance(value, Mapping):
        return next((key for key in ("date", "time") if key in value), "number")
    known: dict[type, str] = {NumberShape: "number", DateShape: "date", TimeShape: "time"}
    return known.get(type(value), "text")


AcceptedShape = Annotated[
    Annotated[FormText, Tag("text")]
    | Annotated[NumberShape, Tag("number")]
    | Annotated[DateShape, Tag("date")]
    | Annotated[TimeShape, Tag("time")],
    Discriminator(_kind_of_form),
]


class FactShape(BaseModel):
    """A fact."""

    model_config = CLOSED
    id: Identifier
    label: Line
    accepts: list[AcceptedShape] = Field(min_length=1)
    rivals: list[AcceptedShape] = []
    excludes: list[FormText] = []
    known: bool = False
    source: list[FormText] = Field(default=[], alias="from")


class GroupShape(BaseModel):
    """A group of facts."""

    model_config = CLOSED
    id: Identifier
    label: Line
    any: list[FactShape] = Field(min_length=2)
    at_least: Annotated[int, Field(ge=1)] = 1
    only: bool = False
    rivals: list[AcceptedShape] = []
    excludes: list[FormText] = []


def _kind_of_item(value: object) -> str:
    group = "any" in value if isinstance(value, Mapping) else isinstance(value, GroupShape)
    return "group" if group else "fact"


ItemShape = Annotated[
    Annotated[FactShape, Tag("fact")] | Annotated[GroupShape, Tag("group")],
    Discriminator(_kind_of_item),
]


# How the details of faults are written. The others are lists of forms.
_PATTERNS: Final = {"day": r"(?:\d{4}|-)-\d\d-\d\d", "time": r"\d\d:\d\d"}
_TEXTS: Final = ("label", "start", "end")


def _check_detail(name: str, value: Json) -> None:
    pattern = _PATTERNS.get(name)
    if pattern:
        if not re.fullmatch(pattern, str(value)):
            raise ValueError(f"{name!r} has another form")
    elif name == "count":
        if not isinstance(value, int | float):
            raise ValueError("'count' is a number")
    elif isinstance(value, list) is (name in _TEXTS):
        raise ValueError(f"{name!r} is {'a text' if name in _TEXTS else 'a list'}")


class FaultShape(BaseModel):
    """A fault. The keys beside these are what faults of this type are made of."""

    model_config = ConfigDict(**{**CLOSED, "extra": "allow"})
    __pydantic_extra__: dict[str, str | int | float | list[FormText]]
    type: Identifier
    accepts: list[FormText] = []
    excludes: list[FormText] = []

    @model_validator(mode="after")
    def _fits_its_type(self) -> Self:
        given = self.model_extra or {}
        known = FAULT_TYPES.get(self.type)
        if known is None:
            raise ValueError(f"{self.type!r} is not a type of fault")
        if missing := [name for name in known.needs if name not in given]:
            raise ValueError(f"a fault of type {self.type} needs {missing[0]!r}")
        for name, value in given.items():
            _check_detail(name, value)
        if self.type == "no_such_day" and _exists(str(given["day"])):
            raise ValueError(f"the calendar has the day {given['day']}")
        if unknown := sorted(set(given.get("why", ())) - set(known.reasons)):
            raise ValueError(f"{unknown[0]!r} is not a reason of {self.type}")
        return self


def _list_of(value: object) -> object:
    return [value] if isinstance(value, str) else value


# The values of a record, or its only one.
Values = Annotated[list[Line], BeforeValidator(_list_of), Field(min_length=1)]


class FactsShape(BaseModel):
    """All keys of a ground truth that are about facts."""

    model_config = CLOSED
    facts: Annotated[list[ItemShape], Field(min_length=1)] | None = None
    asks: Annotated[list[SlotsText], Field(min_length=1)] | None = None
    may_ask: list[SlotsText] = []
    told: list[FormText] = []
    fault: FaultShape | None = None
    refuses: Literal["information", "action"] | None = None
    order: list[Identifier] = []
    pairs: dict[Line, Values] = {}


_SHAPE: Final = TypeAdapter(list[FactsShape])


def read_facts(truth: Mapping[str, Json], findings: Findings, at: At) -> Facts | None:
    """Reads the facts of a ground truth at this path. None if it has none, or has broken ones."""
    given = {key: truth[key] for key in KEYS if truth.get(key) is not None}
    if not given:
        return None
    found = Findings(findings.file, findings.data)
    if find_bad_records(_SHAPE, [given], found, _FORMAT):
        for (_, *path), what, fix, severity in found.found:
            findings.add((*at, *path), what, fix, severity)
        return None
    facts = _facts(FactsShape.model_validate(given))
    _check_ids(facts, findings, at)
    return facts


def _facts(shape: FactsShape) -> Facts:
    return Facts(
        items=tuple(
            _fact(item) if isinstance(item, FactShape) else _group(item)
            for item in shape.facts or ()
        ),
        asks=tuple(shape.asks or ()),
        may_ask=tuple(shape.may_ask),
        told=tuple(shape.told),
        fault=_fault(shape.fault) if shape.fault else None,
        refuses=shape.refuses,
        order=tuple(shape.order),
        pairs=tuple((name, tuple(values)) for name, values in shape.pairs.items()),
    )


def _fact(shape: FactShape) -> Fact:
    return Fact(
        shape.id,
        shape.label,
        tuple(map(_accepted, shape.accepts)),
        tuple(map(_accepted, shape.rivals)),
        _forms(shape.excludes),
        shape.known,
        _forms(shape.source),
    )


def _group(shape: GroupShape) -> FactGroup:
    return FactGroup(
        shape.id,
        shape.label,
        tuple(map(_fact, shape.any)),
        shape.at_least,
        shape.only,
        tuple(map(_accepted, shape.rivals)),
        _forms(shape.excludes),
    )


def _fault(shape: FaultShape) -> Fault:
    details = dict(shape.model_extra or {})
    return Fault(shape.type, _forms(shape.accepts), _forms(shape.excludes), details)


def _forms(texts: list[str]) -> tuple[Form, ...]:
    return tuple(map(parse_form, texts))


def _accepted(shape: AcceptedShape) -> Accepted:
    match shape:
        case NumberShape():
            return NumberForm(shape.number, shape.unit, shape.tolerance)
        case DateShape():
            return DateForm(shape.date)
        case TimeShape():
            return TimeForm(shape.time)
        case _:
            return parse_form(shape)


def _check_ids(facts: Facts, findings: Findings, at: At) -> None:
    known: set[str] = set()
    for place, item in enumerate(facts.items):
        members = item.any if isinstance(item, FactGroup) else ()
        if isinstance(item, FactGroup) and item.at_least > len(members):
            what = f"asks for {item.at_least} of {len(members)} facts"
            findings.add((*at, "facts", place, "at_least"), what, "lower it, or add facts")
        for fact_id in (item.id, *(member.id for member in members)):
            if fact_id in known:
                what = f"repeats the fact id {fact_id!r}"
                findings.add((*at, "facts", place, "id"), what, "give every fact its own id")
            known.add(fact_id)
    for place, fact_id in enumerate(facts.order):
        if fact_id not in known:
            what = f"names no fact of this case: {fact_id!r}"
            findings.add((*at, "order", place), what, "use the id of a fact")
