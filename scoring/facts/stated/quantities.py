"""Numbers in a passage with what they count, compared with the number of a fact."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from leaderboard.facts.accepted_forms import NumberForm
from leaderboard.facts.text_forms import parse_form
from scoring.facts.canonical_text.canonical import canonical
from scoring.facts.canonical_text.canonical_words import BOUNDARIES, MEASURES, SMALL_WORDS
from scoring.facts.canonical_text.measures import measure_at
from scoring.facts.canonical_text.tokens import base_form, is_date, is_number
from scoring.facts.form_search import FormSet, Match
from scoring.facts.number_closeness import is_within
from scoring.facts.sentences import Passage, Span

# Converted amounts are rounded by those who write them.
_CONVERTED: Final = 0.01
_EXACT: Final = frozenset(("duration", "age", "usd"))
_NOUN_REACH: Final = 3  # words between a number and what it counts
_LONGEST_ID: Final = 12  # characters before an id
_ID: Final = re.compile(
    r"(?:(?<![^\W_])id(s)?[\s:=*_`(]{0,5}(?:is |are )?[*_`]{0,3}|\w \(?#)\Z", re.IGNORECASE
)
_NEXT_ID: Final = re.compile(r"[*_`]{0,3}(?:, ?|,? and |,? & )[*_`]{0,3}")
_FIRST_YEAR: Final = 1000
_LAST_YEAR: Final = 2999
_CENTURY: Final = 100  # "'14" is the year 14 of some century


class Quantity(NamedTuple):
    """A number, its words, and the unit after it. `year`: it is the year of a date, or "'14"."""

    span: Span
    value: float
    unit: str | None
    year: bool = False

    @property
    def match(self) -> Match:
        """Its words as a match."""
        return Match(*self.span)

    @property
    def is_year(self) -> bool:
        """Whether it looks like a year."""
        return self.year or (self.unit is None and _FIRST_YEAR <= self.value <= _LAST_YEAR)


def quantities(passage: Passage) -> Iterator[Quantity]:
    """The numbers of a passage in order, with the years of dates."""
    words = passage.words
    for at, word in enumerate(words):
        if is_number(word):
            minus = at > 0 and words[at - 1] == "minus"
            yield _with_unit(words, at, -float(word) if minus else float(word))
        elif word[0] == "'" and word[1:].isdigit():
            yield Quantity(Span(at, at + 1), float(word[1:]), None, True)
        elif word == "one":
            yield _with_unit(words, at, 1.0)
        elif is_date(word) and word[1:5].isdigit():
            yield Quantity(Span(at, at + 1), float(word[1:5]), None, True)


def without_ids(passage: Passage, numbers: Iterable[Quantity]) -> Iterator[Quantity]:
    """The numbers that are no ids of records: "user ID 61", "food #105", "IDs 17, 24 and 38"."""
    original = passage.canonical.original
    listed_until = -1
    for number in numbers:
        start, end = passage.chars_of(number.span)
        found = _ID.search(original, max(0, start - _LONGEST_ID), start)
        is_listed = listed_until >= 0 and _NEXT_ID.fullmatch(original, listed_until, start)
        listed_until = end if is_listed or (found and found[1]) else -1
        if not (found or is_listed):
            yield number


def _with_unit(words: Sequence[str], at: int, value: float) -> Quantity:
    """The number at an index, with the unit after it."""
    unit = measure_at(words, at + 1)
    end = at + 1 + len(unit.split() if unit else ())
    return Quantity(Span(at, end), value, unit)


def kind_of(passage: Passage, number: Quantity) -> str:
    """What a number is about: a year, its unit, or the word after it. Empty if nothing is said."""
    if number.is_year:
        return "year"
    if number.unit:
        return number.unit
    following = passage.words[number.span.end : number.span.end + 1]
    word = following[0] if following else ""
    return (
        "" if word in SMALL_WORDS or word in BOUNDARIES or not word.isalpha() else base_form(word)
    )


@dataclass(frozen=True, slots=True)
class Amount:
    """The number of a fact. `noun` is what it counts, if it is no unit."""

    number: float
    unit: str | None
    noun: FormSet | None
    tolerance: float

    @classmethod
    def of(cls, form: NumberForm) -> Amount:
        """Compiles the number of a fact."""
        if form.unit is None:
            return cls(form.number, None, None, form.tolerance)
        unit = canonical(f"1 {form.unit}").text.partition(" ")[2]
        if unit in MEASURES:
            return cls(form.number, unit, None, form.tolerance)
        return cls(form.number, None, FormSet([parse_form(form.unit)]), form.tolerance)

    def equals(self, quantity: Quantity) -> bool:
        """Whether a quantity is this number, after conversion of units."""
        if quantity.year:
            return quantity.value in (self.number, self.number % _CENTURY)
        if quantity.unit is None or (self.unit is None and self.noun is None):
            return is_within(quantity.value, self.number, self.tolerance)
        if self.unit is None:
            return False
        wanted, got = MEASURES[self.unit], MEASURES[quantity.unit]
        if quantity.unit == "degree" and wanted.dimension == "temperature":
            return is_within(quantity.value, self.number, self.tolerance)
        if wanted.dimension != got.dimension:
            return False
        tolerance = self.tolerance
        if quantity.unit != self.unit and wanted.dimension not in _EXACT:
            tolerance = max(tolerance, _CONVERTED)
        return is_within(got.of(quantity.value), wanted.of(self.number), tolerance)

    def counts(self, passage: Passage, quantity: Quantity) -> bool:
        """Whether the noun of the fact follows the quantity, or its unit is that of the fact."""
        if self.noun is None:
            return self.unit is not None and quantity.unit == self.unit
        end = min(quantity.span.end + _NOUN_REACH, passage.clause_at(quantity.span.first).end)
        if end <= quantity.span.end:
            return False
        return self.noun.first(passage, Span(quantity.span.end, end)) is not None
