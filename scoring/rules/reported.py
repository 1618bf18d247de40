"""Scores that were computed elsewhere (kind `reported`). Nothing here can derive them.

They are shown as what they are, have no rank, and are no part of a score over several suites.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final, NotRequired

from pydantic import TypeAdapter, with_config
from typing_extensions import TypedDict

from leaderboard.files.cases.category_cases import CategoryCases
from leaderboard.files.cases.table_cases import CaseRow
from leaderboard.files.field_types import DEFERRED, OPEN, AnswerText, CaseId
from leaderboard.kinds import MOST_METRICS, Kind
from leaderboard.mappings import without_none
from leaderboard.types import Case, GroundTruth, Json, Response, ShownAnswer, Suite, Verdict
from scoring.rules.rule_verdicts import failed, system_failed, unscored


def decide(suite: Suite, case: Case, response: Response) -> tuple[Verdict, ...]:  # noqa: ARG001 (the shape of every rule)
    """The reported score of each metric. Only a score of 1 is a pass."""
    reported = response.reported or {}
    if response.error and not reported:
        verdicts = [system_failed(metric.id, response.error) for metric in suite.kind.metrics]
    else:
        verdicts = [
            _as_reported(metric.id, reported.get(metric.id)) for metric in suite.kind.metrics
        ]
    return tuple(replace(verdict, decided_by="reported") for verdict in verdicts)


def _as_reported(metric: str, score: float | None) -> Verdict:
    if score is None:
        return unscored(metric, "not_reported", "The submission reports no score.")
    detail = f"Reported: {score:g}. It is not derived here."
    if score == 1:
        return Verdict(metric, "pass", score, "reported_pass", detail)
    if score == 0:
        return failed(metric, "reported_fail", detail)
    return Verdict(metric, "fail", score, "reported_part", detail)


# ---------------------------------------------------------------- cases


@with_config(OPEN)
class ReportedCase(TypedDict):
    """One case.

    - `id`: the name of the case, unique in its suite.
    - `user_query`: the question, for readers. It decides nothing.
    - `ground_truth`: the right answer, for readers. It decides nothing.
    """

    id: CaseId
    user_query: NotRequired[AnswerText]
    ground_truth: NotRequired[Any]


CASES: Final = TypeAdapter(list[ReportedCase], config=DEFERRED)
_NO_QUESTION: Final = "The question is not published here."


def read_reported_cases(file: CategoryCases) -> tuple[Case, ...]:
    """Reads the cases of one category."""
    truth = GroundTruth(shown=(ShownAnswer("score", "computed elsewhere"),))
    return tuple(
        file.case(record, truth, query=record.get("user_query", _NO_QUESTION))
        for _, record in file.valid_records(CASES)
    )


def reported_of_row(row: CaseRow) -> dict[str, Json]:
    """The members of a case of this kind, apart from its id."""
    query, answer = row.text("user_query"), row.get("answer")
    return without_none({"user_query": query, "ground_truth": answer})


KIND: Final = Kind(
    name="reported",
    summary="scores that were computed elsewhere: reported, not derived here",
    interaction="elsewhere",
    placeholders=(),
    read_cases=read_reported_cases,
    case_shape=CASES,
    decide=decide,
    metrics=(),
    own_metrics=MOST_METRICS,
    about_truth="The scores were computed elsewhere. They are reported, not derived here.",
    case_of_row=reported_of_row,
)
