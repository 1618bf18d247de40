"""Holm's correction for many tests: over all pairs, and within the row of one submission."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """Holm's adjusted p-values: the largest of (m - i + 1) p_(i) so far, at most 1. Holm 1979."""
    adjusted = [0.0] * len(p_values)
    largest = 0.0
    for place, index in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        largest = max(largest, min(1.0, (len(p_values) - place) * p_values[index]))
        adjusted[index] = largest
    return tuple(adjusted)


def rejected(p_values: Iterable[float], tests: int, alpha: float) -> int:
    """How many of `tests` hypotheses Holm's procedure rejects at level `alpha`.

    `p_values` holds at least those that are `alpha` or less. The lowest are rejected, and equal
    ones together.
    """
    number = 0
    for p in sorted(p_values):
        if p * (tests - number) > alpha:
            break
        number += 1
    return number
