"""Canonical text: one spelling for all ways to write the same, with the way back to the original.

Facts and answers pass through the same function. A token is a word, a number (`-9.8`), a time
(`t18:04`, or `h06:04` if the half of the day is open), a date (`d2031-05-30`, or `d--05-30` without
a year), a unit, or a boundary (`.`, `?` or `,`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Final, NamedTuple

from scoring.facts.canonical_text.calendar_dates import read_dates
from scoring.facts.canonical_text.canonical_words import BOUNDARIES, UNIT_NAMES
from scoring.facts.canonical_text.clock_times import read_times
from scoring.facts.canonical_text.decimal_commas import noted_in_english, with_decimal_points
from scoring.facts.canonical_text.languages import in_english, is_foreign
from scoring.facts.canonical_text.latex import blank_formula_signs
from scoring.facts.canonical_text.measures import CURRENCIES, read_amounts, read_measures
from scoring.facts.canonical_text.number_notations import plain_number
from scoring.facts.canonical_text.number_words import read_numbers
from scoring.facts.canonical_text.tokens import Token, rewritten, tokens, word_at

_THERE_IS: Final = frozenset(("is", "are", "was", "were"))
_ANY: Final = frozenset(("a", "an", "any"))
# Shares: "one in five", "a three out of ten chance".
_OF: Final = (("in",), ("out", "of"), ("chance", "in"), ("chances", "in"))
_CHANCE: Final = frozenset(("chance", "chances", "probability", "likelihood", "odds", "risk"))
_NEAR: Final = 4  # words between a share and "chance"
_ENDS: Final = BOUNDARIES | {""}
# "Three pounds fifty" is money, although pounds alone are a weight.
_MONEY: Final = {"pound", "pounds"}.union(
    words[0] for words, unit in UNIT_NAMES.items() if unit in CURRENCIES and len(words) == 1
)
_AFTER_COINS: Final = _ENDS | {"for", "each", "a", "per", "and", "in"}
_SHARE_NUMBER: Final = re.compile(r"[1-9]\d?")


class CharRange(NamedTuple):
    """Characters of the original text, from `start` up to `end`, without it."""

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
    foreign: bool

    def chars_of(self, first: int, end: int) -> CharRange:
        """The characters of the words from `first` up to `end`, without it."""
        some = self.tokens[first:end]
        return CharRange(min(token.start for token in some), max(token.end for token in some))


def canonical(text: str) -> Canonical:
    """A text in canonical form. It takes time in proportion to the text's length."""
    original = tokens(with_decimal_points(blank_formula_signs(text)))
    english = in_english(original)
    foreign = english is not original or is_foreign([token.word for token in original])
    if foreign and any(character.isdigit() for character in text):
        english = in_english(tokens(noted_in_english(blank_formula_signs(text))))
    found = _coins(read_numbers(english), text)
    # Signs of currency move before dates are read: "in May $5" holds no date.
    for read in (_there_is_no, _shares, read_amounts, read_times, read_dates, read_measures):
        found = read(found)
    words = tuple(token.word for token in found)
    *offsets, _ = accumulate((len(word) + 1 for word in words), initial=0)
    return Canonical(text, tuple(found), words, " ".join(words), tuple(offsets), foreign)


def _coins(found: Sequence[Token], text: str) -> Sequence[Token]:
    """Turns "three euros seventy" into `3.7 euros`. Any three capitals are a currency."""

    def read(tokens: Sequence[Token], at: int) -> tuple[Sequence[str], int] | None:
        whole, unit, coins = (word_at(tokens, at + place) for place in range(3))
        if not (whole.isdigit() and coins.isdigit() and len(coins) == 2 and unit.isalpha()):
            return None
        written = text[tokens[at + 1].start : tokens[at + 1].end]
        is_code = len(written) == 3 and written.isupper()
        if word_at(tokens, at + 3) not in _AFTER_COINS or not (is_code or unit in _MONEY):
            return None
        return (plain_number(f"{whole}.{coins}"), unit), 3

    return rewritten(found, read, ())


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


def _shares(found: Sequence[Token]) -> Sequence[Token]:
    """Turns "one in five" into `20 percent`, and leaves "one in 5 days"."""
    return rewritten(found, _share, ("one",))


def _share(found: Sequence[Token], at: int) -> tuple[Sequence[str], int] | None:
    """One in five, and "3 out of 10" where a chance is given. "4 out of 5 stars" is no share."""
    part = "1" if found[at].word == "one" else found[at].word
    used = next((len(way) for way in _OF if _words(found, at + 1, len(way)) == way), 0)
    whole = word_at(found, at + 1 + used)
    if not used or not (_SHARE_NUMBER.fullmatch(part) and _SHARE_NUMBER.fullmatch(whole)):
        return None
    end = at + 2 + used
    near = _words(found, max(0, at - _NEAR), end + _NEAR - max(0, at - _NEAR))
    one_in = found[at].word == "one" and word_at(found, end) in _ENDS
    counts = (word_at(found, end),) in UNIT_NAMES  # "one in 5 days"
    if counts or int(part) >= int(whole) or not (one_in or not _CHANCE.isdisjoint(near)):
        return None
    return (plain_number(f"{100 * int(part) / int(whole):.4f}"), "percent"), 2 + used


def _words(found: Sequence[Token], at: int, number: int) -> tuple[str, ...]:
    return tuple(token.word for token in found[at : at + number])
