"""Cohen's κ: how far two readers agree, beyond chance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping
from typing import NamedTuple, TypeVar

_Label = TypeVar("_Label", bound=Hashable)


class Kappa(NamedTuple):
    """The share of cases with equal labels that chance explains, and κ."""

    expected: float
    kappa: float | None


def cohen_kappa(counts: Mapping[tuple[_Label, _Label], int]) -> Kappa:
    """Cohen's κ = (p_o - p_e) / (1 - p_e) of two readers' labels of the same cases. Cohen 1960.

    `counts` is how often each pair of labels occurs. p_o is the share of equal labels, p_e the sum
    over labels of the product of both readers' shares. κ is None if both gave one and the same
    label to all. Raises ValueError without cases.
    """
    n = sum(counts.values())
    if n == 0:
        raise ValueError("no labels to compare")
    equal = 0
    mine: Counter[_Label] = Counter()
    theirs: Counter[_Label] = Counter()
    for (first, second), number in counts.items():
        mine[first] += number
        theirs[second] += number
        equal += number if first == second else 0
    chance = sum(mine[label] * theirs[label] for label in mine)
    kappa = (equal * n - chance) / (n * n - chance) if chance != n * n else None
    return Kappa(chance / (n * n), kappa)
