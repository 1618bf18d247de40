"""Scores corrected for the errors that the panel makes on the labelled pairs.

For one submission and category every case counts 1 / C, shared among its scored trials, as in the
score. J is what the verdicts of the panel count together, P what the passes among them count. The
verdicts of the rules are kept. The judged share of passes p = P / J becomes
p' = (p + sp - 1) / (se + sp - 1), clipped to 0..1 (Rogan & Gladen 1978), with the sensitivity and
specificity of the panel on the labelled pairs of the category. The corrected score is
score - P + J p'.

Over simulated APIs nothing is corrected. A verdict may count a half there, if the panel is unsure,
and the formula has only two outcomes.
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
from scoring.judging.agreement import measured
from scoring.statistics import Z95, combined, rogan_gladen
from scoring.tables.aggregate import WHOLE

_KEYS: Final = ("submission", "suite", "category", "metric")

_Key = tuple[str, str, str, str]


@dataclass(slots=True)
class _Judged:
    """What the panel decided in a category: verdicts and passes, and J and P of the score."""

    verdicts: int = 0
    passes: int = 0
    weight: Fraction = Fraction(0)
    passed: Fraction = Fraction(0)


@dataclass(frozen=True, slots=True)
class _Corrected:
    score: float
    low: float
    high: float


def corrected(
    cases: pl.DataFrame, scores: pl.DataFrame, suites: Iterable[Suite], agreement: pl.DataFrame
) -> pl.DataFrame:
    """The CORRECTED frame: the rows of SCORES in which the panel decided anything, in their order.

    `cases` comes from `aggregate.case_scores`. `corrected` is null if a category has no graded
    pair of one of the two labels, if sensitivity + specificity <= 1, and over simulated APIs. For
    `*` it is the weighted mean of the categories, with the plain score of categories that no
    judge decided, and null if one of them is null. `low` and `high` cover only the uncertainty
    that comes from the small number of pairs. SCORES has the interval of the score.
    """
    suites = tuple(suites)
    judged = _judged(cases)
    plain: dict[_Key, float | None] = {
        (submission, suite, category, metric): score
        for submission, suite, category, metric, score in scores.select(*_KEYS, "score").iter_rows()
    }
    measures = measured(agreement)
    correctable = {suite.id for suite in suites if suite.kind.judged_as != "solved"}
    made: dict[_Key, _Corrected | None] = {}
    for key, part in judged.items():
        place = measures.get(key[1:3]) if key[1] in correctable else None
        made[key] = _correct(part, plain[key], place)

    weights = {suite.id: {c.id: c.weight for c in suite.categories if c.cases} for suite in suites}
    rows = []
    for key, score in plain.items():
        submission, suite_id, category_id, metric = key
        within = {key: 1.0}
        if category_id == WHOLE:
            within = {(submission, suite_id, c, metric): w for c, w in weights[suite_id].items()}
        parts = [judged[category] for category in within if category in judged]
        if not parts:
            continue
        counts = sum(part.verdicts for part in parts), sum(part.passes for part in parts)
        result = _mean(within, plain, made)
        limits = (result.score, result.low, result.high) if result else (None, None, None)
        rows.append((*key, *counts, score, *limits))
    return pl.DataFrame(rows, schema=CORRECTED, orient="row")


def _judged(cases: pl.DataFrame) -> dict[_Key, _Judged]:
    """The panel's part of each row of SCORES in which it decided anything."""
    counted = (
        cases.filter(pl.col("scored") > 0)
        .group_by(*_KEYS, "judged", "judged_passed", "scored")
        .agg(number=pl.len())
        .with_columns(pl.col(_KEYS).cast(pl.String), cases=pl.col("number").sum().over(_KEYS))
        .filter(pl.col("judged") > 0)
        .sort(_KEYS)
    )
    found: dict[_Key, _Judged] = {}
    for *key, judged, passed, scored, number, total in counted.iter_rows():
        submission, suite, category, metric = key
        part = found.setdefault((submission, suite, category, metric), _Judged())
        part.verdicts += judged * number
        part.passes += passed * number
        part.weight += Fraction(judged * number, scored * total)
        part.passed += Fraction(passed * number, scored * total)
    return found


def _correct(
    part: _Judged, score: float | None, measures: Mapping[str, Any] | None
) -> _Corrected | None:
    if score is None or measures is None:
        return None
    sensitivity, specificity = measures["sensitivity"], measures["specificity"]
    if sensitivity is None or specificity is None:
        return None
    share = rogan_gladen(float(part.passed / part.weight), sensitivity, specificity)
    if share is None:
        return None
    half = Z95 * _deviation(share, measures)
    ruled, weight = score - float(part.passed), float(part.weight)
    low, high = max(0.0, share - half), min(1.0, share + half)
    return _Corrected(ruled + weight * share, ruled + weight * low, ruled + weight * high)


def _deviation(share: float, measures: Mapping[str, Any]) -> float:
    """The standard deviation of a corrected share from the number of pairs: √Σ / (se + sp - 1).

    Σ = p'² se (1 - se) / n + (1 - p')² sp (1 - sp) / m: the terms of Rogan & Gladen's variance
    that come from se and sp. In Σ both have one error and one success added, so that a few pairs
    without an error do not count as certainty.
    """
    of_equivalent = _variance(measures["true_equivalent"], measures["false_different"])
    of_different = _variance(measures["true_different"], measures["false_equivalent"])
    spread = share**2 * of_equivalent + (1 - share) ** 2 * of_different
    informative: float = measures["sensitivity"] + measures["specificity"] - 1
    return math.sqrt(spread) / informative


def _variance(right: int, wrong: int) -> float:
    n = right + wrong + 2
    return (right + 1) * (wrong + 1) / n**3


def _mean(
    weights: Mapping[_Key, float],
    plain: Mapping[_Key, float | None],
    made: Mapping[_Key, _Corrected | None],
) -> _Corrected | None:
    """The categories together. None if one of them has no score, or cannot be corrected."""
    parts = []
    for key in weights:
        score = plain.get(key)
        part = None if score is None else _Corrected(score, score, score)
        part = made.get(key, part)
        if part is None:
            return None
        parts.append(part)
    shares = list(weights.values())
    total = math.fsum(weight * part.score for weight, part in zip(shares, parts, strict=True))
    limits = [(part.low, part.high) for part in parts]
    low, high = combined(shares, [part.score for part in parts], limits)
    return _Corrected(total / math.fsum(shares), low, high)
