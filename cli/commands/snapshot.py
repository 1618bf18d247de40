"""`lb snapshot`: keep the current state of the board."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.options import results_option
from cli.output.console import say
from cli.submission_warnings import tomorrow
from cli.wiring import open_board
from leaderboard.errors import FilesError
from leaderboard.limits import LABEL_LENGTH
from leaderboard.machine.clock import today
from leaderboard.workspace import Workspace

if TYPE_CHECKING:
    from leaderboard.load import Contents


@click.command()
@click.option("--label", help="A title for this state of the board, in one line.")
@click.option("--date", help="The day of the snapshot, YYYY-MM-DD (default: today, by UTC).")
@results_option
@click.pass_obj
def command(
    workspace_root: Path, label: str | None, date: str | None, results: Path | None
) -> None:
    """Save scores, ranks and verdicts under history/, so that later changes can be explained.

    The folder's name begins with the date of the newest submission, so that the same board always
    has the same name. The day of the snapshot goes into history/index.json, for the changelog and
    the feed. A board that equals the newest snapshot is not saved twice. Results that do not match
    the files are refused.

    \b
    Example:
      lb snapshot --label "four new models"
    """
    from leaderboard.board.snapshots import keep

    if label is not None and not (label.isprintable() and 0 < len(label.strip()) <= LABEL_LENGTH):
        message = f"a label is one line of at most {LABEL_LENGTH} characters"
        raise click.BadParameter(message, param_hint="--label")
    taken = _day(date)
    workspace, contents = open_board(workspace_root)
    folder = results or workspace.results
    _refuse_stale(workspace, contents, folder)
    metrics = {suite.id: suite.kind.ranked for suite in contents.suites}
    names = {submission.id: submission.card.name for submission in contents.submissions}
    entry, written = keep(workspace, folder, label=label, metrics=metrics, taken=taken, names=names)
    place = workspace.shown(workspace.history / entry.name)
    unchanged = "" if written else " is this board already (nothing changed)"
    say(f"{place}/: snapshot {entry.sequence}{unchanged}")


def _day(text: str | None) -> str:
    """A day as YYYY-MM-DD; today if none is given."""
    if text is None:
        return today().isoformat()
    try:
        day = datetime.datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=datetime.UTC).date()
    except ValueError:
        message = f"{text!r} is not a day as YYYY-MM-DD"
        raise click.BadParameter(message, param_hint="--date") from None
    if day > tomorrow():  # it has begun in some time zones
        message = f"{day} is in the future: today is {today()}"
        raise click.BadParameter(message, param_hint="--date")
    return day.isoformat()


def _refuse_stale(workspace: Workspace, contents: Contents, folder: Path) -> None:
    """A snapshot's inputs explain later changes, so its results must be of these files."""
    from leaderboard.board.board_state import read_state
    from scoring.manifest import other_judges
    from scoring.stale_results import refuse_stale

    shown = workspace.shown(folder)
    scored = read_state(folder, shown).manifest
    refuse_stale(workspace, contents, scored, shown)
    if by := other_judges(contents, scored):
        raise FilesError.about(shown, by, "run lb rescore without --judge")
