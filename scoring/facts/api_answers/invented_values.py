"""Whether a value of an answer comes from the replies: given, rounded, converted or worked out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import chain, combinations
from typing import Final, NamedTuple

from scoring.facts.api_answers.answer_values import (
    DATE,
    DAY,
    SHARE,
    Values,
    currency_near,
    dotted_time,
    minutes_of,
    month_of,
    unit_after,
    written_number,
)
from scoring.facts.api_answers.value_closeness import (
    FACTORS,
    NEARLY,
    is_combined,
    is_converted,
    is_derived,
    rounds_to,
)
from scoring.facts.canonical_text.canonical_words import MEASURES
from scoring.facts.canonical_text.tokens import is_date, is_number, is_time
from scoring.facts.number_closeness import ROUGHLY, SMALL_NUMBER
from scoring.facts.sentences import Passage, Span

_SAME: Final = 1e-6
_COMMON: Final = frozenset((24, 60, 100, 365))
_ABOUT: Final = ROUGHLY | frozenset(("near", "some", "over", "under", "short"))
_NEAR: Final = 5  # minutes from a time or a duration that is given as "about"
_LIMITS: Final = {
    ("more", "than"): True,
    ("over",): True,
    ("less", "than"): False,
    ("under",): False,
}
_BEYOND: Final = 1.5  # times a limit is the most that it is a limit of
# A number that is worked out from others has one of these in its sentence.
_RESULT_WORDS: Final = """
so total together altogether sum difference more less than cheaper makes equals each per
percent save left short higher lower fewer remaining comes above below later longer ahead
both average times double twice half apiece leaves leaving head down up extra off"""
_WORKED_OUT: Final = frozenset(_RESULT_WORDS.split())
_RATE_ARTICLES: Final = frozenset(("a", "an"))  # "36 a month" is worked out
_BEFORE: Final = 3  # words from "about" to a value
_HALF_DAY: Final = 720
_LASTING: Final = {"minute": 1, "hour": 60}  # minutes


class _Number(NamedTuple):
    """A number of an answer: its index, its value without a sign, and the unit after it."""

    at: int
    value: float
    unit: str | None


def is_sourced(passage: Passage, at: int, known: Values) -> bool:
    """Whether a word is no value, or one that follows from known values."""
    word = passage.words[at]
    if is_time(word):
        return _is_known_time(passage, at, word, known)
    if is_date(word):
        is_price = currency_near(passage, at) is not None  # "March 29 ARV" looks like a date
        return word[-5:] in known.days or (is_price and float(word[-2:]) in known.numbers)
    if is_number(word):
        return _is_known_number(passage, _number_at(passage, at), known)
    month = month_of(word)
    return month is None or month in known.months or not known.months


def _number_at(passage: Passage, at: int) -> _Number:
    return _Number(at, abs(float(passage.words[at])), unit_after(passage.words, at))


def _is_known_number(passage: Passage, number: _Number, known: Values) -> bool:
    at, value, unit = number
    dotted = dotted_time(passage, at)
    if dotted is not None and f"{dotted[0]:02}:{dotted[1]:02}" in known.times:
        return True
    return (
        value in _COMMON
        or _needs_no_source(value, unit)
        or _is_given(value, unit or currency_near(passage, at), known)
        or (unit is not None and _is_converted(value, unit, known))
        or _is_about(passage, number, known)
        or _is_worked_out(passage, number, known)
    )


def _is_about(passage: Passage, number: _Number, known: Values) -> bool:
    """Whether a number is given as "about" one that is known, or that follows from two."""
    at, value, unit = number
    before = passage.words[max(0, at - _BEFORE) : at]
    if not _ABOUT.isdisjoint(before) and _is_nearly_known(value, unit, known):
        return True
    if _is_bound(passage, number, known):
        return True
    exact = _in_brackets_after(passage, number)
    if exact is not None and abs(value - exact) <= NEARLY * exact and _is_given(exact, unit, known):
        return True
    return not ROUGHLY.isdisjoint(before) and is_derived(value, known, unit, about=True)


def _is_bound(passage: Passage, number: _Number, known: Values) -> bool:
    """Whether a number is a limit of a known one: "more than a thousand", for 1,240."""
    at, value, unit = number
    before = passage.words[max(0, at - 2) : at]
    for limits, is_lower in _LIMITS.items():
        if before[-len(limits) :] == limits:
            low, high = (value, _BEYOND * value) if is_lower else (value / _BEYOND, value)
            numbers = (n for n in known.numbers if not _has_other_unit(n, unit, known))
            return any(low < one < high for one in numbers)
    return False


def _in_brackets_after(passage: Passage, number: _Number) -> float | None:
    """The number in brackets after a number: 16 in "a quarter of an hour (16 minutes)"."""
    bracket = number.at + 1 + len(number.unit.split() if number.unit else ())
    numbers = [word for word in passage.words[bracket + 1 : bracket + 2] if is_number(word)]
    if not numbers:
        return None
    opens = passage.written(Span(bracket, bracket + 1)) == "("
    return abs(float(numbers[0])) if opens else None


def _is_worked_out(passage: Passage, number: _Number, known: Values) -> bool:
    """Whether a number follows from others: from those of the answer, or as its sentence says."""
    others = _others(passage, number, known)
    if _follows_from_stated(passage, number.value, others):
        return True
    at, value, unit = number
    sentence = passage.sentence_at(at)
    is_result = passage.follows_mark(Span(at, at + 1), "=")  # "2 × 92 = 184"
    cued = is_result or not _WORKED_OUT.isdisjoint(passage.words_of(sentence))
    if not cued and _RATE_ARTICLES.isdisjoint(passage.words[at + 1 : at + 3]):
        return False
    return is_derived(value, known, unit) or is_combined(value, others)


def _follows_from_stated(passage: Passage, value: float, stated: Sequence[float]) -> bool:
    """Whether a number adds up from two others that the answer states, or is a multiple of one.

    The answer states the factor, too: "7 ARV, so 28 for a group of four".
    """
    # A number that is stated twice may be added to itself.
    counted = Counter(stated)
    others = [number for number, count in counted.items() for _ in range(min(count, 2))]
    sums = (abs(one + sign * other) for one, other in combinations(others, 2) for sign in (1, -1))
    factors = {abs(float(word)) for word in passage.words if is_number(word)}
    factors.intersection_update(range(2, SMALL_NUMBER + 1))
    multiples = (one * factor for one in others for factor in factors)
    return any(abs(result - value) < _SAME for result in chain(sums, multiples))


def _is_given(value: float, unit: str | None, known: Values) -> bool:
    """Whether a number is known, or rounded from a known one, and no part of something else."""
    if unit in (None, "sec") and value in known.clock:
        return True
    return any(
        rounds_to(value, number) and not _has_other_unit(number, unit, known)
        for number in known.numbers
    )


def _is_nearly_known(value: float, unit: str | None, known: Values) -> bool:
    """Whether a number is near a known one, also after a conversion: "some 29½ years" in days."""
    return any(
        abs(number / factor - value) <= (_NEAR if unit == "minute" else NEARLY * value)
        for factor in (1, *FACTORS)
        for number in known.numbers
        if factor != 1 or not _has_other_unit(number, unit, known)
    )


def _needs_no_source(value: float, unit: str | None) -> bool:
    """Whether a number is small and whole, or "two and a half days"."""
    lasts = unit is not None and MEASURES[unit].dimension == "duration"
    return value <= SMALL_NUMBER and (2 * (value if lasts else value / 2)).is_integer()


def _has_other_unit(number: float, unit: str | None, known: Values) -> bool:
    """Whether a number is known with other units only: "14 hours" for 14 minutes."""
    units = known.units.get(number, {None})
    if unit in MEASURES:
        return None not in units and unit not in units
    # A currency is no share and no day of a month.
    return unit is not None and units <= {SHARE, DATE}


def _others(passage: Passage, number: _Number, known: Values) -> list[float]:
    """The other numbers of an answer that are known and have the same unit."""
    indexes = (at for at, word in enumerate(passage.words) if at != number.at and is_number(word))
    return [
        other.value
        for other in (_number_at(passage, at) for at in indexes)
        if other.unit == number.unit and _is_given(other.value, other.unit, known)
    ]


def _is_converted(value: float, unit: str, known: Values) -> bool:
    """Whether a number is a known one in another unit, or the time between two times."""
    if unit in _LASTING and known.has_times_apart(_LASTING[unit] * value):
        return True
    return any(
        is_converted(value, unit, number, other)
        for other in MEASURES
        if other != unit and MEASURES[other].dimension == MEASURES[unit].dimension
        for number in known.numbers
        if not _has_other_unit(number, other, known)
    )


def _is_known_time(passage: Passage, at: int, word: str, known: Values) -> bool:
    minutes = minutes_of(word[1:6])
    if minutes in known.numbers:
        return True  # a duration, such as 2:25 h
    number = written_number(passage, at)
    if number is not None and any(rounds_to(number, other) for other in known.numbers):
        return True
    times = {minutes_of(time) for time in known.times}
    times |= {(time + lasting) % DAY for time in times for lasting in _durations(known)}
    if word[0] == "h":
        times = {time % _HALF_DAY for time in times}
    if minutes in times:
        return True
    about = not _ABOUT.isdisjoint(passage.words[max(0, at - _BEFORE) : at])
    return about and any(abs(minutes - time) <= _NEAR for time in times)


def _durations(known: Values) -> set[int]:
    """The known durations in minutes: a flight at 07:40 that takes 135 minutes lands at 09:55."""
    return {
        round(minutes * number)
        for unit, minutes in _LASTING.items()
        for number, units in known.units.items()
        if unit in units
    }
