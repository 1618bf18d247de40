"""From verdicts to pass^k and pass@k: how reliably a submission passes what it was asked several times."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

import polars as pl

from leaderboard.frames import TRIALS
from leaderboard.types import Suite
from scoring.statistics import pass_at_k, pass_hat_k
from scoring.tables.aggregate import WHOLE

# Of every case (c, n): passes and scored trials.
_Counts = Sequence[tuple[int, int]]

_Row = tuple[str, str, str, int, int, float, float]


def trials(
    verdicts: pl.DataFrame, suites: Iterable[Suite], ranked: Mapping[str, str]
) -> pl.DataFrame:
    """The TRIALS frame of a VERDICTS frame, by the metric that `ranked` names for each suite's id.

    Rows are there for submissions that answered a suite more than once: for each category and for `*`, and for k from 1 to
    the number of scored trials that every case there has. `*` weights the categories as the suite's score does, so that at
    k = 1 both figures are the score. Sorted by submission, suite, category (`*` first, then as the suite lists them) and k.
    Raises KeyError where `ranked` lacks a suite.
    """
    rows: list[_Row] = []
    for suite in suites:
        mine = verdicts.filter(
            (pl.col("suite") == suite.id) & (pl.col("metric") == ranked[suite.id])
        )
        for submission, counts in _counts(mine).items():
            rows.extend((submission, suite.id, *row) for row in _suite(suite, counts))
    rows.sort(key=lambda row: row[:2])
    return pl.DataFrame(rows, schema=TRIALS, orient="row")


def _counts(verdicts: pl.DataFrame) -> dict[str, dict[str, list[tuple[int, int]]]]:
    """The counts of every submission that has a second trial, by category."""
    several = verdicts.filter(pl.col("trial") > 1).select("submission").unique()
    table = (
        verdicts.join(several, on="submission", how="semi")
        .group_by("submission", "category", "case_id")
        .agg(
            passes=(pl.col("outcome") == "pass").sum(),
            scored=(pl.col("outcome") != "unscored").sum(),
        )
    )
    found: defaultdict[str, defaultdict[str, list[tuple[int, int]]]] = defaultdict(
        lambda: defaultdict(list)
    )
    for submission, category, passes, scored in table.select(
        "submission", "category", "passes", "scored"
    ).iter_rows():
        found[submission][category].append((passes, scored))
    return {submission: dict(categories) for submission, categories in found.items()}


def _suite(
    suite: Suite, counts: Mapping[str, _Counts]
) -> Iterator[tuple[str, int, int, float, float]]:
    """The rows of one submission on one suite: `*`, then its categories."""
    parts = [(c.id, c.weight, counts[c.id]) for c in suite.categories if counts.get(c.id)]
    single = {category: list(_ks(rows)) for category, _, rows in parts}
    weighed = [(weight, single[category]) for category, weight, _ in parts if weight]
    number = sum(len(rows) for _, weight, rows in parts if weight)
    for k in range(1, min((len(rows) for _, rows in weighed), default=0) + 1):
        hat = _mean([(weight, rows[k - 1][0]) for weight, rows in weighed])
        yield WHOLE, k, number, hat, _mean([(weight, rows[k - 1][1]) for weight, rows in weighed])
    for category, _, rows in parts:
        for k, (hat, at) in enumerate(single[category], start=1):
            yield category, k, len(rows), hat, at


def _ks(counts: _Counts) -> Iterator[tuple[float, float]]:
    """pass^k and pass@k for every k that all cases have trials for."""
    for k in range(1, min(scored for _, scored in counts) + 1):
        hat, at = pass_hat_k(counts, k), pass_at_k(counts, k)
        if hat is not None and at is not None:
            yield hat, at


def _mean(weighted: Sequence[tuple[float, float]]) -> float:
    return math.fsum(weight * value for weight, value in weighted) / math.fsum(
        weight for weight, _ in weighted
    )
