"""The kinds of suites, one module each.

To add a kind, add a module that ends with a `KIND`, and a line to KINDS.
"""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import Final

from leaderboard.kinds import Kinds
from leaderboard.reasons import MISSING_RESPONSE
from leaderboard.types import Suite, Verdict
from scoring.rules import (
    call_match,
    exact,
    judged,
    reported,
    stable_toolbench,
    tool_selection,
    tool_usage,
)
from scoring.rules.rule_verdicts import failed

# Raise it if the same response to the same case may get another verdict. Part of every manifest.
RULES_VERSION: Final = 19

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


def fail_unanswered(suite: Suite, *, in_other_trials: bool = False) -> tuple[Verdict, ...]:
    """The findings on a case without a record: it fails every metric of the suite.

    `in_other_trials`: the case has records in other trials.
    """
    detail = "The submission does not answer this case."
    if in_other_trials:
        detail = "The submission answers this case in other trials, but not in this one."
    metrics, by = suite.kind.metrics_of(suite.policy), suite.kind.decided_by
    return tuple(
        replace(failed(one.id, MISSING_RESPONSE, detail), decided_by=by) for one in metrics
    )
