"""Audits: `audits/<judge>/<number>.json`, the results of asking a judge again.

An audit is measured, not computed: it feeds no score and is no part of `results/`. Every audit is
kept, so that nobody can repeat one until it looks better.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Final, Literal

import orjson
from pydantic import TypeAdapter, with_config

from leaderboard.errors import Problem, collect_problems, raise_any
from leaderboard.files.field_types import CLOSED
from leaderboard.files.shaped_files import read_shaped
from leaderboard.ids import WHOLE
from leaderboard.machine.atomic_files import write_new
from leaderboard.types import Json, JudgeSettings
from leaderboard.workspace import Workspace

FOLDER: Final = "audits"


@with_config(CLOSED)
@dataclass(frozen=True, slots=True)
class GradeFlips:
    """How often a judge changed its grade in one category, or for one submission.

    `*` means all suites, categories or submissions. A submission is the one that the calls were
    recorded for.

    `asked` calls were repeated, `compared` of them got a reply, and `flips` of these another grade,
    or a grade only once. `rate` is their share, with a 95 % Wilson interval; None if nothing was
    compared. `unparseable` of the compared calls had no grade the first or the second time,
    `unanswered` calls no reply.
    """

    suite: str
    category: str
    submission: str
    asked: int
    compared: int
    flips: int
    rate: float | None
    low: float | None
    high: float | None
    unparseable: int
    unanswered: int


@with_config(CLOSED)
@dataclass(frozen=True, slots=True)
class ChangedGrade:
    """A judge call whose grade changed: where it is, the recorded reply and the new one."""

    judge_call: str
    suite: str
    category: str
    case_id: str
    submission: str
    cassette: str
    before: str
    after: str


@with_config(CLOSED)
@dataclass(frozen=True, slots=True)
class Audit:
    """A judge that was asked again about a sample of its `recorded` calls, drawn with `seed`.

    `sample` is the largest number of calls per cassette. `at_most` is the share of changed grades
    that was allowed. `provider`, `model` and `settings` are those of the judge at that time. The
    first of `rows` is the whole sample. `only` names the submissions whose calls were repeated, if
    not all were.
    """

    schema: Literal[2]
    judge: str
    provider: str
    model: str
    settings: Mapping[str, Json]
    seed: int
    sample: int
    at_most: float
    recorded: int
    rows: tuple[GradeFlips, ...]
    changed: tuple[ChangedGrade, ...]
    only: tuple[str, ...] = ()

    @property
    def too_high(self) -> tuple[GradeFlips, ...]:
        """The whole sample and the submissions where more grades changed than allowed."""
        whole = (row for row in self.rows if row.category == WHOLE)
        return tuple(row for row in whole if row.rate is not None and row.rate > self.at_most)

    def is_of(self, judge: JudgeSettings) -> bool:
        """Whether the judge still has the settings of the audit."""
        now = (judge.provider, judge.model, judge.public_settings)
        return (self.provider, self.model, self.settings) == now


_AUDIT: Final = TypeAdapter(Audit)


def audit_path(judge: str, number: int) -> str:
    """The path of an audit (from 1) below the workspace."""
    return f"{FOLDER}/{judge}/{number:04}.json"


def load_audits(workspace: Workspace, judge: str) -> tuple[Audit, ...]:
    """Reads the audits of a judge, the earliest first. Raises FilesError."""
    problems: list[Problem] = []
    audits = []
    numbers = audit_numbers(workspace, judge)
    fix = "restore it from version control"
    for number in numbers:
        shown = audit_path(judge, number)
        with collect_problems(problems):
            audit, _ = read_shaped(_AUDIT, workspace.root / shown, shown, workspace.root, fix)
            audits.append(audit)
    missing = next((at for at, number in enumerate(numbers, 1) if at != number), None)
    if missing is not None:
        what = f"is missing, although there is {audit_path(judge, numbers[-1])}"
        problems.append(Problem(audit_path(judge, missing), what, fix))
    raise_any(problems)
    return tuple(audits)


def write_audit(workspace: Workspace, audit: Audit) -> str:
    """Writes an audit beside the earlier ones. Returns its path below the workspace."""
    options = orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS | orjson.OPT_APPEND_NEWLINE
    data = orjson.dumps(asdict(audit), option=options)
    while True:
        last = max(audit_numbers(workspace, audit.judge), default=0)
        shown = audit_path(audit.judge, last + 1)
        try:
            write_new(workspace.root / shown, data)
        except FileExistsError:  # another process was faster
            continue
        return shown


def audit_numbers(workspace: Workspace, judge: str) -> list[int]:
    """The numbers of a judge's audits, in order. A file with another name is no audit."""
    files = (workspace.root / FOLDER / judge).glob("[0-9]*.json")
    stems = [path.stem for path in files if re.fullmatch(r"[0-9]{1,9}", path.stem)]
    return sorted(int(stem) for stem in stems if stem == f"{int(stem):04}")
