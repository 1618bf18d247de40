"""The sign-flip test: exact in whole numbers, and its approximation for large suites."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import pytest
import scipy  # type: ignore[import-untyped]  # loads scipy.stats at its first use
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.statistics import sign_flips as module
from scoring.statistics.sign_flips import given_heavy, saddlepoint, sign_flip, whole_units
from tests.each_row import each_row

DISCORDANT = st.integers(0, 60)
OUTCOMES = st.lists(st.tuples(st.integers(1, 40), st.integers(0, 9), st.integers(0, 9)), max_size=6)


def distribution(outcomes: list[tuple[int, int, int]]) -> dict[int, int]:
    """How many reversals give each difference, one discordant case after the other."""
    found = {0: 1}
    for unit, first, second in outcomes:
        for _ in range(first + second):
            more: dict[int, int] = {}
            for value, ways in found.items():
                more[value + unit] = more.get(value + unit, 0) + ways
                more[value - unit] = more.get(value - unit, 0) + ways
            found = more
    return found


def exact(outcomes: list[tuple[int, int, int]]) -> Fraction:
    """The p-value as a fraction."""
    observed = abs(sum(unit * (first - second) for unit, first, second in outcomes))
    found = distribution(outcomes)
    far = sum(ways for value, ways in found.items() if abs(value) >= observed)
    return Fraction(far, sum(found.values()))


@pytest.mark.large
@given(OUTCOMES)
@settings(max_examples=60)
def test_the_p_value_is_the_exact_one(outcomes: list[tuple[int, int, int]]) -> None:
    """Every reversal is counted, to the last digit of a float."""
    assert float(exact(outcomes)) == sign_flip(outcomes)


@pytest.mark.large
@given(DISCORDANT, DISCORDANT)
def test_mcnemar_is_the_binomial_test(first: int, second: int) -> None:
    """McNemar's exact test is a symmetric two-sided binomial test of the discordant cases."""
    p = sign_flip([(1, first, second)])

    expected = scipy.stats.binomtest(first, first + second).pvalue if first + second else 1.0
    assert pytest.approx(expected, rel=1e-12) == p
    assert p == sign_flip([(1, second, first)])


@each_row(
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
    assert expected == float(f"{sign_flip([(1, first, second)]):.2g}")


@each_row(
    ("first", "second"),
    [(1000, 1000), (1000, 1001), (900, 1101), (0, 1000), (3000, 3300), (20_000, 19_000)],
)
@pytest.mark.large
def test_mcnemar_of_many_cases(first: int, second: int) -> None:
    """With thousands of discordant cases the p-values are still exact."""
    assert pytest.approx(
        scipy.stats.binomtest(first, first + second).pvalue, rel=1e-9
    ) == sign_flip([(1, first, second)])


@given(st.integers(1, 10**6), DISCORDANT, DISCORDANT, DISCORDANT, DISCORDANT)
def test_equal_units_are_one_group(unit: int, a: int, b: int, c: int, d: int) -> None:
    """Where a case counts the same everywhere, the test is McNemar's."""
    assert sign_flip([(1, a + c, b + d)]) == sign_flip([(unit, a, b), (unit, c, d)])


@pytest.mark.parametrize("outcomes", [[], [(5, 0, 0), (3, 0, 0)], [(2, 1, 0), (1, 0, 2)]])
def test_no_difference_is_no_evidence(outcomes: list[tuple[int, int, int]]) -> None:
    """Equal answers, and differences that cancel out, have p = 1."""
    assert sign_flip(outcomes) == 1.0


def test_units_are_the_smallest_whole_numbers() -> None:
    """Weights are taken as written: a tenth is a tenth, whatever its binary digits."""
    assert whole_units([0.1, 0.3], [5, 10]) == (2, 3)
    assert whole_units([82, 47], [82, 47]) == (1, 1)
    assert whole_units([1, 1, 1], [20, 29, 26]) == (377, 260, 290)


@pytest.mark.large
def test_long_lists_are_approximated(monkeypatch: pytest.MonkeyPatch) -> None:
    """Above the limit the saddlepoint approximation is within 0.2 % of the exact p here."""
    outcomes = [(377, 60, 38), (260, 40, 31), (290, 28, 20)]
    expected = float(exact(outcomes))
    assert expected == sign_flip(outcomes)

    monkeypatch.setattr(module, "MOST_ENTRIES", 100)

    assert expected != sign_flip(outcomes)
    assert pytest.approx(expected, rel=0.002) == sign_flip(outcomes)


# Categories of equal weight, some of one or two cases.
UNEVEN = ([1, 20, 23, 29, 31], [1, 1, 17, 23, 29, 31], [1, 2, 19, 23, 29, 31])


def drawn(source: random.Random, sizes: list[int]) -> list[tuple[int, int, int]]:
    """Outcomes of categories in which all cases are discordant."""
    outcomes = []
    for unit, size in zip(whole_units([1] * len(sizes), sizes), sizes, strict=True):
        first = sum(source.random() < 0.55 for _ in range(size))
        outcomes.append((unit, first, size - first))
    return outcomes


@pytest.mark.large
@pytest.mark.parametrize("sizes", UNEVEN)
def test_a_few_heavy_cases_are_approximated_well(
    monkeypatch: pytest.MonkeyPatch, sizes: list[int]
) -> None:
    """Their sum has several peaks. The p-value is still within 0.0005 of the exact one, and 1 %."""
    source = random.Random(len(sizes))
    fields = [drawn(source, sizes) for _ in range(60)]
    expected = [sign_flip(outcomes) for outcomes in fields]
    assert min(expected) < 0.1
    monkeypatch.setattr(module, "MOST_ENTRIES", 100)

    found = [sign_flip(outcomes) for outcomes in fields]
    assert found != expected
    assert pytest.approx(expected, abs=5e-4, rel=0) == found
    assert pytest.approx(expected, abs=0, rel=0.01) == found


def test_without_heavy_cases_nothing_is_enumerated() -> None:
    """Twelve categories of about fifty cases are approximated as a whole, half a step lower."""
    groups = [(1000 + 7 * place, 50 - place) for place in range(12)]
    for difference in (2_000, 30_000, 60_000, 90_000, 120_000):
        assert saddlepoint(groups, difference - 1) == given_heavy(groups, difference)


def test_one_heavy_case_beside_many_light_ones() -> None:
    """It decides alone: half of the reversals are as far as one that it wins, and p is 1 or less.

    The units are larger than a float holds.
    """
    large = 10**400
    groups = [(3 * large, 30), (5 * large, 30), (7 * large, 30), (10_000 * large, 1)]
    assert given_heavy(groups, 9_000 * large) == pytest.approx(1.0, abs=1e-6)
    assert given_heavy(groups, 10_000 * large) == pytest.approx(0.5, abs=0.02)
    assert given_heavy(groups, 2 * large) <= 1.0


@pytest.mark.large
def test_one_heavy_case_beside_tens_of_thousands_of_light_ones() -> None:
    """P is half the probability that the others have the difference that the heavy case lacks."""
    p = sign_flip([(4, 25_084, 24_916), (5, 20_000, 20_000), (10**6, 1, 0)])

    others = scipy.stats.norm(scale=math.sqrt(16 * 50_000 + 25 * 40_000))
    assert pytest.approx(others.sf(4 * 168 - 1), rel=1e-4) == p


def test_many_heavy_cases_are_not_all_enumerated() -> None:
    """Each of forty cases counts twice as much as the one before: sums are spread evenly."""
    groups = [(2**place, 1) for place in range(40)]
    half = 2**39

    assert pytest.approx(0.5, abs=1e-3) == given_heavy(groups, half + 1)


def test_what_the_others_still_need_may_be_almost_nothing() -> None:
    """Then a square that is 0 is rounded to less than 0."""
    light = [(39, 2), (1_300_000, 60), (12_000_000, 13), (26_000_000, 9), (39_000_000, 4)]
    heavy = [(78_000_000, 1), (156_000_000, 1), (409_500_000, 4)]

    assert pytest.approx(0.6769007, rel=1e-4) == given_heavy([*light, *heavy], 312_000_000)


def test_the_split_gives_the_shortest_lists() -> None:
    """Of all ways to split five groups, the two lists with the fewest entries are taken."""
    groups = [(unit, size) for unit, size in enumerate([19, 18, 7, 6, 5], start=1)]
    products = [
        math.prod(size + 1 for place, (_, size) in enumerate(groups) if chosen >> place & 1)
        for chosen in range(32)
    ]
    whole = max(products)

    halves = module._halves(groups)

    assert halves is not None
    assert sorted([*halves[0], *halves[1]]) == groups
    lengths = [math.prod(size + 1 for _, size in half) for half in halves]
    assert sum(lengths) == min(product + whole // product for product in products)


def parts(source: random.Random, cases: int, scale: int) -> list[tuple[int, int, int]]:
    """Outcomes of cases with scores of parts, in units of one by `scale`."""
    differences = [source.randint(-scale, scale) + scale // 8 for _ in range(cases)]
    return [(abs(by), int(by > 0), int(by < 0)) for by in differences]


@pytest.mark.parametrize("cases", [12, 30, pytest.param(70, marks=pytest.mark.large)])
def test_scores_of_parts_are_tested_exactly(cases: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nearly every case has a size of its own, but few sums are different."""
    source = random.Random(cases)
    fields = [parts(source, cases, 100) for _ in range(10)]
    expected = [float(exact(outcomes)) for outcomes in fields]
    monkeypatch.setattr(module, "given_heavy", None)
    monkeypatch.setattr(module, "MOST_ENTRIES", 0)

    assert pytest.approx(expected, rel=1e-12) == [sign_flip(outcomes) for outcomes in fields]


def test_a_coarse_grid_is_approximated_well(monkeypatch: pytest.MonkeyPatch) -> None:
    """With halves of a point, each sum has much of the probability."""
    source = random.Random(5)
    fields = [parts(source, 150, 2) for _ in range(20)]
    expected = [sign_flip(outcomes) for outcomes in fields]
    monkeypatch.setattr(module, "MOST_ENTRIES", 0)
    monkeypatch.setattr(module, "MOST_BITS", 0)

    assert pytest.approx(expected, abs=5e-4, rel=0) == [sign_flip(field) for field in fields]


def test_the_approximation_at_its_ends() -> None:
    """All cases on one side give the exact p. A tiny difference gives a p near 1."""
    assert saddlepoint([(3, 20), (5, 30)], 210) == 2.0**-49
    assert given_heavy([(3, 20), (5, 30)], 210) == pytest.approx(2.0**-49, rel=1e-11)
    assert 0.99 < saddlepoint([(1, 10**6), (2, 10**6)], 2) <= 1


@pytest.mark.large
def test_more_coins_than_a_list_holds() -> None:
    """Seventy thousand discordant cases of one group are approximated."""
    expected = scipy.stats.binomtest(35_400, 70_000).pvalue

    assert pytest.approx(expected, rel=1e-4) == sign_flip([(1, 35_400, 34_600)])
