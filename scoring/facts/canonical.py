"""Canonical text: one spelling for all ways to write the same, with the way back to the original.

Facts and answers pass through the same function. A token is a word, a number (`-9.8`), a time
(`t18:04`, or `h06:04` if the half of the day is open), a date (`d2031-05-30`, or `d--05-30` without
a year), a unit, or a boundary (`.`, `?` or `,`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from scoring.facts.calendar_dates import read_dates
from scoring.facts.clock_times import read_times
from scoring.facts.languages import in_english, is_foreign
from scoring.facts.measures import read_amounts, read_measures
from scoring.facts.number_words import read_numbers
from scoring.facts.tokens import BOUNDARIES, Token, plain_number, rewritten, tokens

_THERE_IS: Final = frozenset(("is", "are", "was", "were"))
_ANY: Final = frozenset(("a", "an", "any"))
_WHOLE: Final = re.compile(r"[1-9]\d?")


class Place(NamedTuple):
    """A part of the original text."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Canonical:
    """A text in canonical form.

    `text` has the words with a blank between each two, and `offsets` where each word starts in it.
    `foreign`: the text is in another language. Its common words are in English in `words`.
    """

    original: str
    tokens: tuple[Token, ...]
    words: tuple[str, ...]
    text: str
    offsets: tuple[int, ...] = field(repr=False)
    foreign: bool = False

    def place(self, first: int, end: int) -> Place:
        """Where the words from `first` up to `end` (without it) are in the original text."""
        some = self.tokens[first:end]
        return Place(min(token.start for token in some), max(token.end for token in some))


def canonical(text: str) -> Canonical:
    """Returns a text in canonical form. It takes time in proportion to the text's length."""
    given = tokens(text)
    english = in_english(given)
    found = read_numbers(english)
    # Signs of currency move before dates are read: "in May $5" holds no date.
    for read in (_there_is_no, _one_in, read_amounts, read_times, read_dates, read_measures):
        found = read(found)
    words = tuple(token.word for token in found)
    offsets, place = [], 0
    for word in words:
        offsets.append(place)
        place += len(word) + 1
    foreign = english is not given or is_foreign([token.word for token in given])
    return Canonical(text, tuple(found), words, " ".join(words), tuple(offsets), foreign)


def _there_is_no(found: Sequence[Token]) -> Sequence[Token]:
    """Turns "there is not a" and "there are not any" into "there is no"."""
    read: list[Token] = []
    for token in found:
        denied = len(read) > 2 and read[-1].word == "not" and read[-2].word in _THERE_IS
        if denied and token.word in _ANY and read[-3].word == "there":
            read[-1] = Token("no", read[-1].start, token.end)
        else:
            read.append(token)
    return read


def _one_in(found: Sequence[Token]) -> Sequence[Token]:
    """Turns "one in five" into `20 percent`, and leaves "one in 5 days"."""
    return rewritten(found, _share, ("one",))


def _share(found: Sequence[Token], at: int) -> tuple[Sequence[str], int] | None:
    words = [token.word for token in found[at : at + 4]]
    if words[:2] != ["one", "in"] or len(words) < 3 or not _WHOLE.fullmatch(words[2]):
        return None
    if len(words) > 3 and words[3] not in BOUNDARIES:
        return None
    return (plain_number(f"{100 / int(words[2]):.4f}"), "percent"), 3
