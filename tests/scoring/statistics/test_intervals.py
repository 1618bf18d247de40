"""Wilson's interval on an effective sample size, and the t interval of ratios."""

from __future__ import annotations

import math
import random
from importlib import import_module

import pytest
import scipy  # type: ignore[import-untyped]  # loads scipy.stats at its first use
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.statistics.intervals import (
    CategorySums,
    Interval,
    combined,
    ratio_interval,
    score_interval,
    t_quantile,
    wilson,
)
from tests.each_row import each_row


@st.composite
def counts(draw: st.DrawFn) -> tuple[int, int]:
    """Passes and cases."""
    n = draw(st.integers(1, 2000))
    return draw(st.integers(0, n)), n


def percent(interval: tuple[float, float]) -> str:
    return "–".join(f"{100 * limit:.1f}" for limit in interval)


def of_values(*categories: list[float], weights: list[float] | None = None) -> Interval:
    """The interval of the weighted mean of categories, from the values of their cases."""
    return score_interval(
        [
            CategorySums(weight, len(values), math.fsum(values), math.fsum(y * y for y in values))
            for weight, values in zip(weights or [1.0] * len(categories), categories, strict=True)
        ]
    )


@pytest.mark.large
@given(counts())
def test_wilson_agrees_with_statsmodels(count: tuple[int, int]) -> None:
    """The interval is statsmodels' Wilson interval, and holds the score it belongs to."""
    passes, n = count

    low, high = wilson(passes, n)

    proportion = import_module("statsmodels.stats.proportion")  # takes seconds
    expected = proportion.proportion_confint(passes, n, method="wilson")
    assert pytest.approx(expected, abs=1e-12) == (low, high)
    assert 0 <= low <= passes / n <= high <= 1


@each_row(
    ("passes", "n", "expected"),
    [
        (1066, 1240, "83.9–87.8"),
        (622, 1240, "47.4–52.9"),
        (1240, 1240, "99.7–100.0"),
        (180, 200, "85.1–93.4"),
        (1, 200, "0.1–2.8"),
        (0, 200, "0.0–1.9"),
        (16, 19, "62.4–94.5"),
    ],
)
def test_wilson_gives_the_figures_of_the_drawn_pages(passes: int, n: int, expected: str) -> None:
    """The intervals that the design shows come out."""
    assert expected == percent(wilson(passes, n))


@pytest.mark.parametrize("n", [1, 3, 49, 1240])
def test_wilson_is_exact_at_the_ends(n: int) -> None:
    """No pass has exactly 0 as lower limit, all passes exactly 1 as upper. Neither is empty."""
    assert wilson(0, n)[0] == 0.0 < wilson(0, n)[1]
    assert wilson(n, n)[0] < wilson(n, n)[1] == 1.0


@pytest.mark.parametrize(("passes", "n"), [(0, 0), (-1, 3), (4, 3)])
def test_wilson_refuses_impossible_counts(passes: int, n: int) -> None:
    """Nothing, less than none and more than all are no counts of passes."""
    with pytest.raises(ValueError, match="no interval"):
        wilson(passes, n)


@pytest.mark.large
def test_one_category_and_one_trial_have_wilsons_interval() -> None:
    """To four parts in 10^16, for every number of passes of up to 150 cases."""
    for n in range(1, 151):
        for passes in range(n + 1):
            found = score_interval([CategorySums(2.5, n, passes, passes)])
            limits = zip(wilson(passes, n), found, strict=True)
            assert max(abs(one - other) for one, other in limits) <= 4e-16


def test_twenty_cases_with_three_trials() -> None:
    """60 of 60 passes give .839–1, and 59 give .819–.999: a failed trial never narrows."""
    assert percent(of_values([1.0] * 20)) == "83.9–100.0"
    assert percent(of_values([1.0] * 19 + [2 / 3])) == "81.9–99.9"


def test_trials_sent_twice_change_nothing() -> None:
    """Two of four trials are worth no more than one of two: only means of cases count."""
    assert of_values([2 / 4, 4 / 4, 0 / 4]) == of_values([1 / 2, 2 / 2, 0 / 2])


def test_weights_in_any_unit() -> None:
    """Only proportions of weights matter."""
    values = [1.0, 0.0, 1.0], [1.0] * 8 + [0.0]

    assert pytest.approx(of_values(*values, weights=[1, 3])) == of_values(*values, weights=[5, 15])


def test_the_ends_are_exact() -> None:
    """Nothing passed has exactly 0 as its lower limit, everything passed exactly 1 as its upper."""
    none, every = (
        of_values([0.0] * 9, [0.0] * 7),
        of_values([1.0] * 9, [1.0] * 7, weights=[0.3, 0.1]),
    )

    assert none[0] == 0.0 < none[1] < 0.3
    assert 0.7 < every[0] < every[1] == 1.0


def test_a_category_of_one_case() -> None:
    """One case shows no spread: its variance is that of one pass or fail."""
    low, high = of_values([1.0], [1.0, 0.0, 1.0, 0.0])

    assert 0 < low < 0.75 < high < 1


@pytest.mark.large
@given(
    st.lists(
        st.tuples(st.integers(2, 60), st.floats(0.5, 4), st.floats(0, 1)), min_size=1, max_size=5
    ),
    st.data(),
)
@settings(max_examples=200)
def test_one_more_failure_never_raises_a_limit(
    drawn: list[tuple[int, float, float]], data: st.DataObject
) -> None:
    """In suites of like weights and sizes, one pass less lowers both limits, or leaves them."""
    size = drawn[0][0]
    parts = [CategorySums(1.0, size, round(p * size), round(p * size)) for _, _, p in drawn]
    place = data.draw(st.integers(0, len(parts) - 1))
    part = parts[place]
    if not part.total:
        return
    fewer = [*parts]
    fewer[place] = part._replace(total=part.total - 1, squares=part.squares - 1)

    before, after = score_interval(parts), score_interval(fewer)

    assert after[0] <= before[0] + 1e-12
    assert after[1] <= before[1] + 1e-12


@pytest.mark.large
@given(st.integers(2, 40), st.integers(2, 5), st.randoms(use_true_random=False))
@settings(max_examples=200)
def test_one_more_failed_trial_never_raises_a_limit(
    cases: int, trials: int, source: random.Random
) -> None:
    """The same with trials, of which plain Student intervals fail."""
    passes = [source.choice([trials, trials, source.randint(0, trials)]) for _ in range(cases)]
    place = source.randrange(cases)
    if not passes[place]:
        return
    fewer = [*passes]
    fewer[place] -= 1

    before, after = (of_values([k / trials for k in each]) for each in (passes, fewer))

    assert after[0] <= before[0] + 1e-12
    assert after[1] <= before[1] + 1e-12


# ---------------------------------------------------------------- ratios


@pytest.mark.large
@given(st.lists(st.sampled_from([0.5, 1.0, 1.25, 2.0, 3.5]), min_size=2, max_size=60))
def test_a_ratio_has_students_interval(values: list[float]) -> None:
    """Where the values differ it is scipy's t interval of their mean, without an upper bound."""
    found = ratio_interval(len(values), math.fsum(values), math.fsum(y * y for y in values))

    if len(set(values)) == 1:
        assert found is None
        return
    low, high = scipy.stats.t.interval(
        0.95, len(values) - 1, loc=math.fsum(values) / len(values), scale=scipy.stats.sem(values)
    )
    assert pytest.approx((max(0, low), high), rel=1e-9, abs=1e-9) == found


def test_one_ratio_has_no_interval() -> None:
    """One value shows no spread."""
    assert ratio_interval(1, 2.0, 4.0) is None


@pytest.mark.large
@each_row("df", [1, 2, 3, 4, 9, 29, 88, 198, 199, 200, 201, 1239, 20_000])
def test_t_quantile_agrees_with_scipy(df: int) -> None:
    """The quantile is right to eleven digits, and has twelve."""
    assert pytest.approx(scipy.stats.t.ppf(0.975, df), rel=1e-11) == t_quantile(df)
    assert float(f"{t_quantile(df):.12g}") == t_quantile(df)


def test_t_quantile_needs_freedom() -> None:
    """No degrees of freedom, no distribution."""
    with pytest.raises(ValueError, match="degree of freedom"):
        t_quantile(0)


def test_combined_of_one_part_is_that_part() -> None:
    """A single category keeps its own interval, with any weight."""
    part = wilson(7, 10)

    assert pytest.approx(part) == combined([3.0], [0.7], [part])


def test_combined_by_hand() -> None:
    """By hand: p = 0.65, low = p - √((0.1² + 0.2²) / 4), high = p + √((0.3² + 0.1²) / 4)."""
    expected = (0.65 - math.sqrt(0.05) / 2, 0.65 + math.sqrt(0.10) / 2)

    assert pytest.approx(expected) == combined([2, 2], [0.5, 0.8], [(0.4, 0.8), (0.6, 0.9)])
