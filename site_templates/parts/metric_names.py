"""The metrics of suites as readers see them: names, what each says, and how its figures are written."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from site_templates import formatting


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric by its id: its name, one sentence on it, and whether it is a ratio around 1 instead of a share up to 1.

    One that is no `merit` tells how an answer came about: to fail it is nothing bad.
    """

    id: str
    label: str
    says: str
    ratio: bool = False
    merit: bool = True

    def shown(self, value: float | None) -> str:
        """A mean of this metric: a share in percent without the sign, "81.9"; a ratio as "1.08×"."""
        if self.ratio:
            return formatting.NONE if value is None else f"{value:.2f}×"
        return formatting.percent(value)

    def bounds(self, low: float | None, high: float | None) -> str:
        """The interval of a mean, written like it; empty where there is none."""
        if self.ratio:
            return "" if low is None or high is None else f"{low:.2f}–{high:.2f}"
        return formatting.bounds(low, high)


# In the order of the columns; a metric that is not named here goes by its id and stands last.
_KNOWN: Final = MappingProxyType(
    {
        metric.id: metric
        for metric in (
            Metric(
                "correct",
                "correct",
                "The share of cases that end as they should: the right call, state or answer.",
            ),
            Metric(
                "sopr",
                "solved",
                "How far a judge finds the queries solved: solved counts 1, unsure a half.",
            ),
            Metric(
                "trajectory",
                "trajectory",
                "The share of cases in which exactly the tools of an accepted path are called.",
            ),
            Metric(
                "step_ratio",
                "step ratio",
                "Steps taken, as a multiple of the steps that the closest accepted path needs: 1× is as many as expected. "
                "Too few and too many can cancel out in the mean, so both are counted beside it.",
                ratio=True,
            ),
            Metric(
                "api_call",
                "API call",
                "The share of the gold APIs (those that an answer takes) that are called.",
            ),
            Metric(
                "finish", "finish", "The share of queries that are brought to an end with Finish."
            ),
            Metric(
                "api_call_precision",
                "precision",
                "The share of the APIs called that are gold ones.",
            ),
            Metric(
                "api_call_success",
                "called well",
                "The share of the gold APIs of which a call came to something.",
            ),
            Metric(
                "final_answer",
                "final answer",
                "The share of queries that a judge finds solved by the final answer alone.",
            ),
            Metric(
                "solved_without_tools",
                "without tools",
                "The part of the solved score that was reached though no tool call came to anything: answers from memory.",
                merit=False,
            ),
        )
    }
)


def metric(name: str) -> Metric:
    """The metric of that id."""
    return _KNOWN.get(name) or Metric(name, formatting.words(name), "")


def ordered(names: Iterable[str], ranked: str) -> tuple[str, ...]:
    """The metrics of a suite, the ranked one first."""
    places = {name: place for place, name in enumerate(_KNOWN)}
    return tuple(
        sorted(set(names), key=lambda name: (name != ranked, places.get(name, len(places)), name))
    )
