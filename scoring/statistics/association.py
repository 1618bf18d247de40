"""How far two rankings, or two readers, agree."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby


def normal_p(z: float) -> float:
    """P(|Z| >= |z|) of a standard normal Z."""
    return math.erfc(abs(z) / math.sqrt(2.0))


def concordance(first: Sequence[float], second: Sequence[float]) -> int:
    """Kendall's S of two rankings: the number of concordant pairs minus that of discordant ones."""
    pairs = sorted(zip(first, second, strict=True))
    every = len(pairs) * (len(pairs) - 1) // 2
    tied = _tied(x for x, _ in pairs) + _tied(sorted(second)) - _tied(pairs)
    return every - tied - 2 * _inversions(y for _, y in pairs)


def _tied(ordered: Iterable[Hashable]) -> int:
    """How many pairs of an ordered sequence are equal."""
    return sum(n * (n - 1) // 2 for n in (sum(1 for _ in group) for _, group in groupby(ordered)))


def _inversions(values: Iterable[float]) -> int:
    """How many pairs are in falling order."""
    count = 0
    before: list[float] = []
    for value in values:
        place = bisect_right(before, value)
        count += len(before) - place
        before.insert(place, value)
    return count


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far two readers agree: cases, share of equal labels, share expected by chance, κ."""

    cases: int
    observed: float
    expected: float
    kappa: float | None


def cohen_kappa(first: Sequence[Hashable], second: Sequence[Hashable]) -> Agreement:
    """Cohen's κ = (p_o - p_e) / (1 - p_e) of two readers' labels of the same cases. Cohen 1960.

    p_o is the share of equal labels, p_e the sum over labels of the product of both readers'
    shares. κ is None if both gave one and the same label to all. Raises ValueError on unequal
    lengths or no labels.
    """
    n = len(first)
    if n == 0:
        raise ValueError("no labels to compare")
    equal = sum(a == b for a, b in zip(first, second, strict=True))
    mine, theirs = Counter(first), Counter(second)
    chance = sum(mine[label] * theirs[label] for label in mine)
    kappa = (equal * n - chance) / (n * n - chance) if chance != n * n else None
    return Agreement(n, equal / n, chance / (n * n), kappa)
