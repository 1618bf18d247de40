"""Intervals, tests and agreement against scipy, statsmodels, hand-worked figures, enumeration."""

from __future__ import annotations

import itertools
import math
import random
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize, stats  # type: ignore[import-untyped]
from statsmodels.stats.inter_rater import cohens_kappa  # type: ignore[import-untyped]
from statsmodels.stats.multitest import multipletests  # type: ignore[import-untyped]
from statsmodels.stats.proportion import proportion_confint  # type: ignore[import-untyped]

from scoring import statistics
from tests.scoring.verdict_tables import interval_of_means

SHARES = st.floats(0, 1, allow_subnormal=False)
DISCORDANT = st.integers(0, 60)


@st.composite
def counts(draw: st.DrawFn) -> tuple[int, int]:
    """Passes and cases."""
    n = draw(st.integers(1, 2000))
    return draw(st.integers(0, n)), n


def percent(interval: tuple[float, float]) -> str:
    return "–".join(f"{100 * limit:.1f}" for limit in interval)


# ---------------------------------------------------------------- distributions


@given(z=st.floats(-30, 30))
def test_normal_p_is_the_two_sided_tail(z: float) -> None:
    """normal_p agrees with scipy's normal survival function."""
    assert pytest.approx(2 * stats.norm.sf(abs(z)), rel=1e-12) == statistics.normal_p(z)


@given(t=st.floats(0.001, 60), df=st.integers(1, 100_000))
@settings(max_examples=300)
def test_t_p_is_the_two_sided_tail(t: float, df: int) -> None:
    """t_p agrees with scipy on both sides, into the far tail and for large degrees of freedom."""
    p = statistics.t_p(t, df)

    assert pytest.approx(2 * stats.t.sf(t, df), rel=1e-9, abs=1e-290) == p
    assert p == statistics.t_p(-t, df)


@given(t=st.floats(0, 1e6))
def test_t_p_of_one_and_two_degrees_of_freedom(t: float) -> None:
    """The two distributions with a closed form, also near 0, where scipy has eight digits only."""
    assert pytest.approx(math.atan2(1, t) * 2 / math.pi, rel=1e-12) == statistics.t_p(t, 1)
    assert pytest.approx(
        2 / (math.hypot(t, math.sqrt(2)) * (math.hypot(t, math.sqrt(2)) + t)), rel=1e-12
    ) == statistics.t_p(t, 2)


@pytest.mark.parametrize(
    ("t", "expected"), [(0.0, 1.0), (math.inf, 0.0), (-math.inf, 0.0), (1e200, 0.0)]
)
def test_t_p_at_its_ends(t: float, expected: float) -> None:
    """A t of 0 is no evidence at all, an endless one leaves no doubt."""
    assert expected == statistics.t_p(t, 5)


def test_t_p_needs_freedom() -> None:
    """No degrees of freedom, no distribution."""
    with pytest.raises(ValueError, match="degree of freedom"):
        statistics.t_p(1.0, 0)


@pytest.mark.parametrize("p", [0.01, 0.5, 0.6, 0.9, 0.975, 0.9995])
@pytest.mark.parametrize("df", [1, 2, 3, 4, 9, 29, 88, 198, 199, 200, 201, 1239, 100_000])
def test_t_quantile_agrees_with_scipy(p: float, df: int) -> None:
    """The quantile is right to eleven digits."""
    assert pytest.approx(stats.t.ppf(p, df), rel=1e-11, abs=1e-11) == statistics.t_quantile(p, df)


def test_t_quantile_is_rounded() -> None:
    """Twelve significant digits, so that it does not depend on the mathematical library."""
    assert all(
        float(f"{t:.12g}") == t for t in (statistics.t_quantile(0.975, df) for df in range(1, 200))
    )


@pytest.mark.parametrize(("p", "df"), [(0.0, 3), (1.0, 3), (0.9, 0)])
def test_t_quantile_refuses_what_has_none(p: float, df: int) -> None:
    """There is no quantile at 0 or 1, and none without degrees of freedom."""
    with pytest.raises(ValueError, match="no Student t quantile"):
        statistics.t_quantile(p, df)


# ---------------------------------------------------------------- intervals of one score


@given(counts())
def test_wilson_agrees_with_statsmodels(count: tuple[int, int]) -> None:
    """The interval is statsmodels' Wilson interval, and holds the score it belongs to."""
    passes, n = count

    low, high = statistics.wilson(passes, n)

    assert pytest.approx(proportion_confint(passes, n, method="wilson"), abs=1e-12) == (low, high)
    assert 0 <= low <= passes / n <= high <= 1


@pytest.mark.parametrize(
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
    assert expected == percent(statistics.wilson(passes, n))


@pytest.mark.parametrize("n", [1, 3, 49, 1240])
def test_wilson_is_exact_at_the_ends(n: int) -> None:
    """No pass has exactly 0 as lower limit, all passes exactly 1 as upper. Neither is empty."""
    assert statistics.wilson(0, n)[0] == 0.0 < statistics.wilson(0, n)[1]
    assert statistics.wilson(n, n)[0] < statistics.wilson(n, n)[1] == 1.0


@pytest.mark.parametrize(("passes", "n"), [(0, 0), (-1, 3), (4, 3)])
def test_wilson_refuses_impossible_counts(passes: int, n: int) -> None:
    """Nothing, less than none and more than all are no counts of passes."""
    with pytest.raises(ValueError, match="no interval"):
        statistics.wilson(passes, n)


@given(st.lists(st.sampled_from([0.0, 0.2, 0.25, 1 / 3, 0.5, 0.9, 1.0]), min_size=2, max_size=60))
def test_clustered_is_the_t_interval_of_case_means(means: list[float]) -> None:
    """Where cases differ it is scipy's t interval of their means, clipped to 0..1."""
    interval = interval_of_means(means)

    assert interval is not None
    if len(set(means)) == 1:
        assert statistics.wilson(math.fsum(means), len(means)) == interval
    else:
        low, high = stats.t.interval(
            0.95, len(means) - 1, loc=math.fsum(means) / len(means), scale=stats.sem(means)
        )
        assert pytest.approx((max(0, low), min(1, high)), abs=1e-9) == interval


def test_clustered_is_the_clustered_standard_error_over_trials() -> None:
    """With equal trials, √(Σ_c (Σ_i (s_i - s̄))²)/n √(C/(C-1)) gives the same half-width."""
    trials = [(1, 1, 0), (0, 0, 0), (1, 1, 1), (0, 1, 0), (1, 0, 1)]
    mean = sum(map(sum, trials)) / 15
    error = (
        math.sqrt(sum(sum(score - mean for score in case) ** 2 for case in trials))
        / 15
        * math.sqrt(5 / 4)
    )

    low, high = interval_of_means([sum(case) / 3 for case in trials]) or (0.0, 0.0)

    assert pytest.approx(mean - stats.t.ppf(0.975, 4) * error) == low
    assert high == 1.0


def test_clustered_of_cases_that_do_not_differ_is_wilsons() -> None:
    """Ten cases passed in every trial do not prove a score of exactly 1."""
    assert statistics.wilson(10, 10) == interval_of_means([1.0] * 10)
    assert statistics.wilson(0.5, 1) == interval_of_means([0.5])


def test_clustered_without_an_upper_bound() -> None:
    """Means above 1 are not clipped at 1. If they are all equal, nothing bounds them."""
    low, high = interval_of_means([1.0, 1.5, 2.0]) or (0.0, 0.0)

    assert pytest.approx(3.0) == low + high
    assert high > 2
    assert interval_of_means([1.5, 1.5]) is None


def test_clustering_keeps_the_promised_coverage() -> None:
    """89 cases × 5 trials: the clustered error is the true one, the binomial is far too small."""
    source = random.Random(20260101)
    runs = []
    for _ in range(400):
        means = [
            sum(source.random() < p for _ in range(5)) / 5
            for p in (source.betavariate(0.6, 0.3) for _ in range(89))
        ]
        low, high = interval_of_means(means) or (0.0, 0.0)
        mean = math.fsum(means) / 89
        runs.append(
            (
                mean,
                (high - low) / 2 / statistics.t_quantile(0.975, 88),
                math.sqrt(mean * (1 - mean) / 445),
            )
        )
    true = stats.tstd([mean for mean, _, _ in runs])
    clustered, pooled = (
        math.fsum(column) / len(runs) for column in list(zip(*runs, strict=True))[1:]
    )

    assert pytest.approx(true, rel=0.1) == clustered
    assert pooled < 0.65 * true


def test_combined_of_one_part_is_that_part() -> None:
    """A single category keeps its own interval, with any weight."""
    part = statistics.wilson(7, 10)

    assert pytest.approx(part) == statistics.combined([3.0], [0.7], [part])


def test_combined_by_hand() -> None:
    """By hand: p = 0.65, low = p - √((0.1² + 0.2²) / 4), high = p + √((0.3² + 0.1²) / 4)."""
    expected = (0.65 - math.sqrt(0.05) / 2, 0.65 + math.sqrt(0.10) / 2)

    assert pytest.approx(expected) == statistics.combined(
        [2, 2], [0.5, 0.8], [(0.4, 0.8), (0.6, 0.9)]
    )


@given(st.lists(st.tuples(st.floats(0.01, 100), counts()), min_size=1, max_size=6))
def test_combined_holds_the_mean_and_has_a_width(
    parts: list[tuple[float, tuple[int, int]]],
) -> None:
    """The interval is in 0..1 around the mean and never empty, even if every part is 0 or 1."""
    weights = [weight for weight, _ in parts]
    scores = [passes / n for _, (passes, n) in parts]
    mean = math.fsum(w * p for w, p in zip(weights, scores, strict=True)) / math.fsum(weights)

    low, high = statistics.combined(
        weights, scores, [statistics.wilson(*count) for _, count in parts]
    )

    assert 0 <= low <= mean <= high <= 1
    assert low < high


# ---------------------------------------------------------------- two submissions on the same cases


@given(DISCORDANT, DISCORDANT)
def test_mcnemar_is_the_binomial_test(first: int, second: int) -> None:
    """McNemar's exact test is a symmetric two-sided binomial test of the discordant cases."""
    p = statistics.mcnemar(first, second)

    expected = stats.binomtest(first, first + second).pvalue if first + second else 1.0
    assert pytest.approx(expected, rel=1e-12) == p
    assert p == statistics.mcnemar(second, first)


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (126, 95, 0.043),
        (23, 17, 0.43),
        (16, 10, 0.33),
        (20, 14, 0.39),
        (26, 22, 0.67),
        (41, 32, 0.35),
    ],
)
def test_mcnemar_gives_the_figures_of_the_drawn_pages(
    first: int, second: int, expected: float
) -> None:
    """The p-values that the design shows come out."""
    assert expected == float(f"{statistics.mcnemar(first, second):.2g}")


@pytest.mark.parametrize(
    ("first", "second"),
    [(1000, 1000), (1000, 1001), (900, 1101), (0, 1000), (3000, 3300), (20_000, 19_000)],
)
def test_mcnemar_of_many_cases(first: int, second: int) -> None:
    """On both sides of the table's end the p-values are right to nine digits."""
    assert pytest.approx(
        stats.binomtest(first, first + second).pvalue, rel=1e-9
    ) == statistics.mcnemar(first, second)


def enumerated(strata: list[tuple[float, int, int]]) -> float:
    """The sign-flip p-value by writing out every reversal, in exact fractions."""
    exact = [
        (Fraction(value).limit_denominator(10_000), first, second)
        for value, first, second in strata
    ]
    values = [value for value, first, second in exact for _ in range(first + second)]
    observed = abs(sum((value * (first - second) for value, first, second in exact), Fraction(0)))
    totals = [Fraction(0)]
    for value in values:
        totals = [total + sign * value for total in totals for sign in (1, -1)]
    return sum(abs(total) >= observed for total in totals) / len(totals)


STRATUM = st.tuples(
    st.sampled_from([1 / 42, 1 / 28, 1 / 30, 1 / 19, 2 / 28, 0.5, 1 / 3]),
    st.integers(0, 2),
    st.integers(0, 2),
)


@given(st.lists(STRATUM, max_size=3))
@settings(max_examples=60, deadline=None)
def test_sign_flip_counts_every_reversal(strata: list[tuple[float, int, int]]) -> None:
    """The test of a few discordant cases is the share of reversals with as large a difference."""
    assert pytest.approx(enumerated(strata), abs=1e-12) == statistics.sign_flip(strata)


def test_sign_flip_takes_ties_for_ties() -> None:
    """3/28 - 3/42 is reached in several ways that differ by rounding only; all of them count."""
    assert (
        enumerated([(1 / 28, 3, 0), (1 / 42, 0, 3)])
        == statistics.sign_flip([(1 / 28, 3, 0), (1 / 42, 0, 3)])
        == 0.71875
    )


@given(st.floats(1e-6, 1e6), DISCORDANT, DISCORDANT, DISCORDANT, DISCORDANT)
def test_sign_flip_of_equal_weights_is_mcnemar(
    value: float, a: int, b: int, c: int, d: int
) -> None:
    """Where a case counts the same everywhere, the categories are one."""
    assert statistics.mcnemar(a + c, b + d) == statistics.sign_flip([(value, a, b), (value, c, d)])


def test_sign_flip_of_many_cases_is_normal() -> None:
    """Above the limit the difference is divided by √(Σ v² m). At the limit both nearly agree."""
    strata = [(0.5, 60, 40), (0.25, 30, 50)]

    assert pytest.approx(2 * stats.norm.sf(5 / math.sqrt(25 + 5))) == statistics.sign_flip(strata)
    below = [(0.5, 24, 16), (0.31, 30, 17)]
    assert math.prod(first + second + 1 for _, first, second in below) < statistics.EXACT_OUTCOMES
    normal = statistics.weighted_p(
        (value, first - second, first + second) for value, first, second in below
    )
    assert pytest.approx(normal, abs=0.01) == statistics.sign_flip(below)


def test_no_discordant_case_is_no_evidence() -> None:
    """Two submissions with the same answers have p = 1 in every test."""
    alike = (
        statistics.mcnemar(0, 0),
        statistics.sign_flip([(0.5, 0, 0), (0.25, 0, 0)]),
        statistics.sign_flip([]),
        statistics.sign_flip([(0.5, 1, 0), (0.25, 0, 2)]),
        statistics.weighted_p([(0.5, 0, 0)]),
        statistics.paired_p(7, 0, 0),
    )

    assert (1.0,) * 6 == alike


@given(st.lists(st.integers(-4, 4), min_size=2, max_size=50))
def test_paired_p_is_the_paired_t_test(differences: list[int]) -> None:
    """From sums alone it gives scipy's one-sample t test of the differences."""
    p = statistics.paired_p(len(differences), sum(differences), sum(d * d for d in differences))

    if sum(differences) == 0:
        assert p == 1.0
    elif len(set(differences)) == 1:
        assert pytest.approx(2.0 ** (1 - len(differences))) == p
    else:
        assert pytest.approx(stats.ttest_1samp(differences, 0).pvalue, rel=1e-8) == p


def test_paired_interval_by_hand() -> None:
    """31 cases net of 221 that differ among 1,240: from +0.2 to +4.8 points."""
    interval = statistics.paired_interval(1240, 31, 221)

    assert interval is not None
    assert percent(interval) == "0.2–4.8"


@given(
    st.lists(st.integers(-3, 3), min_size=2, max_size=50).filter(
        lambda values: len(set(values)) > 1
    )
)
def test_paired_interval_is_scipys(differences: list[int]) -> None:
    """Differences in thirds: the t interval of their mean."""
    expected = stats.t.interval(
        0.95,
        len(differences) - 1,
        loc=sum(differences) / len(differences) / 3,
        scale=stats.sem(differences) / 3,
    )

    interval = statistics.paired_interval(
        len(differences), sum(differences), sum(d * d for d in differences), scale=3
    )

    assert pytest.approx(expected, abs=1e-10) == interval


@pytest.mark.parametrize("sums", [(1, 1, 1), (0, 0, 0), (5, 5, 5), (9, 0, 0)])
def test_paired_interval_needs_a_spread(sums: tuple[int, int, int]) -> None:
    """Fewer than two differences, or equal ones, have no standard deviation."""
    assert statistics.paired_interval(*sums) is None


def test_smallest_gap_by_hand() -> None:
    """2.80 √(δ/n): 221 of 1,240 discordant cases can show a gap of 3.4 points."""
    gap = statistics.smallest_gap([(1.0, 221 / 1240, 1240)])

    assert f"{100 * gap:.1f}" == "3.4"
    assert (
        pytest.approx(
            (stats.norm.ppf(0.975) + stats.norm.ppf(0.8)) * math.sqrt(221) / 1240, rel=1e-12
        )
        == gap
    )


def test_smallest_gap_of_weighted_categories() -> None:
    """Only proportions of weights matter. Equal halves of the cases equal the whole."""
    assert pytest.approx(statistics.smallest_gap([(1, 0.2, 200)])) == statistics.smallest_gap(
        [(3, 0.2, 100), (3, 0.2, 100)]
    )
    assert pytest.approx(
        statistics.smallest_gap([(1, 0.2, 50), (3, 0.1, 80)])
    ) == statistics.smallest_gap([(10, 0.2, 50), (30, 0.1, 80)])


def test_paired_tests_see_what_overlapping_intervals_hide() -> None:
    """A gap of 5 points at n = 200 is found one time in five in pairs, by intervals hardly ever."""
    source = random.Random(7)
    paired = apart = 0
    for _ in range(2000):
        draws = [source.random() for _ in range(200)]
        only_first, only_second = sum(u < 0.15 for u in draws), sum(0.15 <= u < 0.25 for u in draws)
        both = sum(0.25 <= u < 0.65 for u in draws)
        paired += statistics.mcnemar(only_first, only_second) <= 0.05 and only_first > only_second
        apart += (
            statistics.wilson(both + only_first, 200)[0]
            > statistics.wilson(both + only_second, 200)[1]
        )

    assert 0.18 < paired / 2000 < 0.30
    assert apart / 2000 < 0.02


# ---------------------------------------------------------------- many tests


@given(st.lists(SHARES, min_size=1, max_size=30))
@settings(max_examples=10, deadline=None)
def test_holm_agrees_with_statsmodels(p_values: list[float]) -> None:
    """Adjusted p-values, in the order given."""
    assert pytest.approx(multipletests(p_values, method="holm")[1]) == statistics.holm(p_values)


@given(
    st.dictionaries(
        st.sampled_from([0.0001, 0.001, 0.004, 0.01, 0.02, 0.049, 0.2, 1.0]),
        st.integers(1, 5),
        min_size=1,
    )
)
def test_holm_cutoff_rejects_what_the_adjusted_p_values_reject(counted: dict[float, int]) -> None:
    """Every p-value up to the cutoff has an adjusted p-value up to alpha, and no other."""
    p_values = [p for p, times in counted.items() for _ in range(times)]
    cutoff = statistics.holm_cutoff(counted, 0.05)

    rejected = [adjusted <= 0.05 for adjusted in statistics.holm(p_values)]

    assert rejected == [cutoff is not None and p <= cutoff for p in p_values]


def test_holm_of_nothing() -> None:
    """No tests, nothing adjusted, nothing rejected."""
    assert statistics.holm([]) == ()
    assert statistics.holm_cutoff({}, 0.05) is None


# ---------------------------------------------------------------- trials


@given(
    st.lists(st.lists(st.booleans(), min_size=3, max_size=6), min_size=1, max_size=5),
    st.integers(1, 3),
)
def test_trials_by_drawing_them(cases: list[list[bool]], k: int) -> None:
    """pass^k and pass@k are the shares of draws of k trials in which all, or any, are passes."""
    every = any_ = Fraction(0)
    for trials in cases:
        draws = list(itertools.combinations(trials, k))
        every += Fraction(sum(map(all, draws)), len(draws))
        any_ += Fraction(sum(map(any, draws)), len(draws))
    counted = [(sum(trials), len(trials)) for trials in cases]

    assert float(every / len(cases)) == statistics.pass_hat_k(counted, k)
    assert float(any_ / len(cases)) == statistics.pass_at_k(counted, k)


def test_cases_with_too_few_trials_are_left_out() -> None:
    """A case with two trials says nothing about three in a row."""
    assert statistics.pass_hat_k([(2, 4), (2, 2)], 3) == 0.0
    assert statistics.pass_at_k([(2, 4), (2, 2)], 3) == 1.0
    assert statistics.pass_hat_k([(2, 2)], 3) is None
    assert statistics.pass_at_k([], 1) is None


# ---------------------------------------------------------------- agreement


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=2, max_size=40))
def test_kendall_tau_agrees_with_scipy(pairs: list[tuple[int, int]]) -> None:
    """τ-b, ties and all; None where scipy has no number."""
    first, second = [x for x, _ in pairs], [y for _, y in pairs]

    tau = statistics.kendall_tau(first, second)

    if len(set(first)) == 1 or len(set(second)) == 1:
        assert tau is None
    else:
        assert pytest.approx(stats.kendalltau(first, second).statistic, abs=1e-12) == tau


def test_kendall_tau_of_too_little() -> None:
    """One thing cannot be ranked, and unequal lengths are a mistake."""
    assert statistics.kendall_tau([1], [2]) is None
    assert statistics.kendall_tau([], []) is None
    with pytest.raises(ValueError, match="zip"):
        statistics.kendall_tau([1, 2], [1])


@given(st.lists(st.tuples(st.sampled_from("pfu"), st.sampled_from("pfu")), min_size=1, max_size=50))
def test_cohen_kappa_agrees_with_statsmodels(labels: list[tuple[str, str]]) -> None:
    """κ, observed and expected agreement of three labels."""
    first, second = [a for a, _ in labels], [b for _, b in labels]
    table = [[labels.count((a, b)) for b in "pfu"] for a in "pfu"]

    agreement = statistics.cohen_kappa(first, second)

    assert (len(labels), sum(a == b for a, b in labels) / len(labels)) == (
        agreement.cases,
        agreement.observed,
    )
    if set(first) == set(second) and len(set(first)) == 1:
        assert agreement.kappa is None
    else:
        assert (
            pytest.approx(cohens_kappa(table, return_results=False), abs=1e-12) == agreement.kappa
        )


def test_cohen_kappa_by_hand() -> None:
    """20 + 15 of 50 equal, 0.5 expected: κ = (0.7 - 0.5) / 0.5."""
    first = ["p"] * 25 + ["f"] * 25
    second = ["p"] * 20 + ["f"] * 5 + ["p"] * 10 + ["f"] * 15

    agreement = statistics.cohen_kappa(first, second)

    assert (50, 0.7, 0.5) == (agreement.cases, agreement.observed, agreement.expected)
    assert pytest.approx(0.4) == agreement.kappa


def test_cohen_kappa_needs_labels() -> None:
    """No labels are no agreement."""
    with pytest.raises(ValueError, match="no labels"):
        statistics.cohen_kappa([], [])


@given(SHARES, st.floats(0.55, 1), st.floats(0.55, 1))
def test_rogan_gladen_undoes_an_imperfect_judge(
    share: float, sensitivity: float, specificity: float
) -> None:
    """What a judge of that quality reports of a share leads back to it."""
    reported = share * sensitivity + (1 - share) * (1 - specificity)

    assert pytest.approx(share, abs=1e-9) == statistics.rogan_gladen(
        reported, sensitivity, specificity
    )


def test_rogan_gladen_stays_a_share_or_says_nothing() -> None:
    """Fewer passes than false alarms give 0, more than hits give 1. Chance gives nothing."""
    assert statistics.rogan_gladen(0.05, 0.9, 0.9) == 0.0
    assert statistics.rogan_gladen(0.95, 0.9, 0.9) == 1.0
    assert statistics.rogan_gladen(0.5, 0.5, 0.5) is None


# ---------------------------------------------------------------- paired score interval


@pytest.mark.parametrize(
    ("first", "second", "cases"),
    [(9, 1, 40), (126, 95, 1240), (0, 0, 7), (3, 0, 3), (0, 5, 5), (2, 2, 60)],
)
def test_the_paired_score_interval_ends_where_the_likelihood_says(
    first: int, second: int, cases: int
) -> None:
    """At each limit the score statistic is 1.96, with the nuisance share found numerically."""
    low, high = statistics.paired_score_interval(first, second, cases)
    assert -1 <= low <= (first - second) / cases <= high <= 1
    for limit in {low, high} - {-1.0, 1.0}:

        def unlikelihood(q: float, d: float = limit) -> float:
            shares = ((first, q + d), (second, q), (cases - first - second, 1 - 2 * q - d))
            return -sum(number * math.log(max(share, 1e-300)) for number, share in shares if number)

        found = optimize.minimize_scalar(
            unlikelihood,
            bounds=(max(0.0, -limit), (1 - limit) / 2),
            method="bounded",
            options={"xatol": 1e-12},
        )
        variance = cases * (2 * found.x + limit * (1 - limit))
        assert pytest.approx(statistics.Z95, rel=1e-4) == abs(
            first - second - cases * limit
        ) / math.sqrt(variance)


def test_the_paired_score_interval_rejects_zero_as_mcnemar_does_without_correction() -> None:
    """0 lies outside exactly where (b - c)² > 1.96² (b + c)."""
    for first in range(30):
        for second in range(30):
            low, high = statistics.paired_score_interval(first, second, 70)
            assert ((first - second) ** 2 > statistics.Z95**2 * (first + second)) == (
                not low <= 0 <= high
            )


@pytest.mark.parametrize(("first", "second", "cases"), [(0, 0, 0), (-1, 0, 5), (3, 3, 5)])
def test_no_paired_score_interval_of_counts_that_cannot_be(
    first: int, second: int, cases: int
) -> None:
    """Counts that do not fit into the cases are refused."""
    with pytest.raises(ValueError, match="no interval"):
        statistics.paired_score_interval(first, second, cases)
