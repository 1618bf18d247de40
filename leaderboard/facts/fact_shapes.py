"""Facts: what the text of a right answer must state, ask for, find wrong, or refuse.

docs/facts.md explains the format, which pydantic checks by the types of the fields here.
`scoring.facts.decisions` decides by the facts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Final, Literal

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Discriminator,
    Field,
    StrictBool,
    StrictInt,
    Tag,
    with_config,
)

from leaderboard.facts.accepted_forms import READ, Accepted, FormText, ListOf, ReadForm
from leaderboard.facts.fault_types import Fault, FaultShape, fault_of
from leaderboard.files.field_types import Identifier, Line, from_list, written_as


@with_config(READ)
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


@with_config(READ)
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


@with_config(READ)
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
    fault: Annotated[Fault, written_as(FaultShape, fault_of)] | None = None
    refuses: Refused | None = None
    order: ListOf[Identifier] = ()
    pairs: Annotated[Pairs, written_as(dict[Line, Values], _pairs)] = ()

    @property
    def is_stated(self) -> bool:
        """Whether the answer states facts, and does not ask, name a fault or refuse."""
        return not (self.asks or self.fault or self.refuses)
