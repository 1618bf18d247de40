"""Cases for a rule of the workspace's own: a question, and a ground truth that the rule reads."""

from __future__ import annotations

import json
from typing import Any, Final, NotRequired

from pydantic import TypeAdapter, with_config
from typing_extensions import TypedDict

from leaderboard.files.cases.case_rows import CaseRow
from leaderboard.files.cases.category_cases import CategoryCases
from leaderboard.files.field_types import DEFERRED, OPEN, AnswerText, CaseId
from leaderboard.files.tool_records import AnyTool, tool_from_record
from leaderboard.types import Case, GroundTruth, Json, ShownAnswer


@with_config(OPEN)
class OwnCase(TypedDict):
    """One case. The rule gets the whole record, with any further keys.

    - `id`: the name of the case, unique in its suite.
    - `user_query`: the question.
    - `tools`: the tools of this case. Without them, those of the suite.
    - `ground_truth`: what the rule compares with. Its form is the rule's own.
    """

    id: CaseId
    user_query: AnswerText
    tools: NotRequired[list[AnyTool]]
    ground_truth: NotRequired[Any]


CASES: Final = TypeAdapter(list[OwnCase], config=DEFERRED)


def read_own(file: CategoryCases) -> tuple[Case, ...]:
    """Reads the cases of one category."""
    cases = []
    for _, record in file.valid_records(CASES):
        truth = record.get("ground_truth")
        shown = truth if isinstance(truth, str) else json.dumps(truth, ensure_ascii=False)
        answer = ShownAnswer("the rule reads", "nothing but the answer" if truth is None else shown)
        tools = tuple(map(tool_from_record, record.get("tools", ()))) or file.tools
        cases.append(file.case(record, GroundTruth(shown=(answer,)), tools=tools))
    return tuple(cases)


def own_of_row(row: CaseRow) -> dict[str, Json]:
    """Returns the members of a case of this kind, apart from its id. Raises ValueError."""
    record: dict[str, Json] = {"user_query": row.needed("user_query")}
    if (answer := row.get("answer")) is not None:
        record["ground_truth"] = answer
    return record
