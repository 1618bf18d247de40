"""What a right answer finds wrong with a request: the types of faults, and what each needs."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Self

from pydantic import BaseModel, ConfigDict, model_validator

from leaderboard.facts.accepted_forms import FormText, ListOf, ReadForm, is_day
from leaderboard.facts.text_forms import Form
from leaderboard.files.field_types import CLOSED, Identifier


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
        if is_day(day):
            raise ValueError(f"{day} exists, so it cannot be a no_such_day fault")
    elif not is_day(day):
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


def fault_of(shape: FaultShape) -> Fault:
    return Fault(shape.type, shape.accepts, shape.excludes, dict(shape.model_extra or {}))
