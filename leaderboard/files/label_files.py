"""The labelled set: `prompts/<suite>/labels/<category>.json`, answers with the verdict that a judge should come to.

How the labels came about stands in docs/labelling.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from pydantic import TypeAdapter

from leaderboard.apis.api_definitions import definitions_of
from leaderboard.apis.called_apis import called_apis
from leaderboard.apis.executions import tool_reply
from leaderboard.digest import canonical, digest_bytes
from leaderboard.errors import FilesError, Problem
from leaderboard.files.document import Findings, locate
from leaderboard.files.file_shapes import LABELS, SOLVED_LABELS
from leaderboard.files.validation import read_shaped
from leaderboard.types import Call, Case, Category, Json, Response, Suite
from leaderboard.workspace import Workspace

Label = Literal["equivalent", "different", "solved", "unsolved"]

# What stands in the place of a submission where judge calls about labelled pairs are kept; no submission's id can be that.
RECORDED_AS: Final = "_labels"


@dataclass(frozen=True, slots=True)
class LabelledPair:
    """An answer to a case and its label: whether it means the same as the expected text, or whether it solves the query.

    `argument` names the argument of the expected call that `got` is a value of; None where the answer is a text. `why` gives
    the ground of the label. The pair stands at `line` (from 1) of its file, as the element `position` (from 0). `calls` are
    those that led to a final answer over simulated APIs, with their replies.
    """

    id: str
    suite: str
    category: str
    case_id: str
    argument: str | None
    got: str
    label: Label
    why: str
    position: int
    line: int
    calls: tuple[Call, ...] = ()


@dataclass(frozen=True, slots=True)
class LabelledSet:
    """The labelled pairs of one category. `file` is a path below the workspace, `digest` of its bytes."""

    file: str
    digest: str
    pairs: tuple[LabelledPair, ...]

    def problem(self, pair: LabelledPair, what: str, fix: str) -> Problem:
        """What is wrong with one of the pairs."""
        return Problem(
            self.file, f"{pair.id} {what}", fix, line=pair.line, at=f"$[{pair.position}]"
        )


def load_labels(workspace: Workspace, suite: Suite) -> dict[tuple[str, str], LabelledSet]:
    """The labelled sets of a suite by (suite, category), in the suite's order; a category without a file has none.

    Raises FilesError with the problems of all files.
    """
    folder = workspace.prompts / suite.id / "labels"
    judged = [category for category in suite.categories if category.prompt]
    problems = list(_strays(workspace, folder, {f"{category.id}.json" for category in judged}))
    sets: dict[tuple[str, str], LabelledSet] = {}
    seen: dict[str, str] = {}
    for category in judged:
        path = folder / f"{category.id}.json"
        if path.exists():
            try:
                sets[suite.id, category.id] = _load(workspace, path, suite, category, seen)
            except FilesError as error:
                problems.extend(error.problems)
    if problems:
        raise FilesError(problems)
    return sets


def _strays(workspace: Workspace, folder: Path, known: set[str]) -> Iterator[Problem]:
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        if path.name not in known and not path.name.startswith("."):
            fix = (
                f"name it after one of them: {', '.join(sorted(known))}"
                if known
                else "remove it: the suite has no judged category"
            )
            yield Problem(
                workspace.shown(path), "is named after no judged category of its suite", fix
            )


def _load(
    workspace: Workspace, path: Path, suite: Suite, category: Category, seen: dict[str, str]
) -> LabelledSet:
    """One file. `seen` maps the ids met so far in the suite to the files they stand in."""
    shown = workspace.shown(path)
    shape: TypeAdapter[Any] = SOLVED_LABELS if suite.kind.judged_as == "solved" else LABELS
    records, findings = read_shaped(
        shape, path, shown, workspace.root, "see docs/labelling.md for the format"
    )
    _check_repetitions(records, findings, seen)
    for index, record in enumerate(records):
        _check_place(record, suite, category, findings, index)
    if findings.found:
        raise FilesError(findings.problems())
    lines = locate(findings.data, {(index,) for index in range(len(records))})
    pairs = (
        _pair(record, suite, category, index, lines[index,]) for index, record in enumerate(records)
    )
    return LabelledSet(shown, digest_bytes(findings.data), tuple(pairs))


def _check_repetitions(
    records: Sequence[Mapping[str, Json]], findings: Findings, seen: dict[str, str]
) -> None:
    answers: set[tuple[str, str | None, str, bytes]] = set()
    for index, record in enumerate(records):
        answer = (
            record["case_id"],
            record.get("argument"),
            record["got"],
            canonical(record.get("calls")),
        )
        if answer in answers:
            findings.add(
                (index, "got"), "repeats an answer to the same case", "take one of them out"
            )
        if record["id"] in seen:
            what = f"repeats the id {record['id']!r} of {seen[record['id']]}"
            findings.add((index, "id"), what, "give every pair its own id")
        answers.add(answer)
        seen[record["id"]] = findings.file


def _check_place(
    record: Mapping[str, Json], suite: Suite, category: Category, findings: Findings, index: int
) -> None:
    case, argument = suite.case(record["case_id"]), record.get("argument")
    if case is None or case.category != category.id:
        what = f"names no case of the category {category.id}: {record['case_id']!r}"
        findings.add(
            (index, "case_id"), what, "correct the id, or move the pair to its category's file"
        )
    elif suite.kind.judged_as == "solved":
        _check_calls(record, case, findings, index)
    elif not case.ground_truth.calls:
        if argument is not None:
            findings.add(
                (index, "argument"), "is given, but the case expects a text", "leave it out"
            )
    elif argument not in _arguments(case):
        fix = f"one of: {', '.join(_arguments(case))}"
        what = (
            "is missing"
            if argument is None
            else f"names no argument of the expected call: {argument!r}"
        )
        findings.add((index, "argument"), what, fix)


def _check_calls(record: Mapping[str, Json], case: Case, findings: Findings, index: int) -> None:
    """Every call is one of an API that the query offers, in any spelling of its name."""
    for place, call in enumerate(_calls(record)):
        called = called_apis(case, Response(case.id, b"", (call,), None))
        if called is None or called.unresolved or any(api.guessed for api in called.apis):
            what = f"names no API of the query: {call.name!r}"
            fix = f"one of: {', '.join(api.original_name for api in definitions_of(case.record))}"
            findings.add((index, "calls", place, "name"), what, fix)


def _calls(record: Mapping[str, Json]) -> tuple[Call, ...]:
    return tuple(
        Call(call["name"], call["arguments"], tool_reply(call["response"]))
        for call in record.get("calls", ())
    )


def _arguments(case: Case) -> tuple[str, ...]:
    return tuple(argument.name for argument in case.ground_truth.calls[0].arguments)


def _pair(
    record: Mapping[str, Json], suite: Suite, category: Category, position: int, line: int
) -> LabelledPair:
    return LabelledPair(
        id=record["id"],
        suite=suite.id,
        category=category.id,
        case_id=record["case_id"],
        argument=record.get("argument"),
        got=record["got"],
        label=record["label"],
        why=record["why"],
        position=position,
        line=line,
        calls=_calls(record),
    )
