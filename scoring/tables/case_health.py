"""Case health: cases that nobody solves, that go against the trend, or that share a wrong answer.

If the stronger submissions fail a case that the weaker pass, or if all fail it with the same
answer, then its ground truth is more often wrong than the question is hard. A maintainer should
look at such a case. Nothing here changes a score.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import polars as pl

from leaderboard.frames import HEALTH, RARE_TREND, SEVERAL
from leaderboard.types import Submission, Suite
from scoring.statistics.kendall import TieSums, kendall_s, tau_b
from scoring.tables.exact_sums import from_units, in_units
from scoring.tables.scores import ranked_cases

_CASE: Final = ["suite", "category", "case_id"]
_CASE_SCHEMA: Final = dict.fromkeys(_CASE, pl.String)


def health(
    verdicts: pl.DataFrame,
    suites: Iterable[Suite],
    submissions: Iterable[Submission],
    answers: pl.DataFrame,
    *,
    cases: pl.DataFrame,
) -> pl.DataFrame:
    """The HEALTH frame: one row per case by the ranked metric, over models and agents.

    `answers` is an ANSWERS frame, and `cases` comes from `scores.case_scores`. The score of a
    submission at a case is its mean over the scored trials. Its skill is its mean over all other
    cases of the suite. tau is Kendall's τ-b of both, and tau_p is the chance of a τ as low or lower
    if they were independent (normal, with the variance for ties of Kendall 1970). A wrong answer
    is one that fails. Rows are in the order of the suites' cases.
    """
    suites, submissions = tuple(suites), tuple(submissions)
    chosen = ranked_cases(cases, suites, submissions)
    keys = pl.col("submission", *_CASE).cast(pl.String)
    means = chosen.filter(pl.col("mean").is_not_null()).select("submission", *_CASE, score="mean")
    passed = chosen.filter(pl.col("passed") > 0).select(keys)
    wrong = verdicts.filter(pl.col("outcome") == "fail")
    wrong = ranked_cases(wrong, suites, submissions)

    levels = means.group_by(_CASE).agg(submissions=pl.len(), levels="score")
    levels = levels.with_columns(pl.col(_CASE).cast(pl.String))
    solved = passed.group_by(_CASE).agg(solved=pl.len(), solver=pl.col("submission").min())
    score = pl.col("levels").map_elements(
        lambda scores: math.fsum(scores) / len(scores), return_dtype=pl.Float64
    )
    table = (
        _places(suites)
        .join(levels, on=_CASE, how="left")
        .join(solved, on=_CASE, how="left")
        .join(_same_wrong_answers(wrong, answers), on=_CASE, how="left")
        .join(_trends(means), on=_CASE, how="left")
        .sort("place")
        .with_columns(pl.col("submissions", "solved", "same_answer").fill_null(0))
        .with_columns(score=score, solved_by=pl.when(pl.col("solved") == 1).then("solver"))
    )
    suspicions = [_suspicion(row) for row in table.iter_rows(named=True)]
    schema = {"reason": pl.String, "detail": pl.String}
    table = table.hstack(pl.DataFrame(suspicions, schema=schema, orient="row"))
    table = table.with_columns(suspect=pl.col("reason").is_not_null())
    return table.select(pl.col(name).cast(dtype) for name, dtype in HEALTH.items())


def _places(suites: Sequence[Suite]) -> pl.DataFrame:
    """All cases in order."""
    cases: list[tuple[str, str, str]] = []
    for suite in suites:
        cases += [(suite.id, case.category, case.id) for case in suite.cases]
    return pl.DataFrame(cases, schema=_CASE_SCHEMA, orient="row").with_row_index("place")


def _same_wrong_answers(wrong: pl.DataFrame, answers: pl.DataFrame) -> pl.DataFrame:
    """For each case the most frequent wrong answer: how many gave it, and the first by id."""
    key = ["submission", "suite", "case_id", "trial"]
    return (
        wrong.lazy()
        .join(answers.lazy().drop_nulls("answer"), on=key)
        .select("submission", *_CASE, "answer")
        .unique()
        .group_by(*_CASE, "answer")
        .agg(same_answer=pl.len(), same_answer_of=pl.col("submission").min())
        .sort("same_answer", "same_answer_of", descending=[True, False])
        .group_by(_CASE, maintain_order=True)
        .first()
        .drop("answer")
        .collect(engine="streaming")
    )


def _suspicion(row: Mapping[str, Any]) -> tuple[str | None, str | None]:
    """The reason and the sentence. The same wrong answer comes first, because it says more."""
    n, same, tau, p = row["submissions"], row["same_answer"], row["tau"], row["tau_p"]
    if n and not row["solved"] and same >= SEVERAL and 2 * same >= n:
        share = "all" if same == n else f"{same:,} of them"
        detail = f"All {n:,} submissions fail it, {share} with the same answer."
        return "same_wrong_answer", detail
    if p is not None and p < RARE_TREND:  # one-sided: τ is negative
        detail = f"The weaker submissions pass it more often than the stronger (τ −{-tau:.2f})."
        return "against_trend", detail
    return None, None


# ---------------------------------------------------------------- against the trend


def _trends(means: pl.DataFrame) -> pl.DataFrame:
    """τ and its p-value for each case, null if all its scores or all skills are equal."""
    frame = _with_skills(means)
    ties = _tie_sums(frame, "skill").join(_tie_sums(frame, "score"), on=_CASE, suffix="_score")
    rows = []
    concordance = (
        _concordance(frame).join(ties, on=_CASE).with_columns(pl.col(_CASE).cast(pl.String))
    )
    for suite, category, case_id, s, n, *sums in concordance.iter_rows():
        trend = tau_b(s, n, TieSums(*sums[:3]), TieSums(*sums[3:])) or (None, None)
        rows.append((suite, category, case_id, *trend))
    schema = {**_CASE_SCHEMA, "tau": pl.Float64, "tau_p": pl.Float64}
    return pl.DataFrame(rows, schema=schema, orient="row")


def _concordance(frame: pl.DataFrame) -> pl.DataFrame:
    """S = concordant - discordant pairs of each case, and its number n of submissions.

    If a case has only two scores, as those of one trial have, S follows from the ranks of the
    submissions with the higher one: 2 Σrank - m(n + 1) for m of them (Mann & Whitney 1947).
    """
    best = pl.col("score") == pl.col("score").max()
    twice_rank = (2 * pl.col("skill").rank("average")).cast(pl.Int64)
    n, m = pl.len().cast(pl.Int64), best.sum().cast(pl.Int64)
    sums = frame.group_by(_CASE).agg(
        s=twice_rank.filter(best).sum() - m * (n + 1), n=n, levels=pl.col("score").n_unique()
    )
    several = frame.join(sums.filter(pl.col("levels") > 2), on=_CASE, how="semi")
    counted = several.group_by(_CASE).agg(
        exact=pl.map_groups(
            ["score", "skill"],
            lambda columns: kendall_s(*(column.to_list() for column in columns)),
            return_dtype=pl.Int64,
            returns_scalar=True,
        )
    )
    sums = sums.join(counted, on=_CASE, how="left")
    return sums.select(*_CASE, pl.coalesce("exact", "s"), "n")


def _with_skills(means: pl.DataFrame) -> pl.DataFrame:
    """Adds the mean over the other cases of the suite, to twelve digits because of rounding."""
    score = in_units(pl.col("score"))
    others = pl.len().over("submission", "suite") - 1
    left = from_units(score.sum().over("submission", "suite") - score)
    skill = pl.when(others > 0).then((left / others).round(12))
    return means.with_columns(skill=skill).drop_nulls("skill")


def _tie_sums(frame: pl.DataFrame, name: str) -> pl.DataFrame:
    """The `TieSums` of each case."""
    t = pl.col("t")
    sizes = frame.group_by(*_CASE, name).agg(t=pl.len().cast(pl.Int64))
    return sizes.group_by(_CASE).agg(
        pairs=(t * (t - 1)).sum(),
        triples=(t * (t - 1) * (t - 2)).sum(),
        spread=(t * (t - 1) * (2 * t + 5)).sum(),
    )
