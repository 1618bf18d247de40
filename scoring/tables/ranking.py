"""Ranks as ranges: which submissions a paired test on the same cases tells apart, and how small a difference it could find.

A thousand submissions are half a million pairs. The scores of one submission in one category are therefore whole numbers whose
bits are the cases: a pair is compared by a few operations on integers, and equal tallies are tested once.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

import polars as pl

from leaderboard.frames import GAPS, RANKS
from leaderboard.types import Submission, Suite
from scoring import statistics
from scoring.tables.aggregate import WHOLE, ranked_cases, scores

# Cases per word while bits are gathered in 64-bit integers.
_WORD = 62

# Levels are fractions with this denominator at most: trials and part scores give small ones. Others are rounded to the nearest
# 1/1024, which no test notices.
_FINEST = 1024

# With fair signs |Σ ±v| reaches its standard deviation with a probability of at least 3/16 (Dvořák & Klein, arXiv 2104.10005):
# a smaller difference need not be counted out where the level lies below that.
_NEVER_BELOW = 3 / 16

# Two submissions on the cases both have scored: how many cases, Σd and Σd² of the differences of their levels, and whether
# both just pass and fail.
_Tally = tuple[int, int, int, bool]

# What one category adds to a weighted test, v = weight / cases: v Σd, v² Σd², and (v, only the first passes, only the second).
_Share = tuple[float, float, tuple[float, int, int] | None]


@dataclass(frozen=True, slots=True)
class _Answers:
    """One submission in one category. Bit i of a number is case i: has it a score, and the binary digits of its level."""

    scored: int = 0
    digits: tuple[int, ...] = ()
    binary: bool = True

    def times(self, digits: Sequence[int]) -> int:
        """The sum over cases of this level times the number that `digits` spell: counts of common bits, by their places."""
        total = 0
        for i, mine in enumerate(self.digits):
            for j, its in enumerate(digits):
                total += (mine & its).bit_count() << (i + j)
        return total

    def sums(self, shared: int) -> tuple[int, int]:
        """The sums of its levels and of their squares over the cases in `shared`."""
        return self.times((shared,)), self.times([digit & shared for digit in self.digits])


@dataclass(frozen=True, slots=True)
class _Field:
    """The submissions compared in one category, or in `*`, with the result of every pair.

    `signed` holds each pair's p-value in the order of `combinations`: negative (or -0.0) where the second is ahead, None
    where the two share no case. `discordance` is the mean share of cases on which two differ, `gap` the smallest difference
    told apart.
    """

    names: Sequence[str]
    signed: Sequence[float | None]
    discordance: float | None
    gap: float | None


def ranks(
    cases: pl.DataFrame,
    suites: Iterable[Suite],
    submissions: Iterable[Submission],
    ranked: Mapping[str, str],
    alpha: float = 0.05,
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The RANKS and GAPS frames: in every suite, category and `*`, by the metric that `ranked` names for the suite's id.

    `cases` is what `aggregate.case_scores` makes of the verdicts.

    Ranked are the submissions that are no baselines and have a score there (in `*`: a score in every category). Each pair is
    compared on the cases both have scored: passes and fails by McNemar's exact test, means over trials and part scores by a
    paired t test. `*` is compared over all cases together where the weights are proportional to their numbers, otherwise by
    the weighted sign-flip test. Holm's procedure keeps the chance of any false difference below `alpha` over all pairs of a
    category. rank_low is 1 + the number of those significantly better, rank_high the number ranked minus those significantly
    worse; equal scores share the widest of their ranges.

    A gap is the smallest difference that such a test (single, 5 %) finds with 80 % power, at the mean discordance of the
    pairs: the share of cases on which two differ, for scores between 0 and 1 the mean squared difference. It is null where no
    two differ.

    RANKS is sorted by suite, category (`*` first, then as the suite lists them) and submission, GAPS by suite and category.
    Raises FilesError where a verdict names a category that its suite lacks, KeyError where `ranked` lacks a suite.
    """
    suites = sorted(suites, key=lambda suite: suite.id)
    chosen = ranked_cases(cases, suites, submissions, ranked)
    standings = _standings(scores(chosen, suites))
    cases = chosen.filter(pl.col("mean").is_not_null())
    rank_rows: list[tuple[str, str, str, int, int]] = []
    gap_rows: list[tuple[str, str, int, float | None, float | None]] = []
    for suite in suites:
        for category, field in _fields(
            suite, cases.filter(pl.col("suite") == suite.id), standings, alpha
        ):
            placed = standings.get((suite.id, category), {})
            rank_rows.extend((suite.id, category, *row) for row in _ranges(field, placed, alpha))
            pairs = sum(p is not None for p in field.signed)
            gap_rows.append((suite.id, category, pairs, field.discordance, field.gap))
    return pl.DataFrame(rank_rows, schema=RANKS, orient="row"), pl.DataFrame(
        gap_rows, schema=GAPS, orient="row"
    )


def _standings(table: pl.DataFrame) -> dict[tuple[str, str], dict[str, float]]:
    """The score of each submission by suite and category, to twelve digits: beyond, differences come of rounding."""
    standings: dict[tuple[str, str], dict[str, float]] = {}
    rows = table.drop_nulls("score").select(
        "suite", "category", "submission", pl.col("score").round(12)
    )
    for suite, category, submission, score in rows.iter_rows():
        standings.setdefault((suite, category), {})[submission] = score
    return standings


# ---------------------------------------------------------------- bits


def common_scale(means: pl.Series) -> int:
    """The smallest number that makes whole numbers of all case means, or _FINEST where that is smaller."""
    scale = 1
    for mean in means.unique():
        scale = math.lcm(scale, Fraction(mean).limit_denominator(_FINEST).denominator)
        if scale > _FINEST:
            return _FINEST
    return scale


def _answers(cases: pl.DataFrame, scale: int) -> dict[tuple[str, str], _Answers]:
    """By category and submission: the cases of one suite as bits. Which case is which bit matters to nobody."""
    key = ["category", "case_id"]
    places = cases.select(key).unique().with_columns(place=pl.int_range(pl.len()).over("category"))
    level, bit = pl.col("level"), pl.col("bit")
    levels = cases.select(
        "submission", *key, "mean", level=(pl.col("mean") * scale).round(0).cast(pl.Int64)
    ).join(places, on=key)
    width = int(levels["level"].max() or 0).bit_length()  # type: ignore[arg-type]
    words = (
        levels.with_columns(
            word=pl.col("place") // _WORD, bit=pl.lit(2, pl.Int64).pow(pl.col("place") % _WORD)
        )
        .group_by("category", "submission", "word")
        .agg(
            pl.col("mean").is_in([0.0, 1.0]).all().alias("binary"),
            bit.sum().alias("scored"),
            *((bit * (level // 2**i % 2)).sum().alias(f"digit {i}") for i in range(width)),
        )
        .with_columns(pl.col("category", "submission").cast(pl.String))
    )
    answers: dict[tuple[str, str], _Answers] = {}
    for category, submission, word, binary, *numbers in words.iter_rows():
        known = answers.get((category, submission), _Answers(0, (0,) * width, binary=True))
        scored, *digits = (number << (_WORD * word) for number in numbers)
        merged = tuple(have | more for have, more in zip(known.digits, digits, strict=True))
        answers[category, submission] = _Answers(
            known.scored | scored, merged, known.binary and binary
        )
    return answers


# ---------------------------------------------------------------- pairs


def _tallies(
    answers: Mapping[tuple[str, str], _Answers], category: str, names: Sequence[str]
) -> list[_Tally]:
    """The tally of every pair, in the order of `combinations`; equal ones are one object."""
    known: dict[_Tally, _Tally] = {}
    chosen = [answers[category, name] for name in names]
    plain = all(len(one.digits) <= 1 for one in chosen)
    return [
        known.setdefault(tally, tally) for tally in (_plain(chosen) if plain else _stepped(chosen))
    ]


def _plain(answers: Sequence[_Answers]) -> Iterator[_Tally]:
    """Tallies where a level is one digit: only the cases where just one of the two has it."""
    digits = [one.digits[0] if one.digits else 0 for one in answers]
    rows = [
        (one.scored, digit, one.scored & ~digit, one.binary)
        for one, digit in zip(answers, digits, strict=True)
    ]
    for i, (scored, digit, lacks, binary) in enumerate(rows):
        for its_scored, its_digit, its_lacks, its_binary in rows[i + 1 :]:
            ahead, behind = (digit & its_lacks).bit_count(), (lacks & its_digit).bit_count()
            yield (
                (scored & its_scored).bit_count(),
                ahead - behind,
                ahead + behind,
                binary and its_binary,
            )


def _stepped(answers: Sequence[_Answers]) -> Iterator[_Tally]:
    """Tallies where levels have several digits: Σd² = Σa² - 2 Σab + Σb²."""
    full = [(one, one.sums(one.scored)) for one in answers]
    for (one, mine), (other, its) in combinations(full, 2):
        shared = one.scored & other.scored
        total, squares = mine if shared == one.scored else one.sums(shared)
        its_total, its_squares = its if shared == other.scored else other.sums(shared)
        spread = squares - 2 * one.times(other.digits) + its_squares
        yield shared.bit_count(), total - its_total, spread, one.binary and other.binary


# ---------------------------------------------------------------- tests


def _fields(
    suite: Suite,
    cases: pl.DataFrame,
    standings: Mapping[tuple[str, str], Mapping[str, float]],
    alpha: float,
) -> Iterator[tuple[str, _Field]]:
    """`*` and every category of a suite, with the submissions that have a score there."""
    scale = common_scale(cases["mean"])
    answers = _answers(cases, scale)
    names = {
        category.id: sorted(standings.get((suite.id, category.id), ()))
        for category in suite.categories
    }
    tallies = {category: _tallies(answers, category, here) for category, here in names.items()}
    everywhere = sorted(standings.get((suite.id, WHOLE), ()))
    counted = [category for category in suite.categories if category.cases and category.weight > 0]
    parts = [
        (
            category.weight,
            len(category.cases),
            tallies[category.id]
            if names[category.id] == everywhere
            else _tallies(answers, category.id, everywhere),
        )
        for category in counted
    ]
    yield WHOLE, _whole(everywhere, parts, scale, alpha)
    for category, here in names.items():
        yield category, _single(here, tallies[category], scale)


def _single(names: Sequence[str], tallies: Sequence[_Tally], scale: int) -> _Field:
    """A category: each distinct tally is tested once."""
    counts = Counter(tallies)
    signed = {tally: _signed(tally, scale) for tally in counts}
    discordance, cases = _discordance(counts, scale)
    gap = statistics.smallest_gap([(1.0, discordance, cases)]) if discordance else None
    return _Field(names, [signed[tally] for tally in tallies], discordance, gap)


def _signed(tally: _Tally, scale: int) -> float | None:
    cases, total, squares, binary = tally
    if not cases:
        return None
    p = (
        statistics.mcnemar(*_discordant(total, squares, scale))
        if binary
        else statistics.paired_p(cases, total, squares)
    )
    return math.copysign(p, total)


def _discordant(total: int, squares: int, scale: int) -> tuple[int, int]:
    """The cases that only the first passes, and those that only the second does."""
    ahead, both = total // scale, squares // scale**2
    return (both + ahead) // 2, (both - ahead) // 2


def _discordance(counts: Mapping[_Tally, int], scale: int) -> tuple[float | None, float]:
    """The mean squared difference per case over all pairs that share one (None without pairs), and the mean number of cases."""
    pairs = sum(times for tally, times in counts.items() if tally[0])
    if not pairs:
        return None, 0.0
    cases = sum(tally[0] * times for tally, times in counts.items())
    return sum(
        tally[2] * times for tally, times in counts.items()
    ) / scale**2 / cases, cases / pairs


def _whole(
    names: Sequence[str], parts: Sequence[tuple[float, int, list[_Tally]]], scale: int, alpha: float
) -> _Field:
    """`*`, from weight, number of cases and tallies of each category that counts."""
    weights, numbers = [weight for weight, _, _ in parts], [number for _, number, _ in parts]
    if all(
        math.isclose(weight * sum(numbers), number * math.fsum(weights))
        for weight, number, _ in parts
    ):
        return _single(
            names,
            [_together(row) for row in zip(*(tallies for _, _, tallies in parts), strict=True)],
            scale,
        )
    shares = [_shares(weight, tallies, scale) for weight, _, tallies in parts]
    signed = [_weighted(row, alpha) for row in zip(*shares, strict=True)]
    means = [_discordance(Counter(tallies), scale) for _, _, tallies in parts]
    strata = [
        (weight, share, cases)
        for weight, (share, cases) in zip(weights, means, strict=True)
        if share is not None
    ]
    discordance = (
        math.fsum(weight * share for weight, share, _ in strata) / math.fsum(weights)
        if strata
        else None
    )
    return _Field(
        names, signed, discordance, statistics.smallest_gap(strata) if discordance else None
    )


def _together(row: Sequence[_Tally]) -> _Tally:
    cases, total, squares, binary = zip(*row, strict=True)
    return sum(cases), sum(total), sum(squares), all(binary)


def _shares(weight: float, tallies: Sequence[_Tally], scale: int) -> list[_Share | None]:
    """What a category adds to the weighted test of each pair; None where the pair shares no case."""
    known = {tally: _share(weight, tally, scale) for tally in set(tallies)}
    return [known[tally] for tally in tallies]


def _share(weight: float, tally: _Tally, scale: int) -> _Share | None:
    cases, total, squares, binary = tally
    if not cases:
        return None
    value = weight / cases
    stratum = (value, *_discordant(total, squares, scale)) if binary else None
    return value * total, value * value * squares, stratum


def _weighted(shares: Sequence[_Share | None], alpha: float) -> float | None:
    """The signed p-value of a pair whose categories do not weigh as their cases do."""
    ahead, variance = 0.0, 0.0
    strata = []
    for share in shares:
        if share is None:
            return None
        ahead += share[0]
        variance += share[1]
        if share[2]:
            strata.append(share[2])
    if not variance or (alpha < _NEVER_BELOW and ahead * ahead <= variance):
        return 1.0
    p = (
        statistics.sign_flip(strata)
        if len(strata) == len(shares)
        else statistics.normal_p(ahead / math.sqrt(variance))
    )
    return math.copysign(p, ahead)


def _ranges(
    field: _Field, placed: Mapping[str, float], alpha: float
) -> Iterator[tuple[str, int, int]]:
    """Of each submission its lowest and highest rank; those with equal scores share the widest range among them."""
    tested = Counter(abs(p) for p in field.signed if p is not None)
    cutoff = statistics.holm_cutoff(tested, alpha)
    number = len(field.names)
    better, worse = [0] * number, [0] * number
    for (first, second), p in zip(combinations(range(number), 2), field.signed, strict=True):
        if cutoff is not None and p is not None and abs(p) <= cutoff:
            ahead, behind = (first, second) if math.copysign(1.0, p) > 0 else (second, first)
            better[behind] += 1
            worse[ahead] += 1
    shared: dict[float, tuple[int, int]] = {}
    for i, name in enumerate(field.names):
        low, high = shared.get(placed[name], (number, 1))
        shared[placed[name]] = min(low, 1 + better[i]), max(high, number - worse[i])
    for name in field.names:
        yield name, *shared[placed[name]]
