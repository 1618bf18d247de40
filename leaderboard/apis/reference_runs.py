"""Reference runs: `datasets/<suite>/reference.json`, every gold API called with example values.

Upstream calls such runs gold answers, but they answer no question. So they are no ground truth: no
rule, judge or score uses them. A case's page shows them as what they are.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from pydantic import TypeAdapter, with_config
from typing_extensions import TypedDict

from leaderboard.apis.api_names import FINISH
from leaderboard.apis.executions import tool_nodes
from leaderboard.files.field_types import CLOSED
from leaderboard.files.shaped_files import read_shaped
from leaderboard.types import Call, Suite
from leaderboard.workspace import Workspace

FILE: Final = "reference.json"
ABOUT: Final = (
    "Every gold API called once with its parameters’ example values, not those of the question. "
    "It is no ground truth and feeds no score."
)


@with_config(CLOSED)
class ReferenceNode(TypedDict):
    """One node of an answer, as StableToolBench's wrapper writes it."""

    role: str
    message: str
    next: list[ReferenceNode]


@with_config(CLOSED)
class AnswerTree(TypedDict):
    """What was called, with Finish at the end, and the successful replies, one a line."""

    final_answer: str
    answer_details: list[ReferenceNode]


@with_config(CLOSED)
class ReferenceAnswer(TypedDict):
    """The answer to one query. `case` is the digest of the case it was made for."""

    case: str
    answer: AnswerTree


@with_config(CLOSED)
class ReferenceFile(TypedDict):
    """The whole file: answers by query id. `about` is the sentence ABOUT."""

    schema: Literal[1]
    about: str
    answers: dict[str, ReferenceAnswer]


@dataclass(frozen=True, slots=True)
class ReferenceRun:
    """The reference run of one query: its calls without Finish, and the joined replies."""

    calls: tuple[Call, ...]
    final_answer: str


_FILE: Final = TypeAdapter(ReferenceFile)


def load_reference(workspace: Workspace, suite: Suite) -> Mapping[str, ReferenceRun]:
    """Reads the reference runs of a suite by case id; empty for suites without such a file.

    Raises FilesError for a file that is malformed, or that was made for other queries.
    """
    path = workspace.datasets / suite.id / FILE
    if not path.exists():
        return {}
    again = f"make it again: lb suites reference {suite.id}"
    file, findings = read_shaped(_FILE, path, workspace.shown(path), workspace.root, again)
    runs = {}
    for case_id, made in file["answers"].items():
        case = suite.case(case_id)
        if case is None:
            what = f"names a case that is not in {suite.id}: {case_id!r}"
            findings.add(("answers", case_id), what, again)
        elif case.digest != made["case"]:
            what = f"was made for another version of case {case_id}"
            findings.add(("answers", case_id), what, again)
        calls = (node.call for node in tool_nodes(made["answer"]["answer_details"]))
        without_finish = tuple(call for call in calls if call.name != FINISH)
        runs[case_id] = ReferenceRun(without_finish, made["answer"]["final_answer"])
    findings.raise_errors()
    return runs
