"""From records to usage: what answers cost in tokens, US dollars and seconds."""

from __future__ import annotations

import sys
from collections.abc import Iterable

import polars as pl

from leaderboard.frames import USAGE
from leaderboard.types import PRICED_TOKENS, Submission
from scoring.tables.exact_sums import exact_sum


def usage(
    records: pl.DataFrame, submissions: Iterable[Submission], answers: pl.DataFrame
) -> pl.DataFrame:
    """The USAGE frame of a RECORDS and an ANSWERS frame: one row per submission and suite, sorted.

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
    # As Price.cost, for all responses at once.
    at_price = tokens_in * pl.col("price_in") + tokens_out * pl.col("price_out")
    at_price /= PRICED_TOKENS
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
            priced=pl.col("cost_usd").count(),
            responses=pl.len(),
            trials=pl.col("trial").n_unique(),
            timed=latency.count(),
            latency_mean=_mean(latency),
            latency_sd=_deviation(latency),
            latency_p50=latency.quantile(0.5, "linear"),
            latency_p95=latency.quantile(0.95, "linear"),
        )
        .join(_same_in_trials(answers), on=["submission", "suite"], how="left")
        .sort("submission", "suite")
        .select(pl.col(name).cast(dtype) for name, dtype in USAGE.items())
    )


def _same_in_trials(answers: pl.DataFrame) -> pl.DataFrame:
    """The share of the cases with several answers that have the same answer each time."""
    return (
        answers.drop_nulls("answer")
        .group_by("submission", "suite", "case_id")
        .agg(answers=pl.len(), same_in_trials=pl.col("answer").n_unique() == 1)
        .filter(pl.col("answers") > 1)
        .group_by("submission", "suite")
        .agg(pl.col("same_in_trials").mean())
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
    return pl.when(values.count() > 0).then(exact_sum(values / unit) / values.count() * unit)


def _deviation(values: pl.Expr) -> pl.Expr:
    """The sample standard deviation of floats >= 0 of any size. Null for fewer than two."""
    shares, count = values / _largest(values), values.count()
    spread = exact_sum((shares - exact_sum(shares) / count) ** 2)
    return pl.when(count > 1).then((spread / (count - 1)).sqrt() * _largest(values))
