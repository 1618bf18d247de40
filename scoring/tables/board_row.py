"""A row of the board in the terminal and in reviews: scores, failures and neighbours."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any

import polars as pl

from leaderboard.board.board_changes import Range
from leaderboard.ids import WHOLE
from leaderboard.reasons import NO_ANSWER
from leaderboard.results import MissingAnswers, Results
from leaderboard.types import Suite


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
class BoardRow:
    """A submission on a suite, by the suite's ranked metric.

    `status` says why it has no rank, as in RANKS. It is None for a baseline. `failures` counts
    verdicts that are no pass by their reason, the most frequent first. `above` and `below` are the
    rows that are next to it, sorted by score. `judged` counts scored verdicts of judges,
    `of_suite` the cases of the suite, `unanswered` cases without a record, and `blank` these and
    cases with only empty answers.
    `usage` is its row of USAGE, None without any record.
    """

    suite: str
    metric: str
    whole: RowScore
    status: str | None
    rank: Range | None
    categories: tuple[RowScore, ...]
    failures: tuple[tuple[str, int], ...]
    judged: int
    of_suite: int
    unanswered: int
    blank: int
    missing_trials: int
    usage: Mapping[str, Any] | None
    above: RowScore | None
    below: RowScore | None

    @property
    def answered(self) -> str:
        """How many cases are answered, if not all are: "206 of 273 answered"; otherwise ""."""
        return MissingAnswers(self.unanswered, self.missing_trials).words(self.whole.cases)

    @property
    def asked(self) -> str:
        """How many cases were asked, if the card says that not all were; otherwise ""."""
        in_part = self.whole.cases < self.of_suite
        return f"{self.whole.cases:,} of {self.of_suite:,} cases asked" if in_part else ""


def board_rows(
    results: Results, suites: Mapping[str, Suite], submission: str
) -> Iterator[BoardRow]:
    """Yields the rows of a submission, in the order of the suites."""
    missing = results.missing_answers()
    for suite in suites.values():
        metric = suite.kind.ranked
        scores = results.scores.filter(suite=suite.id, metric=metric)
        whole = scores.filter(category=WHOLE)
        best_first = whole.sort(pl.col("score").neg(), "submission", nulls_last=True)
        board = _scores(best_first)
        place = next((at for at, row in enumerate(board) if row.submission == submission), None)
        if place is None:
            continue
        by_category = {one.category: one for one in _scores(scores.filter(submission=submission))}
        categories = [category.id for category in suite.categories if category.id in by_category]
        verdicts = results.verdicts.filter(suite=suite.id, submission=submission, metric=metric)
        status, rank = _rank(results, suite.id, submission)
        used = results.usage.filter(suite=suite.id, submission=submission)
        not_answered = missing.get((submission, suite.id), MissingAnswers())
        yield BoardRow(
            suite=suite.id,
            metric=metric,
            whole=board[place],
            status=status,
            rank=rank,
            categories=tuple(by_category[category] for category in categories),
            failures=_failures(verdicts),
            judged=verdicts.filter(decided_by="judge").drop_nulls("score").height,
            of_suite=len(suite.cases),
            unanswered=not_answered.cases,
            blank=_blank(verdicts),
            missing_trials=not_answered.trials,
            usage=next(used.iter_rows(named=True), None),
            above=board[place - 1] if place > 0 else None,
            below=board[place + 1] if place + 1 < len(board) else None,
        )


def _scores(rows: pl.DataFrame) -> list[RowScore]:
    columns = [field.name for field in fields(RowScore)]
    return [RowScore(*row) for row in rows.select(columns).iter_rows()]


def _rank(results: Results, suite: str, submission: str) -> tuple[str | None, Range | None]:
    """The status of a row and its range of ranks; baselines have neither."""
    ranked = results.ranks.filter(suite=suite, category=WHOLE, submission=submission)
    if not ranked.height:
        return None, None
    status, low, high = ranked.select("status", "rank_low", "rank_high").row(0)
    return status, None if low is None else (low, high)


def _blank(verdicts: pl.DataFrame) -> int:
    """How many cases have no record, or only empty answers."""
    blank = pl.col("reason").is_in(NO_ANSWER).fill_null(value=False)
    return verdicts["case_id"].n_unique() - verdicts.filter(~blank)["case_id"].n_unique()


def _failures(verdicts: pl.DataFrame) -> tuple[tuple[str, int], ...]:
    counted = (
        verdicts.filter(pl.col("outcome") != "pass")
        .group_by("reason")
        .agg(pl.len().alias("number"))
        .sort(pl.col("number").cast(pl.Int64).neg(), "reason")
    )
    return tuple(counted.iter_rows())
