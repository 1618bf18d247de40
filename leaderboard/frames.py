"""The schemas of the tables.

VERDICTS has one row per submission, case, trial and metric; SCORES, USAGE, RANKS, GAPS and TRIALS are computed from them.
"""

from __future__ import annotations

import polars as pl

VERDICTS = pl.Schema(
    {
        "submission": pl.String,
        "suite": pl.String,
        "category": pl.String,
        "case_id": pl.String,
        "trial": pl.Int32,
        "metric": pl.String,
        "outcome": pl.String,  # pass | fail | unscored
        "score": pl.Float64,  # 0..1, null when unscored
        "reason": pl.String,
        "detail": pl.String,
        "decided_by": pl.String,  # rule | judge
        "judge_call": pl.String,  # keys separated by blanks, null where no judge was needed
    }
)

RECORDS = pl.Schema(
    {
        "submission": pl.String,
        "suite": pl.String,
        "case_id": pl.String,
        "trial": pl.Int32,
        "error": pl.Boolean,  # the record carries an error
        "input_tokens": pl.Int64,  # null where not reported
        "output_tokens": pl.Int64,
        "cost_usd": pl.Float64,
        "latency_s": pl.Float64,
    }
)

SCORES = pl.Schema(
    {
        "submission": pl.String,
        "suite": pl.String,
        "category": pl.String,  # a category id, or * for the whole suite
        "metric": pl.String,
        "cases": pl.Int64,  # distinct cases
        "scored": pl.Int64,  # verdicts that are pass or fail (trials count each)
        "unscored": pl.Int64,
        "score": pl.Float64,  # null when nothing is scored
        "low": pl.Float64,
        "high": pl.Float64,
        "judged_share": pl.Float64,  # of the scored verdicts, those a judge decided
        "rules_only_score": pl.Float64,  # the score if every answer that needs a judge counted as not passed
    }
)

USAGE = pl.Schema(
    {
        "submission": pl.String,
        "suite": pl.String,
        "responses": pl.Int64,
        "trials": pl.Int64,
        "errors": pl.Int64,  # records that carry an error
        "input_tokens": pl.Float64,  # mean per response that reports it
        "output_tokens": pl.Float64,
        "cost_usd": pl.Float64,  # mean per response: reported, or tokens at the card's price
        "latency_mean": pl.Float64,  # seconds
        "latency_sd": pl.Float64,  # sample standard deviation
        "latency_p50": pl.Float64,
        "latency_p95": pl.Float64,  # linear interpolation
    }
)

RANKS = pl.Schema(
    {
        "suite": pl.String,
        "category": pl.String,  # a category id, or *
        "submission": pl.String,  # models and agents that took the suite; baselines have no rank
        "rank_low": pl.Int64,  # 1 + number significantly better
        "rank_high": pl.Int64,  # N - number significantly worse
    }
)

TRIALS = pl.Schema(
    {
        "submission": pl.String,
        "suite": pl.String,
        "category": pl.String,  # a category id, or *
        "k": pl.Int64,  # from 1 to the number of scored trials of every case
        "cases": pl.Int64,
        "pass_hat_k": pl.Float64,  # k trials of a case are all passes
        "pass_at_k": pl.Float64,  # one at least of k trials is a pass
    }
)

GAPS = pl.Schema(
    {
        "suite": pl.String,
        "category": pl.String,
        "pairs": pl.Int64,  # pairs of ranked submissions compared
        "discordance": pl.Float64,  # mean share of cases on which two submissions differ
        "smallest_gap": pl.Float64,  # smallest difference of scores told apart at 80 % power, 0..1; null without pairs
    }
)
