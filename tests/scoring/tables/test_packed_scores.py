"""Scores as bits: levels, passes, and the tally of two submissions."""

from __future__ import annotations

import random
from collections.abc import Sequence

import polars as pl
import pytest

from scoring.tables.packed_scores import SuiteBits, suite_bits
from scoring.tables.scores import case_scores
from tests.scoring.verdict_tables import suite, verdicts


def packed(**submissions: Sequence[str | float]) -> SuiteBits:
    """The scores of submissions to a suite with one category."""
    number = max(len(cases) for cases in submissions.values())
    frame = pl.concat([verdicts(name, a=cases) for name, cases in submissions.items()])
    return suite_bits(case_scores(frame), suite("s", a=(number, 1.0)))


def test_levels_are_whole_numbers_of_the_largest_unit_that_fits_all() -> None:
    """Of halves and thirds a sixth, of four decimals a ten-thousandth."""
    shares = packed(m=["+-", "+--", "+", "?"])
    assert (6, [3, 2, 6, None]) == (shares.scale, shares.of("a", "m").levels(4))

    decimals = packed(m=[0.5, 0.5004, 0.0])
    assert (2500, [1250, 1251, 0]) == (decimals.scale, decimals.of("a", "m").levels(3))


def test_other_scores_are_rounded_to_millionths() -> None:
    """No larger unit fits a third and a ten-millionth."""
    bits = packed(m=[1 / 3, 0.1234567])

    assert (1_000_000, [333_333, 123_457]) == (bits.scale, bits.of("a", "m").levels(2))


def test_passes_come_from_verdicts() -> None:
    """A case passes in every scored trial, and a score that is rounded up to 1 is no pass."""
    bits = packed(m=["++", "+-", "?", 1 / 3, 0.99999999])

    own = bits.of("a", "m")
    assert [True, False, None, False, False] == own.passes(5)
    assert bits.scale == own.levels(5)[-1]
    assert 0b11010 == own.in_part


@pytest.mark.parametrize("decimals", [0, 1, 4])
def test_a_tally_counts_the_cases_of_each_difference(decimals: int) -> None:
    """With few levels and with many."""
    chance = random.Random(decimals)
    first, second = ([round(chance.random(), decimals) for _ in range(60)] for _ in range(2))
    bits = packed(m1=[*first, "?", "+"], m2=[*second, "+", "?"])

    found = bits.of("a", "m1").tally(bits.of("a", "m2"))

    levels = [[round(score * bits.scale) for score in scores] for scores in (first, second)]
    differences = [a - b for a, b in zip(*levels, strict=True)]
    sizes = sorted({abs(each) for each in differences} - {0})
    steps = tuple((size, differences.count(size), differences.count(-size)) for size in sizes)
    assert (60, steps) == (found.cases, found.steps)
    assert (sum(differences), sum(d * d for d in differences)) == (found.total, found.squares)
