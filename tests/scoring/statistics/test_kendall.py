"""Kendall's S, and the normal distribution."""

from __future__ import annotations

from itertools import combinations

import pytest
import scipy  # type: ignore[import-untyped]  # loads scipy.stats at its first use
from hypothesis import given
from hypothesis import strategies as st

from scoring.statistics.kendall import kendall_s, normal_p


@pytest.mark.large
@given(z=st.floats(-30, 30))
def test_normal_p_is_the_two_sided_tail(z: float) -> None:
    """normal_p agrees with scipy's normal survival function."""
    assert pytest.approx(2 * scipy.stats.norm.sf(abs(z)), rel=1e-12) == normal_p(z)


def test_known_p_values() -> None:
    """The quantiles of the normal distribution have the p-values that tables give them."""
    for z, p in ((0.0, 1.0), (1.959963984540054, 0.05), (-2.5758293035489004, 0.01)):
        assert pytest.approx(p, rel=1e-12) == normal_p(z)


RANKS = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=12)


@pytest.mark.large
@given(RANKS)
def test_kendalls_s_counts_pairs(pairs: list[tuple[int, int]]) -> None:
    """Kendall's S by its definition: a tied pair counts nothing."""
    signs = [((a > c) - (a < c)) * ((b > d) - (b < d)) for (a, b), (c, d) in combinations(pairs, 2)]

    assert kendall_s([a for a, _ in pairs], [b for _, b in pairs]) == sum(signs)
