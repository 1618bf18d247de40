"""The metrics of a suite as pages name them, and how their means are written."""

from __future__ import annotations

from collections.abc import Collection

from leaderboard.kinds import Metric
from leaderboard.types import Suite
from site_templates import formatting


def metric_of(suite: Suite, name: str) -> Metric:
    """A metric by its id. One that the suite's kind does not know has its id as name."""
    for metric in (*suite.kind.metrics, *suite.kind.policy_metrics):
        if metric.id == name:
            return metric
    return Metric(name, formatting.words(name), "")


def ordered(suite: Suite, names: Collection[str]) -> tuple[str, ...]:
    """The metrics of a suite: those of its kind, the ranked one first, then others by name."""
    declared = [metric.id for metric in (*suite.kind.metrics, *suite.kind.policy_metrics)]
    others = sorted(set(names).difference(declared))
    return (*(name for name in declared if name in names), *others)


def written_mean(metric: Metric, value: float | None) -> str:
    """A mean: a share in percent without the sign, "81.9"; a ratio as "1.08×"."""
    if not metric.ratio:
        return formatting.percent(value)
    return formatting.NONE if value is None else f"{value:.2f}×"


def written_bounds(metric: Metric, low: float | None, high: float | None) -> str:
    """The interval of a mean, written like it; "" if there is none."""
    if not metric.ratio:
        return formatting.bounds(low, high)
    return "" if low is None or high is None else f"{low:.2f}–{high:.2f}"
