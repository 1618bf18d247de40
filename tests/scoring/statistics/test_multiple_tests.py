"""Holm's correction against statsmodels and its definition."""

from __future__ import annotations

from importlib import import_module

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.statistics.multiple_tests import holm, rejected

SHARES = st.floats(0, 1, allow_subnormal=False)


@pytest.mark.large
@given(st.lists(SHARES, min_size=1, max_size=30))
@settings(max_examples=10)
def test_holm_agrees_with_statsmodels(p_values: list[float]) -> None:
    """Adjusted p-values, in the order given."""
    multitest = import_module("statsmodels.stats.multitest")  # takes seconds
    adjusted = multitest.multipletests(p_values, method="holm")[1]
    assert pytest.approx(adjusted) == holm(p_values)


def test_holm_by_hand() -> None:
    """The smallest of three counts three times. No adjusted value is below one before it."""
    assert pytest.approx((0.03, 0.06, 0.06)) == holm((0.01, 0.04, 0.03))
    assert holm((0.9, 0.8)) == (1.0, 1.0)
    assert holm((0.0,)) == (0.0,)


def test_a_p_value_of_exactly_the_level_is_rejected() -> None:
    """Holm rejects while p is at most alpha by the number of tests that are left."""
    assert rejected([0.025, 0.05], 2, 0.05) == 2


def test_holm_of_nothing() -> None:
    """No tests, nothing adjusted, nothing rejected."""
    assert holm([]) == ()
    assert rejected([], 0, 0.05) == 0


@given(
    st.lists(SHARES | st.sampled_from([0.001, 0.004, 0.01, 0.02]), max_size=12), st.integers(0, 5)
)
@pytest.mark.large
def test_rejected_counts_what_the_adjusted_p_values_reject(
    p_values: list[float], further: int
) -> None:
    """Hypotheses without evidence count as tests, whether their p-values are listed or not."""
    every = [*p_values, *[1.0] * further]
    number = sum(adjusted <= 0.05 for adjusted in holm(every))

    assert number == rejected(p_values, len(every), 0.05)
    assert number == rejected([p for p in p_values if p <= 0.05], len(every), 0.05)
