"""The 95 % interval of a paired difference."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from scoring.statistics.intervals import Z95, CategorySums, Interval, effective_size, shares_of


class DifferenceSums(NamedTuple):
    """The differences d of a category's cases, -1..1: their weight, their number, and three sums.

    `ahead` sums the positive d, `behind` sums -d over the negative ones, `squares` sums d².
    """

    weight: float
    cases: int
    ahead: float
    behind: float
    squares: float


def difference_interval(categories: Sequence[DifferenceSums]) -> Interval:
    """The interval of a weighted mean difference: Tango's on an effective sample size.

    The effective sample size is that of `score_interval`, with the variance of the differences.
    One category with one trial per case has Tango's interval.
    """
    sums = [CategorySums(c.weight, c.cases, c.ahead - c.behind, c.squares) for c in categories]
    shares = shares_of(sums)
    ahead = math.fsum(w * c.ahead / c.cases for w, c in zip(shares, categories, strict=True))
    behind = math.fsum(w * c.behind / c.cases for w, c in zip(shares, categories, strict=True))
    n = effective_size(sums, max(0.0, ahead + behind - (ahead - behind) ** 2))
    return tango(ahead * n, behind * n, n)


@lru_cache(maxsize=65536)
def tango(first: float, second: float, cases: float) -> Interval:
    """The score interval of p₁ - p₂, two shares of passes on the same cases.

    Tango, Statistics in Medicine 17, 891 (1998). `first` and `second` are the cases that only the
    first or only the second passes. They may be fractions. The interval holds the differences D
    with |b - c - nD| <= z √(n (2q + D(1 - D))), where q is the likeliest share of cases that only
    the second passes if the difference is D. At D = 0 this is McNemar's test without correction.
    """
    return _lowest_difference(first, second, cases), 0.0 - _lowest_difference(second, first, cases)


def _lowest_difference(first: float, second: float, cases: float) -> float:
    """The lower limit, by bisection: the score statistic falls as D rises."""
    if second >= cases:
        return -1.0
    low, high = -1.0, (first - second) / cases
    for _ in range(60):
        middle = (low + high) / 2
        b = (2 * cases - first + second) * middle - first - second
        root = math.sqrt(max(0.0, b * b + 8 * cases * second * middle * (1 - middle)))
        variance = cases * ((root - b) / (2 * cases) + middle * (1 - middle))
        if first - second - cases * middle > Z95 * math.sqrt(max(0.0, variance)):
            low = middle
        else:
            high = middle
    return float(f"{low:.12g}")
