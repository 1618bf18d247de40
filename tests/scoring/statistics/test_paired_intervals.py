"""Tango's interval of a paired difference."""

from __future__ import annotations

import math
import random

import pytest
import scipy  # type: ignore[import-untyped]  # loads its parts at their first use
from hypothesis import given
from hypothesis import strategies as st

from scoring.statistics.intervals import Z95, wilson
from scoring.statistics.paired_intervals import (
    DifferenceSums,
    difference_interval,
    tango,
)
from scoring.statistics.sign_flips import sign_flip
from tests.each_row import each_row


@pytest.mark.large
@each_row(
    ("first", "second", "cases"),
    [(9, 1, 40), (126, 95, 1240), (0, 0, 7), (3, 0, 3), (0, 5, 5), (2, 2, 60)],
)
def test_the_paired_score_interval_ends_where_the_likelihood_says(
    first: int, second: int, cases: int
) -> None:
    """At each limit the score statistic is 1.96, with the nuisance share found numerically."""
    low, high = tango(first, second, cases)
    assert -1 <= low <= (first - second) / cases <= high <= 1
    for limit in {low, high} - {-1.0, 1.0}:

        def unlikelihood(q: float, d: float = limit) -> float:
            shares = ((first, q + d), (second, q), (cases - first - second, 1 - 2 * q - d))
            return -sum(number * math.log(max(share, 1e-300)) for number, share in shares if number)

        found = scipy.optimize.minimize_scalar(
            unlikelihood,
            bounds=(max(0.0, -limit), (1 - limit) / 2),
            method="bounded",
            options={"xatol": 1e-12},
        )
        variance = cases * (2 * found.x + limit * (1 - limit))
        assert pytest.approx(Z95, rel=1e-4) == abs(first - second - cases * limit) / math.sqrt(
            variance
        )


@pytest.mark.large
def test_the_paired_score_interval_rejects_zero_as_mcnemar_does_without_correction() -> None:
    """0 lies outside exactly where (b - c)² > 1.96² (b + c)."""
    for first in range(30):
        for second in range(30):
            low, high = tango(first, second, 70)
            assert ((first - second) ** 2 > Z95**2 * (first + second)) == (not low <= 0 <= high)


@pytest.mark.large
@given(st.integers(1, 200), st.data())
def test_one_category_and_one_trial_have_tangos_interval(cases: int, data: st.DataObject) -> None:
    """Passes and fails of one category are their own effective sample size."""
    first = data.draw(st.integers(0, cases))
    second = data.draw(st.integers(0, cases - first))

    found = difference_interval([DifferenceSums(3.0, cases, first, second, first + second)])

    assert pytest.approx(tango(first, second, cases), abs=1e-10) == found


def test_submissions_that_never_differ() -> None:
    """Two submissions with the same answers have ± z² / (N₀ + z²)."""
    parts = [DifferenceSums(1, 20, 0, 0, 0), DifferenceSums(3, 30, 0, 0, 0)]
    plain = 1 / (0.25**2 / 20 + 0.75**2 / 30)

    low, high = difference_interval(parts)

    assert pytest.approx(Z95**2 / (plain + Z95**2), rel=1e-9) == high == -low


def test_trials_sent_twice_do_not_narrow_a_difference() -> None:
    """Only the means of the cases enter, so equal further trials change nothing."""
    thirds = [1 / 3, 0.0, -1 / 3, 2 / 3, 0.0]
    sums = DifferenceSums(1, 5, 1.0, 1 / 3, math.fsum(d * d for d in thirds))

    assert difference_interval([sums]) == difference_interval([sums._replace(weight=2)])
    low, high = difference_interval([sums])
    assert -1 <= low < math.fsum(thirds) / 5 < high <= 1


def test_a_category_of_one_case() -> None:
    """One case shows no spread: its variance is that of one pass or fail."""
    low, high = difference_interval([DifferenceSums(1, 1, 1, 0, 1), DifferenceSums(1, 20, 0, 0, 0)])

    assert low < 0.5 < high


def test_a_category_of_two_cases_has_a_spread_of_its_own() -> None:
    """Two equal differences leave no variance: n = 4 (4 + z²) / z² for two such categories."""
    parts = [DifferenceSums(1, 2, 2, 0, 2), DifferenceSums(1, 2, 0, 2, 2)]
    size = 4 * (4 + Z95**2) / Z95**2

    assert pytest.approx(tango(size / 2, size / 2, size), rel=1e-9) == difference_interval(parts)


@pytest.mark.large
def test_paired_tests_see_what_overlapping_intervals_hide() -> None:
    """A gap of 5 points at n = 200 is found one time in five in pairs, by intervals hardly ever."""
    source = random.Random(7)
    paired = apart = 0
    for _ in range(2000):
        draws = [source.random() for _ in range(200)]
        only_first, only_second = sum(u < 0.15 for u in draws), sum(0.15 <= u < 0.25 for u in draws)
        both = sum(0.25 <= u < 0.65 for u in draws)
        paired += sign_flip([(1, only_first, only_second)]) <= 0.05 and only_first > only_second
        apart += wilson(both + only_first, 200)[0] > wilson(both + only_second, 200)[1]

    assert 0.18 < paired / 2000 < 0.30
    assert apart / 2000 < 0.02
