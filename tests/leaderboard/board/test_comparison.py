"""Who passes a case, of two submissions."""

from __future__ import annotations

from dataclasses import replace

import pytest

from leaderboard.board.comparison import CaseSide, Paired, standing
from tests.each_row import each_row


def test_who_passes_a_case() -> None:
    """Both, only the first, only the second, neither; unscored if one has no score."""
    sides = ((True, True), (True, False), (False, True), (False, False), (None, True))

    assert ["both", "first", "second", "neither", "unscored"] == [standing(*each) for each in sides]


def test_a_case_is_passed_in_every_trial() -> None:
    """One failed trial is enough to fail, and one unscored to be unscored."""
    passed, failed = CaseSide(1.0, 2, 2, (), ""), CaseSide(0.9999, 1, 2, (), "")
    unscored = CaseSide(None, 1, 2, (), "")

    assert [True, False, None] == [side.passed for side in (passed, failed, unscored)]


@pytest.mark.parametrize(
    ("gap", "shown"), [(0.034, None), (0.095, 0.095), (0.2, 0.2), (None, None)]
)
def test_a_gap_smaller_than_half_of_the_interval_is_not_shown(
    gap: float | None, shown: float | None
) -> None:
    """It would contradict the interval. Without an interval there is nothing to contradict."""
    found = Paired("*", 80, 80, 0, 61, 7, 11, 1, low=-0.075, high=0.115, smallest_gap=gap)

    assert found.detectable == shown
    assert replace(found, low=None, high=None).detectable == gap


@each_row(
    ("p", "low", "high", "significant", "disagree"),
    [
        (0.006, -0.11, 0.553, True, True),
        (0.006, 0.11, 0.553, True, False),
        (0.06, -0.11, 0.553, False, False),
        (0.006, None, None, True, False),
        (None, None, None, False, False),
    ],
)
def test_the_test_alone_decides_what_is_significant(
    p: float | None, low: float | None, high: float | None, significant: bool, disagree: bool
) -> None:
    """As in ranks. The interval is an approximation, and may include 0 all the same."""
    line = Paired("*", 40, 40, 0, 20, 9, 1, 10, difference=0.2, low=low, high=high, p=p)

    assert (significant, disagree) == (line.told_apart, line.test_and_interval_disagree)
