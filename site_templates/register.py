"""The board's tables, indexed once, so that each page finds its part without a search."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import cast

import polars as pl

from leaderboard.types import Case, Category, DecidedBy, Outcome, Record, Response, Submission
from site_templates.board import Board
from site_templates.links import Paths, paths
from site_templates.text import words

WHOLE = "*"
_SHORT = 24  # letters that a narrow column can break over two or three lines


@dataclass(frozen=True, slots=True)
class Score:
    """One row of SCORES, for the ranked metric. Shares are 0..1; `score` is None where nothing is scored."""

    cases: int
    scored: int
    unscored: int
    score: float | None
    low: float | None
    high: float | None
    judged_share: float | None
    rules_only: float | None


@dataclass(frozen=True, slots=True)
class Usage:
    """What answering a suite cost, per response: US dollars, seconds. None where it is not told."""

    responses: int
    trials: int
    errors: int
    cost_usd: float | None
    latency_p50: float | None


@dataclass(frozen=True, slots=True)
class Answer:
    """What one submission answered to one case in one trial, with its verdict. `response` is None where no record was sent."""

    submission: Submission
    trial: int
    response: Response | None
    outcome: Outcome
    reason: str
    detail: str
    decided_by: DecidedBy
    judge_calls: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Register:
    """A board with its tables indexed: by (submission, suite, category), by (suite, category), by (suite, case).

    `submissions` and `answers` are ordered by id, `answers` by trial within it. `sent` holds the same answers by
    (submission, suite), in the suite's order of cases.
    """

    board: Board
    paths: Paths
    submissions: tuple[Submission, ...]
    scores: Mapping[tuple[str, str, str], Score] = field(repr=False)
    usage: Mapping[tuple[str, str], Usage] = field(repr=False)
    ranks: Mapping[tuple[str, str, str], tuple[int, int]] = field(repr=False)
    gaps: Mapping[tuple[str, str], float] = field(repr=False)
    answers: Mapping[tuple[str, str], tuple[Answer, ...]] = field(repr=False)
    sent: Mapping[tuple[str, str], tuple[tuple[Case, Answer], ...]] = field(repr=False)

    def score(self, submission: str, suite: str, category: str = WHOLE) -> Score | None:
        return self.scores.get((submission, suite, category))

    def rank(self, submission: str, suite: str, category: str = WHOLE) -> tuple[int, int] | None:
        return self.ranks.get((submission, suite, category))

    def answered(self, suite: str, case: str) -> tuple[Answer, ...]:
        return self.answers.get((suite, case), ())

    def takers(self, suite: str, category: str = WHOLE) -> tuple[Submission, ...]:
        """The submissions that took a suite, baselines too: best score of the suite or category first, then by id."""
        taken = [s for s in self.submissions if (s.id, suite, WHOLE) in self.scores]
        scores = {s.id: self.score(s.id, suite, category) for s in taken}
        return tuple(sorted(taken, key=lambda s: (_descending(scores[s.id]), s.id)))

    def field(self, suite: str, category: str = WHOLE) -> tuple[Submission, ...]:
        """The submissions whose answers a suite's pages are about: all but the baselines, or these where nobody else is."""
        takers = self.takers(suite, category)
        return tuple(s for s in takers if not s.is_baseline) or takers


def _descending(score: Score | None) -> float:
    """A key that puts the best first and what has no score last."""
    return 1.0 if score is None or score.score is None else -score.score


def register(board: Board) -> Register:
    """Index the tables of a board."""
    submissions = tuple(sorted(board.submissions, key=lambda submission: submission.id))
    answers = _answers(board, submissions)
    return Register(
        board=board,
        paths=paths(board),
        submissions=submissions,
        scores=_scores(board),
        usage=_usage(board.usage),
        ranks={(s, u, c): (low, high) for u, c, s, low, high in board.ranks.select(_RANK).iter_rows()},
        gaps={(s, c): gap for s, c, gap in board.gaps.select(_GAP).iter_rows() if gap is not None},
        answers=answers,
        sent=_sent(board, answers),
    )


_RANK = ("suite", "category", "submission", "rank_low", "rank_high")
_GAP = ("suite", "category", "smallest_gap")
_SCORE = ("cases", "scored", "unscored", "score", "low", "high", "judged_share", "rules_only_score")
_USAGE = ("responses", "trials", "errors", "cost_usd", "latency_p50")
_VERDICT = ("suite", "case_id", "submission", "trial", "outcome", "reason", "detail", "decided_by", "judge_call")


def _ranked_metric(board: Board, frame: pl.DataFrame) -> pl.DataFrame:
    """The rows of each suite's ranked metric."""
    wanted = pl.DataFrame(
        {"suite": [suite.id for suite in board.suites], "metric": [board.metric(suite.id) for suite in board.suites]},
        schema={"suite": pl.String, "metric": pl.String},
    )
    return frame.join(wanted, on=["suite", "metric"], how="semi")


def _scores(board: Board) -> dict[tuple[str, str, str], Score]:
    frame = _ranked_metric(board, board.scores).select("submission", "suite", "category", *_SCORE)
    return {(row[0], row[1], row[2]): Score(*row[3:]) for row in frame.iter_rows()}


def _usage(frame: pl.DataFrame) -> dict[tuple[str, str], Usage]:
    return {(row[0], row[1]): Usage(*row[2:]) for row in frame.select("submission", "suite", *_USAGE).iter_rows()}


def _answers(board: Board, submissions: Iterable[Submission]) -> dict[tuple[str, str], tuple[Answer, ...]]:
    by_id = {submission.id: submission for submission in submissions}
    records = {
        (submission, suite, record.response.case_id, record.trial): record
        for (submission, suite), sent in board.records.items()
        for record in sent
    }
    frame = _ranked_metric(board, board.verdicts).select(_VERDICT).sort("suite", "case_id", "submission", "trial")
    answers: defaultdict[tuple[str, str], list[Answer]] = defaultdict(list)
    for suite, case, submission, trial, *verdict in frame.iter_rows():
        if submission in by_id:
            record = records.get((submission, suite, case, trial))
            answers[suite, case].append(_answer(by_id[submission], trial, record, verdict))
    return {key: tuple(rows) for key, rows in answers.items()}


def _sent(
    board: Board, answers: Mapping[tuple[str, str], tuple[Answer, ...]]
) -> dict[tuple[str, str], tuple[tuple[Case, Answer], ...]]:
    sent: defaultdict[tuple[str, str], list[tuple[Case, Answer]]] = defaultdict(list)
    for suite in board.suites:
        for case in suite.cases:
            for answer in answers.get((suite.id, case.id), ()):
                sent[answer.submission.id, suite.id].append((case, answer))
    return {key: tuple(rows) for key, rows in sent.items()}


def _answer(submission: Submission, trial: int, record: Record | None, verdict: Sequence[str | None]) -> Answer:
    """The answer of a record with its verdict: outcome, reason, detail, by whom it is decided, keys of judge calls."""
    outcome, reason, detail, decided_by, keys = verdict
    return Answer(
        submission=submission,
        trial=trial,
        response=record.response if record else None,
        outcome=cast("Outcome", outcome),
        reason=reason or "",
        detail=detail or "",
        decided_by=cast("DecidedBy", decided_by),
        judge_calls=tuple(keys.split()) if keys else (),
    )


def label(category: Category) -> str:
    """A category's name where there is little room: its title, or the words of its id where that is long."""
    return category.title if len(category.title) <= _SHORT else words(category.id)


def passes(answers: Iterable[Answer], among: frozenset[str]) -> tuple[int, int, int]:
    """How many of these answers pass, fail and are unscored, counting the submissions in `among` only."""
    counts = {"pass": 0, "fail": 0, "unscored": 0}
    for answer in answers:
        if answer.submission.id in among:
            counts[answer.outcome] += 1
    return counts["pass"], counts["fail"], counts["unscored"]
