"""`lb validate`: every problem of every file, before anything is scored."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from cli.console import count, say, show_problems

if TYPE_CHECKING:
    from leaderboard.errors import Problem
    from leaderboard.types import Submission
    from leaderboard.workspace import Workspace

FIRST_YEAR: Final = 2018  # no model that calls tools is older


@click.command()
@click.argument("ids", nargs=-1)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "github"]),
    default="text",
    help="How to print problems.",
)
@click.pass_obj
def command(workspace_root: Path, ids: tuple[str, ...], form: str) -> None:
    """Check submissions (all, or those named), suites, prompts and labels, and print every problem at once.

    \b
    Example:
      lb validate my-submission
      lb validate --format json
    """
    from leaderboard.load import load_contents
    from leaderboard.workspace import open_workspace
    from scoring.rules import KINDS

    workspace = open_workspace(workspace_root)
    contents = load_contents(workspace, KINDS, ids)
    contents.problems.extend(_odd_dates(workspace, contents.submissions, today()))
    if contents.labels:
        from scoring.judging.labelled import decided_pairs

        contents.problems.extend(
            decided_pairs(contents.labels.values(), {suite.id: suite for suite in contents.suites})
        )
    show_problems(contents.problems, form)
    errors = len(contents.errors)
    warnings = len(contents.problems) - errors
    checked = (
        f"{count(len(contents.submissions), 'submission')}, {count(len(contents.suites), 'suite')}"
    )
    if errors:
        say(
            f"{count(errors, 'problem')} to mend"
            + (f", {count(warnings, 'warning')}" if warnings else "")
        )
        raise SystemExit(1)
    say(f"fine: {checked}" + (f"; {count(warnings, 'warning')}" if warnings else ""))


def today() -> datetime.date:
    """The day, by UTC. Only here is a clock read: no score and no page depends on it."""
    return datetime.datetime.now(tz=datetime.UTC).date()


def _odd_dates(
    workspace: Workspace, submissions: Iterable[Submission], day: datetime.date
) -> Iterator[Problem]:
    """A warning for every card whose date cannot well be right. The day after is let pass: somewhere it has begun."""
    from leaderboard.files.document import Findings, read_bytes

    for submission in submissions:
        date = datetime.date.fromisoformat(submission.card.date)
        if date - day > datetime.timedelta(days=1):
            what = f"the date {date} is yet to come: today is {day}, and the board would say that it is of {date}"
        elif date.year < FIRST_YEAR:
            what = f"the date {date} is before {FIRST_YEAR}, when no model called tools"
        else:
            continue
        path = workspace.submissions / submission.id / "submission.json"
        shown = workspace.shown(path)
        findings = Findings(shown, read_bytes(path, shown, workspace.root))
        findings.add(("date",), what, "give the day on which the responses were made", "warning")
        yield from findings.problems()
