"""Scores that were computed elsewhere (kind `reported`). Nothing here can derive them.

They are shown as what they are, have no rank, and are no part of a score over several suites.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from leaderboard.files.cases.reported import read_reported_cases, reported_of_row
from leaderboard.kinds import Kind
from leaderboard.types import Case, Response, Suite, Verdict
from scoring.rules.verdict_sentences import failed, system_failed, unscored

MOST_METRICS: Final = 20


def decide(suite: Suite, case: Case, response: Response) -> tuple[Verdict, ...]:  # noqa: ARG001 (the shape of every rule)
    """The reported score of each metric. Only a score of 1 is a pass."""
    given = response.reported or {}
    if response.error and not given:
        found = [system_failed(metric.id, response.error) for metric in suite.kind.metrics]
    else:
        found = [_as_reported(metric.id, given.get(metric.id)) for metric in suite.kind.metrics]
    return tuple(replace(verdict, decided_by="reported") for verdict in found)


def _as_reported(metric: str, score: float | None) -> Verdict:
    if score is None:
        return unscored(metric, "not_reported", "The submission reports no score.")
    detail = f"Reported: {score:g}. It is not derived here."
    if score == 1:
        return Verdict(metric, "pass", score, "reported_pass", detail)
    if score == 0:
        return failed(metric, "reported_fail", detail)
    return Verdict(metric, "fail", score, "reported_part", detail)


KIND: Final = Kind(
    name="reported",
    summary="scores that were computed elsewhere: reported, not derived here",
    interaction="elsewhere",
    read_cases=read_reported_cases,
    decide=decide,
    metrics=(),
    own_metrics=MOST_METRICS,
    about_truth="The scores were computed elsewhere. They are reported, not derived here.",
    case_of_row=reported_of_row,
)
