"""What the kinds share that decide whether a case ends as it should."""

from __future__ import annotations

from typing import Final

from leaderboard.kinds import Metric

CORRECT: Final = Metric(
    "correct",
    "correct",
    "The share of cases that end as they should: the right call, state or answer.",
)
METRIC: Final = CORRECT.id


def shown_name(tool: str, underscored: bool) -> str:
    """The name under which a model was shown a tool."""
    return tool.replace(".", "_") if underscored else tool
