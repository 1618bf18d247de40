"""Which rule decides which kind of suite, and which metrics it gives."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from leaderboard.types import Decision, Rule
from scoring.rules import call_match, stable_toolbench, tool_selection, tool_usage
from scoring.rules.details import failed

# Raised whenever the same response to the same case may get another verdict; part of every manifest.
RULES_VERSION: Final = 1

RULES: Final[Mapping[str, Rule]] = MappingProxyType(
    {
        "tool_selection": tool_selection.decide,
        "call_match": call_match.decide,
        "tool_usage": tool_usage.decide,
        "stable_toolbench": stable_toolbench.decide,
    }
)

# The metrics of a kind, the one ranked first.
METRICS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "tool_selection": (tool_selection.METRIC,),
        "call_match": (call_match.METRIC,),
        "tool_usage": (tool_usage.CORRECT, tool_usage.TRAJECTORY, tool_usage.STEP_RATIO),
        "stable_toolbench": stable_toolbench.METRICS,
    }
)


def missing(kind: str, policy: Mapping[str, str] = MappingProxyType({})) -> tuple[Decision, ...]:
    """What a case with no record gets: a fail of every metric of its kind, and of what the suite's policy asks for beside them.

    Raises KeyError for an unknown kind.
    """
    further = stable_toolbench.further_metrics(policy) if kind == "stable_toolbench" else ()
    names = (*METRICS[kind], *further)
    return tuple(
        failed(metric, "missing_response", "The submission does not answer this case.")
        for metric in names
    )
