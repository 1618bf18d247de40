"""Audits: `audits/<judge>.json`, what became of a sample of recorded judge calls when the judge was asked again.

An audit is measured, not computed: it is no input of a score, and no part of `results/`.
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
class Flips:
    """How often a judge changed its mind in one category; suite and category `*` stand for all of them.

    `asked` calls were put again. `compared` of them had a grade both times, `flips` of these another one; `rate` is their
    share, `low` and `high` its 95 % Wilson interval (None where nothing could be compared). `unparseable` replies had no grade
    the first or the second time, `unanswered` calls got no second reply.
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
class Flip:
    """One judge call whose grade changed: its key, and what the judge said before (as recorded) and after."""

    __pydantic_config__ = _CLOSED

    judge_call: str
    suite: str
    category: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Audit:
    """A judge asked again. `recorded` calls could have been drawn; `seed` says which were.

    `provider`, `model` and `settings` are the judge's when it was asked: where they differ from leaderboard.toml, the audit is
    of another judge of that name. The first of `rows` is the whole sample.
    """

    __pydantic_config__ = _CLOSED

    schema: Literal[1]
    judge: str
    provider: str
    model: str
    settings: Mapping[str, Json]
    seed: int
    recorded: int
    rows: tuple[Flips, ...]
    changed: tuple[Flip, ...]

    def is_of(self, judge: JudgeSettings) -> bool:
        """Whether the judge is still the one that was asked."""
        return (self.provider, self.model, self.settings) == (
            judge.provider,
            judge.model,
            judge.settings,
        )


_AUDIT: Final = TypeAdapter(Audit)


def shown(judge: str) -> str:
    """The path of a judge's audit below the workspace."""
    return f"{FOLDER}/{judge}.json"


def load_audit(workspace: Workspace, judge: str) -> Audit | None:
    """The audit of a judge, or None where there is none. Raises FilesError for a file that is none."""
    path = workspace.root / shown(judge)
    if not path.exists():
        return None
    audit, _ = read_shaped(
        _AUDIT, path, shown(judge), workspace.root, f"make it again: lb audit --judge {judge}"
    )
    return audit


def write_audit(workspace: Workspace, audit: Audit) -> None:
    """Puts an audit in its place, instead of any older one of the same judge."""
    data = orjson.dumps(
        asdict(audit), option=orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS | orjson.OPT_APPEND_NEWLINE
    )
    write_atomic(workspace.root / shown(audit.judge), data)
