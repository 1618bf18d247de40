"""When a number is close enough to another one, or follows from others."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator
from itertools import permutations
from typing import Final

from scoring.facts.api_answers.answer_values import DATE, SHARE, Values
from scoring.facts.canonical_text.canonical_words import MEASURES
from scoring.facts.number_closeness import is_within

_ROUNDED: Final = 0.02  # how far a rounded number may be from the number
_CONVERTED: Final = 0.02  # how far a number may be from its value in another unit
NEARLY: Final = 0.07  # how far a number may be that is given as "about"
_MOST_OPERANDS: Final = 60  # each two of them are combined
_MOST_COMBINED: Final = 8  # numbers of an answer
# Days of a week, months of a year.
FACTORS: Final = (7.0, 12.0, 24.0, 60.0, 365.25, 1000.0)


def rounds_to(value: float, number: float, tolerance: float = 0.0) -> bool:
    """Whether a number is another one, or is rounded from it to two digits or more."""
    if is_within(value, number, tolerance):
        return True
    if abs(value - number) > _ROUNDED * abs(number):
        return False
    digits = max(2, len(f"{value:.6f}".strip("-0.").rstrip("0").replace(".", "")))
    unit = 10.0 ** (math.floor(math.log10(abs(number))) + 1 - digits)
    return abs(value - number) <= unit / 2 + 1e-9


def is_converted(value: float, unit: str, number: float, other: str) -> bool:
    """Whether a number of a unit is about another number of another unit."""
    mine, its = MEASURES[unit], MEASURES[other]
    if mine.dimension != its.dimension:
        return False
    expected = (its.of(number) - mine.offset) / mine.factor
    return abs(value - expected) <= _CONVERTED * abs(expected) + (0.5 if abs(expected) > 20 else 0)


def is_derived(
    value: float, known: Values, unit: str | None = None, *, about: bool = False
) -> bool:
    """Whether a number is the sum, difference, product, quotient or percentage of two known ones.

    A share adds to no amount, and neither does a day: 15 % off 129 is not 114. `unit` is that of
    the number, and one of the two has it, too, if it is a measure. With `about`, a number nearby
    is enough.
    """
    operands = (*sorted(known.numbers)[:_MOST_OPERANDS], *FACTORS)
    measured = frozenset(number for number in operands if known.measures(number, unit))
    shares = frozenset(number for number in operands if known.only(number, SHARE))
    dates = frozenset(number for number in operands if known.only(number, DATE))
    is_share = unit == SHARE
    pairs = (
        (first, second)
        for first in operands
        for second in operands
        if (first in dates) is (second in dates)
        and (is_share or second in FACTORS or not measured.isdisjoint((first, second)))
    )
    return any(
        _is_close(result, value, about=about)
        for pair in pairs
        for result in (_as_share(*pair) if is_share else _as_amount(*pair, shares))
    )


def is_combined(value: float, stated: Iterable[float]) -> bool:
    """Whether a number adds up from three others: "200 − 15 − 184", or "81.5 − 3 × 24.5"."""
    some = tuple(dict.fromkeys(stated))[:_MOST_COMBINED]
    return any(
        _is_close(abs(result), value)
        for first, second, third in permutations(some, 3)
        for result in (
            first + second + third,
            first - second - third,
            first + second - third,
            first * second - third,
            first * second + third,
        )
    )


def _is_close(result: float, value: float, *, about: bool = False) -> bool:
    decimals = len(f"{value:.6f}".rstrip("0").partition(".")[2])
    near = NEARLY * value if about else 0.5 * 10**-decimals + 1e-9
    return abs(result - value) <= near


def _as_share(first: float, second: float) -> Iterator[float]:
    yield first + second
    yield first - second
    if second:
        yield 100 * first / second
        yield 100 * (first - second) / second


def _as_amount(first: float, second: float, shares: Collection[float]) -> Iterator[float]:
    if second in shares:
        yield first * second / 100
        yield first * (1 - second / 100)
        yield first * (1 + second / 100)
    elif first not in shares:
        yield first + second
        yield first - second
        yield first * second
        if second:
            yield first / second
