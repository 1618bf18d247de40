"""Reference runs: `datasets/<suite>/reference.json`, every gold API of every query called once with example values.

Upstream makes such runs under the name of gold answers. They answer no question, so they are no ground truth: they are no part
of a suite, no rule and no judge sees them, and no score rests on them. A case's page shows them as what they are.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from pydantic import ConfigDict, TypeAdapter

from leaderboard.apis.api_names import FINISH
from leaderboard.apis.executions import tool_nodes
from leaderboard.errors import FilesError
from leaderboard.files.validation import read_shaped
from leaderboard.types import Call, Json, Suite
from leaderboard.workspace import Workspace

FILE: Final = "reference.json"
ABOUT: Final = (
    "Every gold API called once with its parameters’ example values, not those of the question. "
    "It is no ground truth and feeds no score."
)
_CLOSED: Final = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)


@dataclass(frozen=True, slots=True)
class Node:
    """One node of an answer, as StableToolBench's wrapper writes it; a tool's message is JSON text."""

    __pydantic_config__ = _CLOSED

    role: str
    message: str
    next: list[Node]


@dataclass(frozen=True, slots=True)
class AnswerTree:
    """What was called, in order, with Finish at the end, and the replies that came to something, one a line."""

    __pydantic_config__ = _CLOSED

    final_answer: str
    answer_details: list[Node]


@dataclass(frozen=True, slots=True)
class ReferenceAnswer:
    """The answer to one query. `case` is the digest of the case it was made for."""

    __pydantic_config__ = _CLOSED

    case: str
    answer: AnswerTree


@dataclass(frozen=True, slots=True)
class ReferenceFile:
    """The whole file: answers by query id. `about` says in words what they are."""

    __pydantic_config__ = _CLOSED

    schema: Literal[1]
    about: str
    answers: dict[str, ReferenceAnswer]


@dataclass(frozen=True, slots=True)
class ReferenceRun:
    """The reference run of one query: its calls with their replies, without Finish, and what the replies come to."""

    calls: tuple[Call, ...]
    final_answer: str


_FILE: Final = TypeAdapter(ReferenceFile)


def load_reference(workspace: Workspace, suite: Suite) -> Mapping[str, ReferenceRun]:
    """The reference runs of a suite by case id; empty where there is no such file, as for most suites.

    Raises FilesError for a file of another form, and for one that was made for other queries than those here.
    """
    path = workspace.datasets / suite.id / FILE
    if not path.exists():
        return {}
    again = f"make it again: lb suites reference {suite.id}"
    file, findings = read_shaped(_FILE, path, workspace.shown(path), workspace.root, again)
    for case_id, answer in file.answers.items():
        case = suite.case(case_id)
        if case is None:
            findings.add(("answers", case_id), f"names no case of {suite.id}: {case_id!r}", again)
        elif case.digest != answer.case:
            findings.add(
                ("answers", case_id), f"was made for another version of case {case_id}", again
            )
    if findings.found:
        raise FilesError(findings.problems())
    return {case_id: _run(answer.answer) for case_id, answer in file.answers.items()}


def _run(answer: AnswerTree) -> ReferenceRun:
    nodes: list[Json] = [
        {"role": node.role, "message": node.message} for node in answer.answer_details
    ]
    calls = (node.call for node in tool_nodes(nodes))
    return ReferenceRun(tuple(call for call in calls if call.name != FINISH), answer.final_answer)
