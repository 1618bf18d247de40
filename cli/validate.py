"""`lb validate`: every problem of every file, before anything is scored."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from cli.console import count, say, show_problems
from cli.options import output_format

if TYPE_CHECKING:
    from leaderboard.errors import Problem
    from leaderboard.types import Submission
    from leaderboard.workspace import Workspace

FIRST_YEAR: Final = 2018  # no model that calls tools is older


@click.command()
@click.argument("ids", nargs=-1)
@output_format("text", "json", "github")
@click.pass_obj
def command(workspace_root: Path, ids: tuple[str, ...], form: str) -> None:
    """Check submissions (all, or those named), suites, prompts and labels.

    Prints every problem at once.

    \b
    Example:
      lb validate my-submission
      lb validate --format json
    """
    from leaderboard.load import load_contents
    from leaderboard.workspace import open_workspace
    from scoring.rules.workspace_rules import kinds_of

    workspace = open_workspace(workspace_root)
    contents = load_contents(workspace, kinds_of(workspace.root), ids)
    contents.problems.extend(_odd_dates(workspace, contents.submissions, today()))
    show_problems(contents.problems, form)
    errors = len(contents.errors)
    warnings = len(contents.problems) - errors
    more = f", {count(warnings, 'warning')}" if warnings else ""
    if errors:
        say(f"{count(errors, 'problem')} to fix{more}")
        raise SystemExit(1)
    checked = (count(len(contents.submissions), "submission"), count(len(contents.suites), "suite"))
    say(f"OK: {', '.join(checked)}{more}")


def today() -> datetime.date:
    """Today, by UTC. No score and no page depends on it."""
    return datetime.datetime.now(tz=datetime.UTC).date()


def _odd_dates(
    workspace: Workspace, submissions: Iterable[Submission], day: datetime.date
) -> Iterator[Problem]:
    """A warning for every card whose date looks wrong. Tomorrow is allowed: time zones."""
    from leaderboard.files.document import Findings, read_bytes

    for submission in submissions:
        date = datetime.date.fromisoformat(submission.card.date)
        if date - day > datetime.timedelta(days=1):
            what = f"the date {date} is in the future: today is {day}"
        elif date.year < FIRST_YEAR:
            what = f"the date {date} is before {FIRST_YEAR}, when no model called tools"
        else:
            continue
        path = workspace.submissions / submission.id / "submission.json"
        shown = workspace.shown(path)
        findings = Findings(shown, read_bytes(path, shown, workspace.root))
        findings.add(("date",), what, "give the day when the responses were made", "warning")
        yield from findings.problems()
