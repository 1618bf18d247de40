"""Ranks as ranges: how many submissions are better or worse by a paired test on the same cases."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Final, NamedTuple

import polars as pl

from leaderboard.frames import GAPS, RANKS
from leaderboard.types import Submission, Suite
from scoring.statistics.multiple_tests import holm_cutoff, rejected
from scoring.statistics.paired import smallest_gap
from scoring.statistics.sign_flip import sign_flip, whole_units
from scoring.tables.aggregate import (
    WHOLE,
    SumsRow,
    groups,
    ranked_cases,
    weighted_mean,
    weights_of,
)
from scoring.tables.pairs import SuiteBits, Tally, lay_out, outcomes

# With fair signs |Σ ±v| reaches its standard deviation with a probability of at least 3/16
# (Dvořák & Klein, arXiv 2104.10005). If the level is below that, a smaller difference needs no
# test.
_NEVER_BELOW: Final = 3 / 16

RANKED: Final = "ranked"
PARTIAL: Final = "partial"


class _Standing(NamedTuple):
    """A submission in one category, or in `*`. `score` has twelve digits: more is rounding."""

    status: str
    score: float | None


class Field(NamedTuple):
    """The ranked submissions of a category, or of `*`, with the result of every pair.

    `signed` holds the p-value of each pair in the order of `combinations`. It is negative (or
    -0.0) if the second is ahead. `discordance` is the mean squared difference of the pairs, `gap`
    the smallest difference that one test finds.
    """

    names: Sequence[str]
    signed: Sequence[float]
    discordance: float | None
    gap: float | None


def ranks(
    cases: pl.DataFrame,
    sums: pl.DataFrame,
    suites: Iterable[Suite],
    submissions: Iterable[Submission],
    ranked: Mapping[str, str],
    *,
    validated: Collection[tuple[str, str]],
    alpha: float = 0.05,
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The RANKS and GAPS frames, for every suite, category and `*`.

    `cases` comes from `aggregate.case_scores`, `sums` from `aggregate.category_sums`. `ranked`
    names the metric by the suite's id. `validated` holds the places (suite, category) whose judges
    are better than chance.

    A row is ranked if every case of the suite was asked, every case here has a score, and its
    judges, where they decide anything, are validated here. Other rows have a status that says why
    not, and take part in no test.
    Each pair is compared by the weighted sign-flip test. Equal weights of all cases make it
    McNemar's exact test.

    `rank_low` is 1 + the number of submissions ahead that Holm's procedure within the row finds
    significantly better, at `alpha` / 2 one-sided. `rank_high` is the number of ranked submissions
    minus those found worse in the same way. It holds for a submission chosen beforehand. The
    ranges of `all_low` and `all_high` hold for all submissions at once: Holm's procedure over all
    pairs at `alpha`. Equal scores share the widest of their ranges.

    A gap is the smallest difference that one such test (5 %) finds with 80 % power, at the mean
    discordance of the pairs: the share of cases on which two differ, or for scores between 0 and
    1 the mean squared difference. It is null if no two submissions differ.

    RANKS is sorted by suite, category (`*` first, then in the suite's order) and submission. GAPS
    is sorted by suite and category. Raises FilesError if a verdict names an unknown category, and
    KeyError if `ranked` lacks a suite.
    """
    suites, submissions = sorted(suites, key=lambda suite: suite.id), tuple(submissions)
    entrants = {submission.id for submission in submissions if not submission.is_baseline}
    chosen = ranked_cases(cases, suites, submissions, ranked)
    places: dict[tuple[str, str], dict[str, _Standing]] = {}
    by_id = {suite.id: suite for suite in suites}
    for (submission, suite_id, metric), found in groups(sums, suites).items():
        if submission in entrants and metric == ranked[suite_id]:
            for category, standing in _standings(by_id[suite_id], found, validated):
                places.setdefault((suite_id, category), {})[submission] = standing

    rank_rows: list[tuple[str, str, str, str, int | None, int | None, int | None, int | None]] = []
    gap_rows: list[tuple[str, str, int, float | None, float | None]] = []
    for suite in suites:
        bits = lay_out(chosen.filter(pl.col("suite") == suite.id), suite)
        for category in (WHOLE, *(category.id for category in suite.categories)):
            here = places.get((suite.id, category), {})
            names = sorted(name for name in here if here[name].status == RANKED)
            field = field_of(suite, category, bits, names, alpha)
            ranges = ranges_of(field, {name: here[name].score for name in names}, alpha)
            for name in sorted(here):
                limits = ranges.get(name, (None, None, None, None))
                rank_rows.append((suite.id, category, name, here[name].status, *limits))
            gap_rows.append((suite.id, category, len(field.signed), field.discordance, field.gap))
    return (
        pl.DataFrame(rank_rows, schema=RANKS, orient="row"),
        pl.DataFrame(gap_rows, schema=GAPS, orient="row"),
    )


def _standings(
    suite: Suite, found: Mapping[str, SumsRow], validated: Collection[tuple[str, str]]
) -> Iterator[tuple[str, _Standing]]:
    """The standing of a submission in `*` and in its categories."""
    sizes = {category.id: len(category.cases) for category in suite.categories}
    # A submitter may declare which part was asked, and could choose the best one.
    in_part = sum(row["cases"] for row in found.values()) < sum(sizes.values())
    places = {WHOLE: weights_of(suite)} | {category: {category: 1.0} for category in found}
    for place, weights in places.items():
        parts = [(weights[category], found[category]) for category in weights if category in found]
        if parts:
            size = sum(sizes[category] for category in weights)
            status = _status(suite, [row for _, row in parts], size, (suite.id, place) in validated)
            status = PARTIAL if in_part else status
            score = weighted_mean(parts, "mean", "answered") if status == RANKED else None
            yield place, _Standing(status, None if score is None else round(score, 12))


def _status(suite: Suite, rows: Sequence[SumsRow], size: int, validated: bool) -> str:
    """The status of a row of RANKS, by the sums of its categories and their number of cases."""
    if suite.kind.reported:
        return "reported"
    opened, waiting = sum(row["open"] for row in rows), sum(row["waiting"] for row in rows)
    if opened and waiting == opened:
        return "pending"
    if opened or sum(row["answered"] for row in rows) < size:
        return "incomplete"
    if suite.replies_unchecked:
        return "replies_unchecked"
    if any(row["judged"] for row in rows) and not validated:
        return "judge_not_validated"
    return RANKED


# ---------------------------------------------------------------- pairs


def field_of(
    suite: Suite, category: str, bits: SuiteBits, names: Sequence[str], alpha: float
) -> Field:
    """Tests every pair of a category, or of `*`."""
    weights = weights_of(suite) if category == WHOLE else {category: 1.0}
    pairs = len(names) * (len(names) - 1) // 2
    if not pairs:
        return Field(names, (), None, None)
    columns = [bits.tallies(part, names) for part in weights]
    sizes = [column[0].cases for column in columns]
    units = whole_units(list(weights.values()), sizes)
    signed = _signed(columns, units, alpha, pairs)
    strata = [
        (weight, _mean_discordance(column, bits.scale), size)
        for weight, column, size in zip(weights.values(), columns, sizes, strict=True)
    ]
    total = math.fsum(weights.values())
    discordance = math.fsum(weight * share for weight, share, _ in strata) / total
    return Field(names, signed, discordance, smallest_gap(strata) if discordance else None)


def _mean_discordance(tallies: Sequence[Tally], scale: int) -> float:
    """The mean squared difference per case."""
    counts = Counter(tallies)
    squares = sum(tally.squares * times for tally, times in counts.items())
    return squares / scale**2 / sum(tally.cases * times for tally, times in counts.items())


def _signed(
    columns: Sequence[Sequence[Tally]], units: Sequence[int], alpha: float, pairs: int
) -> list[float]:
    """The signed p-values of the pairs, from their tallies in each category."""
    first_step = alpha / pairs
    shares = []
    for unit, column in zip(units, columns, strict=True):
        share_of = {tally: (unit * tally.total, unit**2 * tally.squares) for tally in set(column)}
        shares.append([share_of[tally] for tally in column])
    known: dict[tuple[Tally, ...], float] = {}
    signed = []
    for row, sums in zip(zip(*columns, strict=True), zip(*shares, strict=True), strict=True):
        ahead = sum(share for share, _ in sums)
        variance = sum(share for _, share in sums)
        if not ahead or (ahead * ahead <= variance and alpha < _NEVER_BELOW):
            p = 1.0
        elif (bound := 2 * math.exp(-ahead * ahead / (2 * variance))) < first_step:
            p = bound  # Hoeffding's bound: p is smaller still, and rejected first
        else:
            if row not in known:
                known[row] = sign_flip(outcomes(units, row))
            p = known[row]
        signed.append(math.copysign(p, ahead))
    return signed


# ---------------------------------------------------------------- ranges


def ranges_of(
    field: Field, scores_here: Mapping[str, float | None], alpha: float
) -> dict[str, tuple[int, int, int, int]]:
    """The rank_low, rank_high, all_low and all_high of each submission."""
    number = len(field.names)
    cutoff = holm_cutoff(Counter(map(abs, field.signed)), alpha)
    ahead: list[list[float]] = [[] for _ in range(number)]
    behind: list[list[float]] = [[] for _ in range(number)]
    for (first, second), p in zip(combinations(range(number), 2), field.signed, strict=True):
        if abs(p) <= alpha:
            better, worse = (first, second) if math.copysign(1.0, p) > 0 else (second, first)
            ahead[worse].append(abs(p))
            behind[better].append(abs(p))

    shared: dict[float | None, tuple[int, int, int, int]] = {}
    for name, better_ps, worse_ps in zip(field.names, ahead, behind, strict=True):
        # Half the p-values at half the level: two-sided p at `alpha` is one-sided p at half of it.
        low = 1 + rejected(better_ps, number - 1, alpha)
        high = number - rejected(worse_ps, number - 1, alpha)
        all_low = 1 + sum(cutoff is not None and p <= cutoff for p in better_ps)
        all_high = number - sum(cutoff is not None and p <= cutoff for p in worse_ps)
        own = low, high, all_low, all_high
        widest = shared.get(scores_here[name], own)
        shared[scores_here[name]] = (
            min(low, widest[0]),
            max(high, widest[1]),
            min(all_low, widest[2]),
            max(all_high, widest[3]),
        )
    return {name: shared[scores_here[name]] for name in field.names}
