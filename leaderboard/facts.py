"""Facts: what the text of a right answer must state, ask for, find wrong, or refuse.

docs/facts.md explains the format. `scoring.facts` decides by them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from leaderboard.fact_forms import Form


@dataclass(frozen=True, slots=True)
class NumberForm:
    """A number. `tolerance` is the accepted difference as a share of it.

    `unit` is a measure, such as "km", or a form for what is counted, such as "key*".
    """

    number: float
    unit: str | None = None
    tolerance: float = 0.0


@dataclass(frozen=True, slots=True)
class DateForm:
    """A date, YYYY-MM-DD, or --MM-DD for that day of any year."""

    date: str


@dataclass(frozen=True, slots=True)
class TimeForm:
    """A time of day, HH:MM or HH:MM:SS."""

    time: str


Accepted = Form | NumberForm | DateForm | TimeForm


@dataclass(frozen=True, slots=True)
class Fact:
    """Something that an answer must state. Any of the accepted forms will do.

    - `label`: what it is, for readers: "the author, Tove Jansson".
    - `rivals`: other candidates. `excludes`: statements that contradict it.
    - `known`: general knowledge, which no API needs to reply.
    - `source`: what a reply says that supports the fact, if not an accepted form (`from` in
      the file).
    """

    id: str
    label: str
    accepts: tuple[Accepted, ...]
    rivals: tuple[Accepted, ...] = ()
    excludes: tuple[Form, ...] = ()
    known: bool = False
    source: tuple[Form, ...] = ()


@dataclass(frozen=True, slots=True)
class FactGroup:
    """Facts of which an answer must state some. With `only`, the list is complete.

    `rivals` are other members that somebody may name by mistake.
    """

    id: str
    label: str
    any: tuple[Fact, ...]
    at_least: int = 1
    only: bool = False
    rivals: tuple[Accepted, ...] = ()
    excludes: tuple[Form, ...] = ()


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with a request. `details` holds what faults of this type are made of."""

    type: str
    accepts: tuple[Form, ...] = ()
    excludes: tuple[Form, ...] = ()
    details: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class FaultType:
    """What a case must give for a type of fault. `why` is one or more of `reasons`, if any."""

    needs: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()


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

# What a clarifying question can ask for. The phrases are in scoring/facts/unmet/questions.toml.
_SLOT_NAMES: Final = """
address bill birth check_in check_out comfort company cost country cuisine currency customer day
distance duration end end_time event goods guests ingredients item language means message month
nights number options people person place pool price price_each problem question rate reading
recipient road size source_language source_unit spent_on start start_time subject
target_language target_unit text time time_zone topic weight width word
"""
SLOTS: Final = frozenset(_SLOT_NAMES.split())

Refused = Literal["information", "action"]


@dataclass(frozen=True, slots=True)
class Facts:
    """Everything that the ground truth of a case says about the text of a right answer.

    - `items`: facts and groups of facts to state.
    - `asks`: what the answer must ask for, `may_ask` what it may, `told` what the request says.
    - `fault`: what is wrong with the request. `refuses`: what nobody can do here.
    - `order`: ids of facts in the order to state them. `pairs`: a record's name and its values.
    """

    items: tuple[Fact | FactGroup, ...] = ()
    asks: tuple[str, ...] = ()
    may_ask: tuple[str, ...] = ()
    told: tuple[str, ...] = ()
    fault: Fault | None = None
    refuses: Refused | None = None
    order: tuple[str, ...] = ()
    pairs: tuple[tuple[str, tuple[str, ...]], ...] = ()
