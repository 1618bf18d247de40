"""Warnings about a submission: dates that cannot be right, and keys that everybody could read.

No score and no page depends on today.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from leaderboard.errors import Problem
from leaderboard.files.file_bytes import read_bytes
from leaderboard.machine import clock
from leaderboard.network.secret_keys import kinds_of_keys_in_json
from leaderboard.workspace import Workspace, card_file

if TYPE_CHECKING:
    from leaderboard.types import Submission

FIRST_YEAR: Final = 2018  # no model that calls tools is older
_REVOKE: Final = "revoke it, and remove it from the file and its git history"


def tomorrow() -> datetime.date:
    """Tomorrow, by UTC. It has begun in some time zones."""
    return clock.today() + datetime.timedelta(days=1)


def odd_dates(workspace: Workspace, submissions: Iterable[Submission]) -> Iterator[Problem]:
    """A warning for every card whose date looks wrong. Tomorrow is allowed."""
    from leaderboard.files.findings import Findings

    for submission in submissions:
        date = datetime.date.fromisoformat(submission.card.date)
        if date > tomorrow():
            what = f"the date {date} is in the future: today is {clock.today()}"
        elif date.year < FIRST_YEAR:
            what = f"the date {date} is before {FIRST_YEAR}, when no model called tools"
        else:
            continue
        path = workspace.root / card_file(submission.id)
        shown = workspace.shown(path)
        findings = Findings(shown, read_bytes(path, shown, workspace.root))
        findings.add(("date",), what, "give the day when the responses were made", "warning")
        yield from findings.problems()


def exposed_keys(workspace: Workspace, submissions: Iterable[Submission]) -> Iterator[Problem]:
    """A warning for every file of a submission that seems to hold a key, with the first line."""
    for submission in submissions:
        folder = f"{workspace.shown(workspace.submissions)}/{submission.id}"
        files = [card_file(submission.id), *submission.files.values()]
        if submission.readme is not None:
            files.append(f"{folder}/README.md")
        for file in dict.fromkeys(files):
            data = read_bytes(workspace.root / file, file, workspace.root)
            text = data.decode("utf-8", "replace")
            for kind, line in kinds_of_keys_in_json(text).items():
                what = f"holds what looks like {kind}"
                yield Problem(file, what, _REVOKE, line=line, severity="warning")
