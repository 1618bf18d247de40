"""Scores as bits: two submissions are compared on all cases of a category at once.

Ranks and comparisons both rest on this module. The scores of a submission in a category are kept as
integers whose bits are the cases, one for each level. A pair takes a few operations on these
integers. `all_pairs` counts many at once.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final, NamedTuple

import polars as pl

from leaderboard.types import Suite

# Cases per word while Polars gathers the bits in 64-bit integers.
_WORD: Final = 62

# The largest denominator of a level: enough for six decimals, and for all shares up to sixteenths.
# Scores that no such denominator fits are rounded. Up to 9,000 squared differences add up to less
# than 2^53, so floats hold them exactly.
_FINEST: Final = 1_000_000

# Cases on which two submissions differ by so many levels: those that the first wins, then those
# that the second wins.
Step = tuple[int, int, int]


class Tally(NamedTuple):
    """Two submissions on the cases that both have a score for. `steps` are in rising order."""

    cases: int
    steps: tuple[Step, ...]

    @property
    def total(self) -> int:
        """Σd of the differences between their levels."""
        return sum(size * (first - second) for size, first, second in self.steps)

    @property
    def squares(self) -> int:
        return sum(size * size * (first + second) for size, first, second in self.steps)

    def weighted_steps(self, unit: int) -> list[Step]:
        """The discordant cases as `sign_flip` takes them, where a level counts `unit`."""
        return [(unit * size, first, second) for size, first, second in self.steps]

    def discordance(self, scale: int) -> float:
        """The mean squared difference: of passes and fails, the share of discordant cases."""
        return self.squares / scale**2 / self.cases


@dataclass(frozen=True, slots=True)
class PackedScores:
    """One submission's scores in one category. Bit i of each integer belongs to case i.

    A level is a score times the scale of the suite. `at` has the cases of each level, `passed`
    those of which every scored trial passes, `judged` those of which a judge decided a trial.
    """

    at: Mapping[int, int] = field(default_factory=dict)
    passed: int = 0
    judged: int = 0

    @property
    def scored(self) -> int:
        return sum(self.at.values())

    @property
    def in_part(self) -> int:
        """The cases that are not passed and have more than 0."""
        return self.scored & ~self.passed & ~self.at.get(0, 0)

    def passes(self, size: int) -> list[bool | None]:
        """Whether each of the category's `size` cases is passed, None where it has no score."""
        scored, passed = self.scored, self.passed
        return [bool(passed >> n & 1) if scored >> n & 1 else None for n in range(size)]

    def levels(self, size: int) -> list[int | None]:
        """The level of each of the category's `size` cases, None where a case has no score."""
        levels: list[int | None] = [None] * size
        for level, cases in self.at.items():
            rest = cases
            while rest:
                lowest = rest & -rest
                levels[lowest.bit_length() - 1] = level
                rest ^= lowest
        return levels

    def total(self, cases: int) -> int:
        """The sum of the levels over the cases whose bits are set in `cases`."""
        return sum(level * (here & cases).bit_count() for level, here in self.at.items())

    def tally(self, other: PackedScores) -> Tally:
        both = (self.scored & other.scored).bit_count()
        differences: Counter[int] = Counter()
        if len(self.at) * len(other.at) <= both:
            for level, here in self.at.items():
                for its_level, its_cases in other.at.items():
                    differences[level - its_level] += (here & its_cases).bit_count()
        else:  # so many levels take longer than the cases one by one
            size = (self.scored | other.scored).bit_length()
            levels = zip(self.levels(size), other.levels(size), strict=True)
            differences.update(a - b for a, b in levels if a is not None and b is not None)
        sizes = sorted({abs(size) for size, cases in differences.items() if size and cases})
        steps = tuple((size, differences[size], differences[-size]) for size in sizes)
        return Tally(both, steps)


_NO_SCORES: Final = PackedScores()


@dataclass(frozen=True, slots=True)
class SuiteBits:
    """The scores of every submission to one suite. Made by `suite_bits`.

    `bounded` means that no score is above 1. `bits` is keyed by category and submission.
    """

    scale: int
    bounded: bool
    bits: Mapping[tuple[str, str], PackedScores]

    def of(self, category: str, submission: str) -> PackedScores:
        return self.bits.get((category, submission), _NO_SCORES)


def suite_bits(cases: pl.DataFrame, suite: Suite) -> SuiteBits:
    """The scores of a suite as bits. `cases` holds rows of `case_scores`, of one suite and metric.

    Cases that the suite does not have, and cases with an open verdict, are left out.
    """
    cases = cases.filter(pl.col("mean").is_not_null(), pl.col("open") == 0)
    scale = _common_scale(cases["mean"])
    places = []
    for category in suite.categories:
        places += [(category.id, case.id, place) for place, case in enumerate(category.cases)]
    place_of = pl.DataFrame(
        places,
        schema={"category": pl.Categorical, "case_id": pl.Categorical, "place": pl.Int64},
        orient="row",
    )
    bit = pl.lit(2, pl.Int64).pow(pl.col("place") % _WORD)
    words = (
        cases.with_columns(level=(pl.col("mean") * scale).round(0).cast(pl.Int64))
        .join(place_of, on=["category", "case_id"])
        .group_by("category", "submission", "level", word=pl.col("place") // _WORD)
        .agg(
            here=bit.sum(),
            passed=bit.filter(pl.col("passed") == pl.col("scored")).sum(),
            judged=bit.filter(pl.col("judged") > 0).sum(),
        )
        .with_columns(pl.col("category", "submission").cast(pl.String))
    )
    at: dict[tuple[str, str], dict[int, int]] = {}
    passed: Counter[tuple[str, str]] = Counter()
    judged: Counter[tuple[str, str]] = Counter()
    for category_id, submission, level, word, here, passes, by_judge in words.iter_rows():
        key, start = (category_id, submission), _WORD * word
        levels = at.setdefault(key, {})
        levels[level] = levels.get(level, 0) | here << start
        passed[key] |= passes << start
        judged[key] |= by_judge << start
    bits = {key: PackedScores(levels, passed[key], judged[key]) for key, levels in at.items()}
    return SuiteBits(scale, bool((cases["mean"] <= 1).all()), bits)


def _common_scale(means: pl.Series) -> int:
    """The smallest number that makes all case means integers, at most _FINEST."""
    scale = 1
    for mean in means.unique():
        scale = math.lcm(scale, Fraction(mean).limit_denominator(_FINEST).denominator)
        if scale > _FINEST:
            return _FINEST
    return scale
