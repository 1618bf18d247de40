"""Pairs counted in blocks: the tally and the p-value of each pair, as the pair alone has them."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from itertools import combinations
from statistics import median_low

import polars as pl
import pytest

from scoring.statistics.sign_flips import sign_flip, whole_units
from scoring.tables import all_pairs
from scoring.tables.all_pairs import CategoryPairs, PairTest
from scoring.tables.packed_scores import PackedScores

# More cases than a word of 64 bits has. Nobody passes the last ones of a category.
CASES = 130


def drawn(source: random.Random, scale: int, chance: float) -> PackedScores:
    at: dict[int, int] = {}
    for case in range(CASES):
        hopeless = case >= 64
        level = 0 if hopeless or source.random() > chance else source.randint(1, scale)
        at[level] = at.get(level, 0) | 1 << case
    return PackedScores(at)


@pytest.mark.large
@pytest.mark.parametrize("scale", [1, 3])
@pytest.mark.parametrize("block", [1, 7, 1 << 18])
def test_each_pair_has_its_own_tally_and_p_value(
    monkeypatch: pytest.MonkeyPatch, scale: int, block: int
) -> None:
    monkeypatch.setattr(all_pairs, "_BLOCK", block)
    source = random.Random(scale)
    fields = [[drawn(source, scale, n / 9) for n in range(1, 10)] for _ in range(2)]
    categories = [CategoryPairs(field, scale) for field in fields]
    units = whole_units([2.0, 0.5], [CASES, CASES])
    differences = PairTest(categories, units, 9, 0.05).differences()

    expected: list[tuple[int, int, float]] = []
    squares = [0, 0]
    deviations = []
    for first, second in combinations(range(9), 2):
        tallies = [field[first].tally(field[second]) for field in fields]
        squares = [s + tally.squares for s, tally in zip(squares, tallies, strict=True)]
        parts = [(u / max(units)) ** 2 * t.squares for u, t in zip(units, tallies, strict=True)]
        deviations.append(math.sqrt(sum(parts)))
        weighted = zip(units, tallies, strict=True)
        p = sign_flip(step for unit, tally in weighted for step in tally.weighted_steps(unit))
        ahead = sum(u * tally.total for u, tally in zip(units, tallies, strict=True))
        if p <= 0.05:
            expected.append((first, second, p) if ahead > 0 else (second, first, p))
    assert list(differences.squares) == squares
    assert pytest.approx(median_low(deviations)) == differences.deviation
    found = sorted(differences.found.iter_rows())
    assert [row[:2] for row in found] == [row[:2] for row in sorted(expected)]
    assert 0 < len(expected) < 36
    for (_, _, p), (_, _, exact) in zip(found, sorted(expected), strict=True):
        # A p-value far below the first step of Holm's procedure may be replaced by its bound.
        assert p == exact or exact <= p < 0.05 / 36


def test_tallies_are_found_again_by_their_keys() -> None:
    source = random.Random(3)
    for scale in (1, 2):
        field: Sequence[PackedScores] = [drawn(source, scale, 0.5) for _ in range(5)]
        category = CategoryPairs(field, scale)
        pairs = pl.DataFrame(list(combinations(range(5), 2)), ["first", "second"], orient="row")
        counted = category.count(pairs.cast(pl.UInt32))
        for (first, second), row in zip(pairs.iter_rows(), counted.iter_rows(), strict=True):
            tally = field[first].tally(field[second])
            assert (category.tally(row[0]), *row[1:]) == (tally, tally.total, tally.squares)
