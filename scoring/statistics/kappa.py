"""Cohen's κ: how far two readers agree, beyond chance."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Mapping
from typing import NamedTuple, TypeVar

_Label = TypeVar("_Label", bound=Hashable)


class Kappa(NamedTuple):
    """The share of cases with equal labels that chance explains, and κ."""

    expected: float
    kappa: float | None


def cohen_kappa(counts: Mapping[tuple[_Label, _Label], float]) -> Kappa:
    """Cohen's κ = (p_o - p_e) / (1 - p_e) of two readers' labels of the same cases. Cohen 1960.

    `counts` is how often each pair of labels occurs. p_o is the share of equal labels, p_e the sum
    over labels of the product of both readers' shares. κ is None if both gave one and the same
    label to all. A reader may divide a case between two labels. Raises ValueError without cases.
    """
    n = sum(counts.values())
    if n == 0:
        raise ValueError("no labels to compare")
    equal = 0.0
    mine: defaultdict[_Label, float] = defaultdict(float)
    theirs: defaultdict[_Label, float] = defaultdict(float)
    for (first, second), number in counts.items():
        mine[first] += number
        theirs[second] += number
        equal += number if first == second else 0
    chance = sum(number * theirs[label] for label, number in mine.items())
    kappa = (equal * n - chance) / (n * n - chance) if chance != n * n else None
    return Kappa(chance / (n * n), kappa)
