"""From verdicts to scores, and from records to usage.

Every sum is a sum of integers or an exactly rounded sum (`math.fsum`). The same rows therefore
give the same bytes in any order, on any number of threads.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Mapping
from typing import Any, Final

import polars as pl

from leaderboard.errors import FilesError, Problem
from leaderboard.frames import SCORES, USAGE
from leaderboard.types import Submission, Suite
from scoring.statistics import CaseMeans, mean_interval, weighted_interval

WHOLE: Final = "*"  # the category that means the whole suite

_GROUP: Final = ["submission", "suite", "category", "metric"]

# Sums are taken in units of 2^-70, in 128-bit integers. They are exact for scores above 2^-17 and
# within 2^-71 below. They can reach 2^57.
_UNIT: Final = 2.0**70

_Row = Mapping[str, Any]


def scores(cases: pl.DataFrame, suites: Iterable[Suite]) -> pl.DataFrame:
    """The SCORES frame: a row per submission, suite, category (and `*`) and metric.

    `cases` comes from `case_scores`. Rows are sorted by submission, suite, category (`*` first,
    then in the suite's order) and metric.

    - score: the mean over cases of the mean over each case's scored trials. A case without a
      scored trial is left out and counted in `unscored`. `*` is the weighted mean of the
      categories that have cases. It is null unless all of them have a score, because sharing
      their weights among the others would reward missing answers.
    - low, high: the 95 % interval, see `statistics.mean_interval` and `weighted_interval`.
    - judged_share: the share of the scored verdicts that a judge decided. Null if none is scored.
    - rules_only_score: the score if every verdict that no rule decided were a fail.

    Raises FilesError if a verdict names a category that its suite does not have.
    """
    groups: dict[tuple[str, str, str], dict[str, _Row]] = {}
    for sums in _categories(cases).iter_rows(named=True):
        key = sums["submission"], sums["suite"], sums["metric"]
        groups.setdefault(key, {})[sums["category"]] = sums

    by_id = {suite.id: suite for suite in suites}
    _refuse_unknown_categories(groups, by_id)
    rows = []
    for (submission, suite_id, metric), found in groups.items():
        places = {c.id: place for place, c in enumerate(by_id[suite_id].categories)}
        for category, row in found.items():
            score = row["total"] / row["answered"] if row["answered"] else None
            by_rules = row["by_rules"] / row["cases"]
            line = _line([row], score, mean_interval(_means(row)), by_rules)
            rows.append((submission, suite_id, places[category], category, metric, *line))
        if whole := _whole(by_id[suite_id], found):
            rows.append((submission, suite_id, -1, WHOLE, metric, *whole))

    rows.sort(key=lambda row: (row[0], row[1], row[2], row[4]))
    return pl.DataFrame([(*row[:2], *row[3:]) for row in rows], schema=SCORES, orient="row")


def _refuse_unknown_categories(
    groups: Mapping[tuple[str, str, str], Mapping[str, _Row]], suites: Mapping[str, Suite]
) -> None:
    known = {(suite.id, category.id) for suite in suites.values() for category in suite.categories}
    found = {(suite_id, category) for (_, suite_id, _), rows in groups.items() for category in rows}
    problems = []
    for suite_id, category in sorted(found - known):
        what = (
            f"there are verdicts of the category {category!r}, which is not in suite {suite_id!r}"
        )
        fix = "the verdicts were made with other suites: score again with lb rescore"
        problems.append(Problem(file=f"datasets/{suite_id}/suite.toml", what=what, fix=fix))
    if problems:
        raise FilesError(problems)


def _whole(suite: Suite, found: Mapping[str, _Row]) -> tuple[Any, ...] | None:
    """The categories together, from those that have cases and a weight."""
    weights = {c.id: c.weight for c in suite.categories if c.cases and c.weight > 0}
    rows = [found[category] for category in weights if category in found]
    if not rows:
        return None
    if len(rows) < len(weights):
        return _line(rows, None, None, None)
    shares = list(weights.values())
    by_rules = _weighted_mean(shares, [(row["by_rules"], row["cases"]) for row in rows])
    if not all(row["answered"] for row in rows):
        return _line(rows, None, None, by_rules)
    score = _weighted_mean(shares, [(row["total"], row["answered"]) for row in rows])
    interval = weighted_interval(shares, [_means(row) for row in rows], score)
    return _line(rows, score, interval, by_rules)


def _weighted_mean(weights: Iterable[float], sums: Iterable[tuple[float, int]]) -> float:
    """The weighted mean of total / number, exact if every total is its number."""
    weights = list(weights)
    parts = []
    for weight, (total, number) in zip(weights, sums, strict=True):
        parts.append(weight if total == number else weight * total / number)
    return math.fsum(parts) / math.fsum(weights)


def _means(row: _Row) -> CaseMeans:
    return CaseMeans(row["answered"], row["total"], row["spread"], row["binary"], row["bounded"])


def _line(
    rows: list[_Row],
    score: float | None,
    interval: tuple[float, float] | None,
    by_rules: float | None,
) -> tuple[Any, ...]:
    """The columns of SCORES from `cases` on."""
    cases, scored, unscored, judged = (
        sum(row[name] for row in rows) for name in ("cases", "scored", "unscored", "judged")
    )
    low, high = interval or (None, None)
    judged_share = judged / scored if scored else None
    return cases, scored, unscored, score, low, high, judged_share, by_rules


# ---------------------------------------------------------------- cases and categories


def case_scores(verdicts: pl.DataFrame) -> pl.DataFrame:
    """One row per submission, suite, category, metric and case, with its trials taken together.

    Keys are categoricals, and row order is irrelevant.

    - scored, unscored, judged, passed, judged_passed: numbers of verdicts
    - mean: over the scored trials, null without any
    - by_rules: the mean over all trials if those that no rule decided were 0
    - binary: at most one trial is scored, with 0 or 1
    """
    keys, score, scored = [*_GROUP, "case_id"], pl.col("score"), pl.col("scored")
    passed, by_judge = pl.col("outcome") == "pass", pl.col("decided_by") == "judge"
    by_rule = pl.when(pl.col("decided_by") == "rule").then(score)
    counts = ["scored", "judged", "passed", "judged_passed"]
    return (
        verdicts.lazy()
        .select(
            pl.col(keys).cast(pl.Categorical),  # a third less memory than strings, and faster
            scored=score.is_not_null(),
            judged=score.is_not_null() & by_judge,
            passed=passed,
            judged_passed=passed & by_judge,
            partial=~score.is_in([0.0, 1.0]),
            total=_fixed(score),
            by_rule=_fixed(by_rule),
        )
        .group_by(keys)
        .agg(pl.col(*counts, "partial", "total", "by_rule").sum(), verdicts=pl.len())
        .select(
            *keys,
            *counts,
            unscored=pl.col("verdicts") - scored,
            mean=pl.when(scored > 0).then(_float(pl.col("total")) / scored),
            by_rules=_float(pl.col("by_rule")) / pl.col("verdicts"),
            binary=(scored <= 1) & (pl.col("partial") == 0),
        )
        .collect(engine="streaming")
    )


def _categories(cases: pl.DataFrame) -> pl.DataFrame:
    """The sums of each submission, suite, category and metric.

    `answered` counts the cases that have a score. `spread` is the sum of the squared deviations
    of their means. `bounded` means that no mean is above 1.
    """
    mean, answered = pl.col("mean"), pl.col("mean").count()
    groups = cases.group_by(_GROUP).agg(
        pl.col("scored", "unscored", "judged").sum(),
        cases=pl.len(),
        answered=answered,
        total=_sum(mean),
        spread=_sum((mean - _sum(mean) / answered) ** 2),
        bounded=(mean <= 1).all(),
        binary=pl.col("binary").all(),
        by_rules=_sum(pl.col("by_rules")),
    )
    return groups.with_columns(pl.col(_GROUP).cast(pl.String))


def _sum(values: pl.Expr) -> pl.Expr:
    """The sum of floats, the same in any order. Nulls count nothing."""
    return _float(_fixed(values).sum())


def _fixed(values: pl.Expr) -> pl.Expr:
    return (values * _UNIT).round(0).cast(pl.Int128)


def _float(fixed: pl.Expr) -> pl.Expr:
    return fixed.cast(pl.Float64) / _UNIT


def ranked_cases(
    cases: pl.DataFrame,
    suites: Iterable[Suite],
    submissions: Iterable[Submission],
    ranked: Mapping[str, str],
) -> pl.DataFrame:
    """The rows of `case_scores` that ranks rest on: the ranked metric, without baselines.

    `ranked` names the metric by the suite's id. Raises KeyError if it lacks a suite.
    """
    entrants = [submission.id for submission in submissions if not submission.is_baseline]
    chosen = [
        (pl.col("suite") == suite.id) & (pl.col("metric") == ranked[suite.id]) for suite in suites
    ]
    return cases.filter(
        pl.col("submission").cast(pl.String).is_in(entrants),
        pl.any_horizontal(pl.lit(value=False), *chosen),
    )


# ---------------------------------------------------------------- usage


def usage(records: pl.DataFrame, submissions: Iterable[Submission]) -> pl.DataFrame:
    """The USAGE frame of a RECORDS frame: one row per submission and suite, sorted by both.

    Tokens are means over the responses that report a number above 0, because many systems write 0
    for "unknown". The cost of a response is the reported one, else its tokens at the card's price,
    else unknown. `cost_usd` is the mean over the known costs in US dollars, null if there is none.
    Latency is in seconds. Its standard deviation is that of a sample, null for one response.
    Quantiles are interpolated linearly.
    """
    priced = [
        (submission.id, price.input, price.output)
        for submission in submissions
        if (price := submission.card.price)
    ]
    schema = {"submission": pl.String, "price_in": pl.Float64, "price_out": pl.Float64}
    prices = pl.DataFrame(priced, schema=schema, orient="row")
    tokens_in, tokens_out = pl.col("input_tokens"), pl.col("output_tokens")
    latency = pl.col("latency_s")
    at_price = (tokens_in * pl.col("price_in") + tokens_out * pl.col("price_out")) / 1e6
    estimate = pl.when(pl.max_horizontal(tokens_in, tokens_out) > 0).then(at_price)
    return (
        records.join(prices, on="submission", how="left")
        .with_columns(cost_usd=pl.coalesce("cost_usd", estimate))
        .group_by("submission", "suite")
        .agg(
            pl.col("error").sum().alias("errors"),
            _mean_above_zero("input_tokens"),
            _mean_above_zero("output_tokens"),
            _mean(pl.col("cost_usd")),
            responses=pl.len(),
            trials=pl.col("trial").n_unique(),
            latency_mean=_mean(latency),
            latency_sd=_deviation(latency),
            latency_p50=latency.quantile(0.5, "linear"),
            latency_p95=latency.quantile(0.95, "linear"),
        )
        .sort("submission", "suite")
        .select(pl.col(name).cast(dtype) for name, dtype in USAGE.items())
    )


def _mean_above_zero(name: str) -> pl.Expr:
    values = pl.col(name).filter(pl.col(name) > 0)
    mean = values.cast(pl.Int128).sum().cast(pl.Float64) / values.len()
    return pl.when(values.len() > 0).then(mean).alias(name)


def _largest(values: pl.Expr) -> pl.Expr:
    # Never 0, because values are divided by it.
    return values.max().clip(lower_bound=sys.float_info.min)


def _mean(values: pl.Expr) -> pl.Expr:
    """The mean of floats >= 0 of any size, the same in any order. Null without any."""
    unit = _largest(values)
    return pl.when(values.count() > 0).then(_sum(values / unit) / values.count() * unit)


def _deviation(values: pl.Expr) -> pl.Expr:
    """The sample standard deviation of floats >= 0 of any size. Null for fewer than two."""
    shares, count = values / _largest(values), values.count()
    spread = _sum((shares - _sum(shares) / count) ** 2)
    return pl.when(count > 1).then((spread / (count - 1)).sqrt() * _largest(values))
