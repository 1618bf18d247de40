"""From verdicts to scores, from records to usage: Polars expressions only.

Every sum is a sum of integers, because a sum of floats depends on the order in which threads add it up: the same rows give
the same bytes in any order, on any number of threads. `scoring.statistics` holds the same formulas one figure at a time, with
their sources.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Mapping

import polars as pl

from leaderboard.errors import FilesError, Problem
from leaderboard.frames import SCORES, USAGE
from leaderboard.types import Submission, Suite
from scoring.statistics import Z95, t_quantile

WHOLE = "*"  # the category that stands for the whole suite

_GROUP = ["submission", "suite", "category", "metric"]

# Sums are taken in units of 2^-70, in 128-bit integers: exact for scores above 2^-17, within 2^-71 below; sums go up to 2^57.
_UNIT = 2.0**70


def scores(cases: pl.DataFrame, suites: Iterable[Suite]) -> pl.DataFrame:
    """The SCORES frame: one row per submission, suite, category (and `*`) and metric. `cases` come from `case_scores`.

    Rows are sorted by submission, suite, category (`*` first, then as the suite lists them) and metric.

    - score: the mean over cases of the mean over each case's scored trials. A case without any is left out, and counted in
      `unscored`. `*` is the mean of the categories that have cases, by their weights; it is null unless all of them have a
      score, because weights shared out among the others would reward what is missing.
    - low, high: a 95 % interval. Wilson's where every case has one trial that passes or fails, otherwise clustered by case
      (`statistics.clustered`). For `*` Wilson's over the pooled cases where the weights are proportional to their numbers,
      otherwise combined from the categories' limits (`statistics.combined`) and not from their variances, whose sum is 0
      where every category is at 0 or at 1. Null where scores above 1 do not differ at all, so that nothing bounds them.
    - judged_share: of the scored verdicts, those that a judge decided; null when none is scored.
    - rules_only_score: the score over all cases if every verdict that a rule has not decided were a fail.

    Raises FilesError where a verdict names a suite or category that `suites` lacks.
    """
    parts = _parts(suites)
    _refuse_strangers(cases, parts)
    categories = _categories(cases)
    table = pl.concat([categories, _wholes(categories, parts)], how="diagonal_relaxed")
    places = parts.select("suite", "category", "place")
    return (
        table.join(places, on=["suite", "category"], how="left")
        .with_columns(place=pl.col("place").fill_null(-1))
        .with_columns(judged_share=pl.when(pl.col("scored") > 0).then(_ratio("judged", "scored")))
        .sort("submission", "suite", "place", "metric")
        .select(pl.col(name).cast(dtype) for name, dtype in SCORES.items())
    )


def _sum(values: pl.Expr) -> pl.Expr:
    """The sum of floats, the same in any order; nulls count nothing."""
    return _float(_fixed(values).sum())


def _fixed(values: pl.Expr) -> pl.Expr:
    return (values * _UNIT).round(0).cast(pl.Int128)


def _float(fixed: pl.Expr) -> pl.Expr:
    return fixed.cast(pl.Float64) / _UNIT


def _ratio(part: str, whole: str) -> pl.Expr:
    return pl.col(part) / pl.col(whole)


# ---------------------------------------------------------------- suites


def _parts(suites: Iterable[Suite]) -> pl.DataFrame:
    """One row per suite and category: place, weight (0 without cases), and of the whole suite the weights' sum and number."""
    rows = [row for suite in suites for row in _suite_rows(suite)]
    schema = {"suite": pl.String, "category": pl.String, "place": pl.Int64}
    schema |= {"weight": pl.Float64, "weights": pl.Float64, "parts": pl.Int64}
    return pl.DataFrame(rows, schema=schema, orient="row")


def _suite_rows(suite: Suite) -> list[tuple[str, str, int, float, float, int]]:
    weights = [category.weight if category.cases else 0.0 for category in suite.categories]
    # Scaled by a power of two, which changes no digit, so that no weight is too large or too small for _UNIT.
    exponent = math.frexp(max(weights, default=0.0))[1]
    weights = [math.ldexp(weight, -exponent) for weight in weights]
    total, counted = math.fsum(weights), sum(weight > 0 for weight in weights)
    return [
        (suite.id, category.id, place, weight, total, counted)
        for place, (category, weight) in enumerate(zip(suite.categories, weights, strict=True))
    ]


def _refuse_strangers(cases: pl.DataFrame, parts: pl.DataFrame) -> None:
    key = ["suite", "category"]
    strangers = (
        cases.select(key)
        .unique()
        .cast(pl.String)
        .join(parts.select(key), on=key, how="anti")
        .sort(key)
    )
    if not strangers.is_empty():
        raise FilesError(
            Problem(
                file=f"datasets/{suite}/suite.toml",
                what=f"there are verdicts of the category {category!r}, which the suite {suite!r} does not have",
                fix="the verdicts were made with other suites: score again with lb rescore",
            )
            for suite, category in strangers.iter_rows()
        )


# ---------------------------------------------------------------- cases, categories, suites


def case_scores(verdicts: pl.DataFrame) -> pl.DataFrame:
    """One row per submission, suite, category, metric and case, its trials taken together; in no order, keys as categoricals.

    scored, unscored, judged, passed, judged_passed: numbers of verdicts. mean: over the scored trials, null without any.
    by_rules: the mean over all trials if those that no rule has decided were 0. binary: one scored trial at most, that 0 or 1.
    """
    keys, score, scored = [*_GROUP, "case_id"], pl.col("score"), pl.col("scored")
    passed, by_judge = pl.col("outcome") == "pass", pl.col("decided_by") == "judge"
    by_rule = pl.when(pl.col("decided_by") == "rule").then(score)
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
        .agg(
            pl.col(
                "scored", "judged", "passed", "judged_passed", "partial", "total", "by_rule"
            ).sum(),
            verdicts=pl.len(),
        )
        .select(
            *keys,
            "scored",
            "judged",
            "passed",
            "judged_passed",
            unscored=pl.col("verdicts") - scored,
            mean=pl.when(scored > 0).then(_float(pl.col("total")) / scored),
            by_rules=_float(pl.col("by_rule")) / pl.col("verdicts"),
            binary=(scored <= 1) & (pl.col("partial") == 0),
        )
        .collect(engine="streaming")
    )


def _categories(cases: pl.DataFrame) -> pl.DataFrame:
    """One row per submission, suite, category and metric, with its interval; `answered` counts the cases that have a score."""
    mean, answered = pl.col("mean"), pl.col("mean").count()
    groups = cases.group_by(_GROUP).agg(
        pl.col("scored", "unscored", "judged").sum(),
        cases=pl.len().cast(pl.Int64),
        answered=answered.cast(pl.Int64),
        total=_sum(mean),
        spread=_sum((mean - _sum(mean) / answered) ** 2),
        bounded=(mean <= 1).all(),
        binary=pl.col("binary").all(),
        rules_total=_sum(pl.col("by_rules")),
    )
    table = groups.with_columns(pl.col(_GROUP).cast(pl.String))
    return (
        table.with_columns(score=pl.when(pl.col("answered") > 0).then(_ratio("total", "answered")))
        .with_columns(rules_only_score=_ratio("rules_total", "cases"))
        .join(_quantiles(table), on="answered", how="left")
        .with_columns(**_category_limits())
    )


def _quantiles(table: pl.DataFrame) -> pl.DataFrame:
    """The 97.5 % Student t quantile for each number of cases that occurs."""
    numbers = table["answered"].unique().sort().to_list()
    quantiles = [t_quantile(0.975, number - 1) if number > 1 else None for number in numbers]
    return pl.DataFrame(
        {"answered": numbers, "t": quantiles},
        schema={"answered": table.schema["answered"], "t": pl.Float64},
    )


def _category_limits() -> dict[str, pl.Expr]:
    low, high = _wilson(pl.col("total"), pl.col("answered"))
    score, answered, spread = pl.col("score"), pl.col("answered"), pl.col("spread")
    half = pl.col("t") * (spread / (answered - 1) / answered).sqrt()
    proportion = pl.col("binary") | ((spread == 0) & pl.col("bounded"))
    above = (
        pl.when(pl.col("bounded"))
        .then((score + half).clip(upper_bound=1.0))
        .otherwise(score + half)
    )
    asked, clustered = pl.when(score.is_null()).then(None), spread > 0
    return {
        "low": asked.when(proportion)
        .then(low)
        .when(clustered)
        .then((score - half).clip(lower_bound=0.0)),
        "high": asked.when(proportion).then(high).when(clustered).then(above),
    }


def _wilson(passes: pl.Expr, n: pl.Expr) -> tuple[pl.Expr, pl.Expr]:
    """`statistics.wilson` as expressions."""
    p, square = passes / n, Z95 * Z95
    centre = (p + square / (2 * n)) / (1 + square / n)
    half = Z95 * (p * (1 - p) / n + square / (4 * n * n)).sqrt() / (1 + square / n)
    low = pl.when(passes == 0).then(0.0).otherwise((centre - half).clip(lower_bound=0.0))
    high = pl.when(passes == n).then(1.0).otherwise((centre + half).clip(upper_bound=1.0))
    return low, high


def _wholes(categories: pl.DataFrame, parts: pl.DataFrame) -> pl.DataFrame:
    """One row per submission, suite and metric: the categories together, with category `*`."""
    weight, weights, answered = pl.col("weight"), pl.col("weights").first(), pl.col("answered")
    table = (
        categories.join(parts.filter(pl.col("weight") > 0), on=["suite", "category"])
        .group_by("submission", "suite", "metric")
        .agg(
            pl.col("cases", "scored", "unscored", "judged", "answered").sum(),
            pl.col("binary").all(),
            whole=pl.len() == pl.col("parts").first(),
            complete=pl.col("score").count() == pl.col("parts").first(),
            total=_sum(pl.col("total")),
            # The weights are proportional to the cases: each category's share of both is the same.
            pooled=(
                (weight * answered.sum() - weights * answered).abs() <= 1e-9 * weights * answered
            ).all(),
            mean=_sum(_weighted("total", "answered")) / weights,
            by_rules=_sum(_weighted("rules_total", "cases")) / weights,
            open=pl.col("low").null_count() > 0,
            least=pl.col("low").min(),
            most=pl.col("high").max(),
            below=_sum((weight * (pl.col("score") - pl.col("low"))) ** 2).sqrt() / weights,
            above=_sum((weight * (pl.col("high") - pl.col("score"))) ** 2).sqrt() / weights,
        )
    )
    low, high = _wilson(pl.col("total"), answered)
    known, mean = pl.when(pl.col("complete") & ~pl.col("open")), pl.col("mean")
    pooled = pl.col("binary") & pl.col("pooled")
    # Below the lowest limit of a category, or above the highest, there is only rounding.
    combined_low = pl.max_horizontal(mean - pl.col("below"), "least")
    combined_high = pl.min_horizontal(mean + pl.col("above"), "most")
    return table.with_columns(
        category=pl.lit(WHOLE),
        score=pl.when("complete").then(mean),
        low=known.then(pl.when(pooled).then(low).otherwise(combined_low)),
        high=known.then(pl.when(pooled).then(high).otherwise(combined_high)),
        rules_only_score=pl.when("whole").then("by_rules"),
    )


def _weighted(total: str, number: str) -> pl.Expr:
    """Weight × total / number, without rounding where everything passes; null where there is nothing to divide by."""
    weight, part, n = pl.col("weight"), pl.col(total), pl.col(number)
    return pl.when(n > 0).then(pl.when(part == n).then(weight).otherwise(weight * part / n))


def ranked_cases(
    cases: pl.DataFrame,
    suites: Iterable[Suite],
    submissions: Iterable[Submission],
    ranked: Mapping[str, str],
) -> pl.DataFrame:
    """Of what `case_scores` makes, the rows that ranks rest on: of each suite's ranked metric, of those that are no baselines.

    `ranked` names the metric by the suite's id. Raises KeyError where it lacks a suite.
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

    Tokens are means over the responses that report a number above 0 (a 0 is how many systems write "unknown"). The cost of a
    response is the one it reports, else its tokens at the card's price, else unknown; `cost_usd` is the mean over the known
    ones, in US dollars, null when none is. Latency is in seconds; its standard deviation is the sample's, null for one
    response, and quantiles are interpolated linearly.
    """
    priced = [
        (s.id, s.card.price.input, s.card.price.output)
        for s in submissions
        if s.card.price is not None
    ]
    schema = {"submission": pl.String, "price_in": pl.Float64, "price_out": pl.Float64}
    prices = pl.DataFrame(priced, schema=schema, orient="row")
    tokens_in, tokens_out, latency = (
        pl.col("input_tokens"),
        pl.col("output_tokens"),
        pl.col("latency_s"),
    )
    at_price = (tokens_in * pl.col("price_in") + tokens_out * pl.col("price_out")) / 1e6
    return (
        records.join(prices, on="submission", how="left")
        .with_columns(
            cost_usd=pl.coalesce(
                "cost_usd", pl.when(pl.max_horizontal(tokens_in, tokens_out) > 0).then(at_price)
            )
        )
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
    return (
        pl.when(values.len() > 0)
        .then(values.cast(pl.Int128).sum().cast(pl.Float64) / values.len())
        .alias(name)
    )


def _largest(values: pl.Expr) -> pl.Expr:
    # Not 0, because it divides: the smallest number with all its digits.
    return values.max().clip(lower_bound=sys.float_info.min)


def _mean(values: pl.Expr) -> pl.Expr:
    """The mean of floats >= 0 of any size, the same in any order; null when there are none."""
    unit = _largest(values)
    return pl.when(values.count() > 0).then(_sum(values / unit) / values.count() * unit)


def _deviation(values: pl.Expr) -> pl.Expr:
    """The sample standard deviation of floats >= 0 of any size, the same in any order; null below two of them."""
    shares, count = values / _largest(values), values.count()
    spread = _sum((shares - _sum(shares) / count) ** 2)
    return pl.when(count > 1).then((spread / (count - 1)).sqrt() * _largest(values))
