"""Today, and dates that cannot be right. No score and no page depends on today."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from leaderboard.errors import Problem
    from leaderboard.types import Submission
    from leaderboard.workspace import Workspace

FIRST_YEAR: Final = 2018  # no model that calls tools is older


def today() -> datetime.date:
    """Today, by UTC."""
    return datetime.datetime.now(tz=datetime.UTC).date()


def tomorrow() -> datetime.date:
    """Tomorrow, by UTC. It has begun in some time zones."""
    return today() + datetime.timedelta(days=1)


def odd_dates(workspace: Workspace, submissions: Iterable[Submission]) -> Iterator[Problem]:
    """A warning for every card whose date looks wrong. Tomorrow is allowed."""
    from leaderboard.files.document import Findings
    from leaderboard.files.file_bytes import read_bytes

    for submission in submissions:
        date = datetime.date.fromisoformat(submission.card.date)
        if date > tomorrow():
            what = f"the date {date} is in the future: today is {today()}"
        elif date.year < FIRST_YEAR:
            what = f"the date {date} is before {FIRST_YEAR}, when no model called tools"
        else:
            continue
        path = workspace.submissions / submission.id / "submission.json"
        shown = workspace.shown(path)
        findings = Findings(shown, read_bytes(path, shown, workspace.root))
        findings.add(("date",), what, "give the day when the responses were made", "warning")
        yield from findings.problems()
