"""The tables of a board, indexed once: every page looks up its rows by key."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

import polars as pl

from leaderboard.rank_statuses import NOT_RANKED
from leaderboard.responses.answer_key import answer_key
from leaderboard.types import (
    Case,
    Category,
    DecidedBy,
    ImportedVote,
    Outcome,
    Records,
    Response,
    Submission,
)
from site_templates.board import Board
from site_templates.formatting import words
from site_templates.links import Paths, paths
from site_templates.parts.metric_names import ordered
from site_templates.parts.score_trust import (
    JudgedScore,
    PanelQuality,
    judged_places,
    judged_scores,
)

WHOLE = "*"
MISSING = "missing_response"  # the reason of a fail without a record for the case
_SHORT = 24  # letters that a narrow column can break over two or three lines
# Why a row has no rank, in words.
SUBMITTER_RECORDED = "judge replies recorded by submitters"
_RATIO = ("too_few_steps", "expected_number_of_steps", "too_many_steps")  # reasons


@dataclass(frozen=True, slots=True)
class Score:
    """One row of SCORES. Shares are 0..1, except that `score` of a ratio may be higher.

    `score` is None if nothing is scored. `missing` counts the cases without a record: they are
    fails. `status` says why it has no rank, as in RANKS; None if nothing is ranked.
    `submitter_recorded`: it may rest on replies of a judge that its submitter recorded.
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
    status: str | None = None
    submitter_recorded: bool = False

    @property
    def whisker(self) -> tuple[float, float, float] | None:
        """Low end, score and high end; the ends equal the score if there is no interval."""
        if self.score is None:
            return None
        low = self.score if self.low is None else self.low
        high = self.score if self.high is None else self.high
        return low, self.score, high

    @property
    def not_ranked(self) -> str:
        """Why it has no rank, in words; "" if it has one, or if nothing is ranked."""
        return NOT_RANKED.get(self.status or "", "")

    @property
    def answered(self) -> str:
        """How many cases are answered, if not all are: "206 of 273 answered"; otherwise ""."""
        return f"{self.cases - self.missing:,} of {self.cases:,} answered" if self.missing else ""

    @property
    def remark(self) -> str:
        """What a reader must know of the score: cases without an answer, unscored verdicts."""
        unscored = f"{self.unscored:,} unscored" if self.unscored else ""
        recorded = SUBMITTER_RECORDED if self.submitter_recorded else ""
        return ", ".join(filter(None, (self.answered, unscored, recorded)))


@dataclass(frozen=True, slots=True)
class Usage:
    """What answering a suite cost, per response: US dollars, seconds. None if not reported.

    The cost is the mean of the `priced` responses, whose cost is known.
    """

    responses: int
    trials: int
    errors: int
    priced: int
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
    """Numbers of verdicts of a ratio: too few steps, as many as expected, too many.

    `silent` counts those without numbers of steps to compare.
    """

    few: int
    even: int
    many: int
    silent: int


@dataclass(frozen=True, slots=True)
class Finding:
    """The verdict on one answer by a metric other than the ranked one."""

    metric: str
    outcome: Outcome
    score: float | None
    reason: str
    detail: str
    decided_by: DecidedBy


class Answer(NamedTuple):
    """What one submission answered to one case in one trial, with its verdict.

    A board has up to a million of them. Those with equal verdicts share its texts.

    `response` is None without a record. `key` is that of `answer_key`, None if nothing is
    answered. The verdict is by the ranked metric; `further` has those
    by the others, in the order of the suite's metrics. `votes` are imported votes of other judges.
    """

    submission: Submission
    trial: int
    response: Response | None
    key: bytes | None
    outcome: Outcome
    reason: str
    detail: str
    decided_by: DecidedBy
    judge_calls: tuple[str, ...]
    further: tuple[Finding, ...] = ()
    votes: tuple[ImportedVote, ...] = ()


@dataclass(frozen=True, slots=True)
class BoardIndex:
    """The tables of a board by their keys.

    `scores` and `ranks` are by (submission, suite, category), with the category WHOLE for a whole
    suite. A rank holds for one submission, `joint_ranks` for all at once. `further` has the scores
    by other than the ranked metrics; it and `tails` are by (submission, suite, category, metric).
    `metrics` names the metrics of each suite, the ranked one first. `trials` are in order of k.
    `judged` has the scores in which a judge decided something, by the keys of `scores`; `quality`
    how good the judges are there, by (suite, category).

    `submissions` are ordered by id. `answers` are by (suite, case), ordered by submission and
    trial. `sent` has the same answers by (submission, suite), in the suite's order of cases.
    """

    board: Board
    paths: Paths
    submissions: tuple[Submission, ...]
    scores: Mapping[tuple[str, str, str], Score] = field(repr=False)
    usage: Mapping[tuple[str, str], Usage] = field(repr=False)
    ranks: Mapping[tuple[str, str, str], tuple[int, int]] = field(repr=False)
    joint_ranks: Mapping[tuple[str, str, str], tuple[int, int]] = field(repr=False)
    gaps: Mapping[tuple[str, str], float] = field(repr=False)
    answers: Mapping[tuple[str, str], tuple[Answer, ...]] = field(repr=False)
    sent: Mapping[tuple[str, str], tuple[tuple[Case, Answer], ...]] = field(repr=False)
    metrics: Mapping[str, tuple[str, ...]] = field(repr=False)
    further: Mapping[tuple[str, str, str, str], Score] = field(repr=False)
    tails: Mapping[tuple[str, str, str, str], Tails] = field(repr=False)
    trials: Mapping[tuple[str, str, str], tuple[Trials, ...]] = field(repr=False)
    judged: Mapping[tuple[str, str, str], JudgedScore] = field(repr=False)
    quality: Mapping[tuple[str, str], PanelQuality] = field(repr=False)

    def score(self, submission: str, suite: str, category: str = WHOLE) -> Score | None:
        return self.scores.get((submission, suite, category))

    def judged_score(
        self, submission: str, suite: str, category: str = WHOLE
    ) -> JudgedScore | None:
        """What a judge does to a score; None if no judge decided any of it."""
        return self.judged.get((submission, suite, category))

    def rank(self, submission: str, suite: str, category: str = WHOLE) -> tuple[int, int] | None:
        return self.ranks.get((submission, suite, category))

    def joint_rank(
        self, submission: str, suite: str, category: str = WHOLE
    ) -> tuple[int, int] | None:
        """The range of ranks that holds for all submissions at once, as superlatives need it."""
        return self.joint_ranks.get((submission, suite, category))

    def answered(self, suite: str, case: str) -> tuple[Answer, ...]:
        return self.answers.get((suite, case), ())

    def by_case(self, submission: str, suite: str) -> Mapping[str, Sequence[Answer]]:
        """The answers of a submission by case, in the order of its trials."""
        found: defaultdict[str, list[Answer]] = defaultdict(list)
        for case, answer in self.sent.get((submission, suite), ()):
            found[case.id].append(answer)
        return found

    def takers(self, suite: str, category: str = WHOLE) -> tuple[Submission, ...]:
        """The submissions that took a suite, with baselines.

        The best score of the suite or category is first, equal scores are ordered by id, and
        submissions without a score are last.
        """

        def place(submission: Submission) -> tuple[float, str]:
            score = self.score(submission.id, suite, category)
            if score is None or score.score is None:
                return 1.0, submission.id
            return -score.score, submission.id

        taken = [s for s in self.submissions if (s.id, suite, WHOLE) in self.scores]
        return tuple(sorted(taken, key=place))

    def field(self, suite: str, category: str = WHOLE) -> tuple[Submission, ...]:
        """The submissions that a suite's pages are about: without baselines, if others exist."""
        takers = self.takers(suite, category)
        return tuple(s for s in takers if not s.is_baseline) or takers


def index_board(board: Board) -> BoardIndex:
    """Indexes the tables of a board. Rows of suites that the board does not hold are skipped."""
    suites = pl.col("suite").is_in([suite.id for suite in board.suites])
    # A copy of all verdicts for each step would take most of the memory of a large board.
    results = board.results
    verdicts, scores = results.verdicts.lazy().filter(suites), results.scores.filter(suites)
    metrics = _metrics(board, scores)
    submissions = tuple(sorted(board.submissions, key=lambda submission: submission.id))
    answers = _answers(board, verdicts, metrics)
    sent: defaultdict[tuple[str, str], list[tuple[Case, Answer]]] = defaultdict(list)
    for suite in board.suites:
        for case in suite.cases:
            for answer in answers.get((suite.id, case.id), ()):
                sent[answer.submission.id, suite.id].append((case, answer))

    judged = judged_scores(board)
    by_metric = _scores(board, verdicts, scores)
    usage = results.usage.select(
        "submission", "suite", "responses", "trials", "errors", "priced", "cost_usd", "latency_p50"
    )
    ranks = results.ranks.drop_nulls("rank_low").rows(named=True)
    gaps = results.gaps.drop_nulls("smallest_gap").select("suite", "category", "smallest_gap")
    return BoardIndex(
        board=board,
        paths=paths(board),
        submissions=submissions,
        scores={key[:3]: row for key, row in by_metric.items() if key[3] == metrics[key[1]][0]},
        usage={(name, suite): Usage(*row) for name, suite, *row in usage.iter_rows()},
        ranks={_place(row): (row["rank_low"], row["rank_high"]) for row in ranks},
        joint_ranks={_place(row): (row["all_low"], row["all_high"]) for row in ranks},
        gaps={(suite, category): gap for suite, category, gap in gaps.rows()},
        answers=answers,
        sent={key: tuple(rows) for key, rows in sent.items()},
        metrics=metrics,
        further={key: row for key, row in by_metric.items() if key[3] != metrics[key[1]][0]},
        tails=_tails(verdicts),
        trials=_trials(results.trials),
        judged=judged,
        quality=judged_places(judged),
    )


def _place(row: Mapping[str, str]) -> tuple[str, str, str]:
    return row["submission"], row["suite"], row["category"]


def _metrics(board: Board, scores: pl.DataFrame) -> dict[str, tuple[str, ...]]:
    """The metrics of each suite, the ranked one first."""
    metrics = {}
    for suite in board.suites:
        ranked = board.metric(suite.id)
        found = scores.filter(suite=suite.id)["metric"].unique()
        metrics[suite.id] = ordered(suite, {*found, ranked}, ranked)
    return metrics


def _scores(
    board: Board, verdicts: pl.LazyFrame, scores: pl.DataFrame
) -> dict[tuple[str, str, str, str], Score]:
    """All scores, by (submission, suite, category, metric)."""
    keys = ["submission", "suite", "category", "metric"]

    # The score of a whole suite leaves out categories without weight, and so does `missing`.
    weights = [(suite.id, category) for suite in board.suites for category in suite.categories]
    weighing = pl.DataFrame(
        [(suite, category.id) for suite, category in weights if category.weight > 0],
        schema={"suite": pl.String, "category": pl.String},
        orient="row",
    )
    missing = verdicts.filter(reason=MISSING).collect()
    whole = missing.join(weighing, on=["suite", "category"], how="semi")
    missing = pl.concat([missing, whole.with_columns(category=pl.lit(WHOLE))])
    counts = missing.group_by(keys).agg(missing=pl.col("case_id").n_unique())

    columns = ["cases", "scored", "unscored", "score", "low", "high", "judged_share"]
    metrics = {suite.id: board.metric(suite.id) for suite in board.suites}
    metric = pl.col("suite").replace_strict(metrics, default=None, return_dtype=pl.String)
    status = board.results.ranks.select(*keys[:3], "status", metric=metric)
    rows = (
        scores.join(counts, on=keys, how="left", maintain_order="left")
        .join(status, on=keys, how="left", maintain_order="left")
        .select(*keys, *columns, "rules_only_score", pl.col("missing").fill_null(0), "status")
    )
    by_submitters = any(
        judge.recordings == "submitters" and not judge.is_recomputed for judge in board.judges
    )
    judged = pl.col("judged_share").fill_null(0) > 0
    rows = rows.with_columns(submitter_recorded=judged & by_submitters)
    return {
        (submission, suite, category, metric): Score(*row)
        for submission, suite, category, metric, *row in rows.iter_rows()
    }


def _tails(verdicts: pl.LazyFrame) -> dict[tuple[str, str, str, str], Tails]:
    """The tails of every metric with verdicts on numbers of steps, by category and whole suite."""
    keys = ["submission", "suite", "category", "metric"]
    of_steps = verdicts.filter(pl.col("reason").is_in(_RATIO))
    mine = verdicts.join(of_steps, on=["suite", "metric"], how="semi").select(*keys, "reason")
    whole = mine.with_columns(category=pl.lit(WHOLE))
    few, even, many = ((pl.col("reason") == reason).sum() for reason in _RATIO)
    counts = (
        pl.concat([mine, whole])
        .group_by(keys)
        .agg(few=few, even=even, many=many, all=pl.len())
        .collect()
    )
    return {
        (submission, suite, category, metric): Tails(few, even, many, total - few - even - many)
        for submission, suite, category, metric, few, even, many, total in counts.iter_rows()
    }


def _trials(frame: pl.DataFrame) -> dict[tuple[str, str, str], tuple[Trials, ...]]:
    found: defaultdict[tuple[str, str, str], tuple[Trials, ...]] = defaultdict(tuple)
    columns = ("submission", "suite", "category", "k", "cases", "pass_hat_k", "pass_at_k")
    for submission, suite, category, *row in frame.select(columns).sort("k").iter_rows():
        found[submission, suite, category] += (Trials(*row),)
    return dict(found)


def _answers(
    board: Board, verdicts: pl.LazyFrame, metrics: Mapping[str, Sequence[str]]
) -> dict[tuple[str, str], tuple[Answer, ...]]:
    """The answers with their verdicts, by (suite, case)."""
    keys = ["suite", "submission", "case_id", "trial"]
    ranked = pl.DataFrame(
        {"suite": list(metrics), "metric": [names[0] for names in metrics.values()]},
        schema={"suite": pl.String, "metric": pl.String},
    ).lazy()
    findings = _findings(verdicts.join(ranked, on=["suite", "metric"], how="anti"), metrics)
    known = {submission.id: submission for submission in board.submissions}
    mine = verdicts.filter(pl.col("submission").is_in(list(known)))
    mine = mine.join(ranked, on=["suite", "metric"], how="semi")

    # Equal verdicts share their texts, which would otherwise be in memory for every row.
    said = ["outcome", "reason", "detail", "decided_by", "judge_call"]
    distinct = mine.select(said).unique().collect().with_row_index("verdict")
    decided: list[tuple[Outcome, str, str, DecidedBy, tuple[str, ...]]] = [
        (outcome, reason or "", detail or "", decided_by, tuple((calls or "").split()))
        for outcome, reason, detail, decided_by, calls in distinct.select(said).iter_rows()
    ]
    numbered = mine.join(distinct.lazy(), on=said, how="left", nulls_equal=True)
    rows = numbered.select(*keys, "verdict").sort(keys).collect()

    cases = {suite.id: suite.by_id for suite in board.suites}
    same: dict[Response | None, bytes | None] = {None: None}
    answers: defaultdict[tuple[str, str], list[Answer]] = defaultdict(list)
    for (suite, submission), given in groupby(rows.iter_rows(), key=itemgetter(0, 1)):
        records = board.records.get((submission, suite), Records())
        names = ((response.case_id for response in records.responses), records.trials)
        places = {key: place for place, key in enumerate(zip(*names, strict=True))}
        for _, _, case, trial, verdict in given:
            place = places.get((case, trial))
            response = None if place is None else records.responses[place]
            if response is not None and response not in same:
                same[response] = answer_key(cases[suite][case], response)
            outcome, reason, detail, decided_by, calls = decided[verdict]
            answer = Answer(
                known[submission],
                trial,
                response,
                same[response],
                outcome,
                reason,
                detail,
                decided_by,
                calls,
                findings.get((suite, submission, case, trial), ()),
                () if place is None else records.votes.get(place, ()),
            )
            answers[suite, case].append(answer)
    return {key: tuple(rows) for key, rows in answers.items()}


def _findings(
    verdicts: pl.LazyFrame, metrics: Mapping[str, Sequence[str]]
) -> dict[tuple[str, str, str, int], tuple[Finding, ...]]:
    """The verdicts by other metrics than the ranked one, in the order of the suite's metrics.

    Keys are (suite, submission, case, trial).
    """
    found: defaultdict[tuple[str, str, str, int], list[Finding]] = defaultdict(list)
    columns = ["suite", "submission", "case_id", "trial"]
    columns += ["metric", "outcome", "score", "reason", "detail", "decided_by"]
    for suite, submission, case, trial, *verdict in verdicts.select(columns).collect().iter_rows():
        found[suite, submission, case, trial].append(Finding(*verdict))
    return {key: _in_order(row, metrics[key[0]]) for key, row in found.items()}


def _in_order(findings: Iterable[Finding], metrics: Sequence[str]) -> tuple[Finding, ...]:
    return tuple(sorted(findings, key=lambda finding: metrics.index(finding.metric)))


def label(category: Category) -> str:
    """A category's name for a narrow column: its title, or the words of its id if that is long."""
    return category.title if len(category.title) <= _SHORT else words(category.id)


def same_wrong(answers: Iterable[Answer]) -> Mapping[bytes, int]:
    """By key of a wrong answer: how many submissions, without baselines, gave it."""
    given = {
        (answer.key, answer.submission.id)
        for answer in answers
        if answer.outcome == "fail" and not answer.submission.is_baseline and answer.key is not None
    }
    return Counter(key for key, _ in given if key is not None)


def passes(answers: Iterable[Answer], among: frozenset[str]) -> tuple[int, int, int]:
    """How many answers of the submissions in `among` pass, fail and are unscored."""
    counts = Counter(answer.outcome for answer in answers if answer.submission.id in among)
    return counts["pass"], counts["fail"], counts["unscored"]
