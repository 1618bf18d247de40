"""Scores corrected for the errors that the panel makes on the labelled pairs.

The verdicts of the rules are kept. The judged share of passes p becomes
p' = (p + sp - 1) / (se + sp - 1), with the sensitivity and specificity of the panel (Rogan &
Gladen 1978). The limits are those of `statistics.judged_scores`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

import polars as pl

from leaderboard.frames import CORRECTED
from leaderboard.types import Suite
from scoring.judging.agreement import JudgeQuality
from scoring.statistics.intervals import Interval, score_interval
from scoring.statistics.judged_scores import (
    JudgedPart,
    LabelCounts,
    judged_limits,
    judged_limits_by_category,
)
from scoring.tables.scores import (
    Part,
    groups,
    parts_of,
    sums_of,
    weighted_mean,
    weights_by_category,
)

_Quality = Mapping[tuple[str, str], JudgeQuality]

_MEASURES = ("agreement", "sensitivity", "specificity", "youden", "youden_low", "youden_high")


def corrected(sums: pl.DataFrame, suites: Iterable[Suite], quality: _Quality) -> pl.DataFrame:
    """The CORRECTED frame, in the order of SCORES.

    `sums` comes from `scores.category_sums`, `quality` from `judge_quality`. A suite is
    corrected by the labels of each category if every judged category has pairs of both labels,
    otherwise by those of all judged categories together. Without a validated judge the limits run
    from every judged answer failed to every one passed, and no corrected score exists. Labels that
    are a scale are not corrected: the formula is about right and wrong answers.
    """
    by_id = {suite.id: suite for suite in suites}
    rows = []
    for (submission, suite_id, metric), by_category in sorted(groups(sums, by_id.values()).items()):
        suite = by_id[suite_id]
        if metric != suite.kind.ranked:
            continue
        for place, weights in weights_by_category(suite).items():
            parts = parts_of(by_category, weights)
            judged = sum(row["judged"] for _, row in parts)
            if judged and len(parts) == len(weights):
                passed = sum(row["judged_passed"] for _, row in parts)
                key = submission, suite_id, place, metric, judged, passed
                rows.append((*key, *_columns(suite, place, parts, quality)))
    return pl.DataFrame(rows, schema=CORRECTED, orient="row")


def _columns(
    suite: Suite, place: str, parts: Sequence[Part], quality: _Quality
) -> tuple[float | bool | None, ...]:
    """The columns of CORRECTED from `score` on."""
    here = quality[suite.id, place]
    measures = [here.measures[name] for name in _MEASURES]
    trust = (here.measures["pairs"], *measures, here.validated)
    not_corrected = (None, None, None)
    if not all(row["answered"] for _, row in parts):
        return None, *not_corrected, *trust
    score = weighted_mean(parts, "mean", "answered")
    if suite.kind.is_scale or any(row["open"] for _, row in parts):
        return score, *not_corrected, *trust

    counts = [_counts(suite.id, part, quality, here) for part in parts]
    if all(labels.right and labels.wrong for labels in counts):
        low, high = judged_interval(parts, counts)
    else:
        counts = [here.counts] * len(parts)
        low, high = judged_interval(parts, here.counts)
    point = _rogan_gladen([_judged(part) for part in parts], counts) if here.validated else None
    return score, None if point is None else min(max(point, low), high), low, high, *trust


def judged_interval(parts: Sequence[Part], labels: LabelCounts | Sequence[LabelCounts]) -> Interval:
    """The limits of a judged score, from one set of labels, or from those of each category.

    They stay within the limits with every judged answer failed and with every one passed.
    """
    least, _ = score_interval(sums_of(parts, "ruled", "answered"))
    _, most = score_interval(sums_of(parts, "lenient", "answered"))
    judged = [_judged(part) for part in parts]
    if isinstance(labels, LabelCounts):
        limits = judged_limits(judged, labels) or (least, most)
    else:
        limits = judged_limits_by_category(judged, labels)
    low, high = (min(max(limit, least), most) for limit in limits)
    return low, high


def _counts(suite_id: str, part: Part, quality: _Quality, whole: JudgeQuality) -> LabelCounts:
    """The labels of a category, or those of the suite if no judge decided anything there."""
    _, row = part
    return quality[suite_id, row["category"]].counts if row["judged"] else whole.counts


def _judged(part: Part) -> JudgedPart:
    weight, row = part
    n = row["answered"]
    return JudgedPart(weight, n, row["ruled"] / n, row["judged_cases"] / n, row["by_judge"] / n)


def _rogan_gladen(parts: Sequence[JudgedPart], counts: Sequence[LabelCounts]) -> float | None:
    """The corrected score. None if a judge is no better than chance on the labels of a category."""
    scores = []
    for part, labels in zip(parts, counts, strict=True):
        score = part.ruled
        if part.judged:
            if labels.youden_j <= 0:
                return None
            excess = part.passed - part.judged * (1 - labels.specificity)
            score += min(part.judged, max(0.0, excess / labels.youden_j))
        scores.append(part.weight * score)
    return math.fsum(scores) / math.fsum(part.weight for part in parts)
