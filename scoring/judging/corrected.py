"""Scores as they would be if the panel erred among a submission's answers as it errs among the labelled pairs.

For one submission and category, every case counts 1 / C and shares that among its scored trials, as it does in the score. Let J
be what the verdicts decided by the panel count together, P what the passes among them count. The verdicts of the rules stay as
they are; the judged share of passes p = P / J becomes p' = (p + sp - 1) / (se + sp - 1), kept in 0..1 (Rogan & Gladen 1978),
with the panel's sensitivity and specificity on the labelled pairs of the category. The corrected score is score - P + J p'.

Over simulated APIs nothing is corrected: there a verdict may count a half, where the panel is unsure, and the formula knows
only two readings. Sensitivity and specificity, measured where the panel was sure, say nothing about these halves.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

import polars as pl

from leaderboard.frames import CORRECTED
from leaderboard.types import Suite
from scoring.judging.agreement import WHOLE, measured
from scoring.statistics import Z95, combined, rogan_gladen

_KEYS: Final = ("submission", "suite", "category", "metric")

_Key = tuple[str, str, str, str]
_Measures = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class _Judged:
    """What the panel decided of a submission in a category: verdicts and passes, and what they count in the score (J and P)."""

    verdicts: int
    passes: int
    weight: Fraction
    passed: Fraction


@dataclass(frozen=True, slots=True)
class _Corrected:
    score: float
    low: float
    high: float


def corrected(
    cases: pl.DataFrame, scores: pl.DataFrame, suites: Iterable[Suite], agreement: pl.DataFrame
) -> pl.DataFrame:
    """The CORRECTED frame: one row per row of SCORES in which the panel decided anything, in the same order.

    `cases` is what `aggregate.case_scores` makes of the verdicts. `corrected` is null where a category has no labelled pair
    with a grade for one of the two labels, where sensitivity + specificity <= 1, and over simulated APIs. For `*` it is the
    mean of the categories by their weights, with the plain score of those in which no judge decided; null where one of them
    is. `low` and `high` say how uncertain the correction is because sensitivity and specificity come from few pairs, and
    nothing else: the interval of the score stands in SCORES.
    """
    suites = tuple(suites)
    judged = _judged(cases)
    plain: dict[_Key, float | None] = {
        tuple(row[:4]): row[4] for row in scores.select(*_KEYS, "score").iter_rows()
    }
    halves = {suite.id for suite in suites if suite.kind.judged_as == "solved"}
    measures = {place: row for place, row in measured(agreement).items() if place[0] not in halves}
    made = {key: _correct(part, plain[key], measures.get(key[1:3])) for key, part in judged.items()}
    weights = {suite.id: {c.id: c.weight for c in suite.categories if c.cases} for suite in suites}
    rows = []
    for key, score in plain.items():
        within = _within(key, weights[key[1]]) if key[2] == WHOLE else {key: 1.0}
        parts = [judged[category] for category in within if category in judged]
        if parts:
            result = _whole(within, plain, made)
            counts = sum(part.verdicts for part in parts), sum(part.passes for part in parts)
            rows.append(
                (
                    *key,
                    *counts,
                    score,
                    *((result.score, result.low, result.high) if result else (None, None, None)),
                )
            )
    return pl.DataFrame(rows, schema=CORRECTED, orient="row")


def _judged(cases: pl.DataFrame) -> dict[_Key, _Judged]:
    """By submission, suite, category and metric; only where the panel decided anything."""
    counted = (
        cases.filter(pl.col("scored") > 0)
        .group_by(*_KEYS, "judged", "judged_passed", "scored")
        .agg(cases=pl.len())
        .with_columns(pl.col(_KEYS).cast(pl.String))
    )
    found = {}
    for key, part in counted.partition_by(_KEYS, as_dict=True, include_key=False).items():
        rows = part.select("judged", "judged_passed", "scored", "cases").rows()
        if any(judged for judged, *_ in rows):
            total = sum(n for *_, n in rows)
            found[_key(key)] = _Judged(
                sum(judged * n for judged, _, _, n in rows),
                sum(passed * n for _, passed, _, n in rows),
                sum(
                    (Fraction(judged * n, scored * total) for judged, _, scored, n in rows),
                    Fraction(0),
                ),
                sum(
                    (Fraction(passed * n, scored * total) for _, passed, scored, n in rows),
                    Fraction(0),
                ),
            )
    return found


def _key(values: tuple[Any, ...]) -> _Key:
    submission, suite, category, metric = values
    return submission, suite, category, metric


def _within(whole: _Key, weights: Mapping[str, float]) -> dict[_Key, float]:
    """The weights of a suite's categories, for one submission and metric."""
    submission, suite, _, metric = whole
    return {(submission, suite, category, metric): weight for category, weight in weights.items()}


def _correct(part: _Judged, score: float | None, measures: _Measures | None) -> _Corrected | None:
    if (
        score is None
        or measures is None
        or measures["sensitivity"] is None
        or measures["specificity"] is None
    ):
        return None
    share = rogan_gladen(
        float(part.passed / part.weight), measures["sensitivity"], measures["specificity"]
    )
    if share is None:
        return None
    half = Z95 * _deviation(share, measures)
    ruled, weight = score - float(part.passed), float(part.weight)
    low, middle, high = (
        ruled + weight * p for p in (max(0.0, share - half), share, min(1.0, share + half))
    )
    return _Corrected(middle, low, high)


def _deviation(share: float, measures: _Measures) -> float:
    """The standard deviation of a corrected share because of how few pairs were labelled: √Σ / (se + sp - 1).

    Σ = p'² se (1 - se) / n + (1 - p')² sp (1 - sp) / m: the terms of Rogan & Gladen's variance that come from se and sp. In Σ
    both are taken with one error and one success more, so that no error among a few pairs does not count as certainty.
    """
    right, wrong = measures["true_equivalent"], measures["false_different"]
    rejected, let_through = measures["true_different"], measures["false_equivalent"]
    spread = share**2 * _variance(right, wrong) + (1 - share) ** 2 * _variance(
        rejected, let_through
    )
    informative: float = measures["sensitivity"] + measures["specificity"] - 1
    return math.sqrt(spread) / informative


def _variance(right: int, wrong: int) -> float:
    n = right + wrong + 2
    return (right + 1) * (wrong + 1) / n**3


def _whole(
    weights: Mapping[_Key, float],
    plain: Mapping[_Key, float | None],
    made: Mapping[_Key, _Corrected | None],
) -> _Corrected | None:
    """The categories together; None where one of them has no score, or none that can be corrected."""
    parts = []
    for key in weights:
        score = plain.get(key)
        part = (
            made[key]
            if key in made
            else _Corrected(score, score, score)
            if score is not None
            else None
        )
        if part is None:
            return None
        parts.append(part)
    shares = list(weights.values())
    mean = math.fsum(w * part.score for w, part in zip(shares, parts, strict=True)) / math.fsum(
        shares
    )
    return _Corrected(
        mean,
        *combined(
            shares, [part.score for part in parts], [(part.low, part.high) for part in parts]
        ),
    )
