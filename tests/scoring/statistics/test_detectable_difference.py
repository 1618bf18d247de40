"""The smallest difference that a paired test finds."""

from __future__ import annotations

import math

import pytest

from scoring.statistics.detectable_difference import smallest_gap


def test_smallest_gap_by_hand() -> None:
    """2.80 √(δ/n): 221 of 1,240 discordant cases can show a gap of 3.4 points.

    2.80 is the sum of the normal quantiles of 97.5 % and 80 %.
    """
    gap = smallest_gap([(1.0, 221 / 1240, 1240)])

    assert f"{100 * gap:.1f}" == "3.4"
    assert (
        pytest.approx(
            (1.959963984540054 + 0.8416212335729143) * math.sqrt(221) / 1240,
            rel=1e-12,
        )
        == gap
    )


def test_smallest_gap_of_weighted_categories() -> None:
    """Only proportions of weights matter. Equal halves of the cases equal the whole."""
    assert pytest.approx(smallest_gap([(1, 0.2, 200)])) == smallest_gap(
        [(3, 0.2, 100), (3, 0.2, 100)]
    )
    assert pytest.approx(smallest_gap([(1, 0.2, 50), (3, 0.1, 80)])) == smallest_gap(
        [(10, 0.2, 50), (30, 0.1, 80)]
    )
