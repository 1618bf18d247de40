"""Ranks as ranges: how many submissions are better or worse by a paired test on the same cases."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Final, NamedTuple

import polars as pl

from leaderboard.frames import GAPS, RANKS
from leaderboard.types import Submission, Suite
from scoring import statistics
from scoring.tables.aggregate import WHOLE, ranked_cases, scores
from scoring.tables.pairs import Stratum, SuiteBits, Tally, lay_out, single_test, weighted_test

# With fair signs |Σ ±v| reaches its standard deviation with a probability of at least 3/16
# (Dvořák & Klein, arXiv 2104.10005). If the level is below that, a smaller difference needs no
# test.
_NEVER_BELOW: Final = 3 / 16

# What a category adds to a weighted test, with v = weight / cases: v Σd and v² Σd².
_Share = tuple[float, float, Stratum]

# The scores of the submissions, by suite and category.
_Scores = Mapping[tuple[str, str], Mapping[str, float]]


class _Field(NamedTuple):
    """The submissions compared in one category, or in `*`, with the result of every pair.

    `signed` holds the p-value of each pair in the order of `combinations`. It is negative (or
    -0.0) if the second is ahead, None if the two share no case. `discordance` is the mean squared
    difference of the pairs, `gap` the smallest difference that a test finds.
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
    """The RANKS and GAPS frames, for every suite, category and `*`.

    `cases` comes from `aggregate.case_scores`. `ranked` names the metric by the suite's id.

    Ranked are submissions that are not baselines and have a score there (in `*`: a score in every
    category). Each pair is compared on the cases that both have a score for:

    - passes and fails by McNemar's exact test
    - means over trials and part scores by a paired t test
    - `*` over all cases together if the weights are proportional to the numbers of cases,
      otherwise by the weighted sign-flip test

    Holm's procedure keeps the chance of any false difference among all pairs of a category below
    `alpha`. `rank_low` is 1 + the number of significantly better submissions. `rank_high` is the
    number of ranked submissions minus the number of significantly worse ones. Equal scores share
    the widest of their ranges.

    A gap is the smallest difference that one such test (5 %) finds with 80 % power, at the mean
    discordance of the pairs: the share of cases on which two differ, or for scores between 0 and
    1 the mean squared difference. It is null if no two submissions differ.

    RANKS is sorted by suite, category (`*` first, then in the suite's order) and submission. GAPS
    is sorted by suite and category. Raises FilesError if a verdict names an unknown category, and
    KeyError if `ranked` lacks a suite.
    """
    suites = sorted(suites, key=lambda suite: suite.id)
    chosen = ranked_cases(cases, suites, submissions, ranked)
    known = _scores(scores(chosen, suites))
    rank_rows: list[tuple[str, str, str, int, int]] = []
    gap_rows: list[tuple[str, str, int, float | None, float | None]] = []
    for suite in suites:
        bits = lay_out(chosen.filter(pl.col("suite") == suite.id), suite)
        for category, field in _fields(suite, bits, known, alpha):
            here = known.get((suite.id, category), {})
            rank_rows.extend((suite.id, category, *row) for row in _ranges(field, here, alpha))
            pairs = sum(p is not None for p in field.signed)
            gap_rows.append((suite.id, category, pairs, field.discordance, field.gap))
    return (
        pl.DataFrame(rank_rows, schema=RANKS, orient="row"),
        pl.DataFrame(gap_rows, schema=GAPS, orient="row"),
    )


def _scores(table: pl.DataFrame) -> _Scores:
    """The scores of a SCORES frame to twelve digits. Beyond these, differences are rounding."""
    found: dict[tuple[str, str], dict[str, float]] = {}
    columns = ["suite", "category", "submission", pl.col("score").round(12)]
    for suite, category, submission, score in table.drop_nulls("score").select(columns).iter_rows():
        found.setdefault((suite, category), {})[submission] = score
    return found


def _fields(
    suite: Suite, bits: SuiteBits, known: _Scores, alpha: float
) -> Iterator[tuple[str, _Field]]:
    """`*` and every category of a suite, with the submissions that have a score there."""
    names = {c.id: sorted(known.get((suite.id, c.id), ())) for c in suite.categories}
    tallies = {category: bits.tallies(category, here) for category, here in names.items()}
    everywhere = sorted(known.get((suite.id, WHOLE), ()))
    parts = []
    for category in suite.categories:
        if category.cases and category.weight > 0:
            pairs = tallies[category.id]
            if names[category.id] != everywhere:
                pairs = bits.tallies(category.id, everywhere)
            parts.append((category.weight, len(category.cases), pairs))

    yield WHOLE, _whole(everywhere, parts, bits.scale, alpha)
    for category_id, here in names.items():
        yield category_id, _single(here, tallies[category_id], bits.scale)


def _single(names: Sequence[str], tallies: Sequence[Tally], scale: int) -> _Field:
    """Tests the pairs of a category, each distinct tally once."""
    counts = Counter(tallies)
    signed: dict[Tally, float | None] = {}
    for tally in counts:
        p = single_test(tally, scale)[1] if tally.cases else None
        signed[tally] = None if p is None else math.copysign(p, tally.total)
    discordance, cases = _mean_discordance(counts, scale)
    gap = statistics.smallest_gap([(1.0, discordance, cases)]) if discordance else None
    return _Field(names, [signed[tally] for tally in tallies], discordance, gap)


def _mean_discordance(counts: Mapping[Tally, int], scale: int) -> tuple[float | None, float]:
    """The mean squared difference per case (None without pairs), and the mean number of cases."""
    pairs = sum(times for tally, times in counts.items() if tally.cases)
    if not pairs:
        return None, 0.0
    cases = sum(tally.cases * times for tally, times in counts.items())
    squares = sum(tally.squares * times for tally, times in counts.items())
    return squares / scale**2 / cases, cases / pairs


def _whole(
    names: Sequence[str], parts: Sequence[tuple[float, int, list[Tally]]], scale: int, alpha: float
) -> _Field:
    """Tests the pairs of `*`, from the weight, number of cases and tallies of each category."""
    weights, sizes, columns = zip(*parts, strict=True) if parts else ((), (), ())
    total, size = math.fsum(weights), sum(sizes)
    if all(math.isclose(weight * size, number * total) for weight, number, _ in parts):
        return _single(names, [_together(row) for row in zip(*columns, strict=True)], scale)

    shares = []
    for weight, _, tallies in parts:
        share_of = {tally: _share(weight, tally) for tally in set(tallies)}
        shares.append([share_of[tally] for tally in tallies])
    signed = [_weighted_p(row, scale, alpha) for row in zip(*shares, strict=True)]

    strata = []
    for weight, _, tallies in parts:
        share, cases = _mean_discordance(Counter(tallies), scale)
        if share is not None:
            strata.append((weight, share, cases))
    if not strata:
        return _Field(names, signed, None, None)
    discordance = math.fsum(weight * share for weight, share, _ in strata) / total
    gap = statistics.smallest_gap(strata) if discordance else None
    return _Field(names, signed, discordance, gap)


def _together(row: Sequence[Tally]) -> Tally:
    cases, total, squares, binary = zip(*row, strict=True)
    return Tally(sum(cases), sum(total), sum(squares), all(binary))


def _share(weight: float, tally: Tally) -> _Share | None:
    if not tally.cases:
        return None
    value = weight / tally.cases
    return value * tally.total, value * value * tally.squares, (weight, tally)


def _weighted_p(shares: Sequence[_Share | None], scale: int, alpha: float) -> float | None:
    """The signed p-value of a pair whose categories are not weighted by their cases."""
    ahead, variance = 0.0, 0.0
    strata = []
    for share in shares:
        if share is None:
            return None
        ahead += share[0]
        variance += share[1]
        strata.append(share[2])
    if not variance or (alpha < _NEVER_BELOW and ahead * ahead <= variance):
        return 1.0
    return math.copysign(weighted_test(strata, scale)[1], ahead)


def _ranges(
    field: _Field, scores_here: Mapping[str, float], alpha: float
) -> Iterator[tuple[str, int, int]]:
    """The lowest and highest rank of each submission."""
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
        low, high = shared.get(scores_here[name], (number, 1))
        widest = min(low, 1 + better[i]), max(high, number - worse[i])
        shared[scores_here[name]] = widest
    for name in field.names:
        yield name, *shared[scores_here[name]]
