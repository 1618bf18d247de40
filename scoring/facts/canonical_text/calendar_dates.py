"""Dates as `d2031-05-30`: "30 May 2031", "May 30th". Without a year: `d--05-30`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from scoring.facts.canonical_text.canonical_words import COMMA, MONTHS, ORDINALS, UNIT_NAMES
from scoring.facts.canonical_text.tokens import Token, rewritten, word_at

# "June 31" is a date that a request may name by mistake.
_LAST_DAY: Final = 39
_STARTS: Final = frozenset((*MONTHS, *ORDINALS, *(f"{day}th" for day in range(_LAST_DAY + 1))))


def read_dates(tokens: Sequence[Token]) -> Sequence[Token]:
    """Merges the words of each date."""
    if not any(token[0] in MONTHS for token in tokens):
        return tokens
    return rewritten(tokens, _read, _STARTS)


def _read(tokens: Sequence[Token], at: int) -> tuple[Sequence[str], int] | None:
    """The date that starts here, and its number of tokens."""
    if word_at(tokens, at) in MONTHS:
        month, place = MONTHS[word_at(tokens, at)], at + 1
        if word_at(tokens, place) == "the":
            place += 1
        day = _day(tokens, place)
        place += 1
        if (word_at(tokens, place),) in UNIT_NAMES:
            day = 0  # "In May 5 dollars"
    else:
        day, place = _day(tokens, at), at + 1
        if day and word_at(tokens, place) == "of":
            place += 1
        month = MONTHS.get(word_at(tokens, place), 0)
        place += 1
    if not day or not month:
        return None
    year_at = place + 1 if word_at(tokens, place) == COMMA else place
    year = word_at(tokens, year_at)
    if year.isdigit() and 1000 <= int(year[:5]) < 3000:
        return (f"d{year}-{month:02}-{day:02}",), year_at + 1 - at
    return (f"d--{month:02}-{day:02}",), place - at


def _day(tokens: Sequence[Token], at: int) -> int:
    word = word_at(tokens, at)
    digits = word.removesuffix("th")
    day = int(digits) if digits.isdigit() and len(digits) < 3 else ORDINALS.get(word, 0)
    return day if day <= _LAST_DAY else 0
