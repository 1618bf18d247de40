"""A row that a proposal adds or changes: its scores, its failures and its neighbours."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import polars as pl

from leaderboard.board.board_changes import Range
from leaderboard.results import Results
from leaderboard.types import Suite
from scoring.tables.scores import WHOLE


@dataclass(frozen=True, slots=True)
class RowScore:
    """A score of a submission with its interval, in the whole suite or one category."""

    submission: str
    category: str
    cases: int
    scored: int
    unscored: int
    score: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class ProposedRow:
    """A submission on a suite, by the suite's ranked metric.

    `status` says why it has no rank, as in RANKS. It is None for a baseline. `failures` counts
    verdicts that are no pass by their reason, the most frequent first. `above` and `below` are the
    rows that are next to it, sorted by score. `judged` counts verdicts of judges.
    """

    suite: str
    metric: str
    whole: RowScore
    status: str | None
    rank: Range | None
    categories: tuple[RowScore, ...]
    failures: tuple[tuple[str, int], ...]
    judged: int
    above: RowScore | None
    below: RowScore | None


def proposed_rows(
    results: Results, suites: Mapping[str, Suite], submission: str
) -> Iterator[ProposedRow]:
    """Yields the rows of a submission, in the order of the suites."""
    for suite in suites.values():
        metric = suite.kind.ranked
        scores = results.scores.filter(suite=suite.id, metric=metric)
        board = [_score(row) for row in scores.filter(category=WHOLE).iter_rows(named=True)]
        board.sort(key=lambda row: (row.score is None, -(row.score or 0.0), row.submission))
        names = [row.submission for row in board]
        if submission not in names:
            continue
        place = names.index(submission)
        order = [category.id for category in suite.categories]
        parts = scores.filter(
            pl.col("submission") == submission, pl.col("category").is_in(order)
        ).iter_rows(named=True)
        verdicts = results.verdicts.filter(suite=suite.id, submission=submission, metric=metric)
        yield ProposedRow(
            suite.id,
            metric,
            board[place],
            *_rank(results, suite.id, submission),
            tuple(sorted(map(_score, parts), key=lambda row: order.index(row.category))),
            _failures(verdicts),
            verdicts.filter(decided_by="judge").height,
            board[place - 1] if place > 0 else None,
            board[place + 1] if place + 1 < len(board) else None,
        )


def _score(row: Mapping[str, object]) -> RowScore:
    return RowScore(**{name: row[name] for name in RowScore.__slots__})  # type: ignore[arg-type]


def _rank(results: Results, suite: str, submission: str) -> tuple[str | None, Range | None]:
    """The status of a row and its range of ranks; baselines have neither."""
    found = results.ranks.filter(suite=suite, category=WHOLE, submission=submission)
    if not found.height:
        return None, None
    status, low, high = found.select("status", "rank_low", "rank_high").row(0)
    return status, None if low is None else (low, high)


def _failures(verdicts: pl.DataFrame) -> tuple[tuple[str, int], ...]:
    counted = (
        verdicts.filter(pl.col("outcome") != "pass")
        .group_by("reason")
        .agg(pl.len().alias("number"))
        .sort(pl.col("number").cast(pl.Int64).neg(), "reason")
    )
    return tuple(counted.iter_rows())
