"""The kinds of suites, one module each.

To add a kind, add a module that ends with a `KIND`, and a line to KINDS.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from leaderboard.kinds import Kinds
from leaderboard.reasons import UNANSWERED
from leaderboard.types import Decision, Suite
from scoring.rules import (
    call_match,
    exact,
    judged,
    reported,
    stable_toolbench,
    tool_selection,
    tool_usage,
)
from scoring.rules.verdict_sentences import failed

# Raise it if the same response to the same case may get another verdict. Part of every manifest.
RULES_VERSION: Final = 6

KINDS: Final[Kinds] = MappingProxyType(
    {
        kind.name: kind
        for kind in (
            tool_selection.KIND,
            call_match.KIND,
            tool_usage.KIND,
            stable_toolbench.KIND,
            exact.KIND,
            judged.KIND,
            reported.KIND,
        )
    }
)


def fail_unanswered(suite: Suite) -> tuple[Decision, ...]:
    """The findings on a case without a record: it fails every metric of the suite."""
    detail = "The submission does not answer this case."
    return tuple(
        failed(metric.id, UNANSWERED, detail) for metric in suite.kind.metrics_of(suite.policy)
    )
