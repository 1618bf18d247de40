"""Kendall's τ-b: how far two rankings agree, and whether that can be chance."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from typing import NamedTuple


class TieSums(NamedTuple):
    """Σt(t-1), Σt(t-1)(t-2) and Σt(t-1)(2t+5) over the groups of t equal values of a ranking."""

    pairs: int
    triples: int
    spread: int


def kendall_s(first: Sequence[float], second: Sequence[float]) -> int:
    """Kendall's S of two rankings: the number of concordant pairs minus that of discordant ones."""
    pairs = sorted(zip(first, second, strict=True))
    every = len(pairs) * (len(pairs) - 1) // 2
    tied = _tied(first) + _tied(second) - _tied(pairs)
    return every - tied - 2 * _inversions(y for _, y in pairs)


def _tied(values: Iterable[Hashable]) -> int:
    """How many pairs of values are equal."""
    return sum(math.comb(times, 2) for times in Counter(values).values())


def _inversions(values: Iterable[float]) -> int:
    """How many pairs are in falling order."""
    count = 0
    before: list[float] = []
    for value in values:
        place = bisect_right(before, value)
        count += len(before) - place
        before.insert(place, value)
    return count


def tau_b(s: int, n: int, first: TieSums, second: TieSums) -> tuple[float, float] | None:
    """τ-b from Kendall's S of n cases, and P(S or lower) with the variance for ties.

    v = (n(n-1)(2n+5) - Σt(t-1)(2t+5) - Σu(u-1)(2u+5))/18 + Σt(t-1)(t-2) Σu(u-1)(u-2) / 9n(n-1)(n-2)
    + Σt(t-1) Σu(u-1) / 2n(n-1). Kendall, Rank Correlation Methods, 1970. S moves in steps of at
    most 2, half of which is added (correction for continuity). None if all values of a ranking are
    equal.
    """
    every = n * (n - 1)
    if every in (first.pairs, second.pairs):
        return None
    variance = (every * (2 * n + 5) - first.spread - second.spread) / 18
    variance += first.pairs * second.pairs / (2 * every)
    if n > 2:
        variance += first.triples * second.triples / (9 * every * (n - 2))
    z = (s + 1) / math.sqrt(variance)
    tail = normal_p(z) / 2
    root = math.sqrt((every - first.pairs) * (every - second.pairs))
    return 2 * s / root, float(f"{tail if z < 0 else 1 - tail:.12g}")


def normal_p(z: float) -> float:
    """P(|Z| >= |z|) of a standard normal Z."""
    return math.erfc(abs(z) / math.sqrt(2.0))
