"""Youden's J, and the limits of a score that a judge with errors decides."""

from __future__ import annotations

import pytest

from scoring.statistics.judged_scores import (
    JudgedPart,
    LabelCounts,
    judged_limits,
    judged_limits_by_category,
    youden,
)

MANY = 10**9
PERFECT = LabelCounts(MANY, MANY, MANY, MANY)
GOOD = LabelCounts(50, 45, 50, 40)
BLIND = LabelCounts(30, 15, 30, 15)


def agresti_coull(passes: int, n: int) -> tuple[float, float]:
    """The interval of Agresti and Coull (1998), at 95 %."""
    z = 1.959963984540054
    cases = n + z * z
    share = (passes + z * z / 2) / cases
    half = z * (share * (1 - share) / cases) ** 0.5
    return share - half, share + half


def test_youden_by_hand() -> None:
    """45 of 50 and 40 of 50: J is .7, and the interval is that of Agresti and Caffo."""
    found = youden(GOOD)
    se, sp = 46 / 52, 41 / 52
    half = 1.959963984540054 * ((se * (1 - se) + sp * (1 - sp)) / 52) ** 0.5

    assert pytest.approx((0.7, se + sp - 1 - half, se + sp - 1 + half)) == found


def test_youden_lies_between_minus_one_and_one() -> None:
    """The limits of a judge that is always right, or always wrong, are cut there."""
    right, wrong = youden(LabelCounts(30, 30, 30, 30)), youden(LabelCounts(30, 0, 30, 0))

    assert right is not None
    assert wrong is not None
    assert right[0] == right[2] == 1 > right[1]
    assert wrong[0] == wrong[1] == -1 < wrong[2]


def test_youden_of_a_judge_that_cannot_tell() -> None:
    """Half right on both sides is J = 0, and the interval includes 0."""
    found = youden(BLIND)

    assert found is not None
    assert found[1] < 0 == found[0] < found[2]


def test_youden_needs_both_labels() -> None:
    """Without right answers, or without wrong ones, nothing is known."""
    assert youden(LabelCounts(0, 0, 9, 9)) is None
    assert youden(LabelCounts(9, 9, 0, 0)) is None


def test_a_perfect_judge_leaves_the_interval_of_agresti_and_coull() -> None:
    """Without errors of the judge, z² pseudo-cases remain, whether a rule or a judge decides."""
    expected = agresti_coull(42, 60)
    for part in (JudgedPart(1, 60, 0.0, 1.0, 0.7), JudgedPart(1, 60, 0.5, 0.4, 0.2)):
        assert pytest.approx(expected, abs=1e-6) == judged_limits([part], PERFECT)


def test_known_errors_of_a_judge_stretch_the_interval_of_agresti_and_coull() -> None:
    """With known errors the share of passes p gives (p - (1 - sp)) / (se + sp - 1)."""
    known = LabelCounts(MANY, 0.9 * MANY, MANY, 0.8 * MANY)
    limits = agresti_coull(36, 60)

    expected = [(limit - 0.2) / 0.7 for limit in limits]
    assert pytest.approx(expected, abs=1e-6) == judged_limits(
        [JudgedPart(1, 60, 0.0, 1.0, 0.6)], known
    )


def test_an_imperfect_judge_widens_the_limits() -> None:
    """Fewer labels, wider limits. They contain the corrected score."""
    part = JudgedPart(1, 200, 0.1, 0.8, 0.5)
    few, many = (judged_limits([part], LabelCounts(n, 0.9 * n, n, 0.8 * n)) for n in (30, 3000))
    corrected = 0.1 + (0.5 - 0.8 * 0.2) / 0.7

    assert few is not None
    assert many is not None
    assert few[0] < many[0] < corrected < many[1] < few[1]


def test_a_judge_at_random_has_no_limits() -> None:
    """Nothing can be said of the judged share if the judge cannot tell right from wrong."""
    assert judged_limits([JudgedPart(1, 60, 0.2, 0.8, 0.4)], BLIND) is None


def test_labels_of_each_category() -> None:
    """Equal labels everywhere give about the limits of the pooled ones."""
    parts = [JudgedPart(1, 80, 0.2, 0.7, 0.5), JudgedPart(2, 60, 0.0, 1.0, 0.6)]

    apart = judged_limits_by_category(parts, [GOOD, GOOD])
    together = judged_limits(
        parts, LabelCounts(2 * GOOD.right, 2 * GOOD.passed, 2 * GOOD.wrong, 2 * GOOD.failed)
    )

    assert together is not None
    assert pytest.approx(together, abs=0.04) == apart


def test_a_category_without_a_valid_judge_adds_its_whole_range() -> None:
    """A quarter of the weight that nobody can decide widens the limits by a quarter."""
    sure = JudgedPart(3, MANY, 0.5, 0.0, 0.0)
    blind = JudgedPart(1, MANY, 0.0, 1.0, 0.5)

    low, high = judged_limits_by_category([sure, blind], [GOOD, BLIND])

    assert pytest.approx((0.375, 0.625), abs=1e-3) == (low, high)
