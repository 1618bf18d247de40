"""`lb snapshot`: keeps the board as it is."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.console import say

if TYPE_CHECKING:
    from leaderboard.load import Contents
    from leaderboard.workspace import Workspace


@click.command()
@click.option("--label", help="What this state of the board is remembered for, in a line.")
@click.option("--date", help="The day on which it is taken, YYYY-MM-DD (default: today, by UTC).")
@click.option(
    "--results",
    type=click.Path(path_type=Path),
    help="The results to keep (default: results/ in the workspace).",
)
@click.pass_obj
def command(
    workspace_root: Path, label: str | None, date: str | None, results: Path | None
) -> None:
    """Keep scores, ranks and verdicts under history/, so that later moves can be told and explained.

    The day is recorded in history/index.json: the changelog and the feed tell it from then on. A board that is already the
    newest snapshot is not kept twice. Results that are not of the files here are refused.

    \b
    Example:
      lb snapshot --label "four new models"
    """
    from leaderboard.board.history import keep
    from leaderboard.errors import FilesError
    from leaderboard.load import load_contents
    from leaderboard.workspace import open_workspace
    from scoring.rules import KINDS

    if label is not None and not (label.isprintable() and 0 < len(label.strip()) <= 200):
        raise click.BadParameter(
            "a label is one line of at most 200 characters", param_hint="--label"
        )
    taken = _day(date)
    workspace = open_workspace(workspace_root)
    contents = load_contents(workspace, KINDS)
    if contents.errors:
        raise FilesError(contents.problems)
    folder = results or workspace.root / "results"
    _refuse_stale(workspace, contents, folder)
    metrics = {suite.id: suite.kind.ranked for suite in contents.suites}
    entry, written = keep(workspace, folder, label, metrics, taken)
    place = workspace.shown(workspace.history / entry.name)
    say(
        f"{place}/: snapshot {entry.sequence}"
        + ("" if written else " is this board already (nothing changed)")
    )


def _day(given: str | None) -> str:
    """A day as YYYY-MM-DD, today's where none is given."""
    import datetime

    if given is None:
        return datetime.datetime.now(tz=datetime.UTC).date().isoformat()
    try:
        return (
            datetime.datetime.strptime(given, "%Y-%m-%d")
            .replace(tzinfo=datetime.UTC)
            .date()
            .isoformat()
        )
    except ValueError:
        raise click.BadParameter(
            f"{given!r} is no day as YYYY-MM-DD", param_hint="--date"
        ) from None


def _refuse_stale(workspace: Workspace, contents: Contents, folder: Path) -> None:
    """A snapshot explains later moves by what changed since: its results must be of the files beside it."""
    from leaderboard.board.history import read_state
    from leaderboard.errors import FilesError, Problem
    from scoring.changes.difference import input_changes
    from scoring.manifest import build_manifest, cassette_digests

    shown = workspace.shown(folder)
    scored = read_state(folder, shown=shown).manifest
    known = contents.leaderboard.judges
    panel = [known[name] for name in scored["judges"] if name in known]
    here = build_manifest(contents, panel, cassette_digests(workspace))
    if here["digest"] == scored["digest"]:
        return
    changed = [f"{cause.kind} {cause.name}" for cause in input_changes(scored, here)]
    named = ", ".join(changed[:5]) + (f" and {len(changed) - 5:,} more" if len(changed) > 5 else "")
    raise FilesError(
        Problem(shown, f"is not of the files here; changed since: {named}", "run lb rescore again")
    )
