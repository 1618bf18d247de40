"""The board's tables, indexed once, so that each page finds its part without a search."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import cast

import polars as pl

from leaderboard.types import (
    Case,
    Category,
    DecidedBy,
    ImportedVote,
    Json,
    Outcome,
    Record,
    Response,
    Submission,
)
from site_templates.board import Board
from site_templates.formatting import folded, shown, words
from site_templates.links import Paths, paths
from site_templates.parts.metric_names import ordered

WHOLE = "*"
MISSING = "missing_response"  # the reason of a fail where a submission has no record of a case
_SHORT = 24  # letters that a narrow column can break over two or three lines


@dataclass(frozen=True, slots=True)
class Score:
    """One row of SCORES. Shares are 0..1, but the score of a ratio may be more.

    `score` is None if nothing is scored.

    `missing` counts the cases that the submission has no record for: they are fails.
    """

    cases: int
    scored: int
    unscored: int
    score: float | None
    low: float | None
    high: float | None
    judged_share: float | None
    rules_only: float | None
    missing: int = 0

    @property
    def answered(self) -> str:
        """How much is answered, where that is not all: "206 of 273 answered"; else nothing."""
        return f"{self.cases - self.missing:,} of {self.cases:,} answered" if self.missing else ""

    @property
    def remark(self) -> str:
        """What a reader must know of the score: what is not answered, what is not scored yet."""
        return ", ".join(
            filter(None, (self.answered, f"{self.unscored:,} unscored" if self.unscored else ""))
        )


@dataclass(frozen=True, slots=True)
class Usage:
    """What answering a suite cost, per response: US dollars, seconds. None where it is not told."""

    responses: int
    trials: int
    errors: int
    cost_usd: float | None
    latency_p50: float | None


@dataclass(frozen=True, slots=True)
class Trials:
    """How often all of `k` trials of a case pass (`hat`), and how often at least one does (`at`).

    Both are means over the cases, 0..1.
    """

    k: int
    cases: int
    hat: float
    at: float


@dataclass(frozen=True, slots=True)
class Tails:
    """The verdicts of a ratio, counted: too few steps, as expected, too many, not comparable."""

    few: int
    even: int
    many: int
    silent: int


@dataclass(frozen=True, slots=True)
class Finding:
    """The verdict on one answer by a metric that is not the ranked one."""

    metric: str
    outcome: Outcome
    score: float | None
    reason: str
    detail: str
    decided_by: DecidedBy


@dataclass(frozen=True, slots=True)
class Answer:
    """What one submission answered to one case in one trial, with its verdict.

    `response` is None if the submission has no record. The verdict is by the ranked metric;
    `further` holds those by the others, in the order of the suite's metrics. `votes` are imported
    verdicts of other judges.
    """

    submission: Submission
    trial: int
    response: Response | None
    outcome: Outcome
    reason: str
    detail: str
    decided_by: DecidedBy
    judge_calls: tuple[str, ...]
    further: tuple[Finding, ...] = ()
    votes: tuple[ImportedVote, ...] = ()


@dataclass(frozen=True, slots=True)
class BoardIndex:
    """A board with its tables indexed by (submission, suite, category) or a part of that.

    `submissions` and `answers` are ordered by id, `answers` by trial within it. `sent` has the same
    answers by (submission, suite), in the suite's order of cases. `metrics` names those of each
    suite, the ranked one first. `further` and `tails` are by (submission, suite, category, metric).
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
    metrics: Mapping[str, tuple[str, ...]] = field(repr=False)
    further: Mapping[tuple[str, str, str, str], Score] = field(repr=False)
    tails: Mapping[tuple[str, str, str, str], Tails] = field(repr=False)
    trials: Mapping[tuple[str, str, str], tuple[Trials, ...]] = field(repr=False)

    def score(self, submission: str, suite: str, category: str = WHOLE) -> Score | None:
        return self.scores.get((submission, suite, category))

    def rank(self, submission: str, suite: str, category: str = WHOLE) -> tuple[int, int] | None:
        return self.ranks.get((submission, suite, category))

    def answered(self, suite: str, case: str) -> tuple[Answer, ...]:
        return self.answers.get((suite, case), ())

    def takers(self, suite: str, category: str = WHOLE) -> tuple[Submission, ...]:
        """The submissions that took a suite, baselines too: best score first, then by id."""
        taken = [s for s in self.submissions if (s.id, suite, WHOLE) in self.scores]
        scores = {s.id: self.score(s.id, suite, category) for s in taken}
        return tuple(sorted(taken, key=lambda s: (_descending(scores[s.id]), s.id)))

    def field(self, suite: str, category: str = WHOLE) -> tuple[Submission, ...]:
        """The submissions that the pages are about: baselines only if no other took the suite."""
        takers = self.takers(suite, category)
        return tuple(s for s in takers if not s.is_baseline) or takers


def _descending(score: Score | None) -> float:
    """A key that puts the best first and what has no score last."""
    return 1.0 if score is None or score.score is None else -score.score


def index_board(board: Board) -> BoardIndex:
    """Index the tables of a board."""
    submissions = tuple(sorted(board.submissions, key=lambda submission: submission.id))
    metrics = _metrics(board)
    answers = _answers(board, submissions, metrics)
    return BoardIndex(
        board=board,
        paths=paths(board),
        submissions=submissions,
        scores=_scores(board),
        usage=_usage(board.usage),
        ranks={
            (s, u, c): (low, high) for u, c, s, low, high in board.ranks.select(_RANK).iter_rows()
        },
        gaps={(s, c): gap for s, c, gap in board.gaps.select(_GAP).iter_rows() if gap is not None},
        answers=answers,
        sent=_sent(board, answers),
        metrics=metrics,
        further=_further(board),
        tails=_tails(board),
        trials=_trials(board.trials),
    )


_PLACE = ("submission", "suite", "category")
_RANK = ("suite", "category", "submission", "rank_low", "rank_high")
_GAP = ("suite", "category", "smallest_gap")
_SCORE = ("cases", "scored", "unscored", "score", "low", "high", "judged_share", "rules_only_score")
_USAGE = ("responses", "trials", "errors", "cost_usd", "latency_p50")
_VERDICT = (
    "suite",
    "case_id",
    "submission",
    "trial",
    "outcome",
    "reason",
    "detail",
    "decided_by",
    "judge_call",
)
_FINDING = ("metric", "outcome", "score", "reason", "detail", "decided_by")
_RATIO = ("too_few_steps", "expected_number_of_steps", "too_many_steps")


def _metrics(board: Board) -> dict[str, tuple[str, ...]]:
    """The metrics of each suite, the ranked one first."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for suite, metric in board.scores.select("suite", "metric").unique().iter_rows():
        found[suite].add(metric)
    metrics = {}
    for suite in board.suites:
        ranked = board.metric(suite.id)
        metrics[suite.id] = ordered(suite, {*found[suite.id], ranked}, ranked)
    return metrics


def _ranked_metric(board: Board, frame: pl.DataFrame, *, other: bool = False) -> pl.DataFrame:
    """The rows of each suite's ranked metric, or of its other metrics."""
    wanted = pl.DataFrame(
        {
            "suite": [suite.id for suite in board.suites],
            "metric": [board.metric(suite.id) for suite in board.suites],
        },
        schema={"suite": pl.String, "metric": pl.String},
    )
    mine = frame.join(wanted, on="suite", how="semi")
    return mine.join(wanted, on=["suite", "metric"], how="anti" if other else "semi")


def _scores(board: Board) -> dict[tuple[str, str, str], Score]:
    frame, missing = (
        _ranked_metric(board, board.scores),
        _missing(board, _ranked_metric(board, board.verdicts), _PLACE),
    )
    rows = frame.select(*_PLACE, *_SCORE).iter_rows()
    return {(row[0], row[1], row[2]): Score(*(*row[3:], missing.get(row[:3], 0))) for row in rows}


def _further(board: Board) -> dict[tuple[str, str, str, str], Score]:
    key = (*_PLACE, "metric")
    frame = _ranked_metric(board, board.scores, other=True)
    missing = _missing(board, _ranked_metric(board, board.verdicts, other=True), key)
    rows = frame.select(*key, *_SCORE).iter_rows()
    return {
        (row[0], row[1], row[2], row[3]): Score(*(*row[4:], missing.get(row[:4], 0)))
        for row in rows
    }


def _missing(
    board: Board, verdicts: pl.DataFrame, key: Sequence[str]
) -> dict[tuple[str, ...], int]:
    """How many cases have no record, by category and for the whole suite.

    The whole leaves out categories that have no weight in its score.
    """
    counted = [
        (suite.id, category.id)
        for suite in board.suites
        for category in suite.categories
        if category.weight > 0
    ]
    weighing = pl.DataFrame(
        counted, schema={"suite": pl.String, "category": pl.String}, orient="row"
    )
    mine = verdicts.filter(pl.col("reason") == MISSING).select(*key, "case_id")
    whole = mine.join(weighing, on=["suite", "category"], how="semi").with_columns(
        category=pl.lit(WHOLE)
    )
    counts = pl.concat([mine, whole]).group_by(key).agg(pl.col("case_id").n_unique())
    return {row[:-1]: row[-1] for row in counts.iter_rows()}


def _tails(board: Board) -> dict[tuple[str, str, str, str], Tails]:
    """The tails of every metric that counts steps, by category and for the whole suite."""
    keys = ["submission", "suite", "category", "metric"]
    verdicts = board.verdicts.select(*keys, "reason", "outcome")
    ratios = verdicts.filter(pl.col("reason").is_in(_RATIO)).select("suite", "metric").unique()
    mine = verdicts.join(ratios, on=["suite", "metric"], how="semi")
    counted = pl.concat([mine, mine.with_columns(category=pl.lit(WHOLE))]).group_by(keys)
    counts = {
        f"r{place}": (pl.col("reason") == reason).sum() for place, reason in enumerate(_RATIO)
    }
    table = counted.agg(**counts, all=pl.len()).select(*keys, *counts, "all")
    return {
        (row[0], row[1], row[2], row[3]): Tails(
            row[4], row[5], row[6], row[7] - row[4] - row[5] - row[6]
        )
        for row in table.iter_rows()
    }


def _trials(frame: pl.DataFrame) -> dict[tuple[str, str, str], tuple[Trials, ...]]:
    found: defaultdict[tuple[str, str, str], list[Trials]] = defaultdict(list)
    rows = frame.select(
        "submission", "suite", "category", "k", "cases", "pass_hat_k", "pass_at_k"
    ).sort("k")
    for submission, suite, category, k, cases, hat, at in rows.iter_rows():
        found[submission, suite, category].append(Trials(k, cases, hat, at))
    return {key: tuple(rows) for key, rows in found.items()}


def _usage(frame: pl.DataFrame) -> dict[tuple[str, str], Usage]:
    return {
        (row[0], row[1]): Usage(*row[2:])
        for row in frame.select("submission", "suite", *_USAGE).iter_rows()
    }


def _findings(
    board: Board, metrics: Mapping[str, Sequence[str]]
) -> dict[tuple[str, str, str, int], tuple[Finding, ...]]:
    """The verdicts by other than the ranked metrics, by (suite, case, submission, trial)."""
    keys = ("suite", "case_id", "submission", "trial")
    found: defaultdict[tuple[str, str, str, int], list[Finding]] = defaultdict(list)
    frame = _ranked_metric(board, board.verdicts, other=True).select(*keys, *_FINDING)
    for suite, case, submission, trial, *finding in frame.iter_rows():
        found[suite, case, submission, trial].append(Finding(*finding))
    return {
        key: tuple(sorted(rows, key=lambda row: metrics[key[0]].index(row.metric)))
        for key, rows in found.items()
    }


def _answers(
    board: Board, submissions: Iterable[Submission], metrics: Mapping[str, Sequence[str]]
) -> dict[tuple[str, str], tuple[Answer, ...]]:
    by_id = {submission.id: submission for submission in submissions}
    records = {
        (submission, suite, record.response.case_id, record.trial): record
        for (submission, suite), sent in board.records.items()
        for record in sent
    }
    findings, votes = _findings(board, metrics), _votes(board)
    frame = (
        _ranked_metric(board, board.verdicts)
        .select(_VERDICT)
        .sort("suite", "case_id", "submission", "trial")
    )
    answers: defaultdict[tuple[str, str], list[Answer]] = defaultdict(list)
    for suite, case, submission, trial, *verdict in frame.iter_rows():
        if submission in by_id:
            record = records.get((submission, suite, case, trial))
            further = findings.get((suite, case, submission, trial), ())
            answer = _answer(by_id[submission], trial, record, verdict, further)
            cast_before = votes.get((submission, suite, case, trial))
            answers[suite, case].append(
                answer if cast_before is None else replace(answer, votes=cast_before)
            )
    return {key: tuple(rows) for key, rows in answers.items()}


def _votes(board: Board) -> dict[tuple[str, str, str, int], tuple[ImportedVote, ...]]:
    """The votes imported beside answers, by (submission, suite, case, trial)."""
    return {
        (submission, suite, sent.responses[place].case_id, sent.trials[place]): votes
        for (submission, suite), sent in board.records.items()
        for place, votes in sent.votes.items()
    }


def _sent(
    board: Board, answers: Mapping[tuple[str, str], tuple[Answer, ...]]
) -> dict[tuple[str, str], tuple[tuple[Case, Answer], ...]]:
    sent: defaultdict[tuple[str, str], list[tuple[Case, Answer]]] = defaultdict(list)
    for suite in board.suites:
        for case in suite.cases:
            for answer in answers.get((suite.id, case.id), ()):
                sent[answer.submission.id, suite.id].append((case, answer))
    return {key: tuple(rows) for key, rows in sent.items()}


def _answer(
    submission: Submission,
    trial: int,
    record: Record | None,
    verdict: Sequence[str | None],
    further: tuple[Finding, ...],
) -> Answer:
    """The answer of a record. `verdict` is outcome, reason, detail, decided_by and judge calls."""
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
        further=further,
    )


def label(category: Category) -> str:
    """A short name of a category: its title, or the words of its id if the title is long."""
    return category.title if len(category.title) <= _SHORT else words(category.id)


def same_wrong(case: Case, answers: Iterable[Answer]) -> dict[bytes, int]:
    """By the key of a wrong response: how many submissions, baselines aside, gave the same answer.

    Cases that are acted out compare the final state, or the answer if none is asked for. Others
    compare the calls made. Answers without a call are left out: texts are never quite the same.
    """
    ends: defaultdict[Json, set[str]] = defaultdict(set)
    keys: dict[bytes, Json] = {}
    for answer in answers:
        response = answer.response
        if (
            answer.outcome == "fail"
            and response is not None
            and response.calls
            and not answer.submission.is_baseline
        ):
            end = keys.setdefault(response.key, _end(case, response))
            ends[end].add(answer.submission.id)
    return {key: len(ends[end]) for key, end in keys.items()}


def _end(case: Case, response: Response) -> Json:
    trajectory = case.ground_truth.trajectory
    if trajectory is None:
        return response.key
    if trajectory.has_state:
        return shown(response.state) if response.has_state else response.key
    return folded(response.text or "") or response.key


def passes(answers: Iterable[Answer], among: frozenset[str]) -> tuple[int, int, int]:
    """How many answers of the submissions in `among` pass, fail and are unscored."""
    counts = {"pass": 0, "fail": 0, "unscored": 0}
    for answer in answers:
        if answer.submission.id in among:
            counts[answer.outcome] += 1
    return counts["pass"], counts["fail"], counts["unscored"]
