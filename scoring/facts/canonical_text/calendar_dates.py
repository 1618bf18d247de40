"""Dates as `d2031-05-30`: "30 May 2031", "May 30th". Without a year: `d--05-30`.

In "10 to 13 May 2031" and "May 10-13, 2031" both days have the month and the year.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from scoring.facts.canonical_text.canonical_words import COMMA, MONTHS, ORDINALS, STOP, UNIT_NAMES
from scoring.facts.canonical_text.tokens import Token, rewritten, word_at

# "June 31" is a date that a request may name by mistake.
_LAST_DAY: Final = 39
# What joins the days of a span. The last ones are "10. bis zum 13. Mai", "10 tot en met 13 mei",
# "10 au 13 mai" and "10 a 13 de maio" in English words.
_TO: Final = frozenset(
    ("to", "to the", "until", "until the", "till", "till the", "through", "through the")
).union(("until to the", "until and with", "at the", "the"))
_AND: Final = frozenset(("and", "and the"))
_BEFORE_RANGE: Final = frozenset(("between", "the"))  # "between the 10th and the 13th of May"
_LONGEST_JOINT: Final = 3
_STARTS: Final = frozenset((*MONTHS, *ORDINALS, *(f"{day}th" for day in range(_LAST_DAY + 1))))


def read_dates(tokens: Sequence[Token]) -> Sequence[Token]:
    """Merges the words of each date."""
    if not any(token[0] in MONTHS for token in tokens):
        return tokens
    return rewritten(tokens, _read, _STARTS)


def _read(tokens: Sequence[Token], at: int) -> tuple[Sequence[str], int] | None:
    """The date or the two dates that start here, and their number of tokens."""
    if word_at(tokens, at) in MONTHS:
        days, month, end = _after_month(tokens, at)
    else:
        days, month, end = _before_month(tokens, at)
    if not all(days) or not month:
        return None
    year_at = end + 1 if word_at(tokens, end) == COMMA else end
    year = word_at(tokens, year_at)
    if year.isdigit() and 1000 <= int(year[:5]) < 3000:
        return _dates(year, month, days), year_at + 1 - at
    return _dates("-", month, days), end - at


def _dates(year: str, month: int, days: Sequence[int]) -> list[str]:
    first, *last = (f"d{year}-{month:02}-{day:02}" for day in days)
    return [first, "to", *last] if last else [first]


def _after_month(tokens: Sequence[Token], at: int) -> tuple[list[int], int, int]:
    """The days after the month at a place, the month, and the place after them."""
    place = _after(tokens, at + 1, "the")
    day, end = _day(tokens, place), place + 1
    if (word_at(tokens, end),) in UNIT_NAMES:
        day = 0  # "In May 5 dollars"
    last, last_end = _last_day(tokens, at, place)
    is_own = word_at(tokens, _after(tokens, last_end, "of")) in MONTHS  # "May 10 to 2 June"
    if last and not is_own and (word_at(tokens, last_end),) not in UNIT_NAMES:
        return [day, last], MONTHS[word_at(tokens, at)], last_end
    return [day], MONTHS[word_at(tokens, at)], end


def _before_month(tokens: Sequence[Token], at: int) -> tuple[list[int], int, int]:
    """The days that start at a place, the month after them or 0, and the place after it."""
    last, end = _last_day(tokens, at, at)
    days = [_day(tokens, at), last] if last else [_day(tokens, at)]
    place = _after(tokens, end if last else at + 1, "of")
    return days, MONTHS.get(word_at(tokens, place), 0), place + 1


def _last_day(tokens: Sequence[Token], at: int, place: int) -> tuple[int, int]:
    """The last day of a span whose first day is at a place, or 0, and the place after it.

    The dates start at `at`: there must be "between" before it if "and" joins the days.
    """
    is_between = word_at(tokens, at - 1) in _BEFORE_RANGE
    joints = _TO | _AND if is_between else _TO
    start = _after(tokens, place + 1, STOP)  # "10. bis 13. Mai"
    for used in range(1, _LONGEST_JOINT + 1):
        last = _day(tokens, start + used)
        joint = " ".join(token.word for token in tokens[start : start + used])
        if last and joint in joints:
            return (last, start + used + 1) if 0 < _day(tokens, place) < last else (0, 0)
    return 0, 0


def _after(tokens: Sequence[Token], at: int, word: str) -> int:
    """The place after a word, if it is at this place."""
    return at + 1 if word_at(tokens, at) == word else at


def _day(tokens: Sequence[Token], at: int) -> int:
    word = word_at(tokens, at)
    digits = word.removesuffix("th")
    day = int(digits) if digits.isdigit() and len(digits) < 3 else ORDINALS.get(word, 0)
    return day if day <= _LAST_DAY else 0
