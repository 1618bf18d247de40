"""Finds an id that a removed submission had, and the sweeps of others that a proposal joins."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from leaderboard.board.snapshots import load_history
from leaderboard.types import Submission
from leaderboard.workspace import Workspace
from site_templates.figures.sweep_chart import swept


@dataclass(frozen=True, slots=True)
class FormerId:
    """An id that snapshots list: the day of the last, YYYY-MM-DD, and the name, if known."""

    last_day: str
    name: str


def former_id(base: Workspace, submission: str) -> FormerId | None:
    """Returns what the snapshots of the base know of an id. Raises FilesError."""
    found, name = None, ""
    for state in load_history(base):
        name = state.names.get(submission, name)
        if submission in state.manifest["submissions"]:
            # Old snapshots have only the day of their newest answers.
            found = FormerId(state.taken or state.manifest["as_of"], name)
    return found


def joined_sweep(
    submission: str, before: Sequence[Submission], after: Iterable[Submission]
) -> tuple[str, ...]:
    """Returns the submissions in whose sweep another one appears now, in order of tools.

    Ids and cards define a sweep, and anybody can write them.
    """
    if submission in swept(before):
        return ()
    known = {other.id for other in before} - {submission}
    members = [member.submission.id for member in swept(after).get(submission, ())]
    return tuple(member for member in members if member in known)
