"""Pairs of submissions on the cases that both have a score for: counts, tests and intervals.

Ranks and comparisons both rest on this module. `scoring.statistics` has the formulas.

A board of a thousand submissions has half a million pairs. The scores of a submission in a
category are therefore kept as integers whose bits are the cases. A pair takes a few operations
on these integers, and equal tallies are tested once.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Final, NamedTuple

import polars as pl

from leaderboard.types import Suite
from scoring import statistics
from scoring.statistics import Interval

# Cases per word while Polars gathers the bits in 64-bit integers.
_WORD: Final = 62

# The largest denominator of a level. Trials and part scores give small denominators. Other scores
# are rounded to the nearest 1/1024, which no test notices.
_FINEST: Final = 1024


class Tally(NamedTuple):
    """Two submissions on the cases that both have a score for.

    `total` and `squares` are Σd and Σd² of the differences between their levels. `binary` means
    that both only pass and fail.
    """

    cases: int
    total: int
    squares: int
    binary: bool

    def discordant(self, scale: int) -> tuple[int, int]:
        """Counts the cases that only the first passes and those that only the second passes."""
        lead, both = self.total // scale, self.squares // scale**2
        return (both + lead) // 2, (both - lead) // 2

    def discordance(self, scale: int) -> float:
        """The mean squared difference: of passes and fails, the share of discordant cases."""
        return self.squares / scale**2 / self.cases


# A category's weight in a suite, and the tally of a pair there.
Stratum = tuple[float, Tally]


@dataclass(frozen=True, slots=True)
class CaseBits:
    """One submission's scores in one category. Bit i of each integer belongs to case i.

    A level is a score times the scale of the suite. `digits` holds the binary digits of the
    levels, the lowest digit first. `passed` marks the levels of a full score or more.
    """

    scored: int = 0
    passed: int = 0
    digits: tuple[int, ...] = ()
    binary: bool = True

    def levels(self, size: int) -> list[int | None]:
        """The level of each of the category's `size` cases, None where a case has no score."""
        levels = [0 if self.scored >> place & 1 else None for place in range(size)]
        for i, digit in enumerate(self.digits):
            levels = [
                None if level is None else level + ((digit >> place & 1) << i)
                for place, level in enumerate(levels)
            ]
        return levels

    def total(self, cases: int) -> int:
        """The sum of the levels over the cases whose bits are set in `cases`."""
        return sum((digit & cases).bit_count() << i for i, digit in enumerate(self.digits))

    def product(self, digits: Iterable[int]) -> int:
        """The sum over all cases of this level times the level that `digits` spell."""
        total = 0
        for j, its in enumerate(digits):
            for i, mine in enumerate(self.digits):
                total += (mine & its).bit_count() << (i + j)
        return total

    def squares(self, cases: int) -> int:
        """The sum of the squared levels over the cases whose bits are set in `cases`."""
        return self.product(digit & cases for digit in self.digits)

    def tally(self, other: CaseBits) -> Tally:
        shared = self.scored & other.scored
        # Σd² = Σa² - 2 Σab + Σb². A case without a score has no digits, so that Σab leaves it out.
        squares = self.squares(shared) - 2 * self.product(other.digits) + other.squares(shared)
        difference = self.total(shared) - other.total(shared)
        return Tally(shared.bit_count(), difference, squares, self.binary and other.binary)


_NO_SCORES: Final = CaseBits()


@dataclass(frozen=True, slots=True)
class SuiteBits:
    """The scores of every submission to one suite. Made by `lay_out`.

    `bounded` means that no score is above 1. `bits` is keyed by category and submission.
    """

    scale: int
    bounded: bool
    bits: Mapping[tuple[str, str], CaseBits]

    def of(self, category: str, submission: str) -> CaseBits:
        return self.bits.get((category, submission), _NO_SCORES)

    def tallies(self, category: str, submissions: Sequence[str]) -> list[Tally]:
        """The tally of every pair, in the order of `combinations`. Equal tallies are one object."""
        chosen = [self.of(category, submission) for submission in submissions]
        if all(len(one.digits) <= 1 for one in chosen):
            tallies = _one_digit_tallies(chosen)
        else:
            tallies = (one.tally(other) for one, other in combinations(chosen, 2))

        known: dict[tuple[int, int, int, bool], Tally] = {}
        found = []
        for tally in tallies:
            if tally not in known:
                known[tally] = Tally(*tally)
            found.append(known[tally])
        return found


def _one_digit_tallies(chosen: Sequence[CaseBits]) -> Iterator[tuple[int, int, int, bool]]:
    """The fast way for levels of one digit: only cases where just one of the two has it count."""
    rows = []
    for one in chosen:
        digit = one.digits[0] if one.digits else 0
        rows.append((one.scored, digit, one.scored & ~digit, one.binary))
    for i, (scored, digit, lacks, binary) in enumerate(rows):
        for its_scored, its_digit, its_lacks, its_binary in rows[i + 1 :]:
            ahead = (digit & its_lacks).bit_count()
            behind = (lacks & its_digit).bit_count()
            cases = (scored & its_scored).bit_count()
            yield cases, ahead - behind, ahead + behind, binary and its_binary


def lay_out(cases: pl.DataFrame, suite: Suite) -> SuiteBits:
    """The scores of a suite as bits. `cases` holds rows of `case_scores`, of one suite and metric.

    Cases that the suite does not have are left out.
    """
    cases = cases.filter(pl.col("mean").is_not_null())
    scale = _common_scale(cases["mean"])
    key = ["category", "case_id"]
    places = []
    for category in suite.categories:
        places += [(category.id, case.id, place) for place, case in enumerate(category.cases)]
    place_of = pl.DataFrame(
        places,
        schema={"category": pl.Categorical, "case_id": pl.Categorical, "place": pl.Int64},
        orient="row",
    )
    mean, level, bit = pl.col("mean"), pl.col("level"), pl.col("bit")
    levels = (
        cases.select("submission", *key, "mean", level=(mean * scale).round(0).cast(pl.Int64))
        .join(place_of, on=key)
        .with_columns(
            word=pl.col("place") // _WORD,
            bit=pl.lit(2, pl.Int64).pow(pl.col("place") % _WORD),
        )
    )
    width = int(levels["level"].max() or 0).bit_length()  # type: ignore[arg-type]
    words = (
        levels.group_by("category", "submission", "word")
        .agg(
            binary=mean.is_in([0.0, 1.0]).all(),
            scored=bit.sum(),
            passed=bit.filter(level >= scale).sum(),
            **{f"digit {i}": (bit * (level // 2**i % 2)).sum() for i in range(width)},
        )
        .with_columns(pl.col("category", "submission").cast(pl.String))
    )
    bits: dict[tuple[str, str], CaseBits] = {}
    for category_id, submission, word, binary, *numbers in words.iter_rows():
        known = bits.get((category_id, submission), CaseBits(digits=(0,) * width))
        scored, passed, *digits = (number << (_WORD * word) for number in numbers)
        bits[category_id, submission] = CaseBits(
            known.scored | scored,
            known.passed | passed,
            tuple(have | more for have, more in zip(known.digits, digits, strict=True)),
            known.binary and binary,
        )
    return SuiteBits(scale, bool((cases["mean"] <= 1).all()), bits)


def _common_scale(means: pl.Series) -> int:
    """The smallest number that makes all case means integers, at most _FINEST."""
    scale = 1
    for mean in means.unique():
        scale = math.lcm(scale, Fraction(mean).limit_denominator(_FINEST).denominator)
        if scale > _FINEST:
            return _FINEST
    return scale


# ---------------------------------------------------------------- tests and intervals


def single_test(tally: Tally, scale: int) -> tuple[str, float]:
    """The name and the p-value of the test of a pair whose cases all count the same."""
    if tally.binary:
        return "exact McNemar", statistics.mcnemar(*tally.discordant(scale))
    return "paired t", statistics.paired_p(tally.cases, tally.total, tally.squares)


def weighted_test(strata: Sequence[Stratum], scale: int) -> tuple[str, float]:
    """The name and the p-value of the test of a pair over several weighted categories."""
    if all(tally.binary for _, tally in strata):
        shares = [(weight / tally.cases, *tally.discordant(scale)) for weight, tally in strata]
        return "weighted sign flip", statistics.sign_flip(shares)
    sums = [(weight / tally.cases, tally.total, tally.squares) for weight, tally in strata]
    return "weighted normal", statistics.weighted_p(sums)


def single_interval(tally: Tally, scale: int, *, bounded: bool) -> Interval | None:
    """The 95 % interval of the mean difference of a pair. None if nothing bounds it."""
    n = tally.cases
    if tally.binary:
        return statistics.paired_score_interval(*tally.discordant(scale), n)
    interval = statistics.paired_interval(n, tally.total, tally.squares, scale)
    if not bounded:
        return interval
    if interval is not None:
        return max(-1.0, interval[0]), min(1.0, interval[1])

    # Equal differences say nothing about their spread. It is at most that of passes and fails.
    low, high = statistics.wilson((tally.total / scale + n) / 2, n)
    return 2 * low - 1, 2 * high - 1


def weighted_interval(strata: Sequence[Stratum], scale: int, *, bounded: bool) -> Interval | None:
    """The 95 % interval of the weighted difference. None if a category has none."""
    intervals = []
    for _, tally in strata:
        interval = single_interval(tally, scale, bounded=bounded)
        if interval is None:
            return None
        intervals.append(interval)
    weights = [weight for weight, _ in strata]
    differences = [tally.total / tally.cases / scale for _, tally in strata]
    return statistics.combined(weights, differences, intervals)
