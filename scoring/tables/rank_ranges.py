"""Ranks as ranges: how many submissions are better or worse by a paired test on the same cases."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import polars as pl

from leaderboard.board.comparison import SIGNIFICANCE_LEVEL
from leaderboard.frames import GAPS, RANKS
from leaderboard.rank_status_words import (
    INCOMPLETE,
    JUDGE_NOT_VALIDATED,
    PARTIAL,
    PENDING,
    RANKED,
    REPLIES_UNCHECKED,
    REPORTED,
)
from leaderboard.types import Submission, Suite
from scoring.statistics.detectable_difference import DETECTABLE
from scoring.statistics.multiple_tests import rejected
from scoring.statistics.sign_flips import whole_units
from scoring.tables.all_pairs import CategoryPairs, PairTest
from scoring.tables.packed_scores import SuiteBits, suite_bits
from scoring.tables.scores import (
    SumsRow,
    groups,
    is_in_part,
    parts_of,
    ranked_cases,
    weighted_mean,
    weights_by_category,
)

_Ranges = tuple[int, int, int, int]  # rank_low, rank_high, all_low, all_high


class _Entry(NamedTuple):
    """A submission in one category, or in `*`. `score` has twelve digits: more is rounding."""

    status: str
    score: float | None


class Field(NamedTuple):
    """The ranked submissions of a category, or of `*`, with the number of their pairs.

    `found` has the pairs that one test finds to differ, see `all_pairs.Differences`. `discordance`
    is the mean squared difference of the pairs, `gap` the smallest detectable difference of a
    typical pair.
    """

    names: Sequence[str]
    pairs: int
    found: pl.DataFrame
    discordance: float | None
    gap: float | None


def ranks(
    cases: pl.DataFrame,
    sums: pl.DataFrame,
    suites: Iterable[Suite],
    submissions: Iterable[Submission],
    *,
    unvalidated: Collection[tuple[str, str]],
    alpha: float = SIGNIFICANCE_LEVEL,
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The RANKS and GAPS frames, for every suite, category and `*`, as docs/methodology.md says.

    `cases` comes from `scores.case_scores`, `sums` from `scores.category_sums`.
    `unvalidated` holds the places (suite, category) where judges decide that may be guessing.
    Nobody is ranked there: otherwise answers that no judge reads, such as empty ones, would keep
    a rank that better answers lose. A submission that is not ranked has a status that says why,
    and takes part in no test.

    RANKS is sorted by suite, category (`*` first, then in the suite's order) and submission. GAPS
    is sorted by suite and category. Raises FilesError if a verdict names an unknown category.
    """
    suites, submissions = sorted(suites, key=lambda suite: suite.id), tuple(submissions)
    chosen = ranked_cases(cases, suites, submissions)
    entrants = {submission.id for submission in submissions if not submission.is_baseline}
    entries = _entries(sums, suites, entrants, unvalidated)
    rank_rows: list[tuple[str, str, str, str, int | None, int | None, int | None, int | None]] = []
    gap_rows: list[tuple[str, str, int, float | None, float | None]] = []
    for suite in suites:
        bits = suite_bits(chosen.filter(pl.col("suite") == suite.id), suite)
        for category, weights in weights_by_category(suite).items():
            here = dict(sorted(entries.get((suite.id, category), {}).items()))
            scores = {name: one.score for name, one in here.items() if one.status == RANKED}
            field = field_of(weights, bits, list(scores), alpha)
            ranges = ranges_of(field, scores, alpha)
            for name, entry in here.items():
                limits = ranges.get(name, (None, None, None, None))
                rank_rows.append((suite.id, category, name, entry.status, *limits))
            gap_rows.append((suite.id, category, field.pairs, field.discordance, field.gap))
    return (
        pl.DataFrame(rank_rows, schema=RANKS, orient="row"),
        pl.DataFrame(gap_rows, schema=GAPS, orient="row"),
    )


def _entries(
    sums: pl.DataFrame,
    suites: Sequence[Suite],
    entrants: Collection[str],
    unvalidated: Collection[tuple[str, str]],
) -> dict[tuple[str, str], dict[str, _Entry]]:
    """The entries of all submissions, by suite and category or `*`, then by submission."""
    entries: dict[tuple[str, str], dict[str, _Entry]] = {}
    by_id = {suite.id: suite for suite in suites}
    for (submission, suite_id, metric), by_category in groups(sums, suites).items():
        suite = by_id[suite_id]
        if submission in entrants and metric == suite.kind.ranked:
            for category, entry in _entries_of_one(suite, by_category, unvalidated):
                entries.setdefault((suite_id, category), {})[submission] = entry
    return entries


def _entries_of_one(
    suite: Suite, by_category: Mapping[str, SumsRow], unvalidated: Collection[tuple[str, str]]
) -> Iterator[tuple[str, _Entry]]:
    """The entries of a submission in `*` and in its categories."""
    sizes = {category.id: len(category.cases) for category in suite.categories}
    in_part = is_in_part(suite, by_category)
    for place, weights in weights_by_category(suite).items():
        if parts := parts_of(by_category, weights):
            size = sum(sizes[category] for category in weights)
            rows = [row for _, row in parts]
            status = _status(suite, rows, size, unvalidated=(suite.id, place) in unvalidated)
            status = PARTIAL if in_part else status
            score = weighted_mean(parts, "mean", "answered") if status == RANKED else None
            yield place, _Entry(status, None if score is None else round(score, 12))


def _status(suite: Suite, rows: Sequence[SumsRow], size: int, *, unvalidated: bool) -> str:
    """The status of a row of RANKS, by the sums of its categories and their number of cases."""
    if suite.kind.reported:
        return REPORTED
    opened, waiting = sum(row["open"] for row in rows), sum(row["waiting"] for row in rows)
    if opened and waiting == opened:
        return PENDING
    if opened or sum(row["answered"] for row in rows) < size:
        return INCOMPLETE
    if suite.replies_unchecked:
        return REPLIES_UNCHECKED
    if unvalidated:
        return JUDGE_NOT_VALIDATED
    return RANKED


# ---------------------------------------------------------------- pairs


def field_of(
    weights: Mapping[str, float], bits: SuiteBits, names: Sequence[str], alpha: float
) -> Field:
    """Tests every pair over the categories with a weight. All have a score for every case there.

    The test is the weighted sign-flip test. The gap is the median over pairs of the difference
    that it finds with 80 % power, see `smallest_gap`. So one outlier does not change it. It is None
    if half of the pairs do not differ. The discordance is the share of cases on which two differ,
    or for scores between 0 and 1 the mean squared difference.
    """
    if len(names) < 2:
        return Field(names, 0, pl.DataFrame(), None, None)
    columns = []
    for part in weights:
        scores = [bits.of(part, name) for name in names]
        columns.append(CategoryPairs(scores, bits.scale))
    sizes = [column.cases for column in columns]
    units = whole_units(list(weights.values()), sizes)
    test = PairTest(columns, units, len(names), alpha)
    differences, squares, deviation = test.differences()
    total = math.fsum(weights.values())
    shares = [
        weight * squared / bits.scale**2 / (size * test.pairs)
        for weight, squared, size in zip(weights.values(), squares, sizes, strict=True)
    ]
    # The deviation counts a case of the heaviest category as 1: here as its part of the score.
    heaviest = max(w / n for w, n in zip(weights.values(), sizes, strict=True)) / total
    gap = DETECTABLE * heaviest / bits.scale * deviation
    return Field(names, test.pairs, differences, math.fsum(shares) / total, gap or None)


# ---------------------------------------------------------------- ranges


def ranges_of(
    field: Field, scores_here: Mapping[str, float | None], alpha: float
) -> dict[str, _Ranges]:
    """The rank_low, rank_high, all_low and all_high of each submission, from 1.

    The first two hold for a submission chosen beforehand: Holm's procedure within its row, at
    `alpha` / 2 one-sided on each side. The others hold for all at once: Holm's procedure over all
    pairs, at `alpha`. It counts pairs that are clear in either direction, so it may find a pair
    that a row does not: then the range for all is widened to that of the row. Equal scores share
    the widest of their ranges.
    """
    number = len(field.names)
    if number < 2:
        return dict.fromkeys(field.names, (1, 1, 1, 1))
    p_values = field.found["p"].sort().to_list()
    clear = rejected(p_values, field.pairs, alpha)
    cutoff = p_values[clear - 1] if clear else None
    ahead, behind = (_p_values(field.found, side, number) for side in ("worse", "better"))

    with_score: defaultdict[float | None, list[_Ranges]] = defaultdict(list)
    for name, better_ps, worse_ps in zip(field.names, ahead, behind, strict=True):
        # Half the p-values at half the level: two-sided p at `alpha` is one-sided p at half of it.
        low = 1 + rejected(better_ps, number - 1, alpha)
        high = number - rejected(worse_ps, number - 1, alpha)
        all_low = 1 + sum(cutoff is not None and p <= cutoff for p in better_ps)
        all_high = number - sum(cutoff is not None and p <= cutoff for p in worse_ps)
        both = (low, high, min(low, all_low), max(high, all_high))
        with_score[scores_here[name]].append(both)
    widest = {score: _widest(ranges) for score, ranges in with_score.items()}
    return {name: widest[scores_here[name]] for name in field.names}


def _widest(ranges: Sequence[_Ranges]) -> _Ranges:
    lows, highs, all_lows, all_highs = zip(*ranges, strict=True)
    return min(lows), max(highs), min(all_lows), max(all_highs)


def _p_values(differences: pl.DataFrame, side: str, number: int) -> list[list[float]]:
    """The p-values of the pairs in which each submission is on one side."""
    lists: list[list[float]] = [[] for _ in range(number)]
    for place, ps in differences.group_by(side).agg("p").iter_rows():
        lists[place] = ps
    return lists
