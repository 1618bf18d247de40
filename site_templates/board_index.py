"""The tables of a board, indexed once: every page looks up its rows by key."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace

import polars as pl

from leaderboard.ids import WHOLE
from leaderboard.results import missing_by_category
from leaderboard.types import Case, Submission
from site_templates.board import Board
from site_templates.distinct_names import DistinctNames
from site_templates.indexed_answers import indexed_answers
from site_templates.indexed_rows import (
    Answer,
    RankRanges,
    Score,
    ScorePlace,
    Tails,
    Trials,
    Usage,
    best_first,
)
from site_templates.links import Paths, paths
from site_templates.parts.metric_names import ordered
from site_templates.parts.rankings.score_trust import JudgedScore, PanelQuality, judged_scores

_RATIO = ("too_few_steps", "expected_number_of_steps", "too_many_steps")  # reasons


@dataclass(frozen=True, slots=True, repr=False)
class BoardIndex:
    """The tables of a board by their keys. Pages look rows up by the methods.

    `submissions` are ordered by id. `other_metrics` names the metrics of each suite besides the
    ranked one.
    """

    board: Board
    paths: Paths
    names: DistinctNames
    submissions: tuple[Submission, ...]
    other_metrics: Mapping[str, tuple[str, ...]]
    _scores: Mapping[ScorePlace, Score]
    _other_scores: Mapping[ScorePlace, Mapping[str, Score]]
    _tails: Mapping[ScorePlace, Mapping[str, Tails]]
    _ranks: Mapping[ScorePlace, RankRanges]
    _trials: Mapping[ScorePlace, tuple[Trials, ...]]
    _judged: Mapping[ScorePlace, JudgedScore]
    _usage: Mapping[tuple[str, str], Usage]  # by submission and suite
    _sent: Mapping[tuple[str, str], tuple[tuple[Case, Answer], ...]]  # the same
    _answers: Mapping[tuple[str, str], tuple[Answer, ...]]  # by suite and case
    _gaps: Mapping[tuple[str, str], float]  # by suite and category
    _quality: Mapping[tuple[str, str], PanelQuality]  # by suite and category

    def score(self, submission: str, suite: str, category: str = WHOLE) -> Score | None:
        """The score by the ranked metric; None if the submission did not take the suite."""
        return self._scores.get(ScorePlace(submission, suite, category))

    def share(self, submission: str, suite: str, category: str = WHOLE) -> float | None:
        """The score as a number; None if there is none, or none yet."""
        score = self.score(submission, suite, category)
        return score.score if score else None

    def answered_part(self, submission: str, suite: str) -> str:
        """Which part of the cases is answered, in words; "" if all are."""
        score = self.score(submission, suite)
        return score.answered if score else ""

    def other_score(
        self, submission: str, suite: str, metric: str, category: str = WHOLE
    ) -> Score | None:
        """The score by another metric; None if there is none."""
        return self._other_scores.get(ScorePlace(submission, suite, category), {}).get(metric)

    def tails(self, submission: str, suite: str, metric: str, category: str) -> Tails | None:
        """The shares with too few and too many steps; None for a metric that compares no steps."""
        return self._tails.get(ScorePlace(submission, suite, category), {}).get(metric)

    def trials(self, submission: str, suite: str, category: str) -> tuple[Trials, ...]:
        """How often trials pass together, in order of k."""
        return self._trials.get(ScorePlace(submission, suite, category), ())

    def judged_score(
        self, submission: str, suite: str, category: str = WHOLE
    ) -> JudgedScore | None:
        """What a judge does to a score; None if no judge decided any of it."""
        return self._judged.get(ScorePlace(submission, suite, category))

    def rank(self, submission: str, suite: str, category: str = WHOLE) -> tuple[int, int] | None:
        """The range of ranks of a submission; None if it has no rank."""
        ranks = self._ranks.get(ScorePlace(submission, suite, category))
        return ranks.own if ranks else None

    def joint_rank(
        self, submission: str, suite: str, category: str = WHOLE
    ) -> tuple[int, int] | None:
        """The range of ranks that holds for all submissions at once, as superlatives need it."""
        ranks = self._ranks.get(ScorePlace(submission, suite, category))
        return ranks.joint if ranks else None

    def usage(self, submission: str, suite: str) -> Usage | None:
        """What answering a suite cost; None if the submission did not take it."""
        return self._usage.get((submission, suite))

    def smallest_gap(self, suite: str, category: str) -> float | None:
        """The smallest difference of two scores that can be detected, 0..1; None if unknown."""
        return self._gaps.get((suite, category))

    def quality(self, suite: str, category: str = WHOLE) -> PanelQuality | None:
        """How good the judges are; None where they decide nothing."""
        return self._quality.get((suite, category))

    def answered(self, suite: str, case: str) -> tuple[Answer, ...]:
        """The answers to a case, ordered by submission and trial."""
        return self._answers.get((suite, case), ())

    def sent(self, submission: str, suite: str) -> tuple[tuple[Case, Answer], ...]:
        """The answers of a submission with their cases, in the suite's order of cases."""
        return self._sent.get((submission, suite), ())

    def by_case(self, submission: str, suite: str) -> Mapping[str, Sequence[Answer]]:
        """The answers of a submission by case, in the order of its trials."""
        answers: defaultdict[str, list[Answer]] = defaultdict(list)
        for case, answer in self.sent(submission, suite):
            answers[case.id].append(answer)
        return answers

    def takers(self, suite: str, category: str = WHOLE) -> tuple[Submission, ...]:
        """The submissions that took a suite, with baselines.

        Those with a rank are first. Then the best score of the suite or category is first, equal
        scores are ordered by id, and submissions without a score are last.
        """
        taken = [s for s in self.submissions if ScorePlace(s.id, suite) in self._scores]
        taken.sort(key=lambda s: best_first(self.share(s.id, suite, category), s.id))
        taken.sort(key=lambda s: self.rank(s.id, suite, category) is None)
        return tuple(taken)

    def best(self, suite: str) -> tuple[Submission, ...]:
        """The submissions with the best score of those with a rank, without baselines, by id."""
        ranked = [s for s in self.takers(suite) if not s.is_baseline and self.rank(s.id, suite)]
        best = {self.share(s.id, suite) for s in ranked[:1]}
        return tuple(s for s in ranked if self.share(s.id, suite) in best)

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
    answers = indexed_answers(board, verdicts, metrics)
    ranked, others = _scores(board, verdicts, scores)
    judged = judged_scores(board)
    usage = results.usage.select("submission", "suite", *(row.name for row in fields(Usage)))
    gaps = results.gaps.drop_nulls("smallest_gap").select("suite", "category", "smallest_gap")
    return BoardIndex(
        board=board,
        paths=paths(board),
        names=DistinctNames({one.id: one.card.name for one in board.submissions}),
        submissions=tuple(sorted(board.submissions, key=lambda submission: submission.id)),
        other_metrics={suite: names[1:] for suite, names in metrics.items()},
        _scores=ranked,
        _other_scores=others,
        _tails=_tails(board, verdicts),
        _ranks=_ranks(results.ranks),
        _trials=_trials(results.trials),
        _judged=judged,
        _usage={(name, suite): Usage(*row) for name, suite, *row in usage.iter_rows()},
        _sent=_sent(board, answers),
        _answers=answers,
        _gaps={(suite, category): gap for suite, category, gap in gaps.iter_rows()},
        _quality={(place.suite, place.category): it.quality for place, it in judged.items()},
    )


def _metrics(board: Board, scores: pl.DataFrame) -> dict[str, tuple[str, ...]]:
    """The metrics of each suite, the ranked one first."""
    metrics = {}
    for suite in board.suites:
        names = scores.filter(suite=suite.id)["metric"].unique()
        metrics[suite.id] = ordered(suite, {*names, suite.kind.ranked})
    return metrics


def _scores(
    board: Board, verdicts: pl.LazyFrame, scores: pl.DataFrame
) -> tuple[dict[ScorePlace, Score], dict[ScorePlace, dict[str, Score]]]:
    """The scores by the ranked metric of each suite, and those by the others, by metric."""
    keys = ["submission", "suite", "category", "metric"]
    metrics = {suite.id: suite.kind.ranked for suite in board.suites}
    status = board.results.ranks.join(board.ranked_metrics, on="suite").select(*keys, "status")
    by_submitters = any(
        judge.recordings == "submitters" and not judge.is_recomputed for judge in board.judges
    )
    judged = pl.col("judged_share").fill_null(0) > 0
    columns = ["cases", "scored", "unscored", "score", "low", "high", "judged_share"]
    rows = (
        scores.join(missing_by_category(verdicts), on=keys[:3], how="left", maintain_order="left")
        .join(status, on=keys, how="left", maintain_order="left")
        .select(
            *keys,
            *columns,
            "rules_only_score",
            pl.col("missing", "missing_trials").fill_null(0),
            "status",
            submitter_recorded=judged & by_submitters,
        )
    )
    sizes = _sizes(board)
    ranked: dict[ScorePlace, Score] = {}
    others: defaultdict[ScorePlace, dict[str, Score]] = defaultdict(dict)
    for submission, suite, category, name, *row in rows.iter_rows():
        place = ScorePlace(submission, suite, category)
        if name == metrics[suite]:
            ranked[place] = replace(Score(*row), all_cases=sizes.get((suite, category), 0))
        else:
            others[place][name] = Score(*row)
    return ranked, others


def _sizes(board: Board) -> dict[tuple[str, str], int]:
    """The number of cases of each suite and category."""
    sizes = {}
    for suite in board.suites:
        sizes[suite.id, WHOLE] = len(suite.cases)
        for category in suite.categories:
            sizes[suite.id, category.id] = len(category.cases)
    return sizes


def _tails(board: Board, verdicts: pl.LazyFrame) -> dict[ScorePlace, dict[str, Tails]]:
    """The tails of every metric with verdicts on numbers of steps, by category and whole suite."""
    keys = ["submission", "suite", "metric", "category"]
    of_steps = verdicts.filter(pl.col("reason").is_in(_RATIO))
    few, many = ((pl.col("reason") == reason).sum() for reason in (_RATIO[0], _RATIO[-1]))
    counts = (
        verdicts.join(of_steps, on=["suite", "metric"], how="semi")
        .filter(pl.col("score").is_not_null())
        .group_by(keys)
        .agg(few=few, many=many, all=pl.len())
        .collect()
    )
    parts: defaultdict[tuple[str, str, str], dict[str, Tails]] = defaultdict(dict)
    for submission, suite, metric, category, few, many, number in counts.iter_rows():
        parts[submission, suite, metric][category] = Tails(few / number, many / number)
    categories = {suite.id: suite.categories for suite in board.suites}
    by_place: defaultdict[ScorePlace, dict[str, Tails]] = defaultdict(dict)
    for (submission, suite, metric), by_category in parts.items():
        of_suite = categories[suite]
        whole = _mean([(c.weight, by_category[c.id]) for c in of_suite if c.id in by_category])
        for category, tails in {WHOLE: whole, **by_category}.items():
            by_place[ScorePlace(submission, suite, category)][metric] = tails
    return by_place


def _mean(parts: Sequence[tuple[float, Tails]]) -> Tails:
    """The weighted mean of the tails of some categories."""
    total = math.fsum(weight for weight, _ in parts)
    return Tails(
        few=math.fsum(weight * tails.few for weight, tails in parts) / total,
        many=math.fsum(weight * tails.many for weight, tails in parts) / total,
    )


def _ranks(frame: pl.DataFrame) -> dict[ScorePlace, RankRanges]:
    columns = ("submission", "suite", "category", "rank_low", "rank_high", "all_low", "all_high")
    rows = frame.drop_nulls("rank_low").select(columns).iter_rows()
    return {ScorePlace(*row[:3]): RankRanges(row[3:5], row[5:7]) for row in rows}


def _trials(frame: pl.DataFrame) -> dict[ScorePlace, tuple[Trials, ...]]:
    """The trials of each place in order of k."""
    by_place: defaultdict[ScorePlace, tuple[Trials, ...]] = defaultdict(tuple)
    columns = ("submission", "suite", "category", "k", "cases", "pass_hat_k", "pass_at_k")
    for submission, suite, category, *row in frame.select(columns).sort("k").iter_rows():
        by_place[ScorePlace(submission, suite, category)] += (Trials(*row),)
    return by_place


def _sent(
    board: Board, answers: Mapping[tuple[str, str], Sequence[Answer]]
) -> dict[tuple[str, str], tuple[tuple[Case, Answer], ...]]:
    """The same answers by (submission, suite), in the suite's order of cases."""
    sent: defaultdict[tuple[str, str], list[tuple[Case, Answer]]] = defaultdict(list)
    for suite in board.suites:
        for case in suite.cases:
            for answer in answers.get((suite.id, case.id), ()):
                sent[answer.submission.id, suite.id].append((case, answer))
    return {key: tuple(rows) for key, rows in sent.items()}
