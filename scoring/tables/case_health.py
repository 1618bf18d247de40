"""Case health: cases that nobody solves, that go against the trend, or that share a wrong answer.

If the stronger submissions fail a case that the weaker pass, or if all fail it with the same
answer, then its ground truth is more often wrong than the question is hard. A maintainer should
look at such a case. Nothing here changes a score.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import polars as pl

from leaderboard.frames import HEALTH
from leaderboard.responses.answer_key import answer_key
from leaderboard.types import Records, Response, Submission, Suite
from scoring.statistics.association import concordance, normal_p
from scoring.tables.bulk_series import chained, repeated
from scoring.tables.scores import ranked_cases

# One row per submission, suite, case and trial that was answered. Equal answers to a case have
# equal digests.
ANSWERS: Final = pl.Schema(
    {
        "submission": pl.String,
        "suite": pl.String,
        "case_id": pl.String,
        "trial": pl.Int32,
        "answer": pl.UInt64,  # the start of its answer_key; null if nothing was answered
    }
)

# The same wrong answer of this many submissions says more about the ground truth than about them.
SEVERAL: Final = 3
# A case goes against the trend if chance gives a τ as low as this in 1 % of cases.
RARE: Final = 0.01

_CASE: Final = ["suite", "category", "case_id"]
_CASE_SCHEMA: Final = dict.fromkeys(_CASE, pl.String)


# ---------------------------------------------------------------- answers


def answers(
    suites: Iterable[Suite], records: Mapping[tuple[str, str], Records], *, folded: bool = False
) -> pl.DataFrame:
    """The ANSWERS frame of all records, which are keyed by (submission, suite).

    `folded`: see `answer_key`.
    """
    digests = {suite.id: AnswerDigests(suite, folded) for suite in suites}
    files = [
        (submission, suite, given)
        for (submission, suite), given in sorted(records.items(), key=lambda item: item[0])
        if suite in digests
    ]
    lengths = [len(given) for _, _, given in files]
    case_ids = ([response.case_id for response in given.responses] for _, _, given in files)
    found = (digests[suite].of(given.responses) for _, suite, given in files)
    columns = [
        repeated("submission", [submission for submission, _, _ in files], lengths),
        repeated("suite", [suite for _, suite, _ in files], lengths),
        chained("case_id", case_ids, pl.String),
        chained("trial", (given.trials for _, _, given in files), pl.Int32),
        chained("answer", found, ANSWERS["answer"]),
    ]
    return pl.DataFrame(columns, schema=ANSWERS)


@dataclass(slots=True)
class AnswerDigests:
    """A digest for each distinct answer to a case of a suite. Each distinct response is read once.

    It is the same in every process. Two answers share one by chance in one of 10^10 boards with a
    thousand different answers to each of a thousand cases.
    """

    suite: Suite
    folded: bool = False
    _known: dict[Response, int | None] = field(default_factory=dict)

    def of(self, responses: Sequence[Response]) -> list[int | None]:
        for response in set(responses).difference(self._known):
            case = self.suite.by_id[response.case_id]
            key = answer_key(case, response, folded=self.folded)
            self._known[response] = None if key is None else int.from_bytes(key[:8], "big")
        return list(map(self._known.__getitem__, responses))


# ---------------------------------------------------------------- health


def health(
    verdicts: pl.DataFrame,
    suites: Iterable[Suite],
    submissions: Iterable[Submission],
    ranked: Mapping[str, str],
    given: pl.DataFrame,
    *,
    cases: pl.DataFrame,
) -> pl.DataFrame:
    """The HEALTH frame: one row per case by the ranked metric, over models and agents.

    `given` is an ANSWERS frame, and `cases` comes from `scores.case_scores`. The score of a
    submission at a case is its mean over the scored trials. Its skill is its mean over all other
    cases of the suite. tau is Kendall's τ-b of both, and tau_p is the chance of a τ as low or lower
    if they were independent (normal, with the variance for ties of Kendall 1970). A wrong answer
    is one that fails. Rows are in the order of the suites' cases. Raises KeyError if `ranked` lacks
    a suite.
    """
    suites, submissions = tuple(suites), tuple(submissions)
    chosen = ranked_cases(cases, suites, submissions, ranked)
    keys = pl.col("submission", *_CASE).cast(pl.String)
    means = chosen.filter(pl.col("mean").is_not_null()).select("submission", *_CASE, score="mean")
    passed = chosen.filter(pl.col("passed") > 0).select(keys)
    wrong = verdicts.filter(pl.col("outcome") == "fail")
    wrong = ranked_cases(wrong, suites, submissions, ranked)

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
        .join(_same_wrong_answers(wrong, given), on=_CASE, how="left")
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


def _same_wrong_answers(wrong: pl.DataFrame, given: pl.DataFrame) -> pl.DataFrame:
    """For each case the most frequent wrong answer: how many gave it, and the first by id."""
    key = ["submission", "suite", "case_id", "trial"]
    return (
        wrong.lazy()
        .join(given.lazy().drop_nulls("answer"), on=key)
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
        detail = f"All {n:,} submissions fail it, {same:,} of them with the same answer."
        return "same_wrong_answer", detail
    if p is not None and p <= RARE:  # one-sided: τ is negative
        detail = f"The weaker submissions pass it more often than the stronger (τ −{-tau:.2f})."
        return "against_trend", detail
    return None, None


# ---------------------------------------------------------------- against the trend


def _trends(means: pl.DataFrame) -> pl.DataFrame:
    """τ and its p-value for each case, null if all its scores or all skills are equal."""
    frame = _with_skills(means)
    ties = _tie_sums(frame, "skill").join(_tie_sums(frame, "score"), on=_CASE, suffix="_score")
    rows = []
    found = _concordance(frame).join(ties, on=_CASE).with_columns(pl.col(_CASE).cast(pl.String))
    for suite, category, case_id, s, n, *sums in found.iter_rows():
        rows.append((suite, category, case_id, *_trend(s, n, sums[:3], sums[3:])))
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
    found = frame.group_by(_CASE).agg(
        s=twice_rank.filter(best).sum() - m * (n + 1), n=n, levels=pl.col("score").n_unique()
    )
    several = frame.join(found.filter(pl.col("levels") > 2), on=_CASE, how="semi")
    counted = several.group_by(_CASE).agg(
        exact=pl.map_groups(
            ["score", "skill"],
            lambda columns: concordance(*(column.to_list() for column in columns)),
            return_dtype=pl.Int64,
            returns_scalar=True,
        )
    )
    found = found.join(counted, on=_CASE, how="left")
    return found.select(*_CASE, pl.coalesce("exact", "s"), "n")


def _with_skills(means: pl.DataFrame) -> pl.DataFrame:
    """Adds the mean over the other cases of the suite, to twelve digits because of rounding."""
    total = (pl.col("score") * 2.0**70).round(0).cast(pl.Int128)
    others = pl.len().over("submission", "suite") - 1
    left = (total.sum().over("submission", "suite") - total).cast(pl.Float64) / 2.0**70
    skill = pl.when(others > 0).then((left / others).round(12))
    return means.with_columns(skill=skill).drop_nulls("skill")


def _trend(
    s: int, n: int, skills: Sequence[int], scores: Sequence[int]
) -> tuple[float | None, float | None]:
    """τ-b from S, and P(S or lower) with the variance for ties. `skills`, `scores`: `_tie_sums`.

    v = (n(n-1)(2n+5) - Σt(t-1)(2t+5) - Σu(u-1)(2u+5))/18 + Σt(t-1)(t-2) Σu(u-1)(u-2) / 9n(n-1)(n-2)
    + Σt(t-1) Σu(u-1) / 2n(n-1). Kendall, Rank Correlation Methods, 1970. S moves in steps of at
    most 2, half of which is added (correction for continuity).
    """
    every = n * (n - 1)
    pairs, triples, spread = skills
    other_pairs, other_triples, other_spread = scores
    if every in (pairs, other_pairs):
        return None, None
    root = math.sqrt((every - pairs) * (every - other_pairs))
    variance = (every * (2 * n + 5) - spread - other_spread) / 18
    variance += pairs * other_pairs / (2 * every)
    if n > 2:
        variance += triples * other_triples / (9 * every * (n - 2))
    z = (s + 1) / math.sqrt(variance)
    tail = normal_p(z) / 2
    return 2 * s / root, float(f"{tail if z < 0 else 1 - tail:.12g}")


def _tie_sums(frame: pl.DataFrame, name: str) -> pl.DataFrame:
    """Σt(t-1), Σt(t-1)(t-2) and Σt(t-1)(2t+5) over groups of t equal values, of each case."""
    t = pl.col("t")
    sizes = frame.group_by(*_CASE, name).agg(t=pl.len().cast(pl.Int64))
    return sizes.group_by(_CASE).agg(
        pairs=(t * (t - 1)).sum(),
        triples=(t * (t - 1) * (t - 2)).sum(),
        spread=(t * (t - 1) * (2 * t + 5)).sum(),
    )
