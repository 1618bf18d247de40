"""95 % intervals of one score. Shares are 0..1 unless a metric is a ratio."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

Interval = tuple[float, float]

# The standard normal quantile of 97.5 %, and its square.
Z95: Final = 1.959963984540054
Z95_SQUARED: Final = Z95 * Z95


def wilson(passes: float, n: float) -> Interval:
    """The Wilson score interval of `passes` out of `n` (Wilson 1927).

    (p + z²/2n ± z √(p(1-p)/n + z²/4n²)) / (1 + z²/n). Both numbers may be fractions. Raises
    ValueError unless n > 0 and 0 <= passes <= n.
    """
    if n <= 0 or not 0 <= passes <= n:
        raise ValueError(f"no interval for {passes} passes of {n}")
    return _wilson(passes / n, n)


def _wilson(p: float, n: float) -> Interval:
    centre = (p + Z95_SQUARED / (2 * n)) / (1 + Z95_SQUARED / n)
    half = Z95 * math.sqrt(p * (1 - p) / n + Z95_SQUARED / (4 * n * n)) / (1 + Z95_SQUARED / n)
    # At the ends the limits are exactly 0 and 1. The difference of two rounded numbers is not.
    return (0.0 if p == 0 else max(0.0, centre - half)), (
        1.0 if p == 1 else min(1.0, centre + half)
    )


class CategorySums(NamedTuple):
    """The values of a category's cases: their weight, their number, Σ y and Σ y².

    A value is the mean of a case's scored trials, 0..1.
    """

    weight: float
    cases: int
    total: float
    squares: float


def score_interval(categories: Sequence[CategorySums]) -> Interval:
    """The interval of a weighted mean of categories: Wilson's on an effective sample size.

    One category with one trial per case has Wilson's interval.
    """
    mean = 1.0
    if any(category.total != category.cases for category in categories):
        shares = shares_of(categories)
        mean = math.fsum(w * c.total / c.cases for w, c in zip(shares, categories, strict=True))
    return _wilson(mean, effective_size(categories, mean * (1 - mean)))


def shares_of(categories: Sequence[CategorySums]) -> list[float]:
    """The weights w as shares of their sum."""
    total = math.fsum(category.weight for category in categories)
    return [category.weight / total for category in categories]


def effective_size(categories: Sequence[CategorySums], single: float) -> float:
    """The effective sample size of a weighted mean. `single` is the variance of one case alone.

    The variance V of the mean comes from the spread between cases. N₀ = 1 / Σ (w²/n) is the sample
    size if every case had the variance `single`. N₀V / (single + V) is the design effect (Kish
    1965). Only failures can show it, so z² pseudo-observations draw the effective sample size
    towards N₀. Without them one more failure could raise a limit.
    """
    shares = shares_of(categories)
    variance = math.fsum(
        w * w * (_variance_of_mean(category) if category.cases > 1 else single)
        for w, category in zip(shares, categories, strict=True)
    )
    plain = 1 / math.fsum(w**2 / part.cases for w, part in zip(shares, categories, strict=True))
    observed = plain * (single + variance) + Z95_SQUARED
    return plain * observed / (plain * plain * variance + Z95_SQUARED)


def _variance_of_mean(category: CategorySums) -> float:
    """The variance of the mean of two or more cases, from the spread between them."""
    n = category.cases
    return max(0.0, category.squares - category.total**2 / n) / (n * (n - 1))


# ---------------------------------------------------------------- ratios


def ratio_interval(cases: int, total: float, squares: float) -> Interval | None:
    """The interval of a mean without upper bound: mean ± t(n-1) s / √n, at least 0.

    None if there is one value, or if they do not differ: nothing then bounds their spread.
    """
    if cases < 2:
        return None
    spread = squares - total**2 / cases
    if spread <= 1e-12 * squares:
        return None
    half = t_quantile(cases - 1) * math.sqrt(spread / (cases - 1) / cases)
    return max(0.0, total / cases - half), total / cases + half


@lru_cache(maxsize=4096)
def t_quantile(df: int) -> float:
    """The 97.5 % quantile of Student's t, by bisection. Raises ValueError unless df >= 1.

    P(|T| <= t) is a finite sum for whole degrees of freedom (Abramowitz & Stegun 26.7.3 and
    26.7.4). Rounded to 12 digits, because mathematical libraries differ in the last one.
    """
    if df < 1:
        raise ValueError(f"Student's t needs at least one degree of freedom, not {df}")
    low, high = 1.0, 13.0
    while high - low > 1e-14 * high:
        middle = (low + high) / 2
        if middle in (low, high):
            break
        low, high = (middle, high) if _within(middle, df) < 0.95 else (low, middle)
    return float(f"{(low + high) / 2:.12g}")


def _within(t: float, df: int) -> float:
    """P(|T| <= t)."""
    angle = math.atan(t / math.sqrt(df))
    sine, cosine = math.sin(angle), math.cos(angle)
    odd = df % 2
    term, total = (cosine if odd else 1.0), 0.0
    for i in range(odd, df - 1, 2):
        total += term
        term *= (i + 1) / (i + 2) * cosine * cosine
    return 2 / math.pi * (angle + sine * total) if odd else sine * total


def combined(
    weights: Sequence[float], values: Sequence[float], intervals: Sequence[Interval]
) -> Interval:
    """The interval of a weighted mean from the intervals (l, h) of its independent parts.

    m - √(Σ w² (v - l)²) and m + √(Σ w² (h - v)²), with normalised weights: variances recovered
    from the limits (Zou & Donner 2008).
    """
    total = math.fsum(weights)
    mean = math.fsum(w * value for w, value in zip(weights, values, strict=True)) / total
    down, up = [], []
    for weight, value, (low, high) in zip(weights, values, intervals, strict=True):
        down.append((weight * (value - low)) ** 2)
        up.append((weight * (high - value)) ** 2)
    return mean - math.sqrt(math.fsum(down)) / total, mean + math.sqrt(math.fsum(up)) / total
