"""From verdicts to scores.

Every sum is exact (`exact_sums`) or exactly rounded (`math.fsum`). The same rows therefore give the
same bytes in any order, on any number of threads.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import polars as pl

from leaderboard.errors import Problem, raise_any
from leaderboard.frames import OF_RANKED_METRIC, SCORES
from leaderboard.ids import WHOLE
from leaderboard.reasons import NOT_APPLICABLE, WAITING
from leaderboard.types import Submission, Suite
from leaderboard.workspace import suite_file
from scoring.statistics.intervals import (
    CategorySums,
    Interval,
    combined,
    ratio_interval,
    score_interval,
)
from scoring.tables.exact_sums import exact_sum, from_units, in_units

_GROUP: Final = ["submission", "suite", "category", "metric"]

# A row of `category_sums`, and the weight of its category.
SumsRow = Mapping[str, Any]
Part = tuple[float, SumsRow]


def scores(sums: pl.DataFrame, suites: Iterable[Suite]) -> pl.DataFrame:
    """The SCORES frame: a row per submission, suite, category (and `*`) and metric.

    `sums` comes from `category_sums`. Rows are sorted by submission, suite, category (`*` first,
    then in the suite's order) and metric.

    - score: the mean over cases of the mean over each case's scored trials. A case without a
      scored trial is left out and counted in `unscored`. `*` is the weighted mean of the
      categories that were asked. It is null unless all of them have a score, because sharing
      their weights among the others would reward missing answers. Only a declared part of a
      suite lacks categories, see `scoring.summary`.
    - low, high: the 95 % interval, see `statistics.intervals`. While verdicts are open, it runs
      from the lower limit with all of them failed to the upper limit with all of them passed
      (Horowitz & Manski 2000).
    - judged_share: the share of the scored verdicts that a judge decided, weighted as in the
      score. Null if none is scored.
    - rules_only_score: the score if every verdict that no rule decided were a fail. Cases without
      such a metric are left out. Null if a category has no other cases.

    Raises FilesError if a verdict names a category that its suite does not have.
    """
    by_id = {suite.id: suite for suite in suites}
    rows = []
    for (submission, suite_id, metric), by_category in groups(sums, by_id.values()).items():
        suite = by_id[suite_id]
        ratio = metric in ratios(suite)
        for place, (category, weights) in enumerate(weights_by_category(suite).items()):
            if parts := parts_of(by_category, weights):
                line = _line(parts, ratio=ratio)
                rows.append((submission, suite.id, place, category, metric, *line))

    rows.sort(key=lambda row: (row[0], row[1], row[2], row[4]))
    later = (None,) * len(OF_RANKED_METRIC)  # `scoring.summary` fills them in
    made = [(*row[:2], *row[3:], *later) for row in rows]
    return pl.DataFrame(made, schema=SCORES, orient="row")


def groups(
    sums: pl.DataFrame, suites: Iterable[Suite]
) -> dict[tuple[str, str, str], dict[str, SumsRow]]:
    """The rows of `category_sums` by submission, suite and metric, then by category.

    Raises FilesError if a row names a category that its suite does not have.
    """
    places = {(suite.id, category.id) for suite in suites for category in suite.categories}
    grouped: dict[tuple[str, str, str], dict[str, SumsRow]] = {}
    named = set()
    for row in sums.iter_rows(named=True):
        key = row["submission"], row["suite"], row["metric"]
        grouped.setdefault(key, {})[row["category"]] = row
        named.add((row["suite"], row["category"]))
    problems = []
    for suite_id, category in sorted(named - places):
        what = (
            f"there are verdicts of the category {category!r}, which is not in suite {suite_id!r}"
        )
        fix = "the verdicts were made with other suites: score again with lb rescore"
        problems.append(Problem(file=suite_file(suite_id), what=what, fix=fix))
    raise_any(problems)
    return grouped


def ratios(suite: Suite) -> frozenset[str]:
    """The metrics of a suite that can be above 1."""
    return frozenset(metric.id for metric in suite.kind.metrics if metric.ratio)


def weights_of(suite: Suite) -> dict[str, float]:
    """The weights of the categories in a suite's score."""
    return {category.id: category.weight for category in suite.categories}


def weights_by_category(suite: Suite) -> dict[str, dict[str, float]]:
    """Where a suite has scores: `*`, then each category. Each has the weights of its categories."""
    return {WHOLE: weights_of(suite)} | {c.id: {c.id: 1.0} for c in suite.categories}


def parts_of(by_category: Mapping[str, SumsRow], weights: Mapping[str, float]) -> list[Part]:
    """The rows of `category_sums` behind a score, of the categories that have one."""
    return [
        (weight, by_category[category])
        for category, weight in weights.items()
        if category in by_category
    ]


def is_in_part(suite: Suite, by_category: Mapping[str, SumsRow]) -> bool:
    """Whether only some cases of a suite were asked, by the rows of `category_sums`.

    A submitter may declare which part that is, and could choose the best one.
    """
    asked: int = sum(row["cases"] for row in by_category.values())
    return asked < len(suite.by_id)


def _line(parts: Sequence[Part], *, ratio: bool) -> tuple[Any, ...]:
    """The columns of SCORES from `cases` on."""
    rows = [row for _, row in parts]
    cases = sum(row["cases"] for row in rows)
    scored = sum(row["scored"] for row in rows)
    unscored = sum(row["unscored"] for row in rows)
    answered = [part for part in parts if part[1]["answered"]]
    judged_share = weighted_mean(answered, "judged_cases", "answered") if answered else None
    score, low, high = None, None, None
    if len(answered) == len(parts):
        score = weighted_mean(parts, "mean", "answered")
        low, high = _interval(parts, ratio=ratio) or (None, None)
    by_rules = None
    if all(row["possible"] for row in rows):
        by_rules = weighted_mean(parts, "by_rules", "possible")
    return cases, scored, unscored, score, low, high, judged_share, by_rules


def weighted_mean(parts: Sequence[Part], total: str, number: str) -> float:
    """The weighted mean of total / number, exact if every total is its number."""
    shares = [w if row[total] == row[number] else w * row[total] / row[number] for w, row in parts]
    return math.fsum(shares) / math.fsum(weight for weight, _ in parts)


def _interval(parts: Sequence[Part], *, ratio: bool) -> Interval | None:
    if ratio:
        return _ratio_interval(parts)
    if not any(row["open"] for _, row in parts):
        return score_interval(sums_of(parts, "mean", "answered"))
    low, _ = score_interval(sums_of(parts, "worst", "possible"))
    _, high = score_interval(sums_of(parts, "best", "possible"))
    return low, high


def sums_of(parts: Sequence[Part], value: str, number: str) -> list[CategorySums]:
    """What `score_interval` needs of the cases' values of that name."""
    return [
        CategorySums(weight, row[number], row[value], row[f"{value}_squares"])
        for weight, row in parts
    ]


def _ratio_interval(parts: Sequence[Part]) -> Interval | None:
    """None while a verdict is open, because nothing bounds it."""
    if any(row["open"] for _, row in parts):
        return None
    intervals, values = [], []
    for part in sums_of(parts, "mean", "answered"):
        interval = ratio_interval(part.cases, part.total, part.squares)
        if interval is None:
            return None
        intervals.append(interval)
        values.append(part.total / part.cases)
    return combined([weight for weight, _ in parts], values, intervals)


def mean_of_suites(sums: pl.DataFrame, suites: Sequence[Suite]) -> dict[str, Interval]:
    """The interval of the mean of all suites' scores, of each submission with a score on all.

    Every suite has the same weight. A category weighs its suite's share times its own.
    """
    by_submission: dict[str, list[Part]] = {}
    taken: Counter[str] = Counter()
    all_weights = {suite.id: weights_of(suite) for suite in suites}
    ranked = {suite.id: suite.kind.ranked for suite in suites}
    for (submission, suite_id, metric), by_category in groups(sums, suites).items():
        weights = all_weights[suite_id]
        parts = [part for part in parts_of(by_category, weights) if part[1]["answered"]]
        if metric == ranked[suite_id] and len(parts) == len(weights):
            total = math.fsum(weights.values())
            shares = [(weight / total, row) for weight, row in parts]
            by_submission.setdefault(submission, []).extend(shares)
            taken[submission] += 1
    return {
        submission: interval
        for submission, parts in by_submission.items()
        if taken[submission] == len(suites) and (interval := _interval(parts, ratio=False))
    }


# ---------------------------------------------------------------- cases and categories


def case_scores(verdicts: pl.DataFrame) -> pl.DataFrame:
    """One row per submission, suite, category, metric and case, with its trials taken together.

    Keys are categoricals, and row order is irrelevant.

    - scored, unscored, judged, passed, judged_passed: numbers of verdicts
    - open: those of the unscored that can still be scored. waiting: those that wait for a reply
    - mean: over the scored trials, null without any. by_judge: the part that a judge gave
    - by_rules: the mean of the scored and open trials if those that no rule decided were 0
    - worst, best: the mean if all open verdicts failed, or passed; null if all are settled
    """
    keys, score, scored = [*_GROUP, "case_id"], pl.col("score"), pl.col("scored")
    passed, by_judge = pl.col("outcome") == "pass", pl.col("decided_by") == "judge"
    by_rule = pl.when(pl.col("decided_by") != "judge").then(score)
    unscored, reason = score.is_null(), pl.col("reason")
    counts = ["scored", "judged", "passed", "judged_passed", "open", "waiting"]
    total, opened = from_units(pl.col("total")), pl.col("open")
    possible = scored + opened
    return (
        verdicts.lazy()
        .select(
            pl.col(keys).cast(pl.Categorical),  # a third less memory than strings, and faster
            scored=score.is_not_null(),
            judged=score.is_not_null() & by_judge,
            passed=passed,
            judged_passed=passed & by_judge,
            open=unscored & ~reason.is_in(NOT_APPLICABLE),
            waiting=unscored & reason.is_in(WAITING),
            total=in_units(score),
            by_rule=in_units(by_rule),
        )
        .group_by(keys)
        .agg(pl.col(*counts, "total", "by_rule").sum(), verdicts=pl.len())
        .select(
            *keys,
            *counts,
            unscored=pl.col("verdicts") - scored,
            mean=pl.when(scored > 0).then(total / scored),
            by_judge=pl.when(scored > 0).then((total - from_units(pl.col("by_rule"))) / scored),
            by_rules=pl.when(possible > 0).then(from_units(pl.col("by_rule")) / possible),
            worst=pl.when(opened > 0).then(total / possible),
            best=pl.when(opened > 0).then((total + opened) / possible),
        )
        .collect(engine="streaming")
    )


def category_sums(cases: pl.DataFrame) -> pl.DataFrame:
    """One row per submission, suite, category and metric: sums over the rows of `case_scores`.

    - answered: the cases that have a score. possible: those that have one, or still can
    - mean, worst, best: Σ y of the cases' values. mean_squares and so on: Σ y²
    - judged_cases: Σ of the share of a case's scored trials that a judge decided
    - by_judge: Σ of the part of a case's mean that a judge gave
    - ruled, lenient: Σ of the cases' values if every judged verdict failed, or passed
    """
    mean = pl.col("mean")
    worst, best = pl.coalesce("worst", "mean"), pl.coalesce("best", "mean")
    judged = pl.when(pl.col("scored") > 0).then(pl.col("judged") / pl.col("scored"))
    ruled = mean - pl.col("by_judge")
    lenient = ruled + judged
    sums = (
        cases.lazy()
        .group_by(_GROUP)
        .agg(
            pl.col("scored", "unscored", "judged", "judged_passed", "open", "waiting").sum(),
            cases=pl.len(),
            answered=mean.count(),
            possible=worst.count(),
            mean=exact_sum(mean),
            mean_squares=exact_sum(mean * mean),
            worst=exact_sum(worst),
            worst_squares=exact_sum(worst * worst),
            best=exact_sum(best),
            best_squares=exact_sum(best * best),
            judged_cases=exact_sum(judged),
            by_judge=exact_sum(pl.col("by_judge")),
            by_rules=exact_sum(pl.col("by_rules")),
            ruled=exact_sum(ruled),
            ruled_squares=exact_sum(ruled * ruled),
            lenient=exact_sum(lenient),
            lenient_squares=exact_sum(lenient * lenient),
        )
    )
    return sums.with_columns(pl.col(_GROUP).cast(pl.String)).collect(engine="streaming")


def ranked_cases(
    cases: pl.DataFrame, suites: Iterable[Suite], submissions: Iterable[Submission]
) -> pl.DataFrame:
    """The rows that ranks rest on: the ranked metric, without baselines.

    `cases` comes from `case_scores`, or is a VERDICTS frame.
    """
    entrants = [submission.id for submission in submissions if not submission.is_baseline]
    return cases.filter(pl.col("submission").cast(pl.String).is_in(entrants), is_ranked(suites))


def is_ranked(suites: Iterable[Suite]) -> pl.Expr:
    """Whether a row is about the ranked metric of its suite."""
    chosen = [
        (pl.col("suite") == suite.id) & (pl.col("metric") == suite.kind.ranked) for suite in suites
    ]
    return pl.any_horizontal(pl.lit(value=False), *chosen)
