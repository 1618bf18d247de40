"""The schemas of the tables.

VERDICTS has one row per submission, case, trial and metric. SCORES, USAGE, RANKS, GAPS and TRIALS
are computed from it. LABELLED has one row per judge and labelled pair. AGREEMENT and CONCORDANCE
are computed from it, CORRECTED from all of these. Shares are 0..1.
"""

from __future__ import annotations

from typing import Final

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
        "decided_by": pl.String,  # rule | judge | reported (computed elsewhere)
        "judge_call": pl.String,  # keys separated by blanks, null without a judge
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

# The ranked metric alone has these columns of SCORES. They come from RANKS, AGREEMENT (of rules,
# facts and judges with the labels) and CORRECTED.
OF_RANKED_METRIC = (
    *("rank_low", "rank_high", "decision_agreement"),
    *("corrected", "corrected_low", "corrected_high"),
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
        "low": pl.Float64,  # 95 % limits, with every verdict that can still be scored as failed
        "high": pl.Float64,  # and with every such verdict as passed
        "judged_share": pl.Float64,  # share of verdicts a judge decided, weighted as in the score
        "rules_only_score": pl.Float64,  # with judged answers as failed
        **{name: pl.Int64 if name.startswith("rank") else pl.Float64 for name in OF_RANKED_METRIC},
    }
)

USAGE = pl.Schema(
    {
        "submission": pl.String,
        "suite": pl.String,
        "responses": pl.Int64,
        "trials": pl.Int64,
        # Of the cases with several answers, the share with the same one each time; else null
        "same_in_trials": pl.Float64,
        "errors": pl.Int64,  # records that carry an error
        "input_tokens": pl.Float64,  # mean per response that reports it
        "output_tokens": pl.Float64,
        "priced": pl.Int64,  # responses with a known cost: reported, or tokens at the card's price
        "cost_usd": pl.Float64,  # mean per priced response
        "timed": pl.Int64,  # responses with a known latency
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
        "status": pl.String,  # one of `leaderboard.rank_status_words`
        "rank_low": pl.Int64,  # 1 + number significantly better, for a submission chosen beforehand
        "rank_high": pl.Int64,  # N - number significantly worse
        "all_low": pl.Int64,  # the same for all submissions at once, never narrower
        "all_high": pl.Int64,
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
        "pass_at_k": pl.Float64,  # at least one of k trials is a pass
    }
)

GAPS = pl.Schema(
    {
        "suite": pl.String,
        "category": pl.String,
        "pairs": pl.Int64,  # pairs of ranked submissions compared
        "discordance": pl.Float64,  # mean share of cases on which two submissions differ
        "smallest_gap": pl.Float64,  # found with 80 % power, median over pairs; null if they agree
    }
)

LABELLED = pl.Schema(
    {
        "judge": pl.String,  # a judge's name, * for the panel, or "decision" (with rules and facts)
        "suite": pl.String,
        "category": pl.String,
        "pair": pl.String,  # the id of the labelled pair
        "case_id": pl.String,
        "label": pl.String,  # equivalent | different; over simulated APIs solved | unsolved
        "said": pl.String,  # as label | unsure | unparseable | missing
        "passed": pl.Float64,  # share of the votes for a right answer, unsure half; null if none
        "reply": pl.String,  # the judge's last reply; null if missing, and for the panel
        "judge_call": pl.String,  # keys separated by blanks
    }
)

AGREEMENT = pl.Schema(
    {
        "judge": pl.String,  # a judge's name, * for the panel, or "decision" (with rules and facts)
        "suite": pl.String,  # a suite's id, or * for all suites together
        "category": pl.String,  # a category id, or * for the whole suite
        "pairs": pl.Int64,  # labelled pairs
        "graded": pl.Int64,  # pairs with a grade: the shares are of these, and unsure is a half
        "agreement": pl.Float64,  # share with the grade of the label; null without any
        "low": pl.Float64,
        "high": pl.Float64,
        "expected": pl.Float64,  # agreement expected by chance
        "kappa": pl.Float64,  # Cohen's; null if chance always agrees
        "sensitivity": pl.Float64,  # of pairs labelled equivalent or solved, the share found so
        "sensitivity_low": pl.Float64,
        "sensitivity_high": pl.Float64,
        "specificity": pl.Float64,  # of pairs labelled different or unsolved
        "specificity_low": pl.Float64,
        "specificity_high": pl.Float64,
        "youden": pl.Float64,  # J = sensitivity + specificity - 1
        "youden_low": pl.Float64,
        "youden_high": pl.Float64,
        "true_equivalent": pl.Int64,  # labelled and found equivalent, or solved
        "false_different": pl.Int64,  # labelled equivalent, found different
        "false_equivalent": pl.Int64,  # labelled different, found equivalent
        "true_different": pl.Int64,  # labelled and found different
        "unparseable": pl.Int64,
        "missing": pl.Int64,
        "unsure": pl.Int64,  # graded, but none of these four: votes differ, or are unsure
    }
)

CONCORDANCE = pl.Schema(
    {
        "judge": pl.String,
        "other": pl.String,  # each pair of judges once, in the panel's order
        "suite": pl.String,  # a suite's id, or * for all suites together
        "category": pl.String,  # a category id, or * for the whole suite
        "pairs": pl.Int64,  # labelled pairs that both gave a grade other than unsure
        "agreement": pl.Float64,  # share with the same grade; null without any
        "low": pl.Float64,
        "high": pl.Float64,
        "kappa": pl.Float64,
    }
)

# One row for each score by the ranked metric in which the panel decided anything, with the
# quality of the panel on the labelled pairs. For `*` these are the pairs of all categories in
# which the panel decided a verdict of the board.
CORRECTED = pl.Schema(
    {
        "submission": pl.String,
        "suite": pl.String,
        "category": pl.String,  # a category id, or * for the whole suite
        "metric": pl.String,
        "judged": pl.Int64,  # scored verdicts that a judge decided, at least 1
        "passed": pl.Int64,  # of these, passes
        "score": pl.Float64,  # as in SCORES
        "corrected": pl.Float64,  # null while verdicts are open, or with a judge like chance
        "low": pl.Float64,  # 95 % limits with the errors of the judge and of sampling
        "high": pl.Float64,
        "labelled": pl.Int64,  # labelled pairs
        "agreement": pl.Float64,  # as in AGREEMENT, and so are the next columns
        "sensitivity": pl.Float64,
        "specificity": pl.Float64,
        "youden": pl.Float64,
        "youden_low": pl.Float64,
        "youden_high": pl.Float64,
        "validated": pl.Boolean,  # the interval of J is above 0
    }
)

# The same wrong answer of this many submissions says more about the ground truth than about them.
SEVERAL: Final = 3
# A case goes against the trend if chance gives a τ as low as this in 1 % of cases.
RARE_TREND: Final = 0.01

HEALTH = pl.Schema(
    {
        "suite": pl.String,
        "category": pl.String,
        "case_id": pl.String,
        "submissions": pl.Int64,  # models and agents with a score at the case, by the ranked metric
        "score": pl.Float64,  # their mean score, null without any
        "solved": pl.Int64,  # those that pass it in at least one trial
        "solved_by": pl.String,  # the only submission that passes, if there is one
        "tau": pl.Float64,  # Kendall's tau-b of case score and skill
        "tau_p": pl.Float64,  # one-sided p-value
        "same_answer": pl.Int64,  # submissions with the most frequent wrong answer
        "same_answer_of": pl.String,  # the first of them by id, null without any
        "suspect": pl.Boolean,  # worth a look by a maintainer
        "reason": pl.String,  # same_wrong_answer | against_trend, null where not suspect
        "detail": pl.String,  # the reason in one sentence
    }
)
