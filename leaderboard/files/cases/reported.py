"""Cases of kind `reported`: what was scored elsewhere. Only the id is needed."""

from __future__ import annotations

from typing import Any, Final, NotRequired

from pydantic import TypeAdapter, with_config
from typing_extensions import TypedDict

from leaderboard.files.cases.case_rows import CaseRow
from leaderboard.files.cases.category_cases import CategoryCases
from leaderboard.files.field_types import DEFERRED, OPEN, AnswerText, CaseId
from leaderboard.types import Case, GroundTruth, Json, ShownAnswer


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
    """Returns the members of a case of this kind, apart from its id."""
    query, answer = row.text("user_query"), row.get("answer")
    record = {"user_query": query, "ground_truth": answer}
    return {name: value for name, value in record.items() if value is not None}
