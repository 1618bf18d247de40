"""The labelled sets: answers with the right verdict.

`prompts/<suite>/labels/<category>.json` was written for judges, and
`datasets/<suite>/labels/<category>.json` for the whole decision by rules, facts and judges.
docs/labelling.md says how the labels were made.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, NotRequired

from pydantic import TypeAdapter, with_config
from typing_extensions import TypedDict

from leaderboard.apis.api_definitions import definitions_of
from leaderboard.apis.called_apis import called_apis
from leaderboard.apis.executions import tool_reply
from leaderboard.digest import canonical, digest_bytes
from leaderboard.errors import Problem, collect_problems, raise_any
from leaderboard.files.field_types import CLOSED, DEFERRED, AnswerText, CaseId, Identifier, Line
from leaderboard.files.findings import Findings
from leaderboard.files.shaped_files import read_shaped
from leaderboard.responses.solved_grades import UNSURE
from leaderboard.types import Call, Case, Category, Json, Response, Suite
from leaderboard.workspace import Workspace

_FORMAT: Final = "see lb docs labelling"


@with_config(CLOSED)
class LabelRecord(TypedDict):
    """An answer with its label. `argument` names the argument that `got` is a value of."""

    id: Identifier
    case_id: CaseId
    argument: NotRequired[Line]
    got: AnswerText
    label: Line
    why: Line


@with_config(CLOSED)
class LabelledCallRecord(TypedDict):
    """A call that led to a labelled answer, with its reply as submissions write it."""

    name: Line
    arguments: dict[str, Any]
    response: Any


@with_config(CLOSED)
class SolvedLabelRecord(TypedDict):
    """A final answer over simulated APIs, with its calls and whether it solves the query."""

    id: Identifier
    case_id: CaseId
    got: AnswerText
    calls: list[LabelledCallRecord]
    label: Line
    why: Line


_LABELS: Final = TypeAdapter(list[LabelRecord], config=DEFERRED)
_SOLVED_LABELS: Final = TypeAdapter(list[SolvedLabelRecord], config=DEFERRED)


@dataclass(frozen=True, slots=True)
class LabelledPair:
    """An answer to a case, and the verdict that a judge should give.

    `argument` names the argument of the expected call that `got` is a value of; it is None for a
    text. `calls` led to a final answer over simulated APIs.
    """

    id: str
    suite: str
    category: str
    case_id: str
    argument: str | None
    got: str
    label: str
    why: str
    calls: tuple[Call, ...] = ()


@dataclass(frozen=True, slots=True)
class LabelledSet:
    """The labelled pairs of one category. `file` is a path below the workspace.

    `decision`: the set was written for the whole decision, and not for judges alone.
    """

    file: str
    digest: str
    pairs: tuple[LabelledPair, ...]
    suite: str
    category: str
    decision: bool = False


def load_labels(workspace: Workspace, suite: Suite) -> tuple[LabelledSet, ...]:
    """Reads the labelled sets of a suite, those for judges first.

    Raises FilesError with the problems of all files.
    """
    problems: list[Problem] = []
    sets: list[LabelledSet] = []
    file_of_pair: dict[str, str] = {}
    for root, decision in ((workspace.prompts, False), (workspace.datasets, True)):
        folder = root / suite.id / "labels"
        problems += _misnamed(workspace, folder, suite)
        for category in suite.categories:
            path = folder / f"{category.id}.json"
            if category.prompt and path.exists():
                with collect_problems(problems):
                    labelled = _load(workspace, path, suite, category, file_of_pair)
                    sets.append(replace(labelled, decision=decision))
    raise_any(problems)
    return tuple(sets)


def _misnamed(workspace: Workspace, folder: Path, suite: Suite) -> Iterator[Problem]:
    judged = sorted(f"{category.id}.json" for category in suite.categories if category.prompt)
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        if path.name not in judged and not path.name.startswith("."):
            fix = "remove it: the suite has no judged category"
            if judged:
                fix = f"name it after one of them: {', '.join(judged)}"
            what = "is not named after a judged category of its suite"
            yield Problem(workspace.shown(path), what, fix)


def _load(
    workspace: Workspace, path: Path, suite: Suite, category: Category, file_of_pair: dict[str, str]
) -> LabelledSet:
    """Reads one file. `file_of_pair` maps the pair ids of the suite to the files read so far."""
    shown = workspace.shown(path)
    shape: TypeAdapter[Any] = _SOLVED_LABELS if suite.kind.interaction == "apis" else _LABELS
    records, findings = read_shaped(shape, path, shown, workspace.root, _FORMAT)
    _check_repetitions(records, findings, file_of_pair)
    grades = [grade for grade in suite.kind.grades if grade != UNSURE]
    for index, record in enumerate(records):
        case = suite.case(record["case_id"])
        if record["label"] not in grades:
            what = f"is not a label of this suite: {record['label']!r}"
            findings.add((index, "label"), what, f"one of: {', '.join(grades)}")
        if case is None or case.category != category.id:
            what = f"names a case that is not in the category {category.id}: {record['case_id']!r}"
            fix = "correct the id, or move the pair to its category's file"
            findings.add((index, "case_id"), what, fix)
        elif suite.kind.interaction == "apis":
            _check_calls(record, case, findings, index)
        else:
            _check_argument(record, case, findings, index)
    findings.raise_errors()

    common = {"suite": suite.id, "category": category.id, "argument": None}
    pairs = (LabelledPair(**{**common, **record, "calls": _calls(record)}) for record in records)
    digest = digest_bytes(findings.data)
    return LabelledSet(shown, digest, tuple(pairs), suite.id, category.id)


def _check_repetitions(
    records: Sequence[Mapping[str, Json]], findings: Findings, file_of_pair: dict[str, str]
) -> None:
    answers = set()
    for index, record in enumerate(records):
        argument, calls = record.get("argument"), canonical(record.get("calls"))
        answer = (record["case_id"], argument, record["got"], calls)
        if answer in answers:
            findings.add((index, "got"), "repeats an answer to the same case", "remove one of them")
        answers.add(answer)
        if record["id"] in file_of_pair:
            what = f"repeats the id {record['id']!r} of {file_of_pair[record['id']]}"
            findings.add((index, "id"), what, "give every pair its own id")
        file_of_pair[record["id"]] = findings.file


def _check_argument(record: Mapping[str, Json], case: Case, findings: Findings, index: int) -> None:
    argument = record.get("argument")
    if not case.ground_truth.calls:
        if argument is not None:
            what = "is given, but the case expects a text"
            findings.add((index, "argument"), what, "leave it out")
        return
    names = [expected.name for expected in case.ground_truth.calls[0].arguments]
    if argument not in names:
        what = f"names an argument that is not in the expected call: {argument!r}"
        if argument is None:
            what = "is missing"
        findings.add((index, "argument"), what, f"one of: {', '.join(names)}")


def _check_calls(record: Mapping[str, Json], case: Case, findings: Findings, index: int) -> None:
    """Checks that every call is of an API of the query, in any spelling of its name."""
    for place, call in enumerate(_calls(record)):
        called = called_apis(case, Response(case.id, b"", (call,), None))
        if called is None or called.unresolved:
            what = f"names an API that is not in the query: {call.name!r}"
            fix = f"one of: {', '.join(api.name.wrapper for api in definitions_of(case.record))}"
            findings.add((index, "calls", place, "name"), what, fix)


def _calls(record: Mapping[str, Json]) -> tuple[Call, ...]:
    return tuple(
        Call(call["name"], call["arguments"], tool_reply(call["response"]))
        for call in record.get("calls", ())
    )
