"""Case health: which cases nobody solves, which go against the trend, and where several systems give the same wrong answer.

A case that the stronger submissions fail and the weaker pass, or that all fail with one and the same answer, has more often a
wrong ground truth than a hard question. What is found here is for a maintainer to look at; it changes no score.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import polars as pl

from leaderboard.digest import canonical
from leaderboard.frames import HEALTH
from leaderboard.types import Case, Json, Records, Response, Submission, Suite
from scoring.statistics import kendall_tau, normal_p
from scoring.tables.aggregate import ranked_cases
from scoring.tables.columns import chained, repeated

# One row per submission, suite, case and trial that was answered; equal answers to a case have equal numbers.
ANSWERS = pl.Schema(
    {
        "submission": pl.String,
        "suite": pl.String,
        "case_id": pl.String,
        "trial": pl.Int32,
        "answer": pl.UInt32,  # null where nothing was answered
    }
)

# So many submissions must give the same wrong answer before it tells more of the ground truth than of them.
SEVERAL = 3
# A trend is gone against where a τ as low as this comes by chance in one case of a hundred.
RARE = 0.01

_CASE = ["suite", "category", "case_id"]


# ---------------------------------------------------------------- answers


def answers(suites: Iterable[Suite], records: Mapping[tuple[str, str], Records]) -> pl.DataFrame:
    """The ANSWERS frame of every record; `records` are kept by (submission, suite). Each distinct response is read once."""
    numbers = _Numbers({suite.id: suite for suite in suites})
    files = [
        (*key, given)
        for key, given in sorted(records.items(), key=lambda item: item[0])
        if key[1] in numbers.suites
    ]
    lengths = [len(given) for _, _, given in files]
    columns = [
        repeated("submission", [submission for submission, _, _ in files], lengths),
        repeated("suite", [suite for _, suite, _ in files], lengths),
        chained(
            "case_id",
            ([response.case_id for response in given.responses] for _, _, given in files),
            pl.String,
        ),
        chained("trial", (given.trials for _, _, given in files), pl.Int32),
        chained(
            "answer", (numbers.of(suite, given.responses) for _, suite, given in files), pl.UInt32
        ),
    ]
    return pl.DataFrame(columns, schema=ANSWERS)


@dataclass(slots=True)
class _Numbers:
    """A number for each distinct answer to a case. Equal responses are one object."""

    suites: Mapping[str, Suite]
    _known: dict[Response, int | None] = field(default_factory=dict)
    _given: dict[tuple[str, str, str | bytes], int] = field(default_factory=dict)

    def of(self, suite: str, responses: Sequence[Response]) -> list[int | None]:
        cases = self.suites[suite].by_id
        for response in responses:
            if response not in self._known:
                answer = _answer(cases[response.case_id], response)
                key = (
                    suite,
                    response.case_id,
                    answer if isinstance(answer, str) else canonical(answer),
                )
                self._known[response] = (
                    None if answer is None else self._given.setdefault(key, len(self._given))
                )
        return [self._known[response] for response in responses]


def _answer(case: Case, response: Response) -> Json:
    """What two systems have in common when they answer the same: not the words beside a call, blanks, or letter case.

    Of an agent its last words and the state it left, not the way there. None where there is no answer.
    """
    if response.error is not None or response.malformed is not None:
        return None
    truth = case.ground_truth
    text = " ".join((response.text or "").split()).casefold() or None
    if truth.trajectory is not None or truth.apis is not None:
        state = response.state if response.has_state else None
        return None if text is None and state is None else [text, state]
    if response.calls:
        return [[call.name, dict(call.arguments)] for call in response.calls]
    return text


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
    """The HEALTH frame: one row per case, by the metric that `ranked` names for its suite, over models and agents.

    `given` is an ANSWERS frame (see `answers`), `cases` is what `aggregate.case_scores` makes of the verdicts. A submission's
    score at a case is its mean over the scored trials; its skill is its mean over all other cases of the suite. tau is
    Kendall's τ-b of both; tau_p the chance of a τ as low or lower if neither told of the other (normal, with the variance for
    ties of Kendall 1970). A wrong answer is one that fails.
    Rows stand in the order of the suites' cases. Raises KeyError where `ranked` lacks a suite.
    """
    suites, submissions = tuple(suites), tuple(submissions)
    chosen = ranked_cases(cases, suites, submissions, ranked)
    means = chosen.filter(pl.col("mean").is_not_null()).select(
        pl.col("submission", *_CASE).cast(pl.String), score="mean"
    )
    solved = chosen.filter(pl.col("passed") > 0).select(
        pl.col("submission", *_CASE).cast(pl.String)
    )
    wrong = verdicts.filter(pl.col("outcome") == "fail").pipe(
        ranked_cases, suites, submissions, ranked
    )
    table = (
        _places(suites)
        .join(means.group_by(_CASE).agg(submissions=pl.len(), levels="score"), on=_CASE, how="left")
        .join(
            solved.group_by(_CASE).agg(solved=pl.len(), solver=pl.col("submission").min()),
            on=_CASE,
            how="left",
        )
        .join(_same_wrong(wrong, given), on=_CASE, how="left")
        .join(_trends(means), on=_CASE, how="left")
        .sort("suite_place", "place")
        .with_columns(pl.col("submissions", "solved", "same_answer").fill_null(0))
        .with_columns(
            score=pl.col("levels").map_elements(_mean, return_dtype=pl.Float64),
            solved_by=pl.when(pl.col("solved") == 1).then("solver"),
        )
    )
    return _judged(table).select(pl.col(name).cast(dtype) for name, dtype in HEALTH.items())


def _mean(levels: pl.Series) -> float:
    return math.fsum(levels) / len(levels)


def _places(suites: Sequence[Suite]) -> pl.DataFrame:
    cases = [
        (suite.id, category.id, case.id, suite_place, place)
        for suite_place, suite in enumerate(suites)
        for place, (category, case) in enumerate(
            (category, case) for category in suite.categories for case in category.cases
        )
    ]
    schema = {**dict.fromkeys(_CASE, pl.String), "suite_place": pl.Int64, "place": pl.Int64}
    return pl.DataFrame(cases, schema=schema, orient="row")


def _same_wrong(wrong: pl.DataFrame, given: pl.DataFrame) -> pl.DataFrame:
    """Per case the answer that most submissions fail with: how many gave it, and the first of them by id."""
    key = ["submission", "suite", "case_id", "trial"]
    return (
        wrong.join(given.drop_nulls("answer"), on=key)
        .select("submission", *_CASE, "answer")
        .unique()
        .group_by(*_CASE, "answer")
        .agg(same_answer=pl.len(), same_answer_of=pl.col("submission").min())
        .sort("same_answer", "same_answer_of", descending=[True, False])
        .group_by(_CASE, maintain_order=True)
        .first()
        .drop("answer")
    )


# ---------------------------------------------------------------- against the trend


def _trends(means: pl.DataFrame) -> pl.DataFrame:
    """τ and its p-value per case; cases where either ranks nothing have none."""
    skilled = _skills(means)
    split = skilled.group_by(_CASE).agg(binary=pl.col("score").is_in([0.0, 1.0]).all())
    plain = skilled.join(split.filter("binary"), on=_CASE, how="semi")
    rest = skilled.join(split.filter(~pl.col("binary")), on=_CASE, how="semi")
    return pl.concat([_binary_trends(plain), _stepped_trends(rest)])


def _skills(means: pl.DataFrame) -> pl.DataFrame:
    """Each submission's mean over the other cases of the suite, to twelve digits: beyond, differences come of rounding."""
    total = (pl.col("score") * 2.0**70).round(0).cast(pl.Int128)
    others = pl.len().over("submission", "suite") - 1
    left = (total.sum().over("submission", "suite") - total).cast(pl.Float64) / 2.0**70
    return means.with_columns(skill=pl.when(others > 0).then((left / others).round(12))).drop_nulls(
        "skill"
    )


def _binary_trends(skilled: pl.DataFrame) -> pl.DataFrame:
    """τ-b where a case is passed or failed: from the rank sum of those that pass, S = 2U - n₁n₀ (Mann & Whitney 1947)."""
    low, high = (
        pl.col("skill").rank(method).over(_CASE).cast(pl.Int64) for method in ("min", "max")
    )
    # How many have the same skill: t in each of t rows, so that a sum over rows of t - 1 is one over ties of t (t - 1).
    t = pl.col("high") - pl.col("low") + 1
    table = (
        skilled.with_columns(low=low, high=high)
        .group_by(_CASE)
        .agg(
            n=pl.len().cast(pl.Int64),
            passes=pl.col("score").sum().cast(pl.Int64),
            ranks=(
                (pl.col("low") + pl.col("high")) * pl.col("score")
            ).sum(),  # twice the mean rank: exact
            pairs=(t - 1).sum(),
            triples=((t - 1) * (t - 2)).sum(),
            spread=((t - 1) * (2 * t + 5)).sum(),
        )
    )
    rows = [_binary_trend(row) for row in table.iter_rows(named=True)]
    schema = {**dict.fromkeys(_CASE, pl.String), "tau": pl.Float64, "tau_p": pl.Float64}
    return pl.DataFrame(rows, schema=schema, orient="row")


def _binary_trend(row: Mapping[str, Json]) -> tuple[str, str, str, float | None, float | None]:
    n, passes = row["n"], row["passes"]
    fails = n - passes
    s = round(row["ranks"] - passes * (passes + 1) - passes * fails)
    tau, p = _trend(n, s, (row["pairs"], row["triples"], row["spread"]), _tie_sums([passes, fails]))
    return row["suite"], row["category"], row["case_id"], tau, p


def _stepped_trends(skilled: pl.DataFrame) -> pl.DataFrame:
    """τ-b where a case is passed in part: over trials, or by its score."""
    rows = []
    for suite, category, case_id, scores, skills in (
        skilled.group_by(_CASE).agg("score", "skill").iter_rows()
    ):
        first, second = _tie_sums(_counts(skills)), _tie_sums(_counts(scores))
        tau = kendall_tau(scores, skills)
        n = len(scores)
        every = n * (n - 1)
        s = (
            0
            if tau is None
            else round(tau * math.sqrt((every - first[0]) * (every - second[0])) / 2)
        )
        rows.append((suite, category, case_id, *_trend(n, s, first, second)))
    schema = {**dict.fromkeys(_CASE, pl.String), "tau": pl.Float64, "tau_p": pl.Float64}
    return pl.DataFrame(rows, schema=schema, orient="row")


def _counts(values: Sequence[float]) -> list[int]:
    found: dict[float, int] = {}
    for value in values:
        found[value] = found.get(value, 0) + 1
    return list(found.values())


def _tie_sums(groups: Iterable[int]) -> tuple[int, int, int]:
    """Σt(t-1), Σt(t-1)(t-2) and Σt(t-1)(2t+5) over groups of t equal values."""
    sizes = tuple(groups)
    pairs = sum(t * (t - 1) for t in sizes)
    return (
        pairs,
        sum(t * (t - 1) * (t - 2) for t in sizes),
        sum(t * (t - 1) * (2 * t + 5) for t in sizes),
    )


def _trend(
    n: int, s: int, first: tuple[int, int, int], second: tuple[int, int, int]
) -> tuple[float | None, float | None]:
    """τ-b from S = concordant - discordant pairs, and P(S or lower) with Kendall's variance for ties.

    v = (n(n-1)(2n+5) - Σt(t-1)(2t+5) - Σu(u-1)(2u+5))/18 + Σt(t-1)(t-2) Σu(u-1)(u-2) / 9n(n-1)(n-2)
    + Σt(t-1) Σu(u-1) / 2n(n-1). Kendall, Rank Correlation Methods, 1970. S moves in steps of 2 at most, of which half is
    added (correction for continuity).
    """
    every = n * (n - 1)
    if every in (first[0], second[0]):
        return None, None
    variance = (every * (2 * n + 5) - first[2] - second[2]) / 18 + first[0] * second[0] / (
        2 * every
    )
    if n > 2:
        variance += first[1] * second[1] / (9 * every * (n - 2))
    tau = 2 * s / math.sqrt((every - first[0]) * (every - second[0]))
    z = (s + 1) / math.sqrt(variance)
    tail = normal_p(z) / 2
    return tau, float(f"{tail if z < 0 else 1 - tail:.12g}")


# ---------------------------------------------------------------- suspects


def _judged(table: pl.DataFrame) -> pl.DataFrame:
    """With suspect, reason and detail: the same wrong answer before the trend, because it says more."""
    found = [_suspicion(row) for row in table.iter_rows(named=True)]
    reasons, details = [reason for reason, _ in found], [detail for _, detail in found]
    return table.with_columns(
        suspect=pl.Series([reason is not None for reason in reasons], dtype=pl.Boolean),
        reason=pl.Series(reasons, dtype=pl.String),
        detail=pl.Series(details, dtype=pl.String),
    )


def _suspicion(row: Mapping[str, Json]) -> tuple[str | None, str | None]:
    n, same, tau, p = row["submissions"], row["same_answer"], row["tau"], row["tau_p"]
    if n and not row["solved"] and same >= SEVERAL and 2 * same >= n:
        return (
            "same_wrong_answer",
            f"All {n:,} submissions fail it, {same:,} of them with the same answer.",
        )
    if p is not None and tau < 0 and p <= RARE:
        return (
            "against_trend",
            f"The weaker submissions pass it more often than the stronger (τ {tau:.2f}).",
        )
    return None, None


def suspects(table: pl.DataFrame) -> Iterator[tuple[str, str, str]]:
    """Suite, case and reason of every suspect case of a HEALTH frame, in its order."""
    yield from table.filter("suspect").select("suite", "case_id", "reason").iter_rows()
