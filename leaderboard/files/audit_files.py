"""Audits: `audits/<judge>.json`, the result of asking a judge again about recorded calls.

An audit is measured, not computed: it feeds no score and is no part of `results/`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Final, Literal

import orjson
from pydantic import ConfigDict, TypeAdapter

from leaderboard.files.validation import read_shaped
from leaderboard.store import write_atomic
from leaderboard.types import Json, JudgeSettings
from leaderboard.workspace import Workspace

FOLDER: Final = "audits"
WHOLE: Final = "*"

_CLOSED: Final = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)


@dataclass(frozen=True, slots=True)
class GradeFlips:
    """How often a judge changed its grade in one category; `*` means all suites or categories.

    `asked` calls were repeated, `compared` of them had a grade both times, and `flips` of these
    changed. `rate` is their share, with a 95 % Wilson interval; None if nothing was compared.
    `unparseable` replies had no grade the first or the second time, `unanswered` calls no reply.
    """

    __pydantic_config__ = _CLOSED

    suite: str
    category: str
    asked: int
    compared: int
    flips: int
    rate: float | None
    low: float | None
    high: float | None
    unparseable: int
    unanswered: int


@dataclass(frozen=True, slots=True)
class ChangedGrade:
    """A judge call whose grade changed: its key, the recorded grade and the new one."""

    __pydantic_config__ = _CLOSED

    judge_call: str
    suite: str
    category: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Audit:
    """A judge that was asked again about a sample of its `recorded` calls, drawn with `seed`.

    `provider`, `model` and `settings` are those of the judge at that time. The first of `rows` is
    the whole sample.
    """

    __pydantic_config__ = _CLOSED

    schema: Literal[1]
    judge: str
    provider: str
    model: str
    settings: Mapping[str, Json]
    seed: int
    recorded: int
    rows: tuple[GradeFlips, ...]
    changed: tuple[ChangedGrade, ...]

    def is_of(self, judge: JudgeSettings) -> bool:
        """Returns whether the judge still has the settings of the audit."""
        now = (judge.provider, judge.model, judge.public_settings)
        return (self.provider, self.model, self.settings) == now


_AUDIT: Final = TypeAdapter(Audit)


def audit_path(judge: str) -> str:
    """Returns the path of a judge's audit below the workspace."""
    return f"{FOLDER}/{judge}.json"


def load_audit(workspace: Workspace, judge: str) -> Audit | None:
    """Reads the audit of a judge, or returns None without one. Raises FilesError."""
    shown = audit_path(judge)
    path = workspace.root / shown
    if not path.exists():
        return None
    fix = f"make it again: lb audit --judge {judge}"
    audit, _ = read_shaped(_AUDIT, path, shown, workspace.root, fix)
    return audit


def write_audit(workspace: Workspace, audit: Audit) -> None:
    """Writes an audit, in place of an older one of the same judge."""
    options = orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS | orjson.OPT_APPEND_NEWLINE
    data = orjson.dumps(asdict(audit), option=options)
    write_atomic(workspace.root / audit_path(audit.judge), data)
