"""Canonical text: one spelling for all ways to write the same, with the way back to the original.

Facts and answers pass through the same function. A token is a word, a number (`-9.8`), a time
(`t18:04`, or `h06:04` if the half of the day is open), a date (`d2031-05-30`, or `d--05-30` without
a year), a unit, or a boundary (`.`, `?` or `,`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from scoring.facts.calendar_dates import read_dates
from scoring.facts.clock_times import read_times
from scoring.facts.measures import read_amounts, read_measures
from scoring.facts.number_words import read_numbers
from scoring.facts.tokens import Token, tokens


class Place(NamedTuple):
    """A part of the original text."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Canonical:
    """A text in canonical form.

    `text` has the words with a blank between each two, and `offsets` where each word starts in it.
    """

    original: str
    tokens: tuple[Token, ...]
    words: tuple[str, ...]
    text: str
    offsets: tuple[int, ...] = field(repr=False)

    def place(self, first: int, end: int) -> Place:
        """Where the words from `first` up to `end` (without it) are in the original text."""
        some = self.tokens[first:end]
        return Place(min(token.start for token in some), max(token.end for token in some))


def canonical(text: str) -> Canonical:
    """Returns a text in canonical form. It takes time in proportion to the text's length."""
    found = read_numbers(tokens(text))
    # Signs of currency move before dates are read: "in May $5" holds no date.
    for read in (read_amounts, read_times, read_dates, read_measures):
        found = read(found)
    words = tuple(token.word for token in found)
    offsets, place = [], 0
    for word in words:
        offsets.append(place)
        place += len(word) + 1
    return Canonical(text, tuple(found), words, " ".join(words), tuple(offsets))
