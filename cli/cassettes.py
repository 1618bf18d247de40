"""`lb cassettes`: are the recorded judge calls clean, whole and used?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.console import count, say, show_problems
from cli.options import output_format
from cli.wiring import confirming, open_board

if TYPE_CHECKING:
    from leaderboard.load import Contents
    from leaderboard.workspace import Workspace


@click.group()
def command() -> None:
    """Check and clean the recorded judge calls in cassettes/.

    \b
    Example:
      lb cassettes check
    """


@command.command()
@output_format("text", "json", "github")
@click.pass_obj
def check(workspace_root: Path, form: str) -> None:
    """Check that every cassette is readable, sorted, free of secrets and errors, and in use.

    \b
    Example:
      lb cassettes check --format github
    """
    from leaderboard.errors import FilesError
    from leaderboard.files.board_settings import load_leaderboard
    from leaderboard.workspace import open_workspace
    from replay.cassettes import cassette_check

    workspace = open_workspace(workspace_root)
    known = load_leaderboard(workspace).judges
    problems = cassette_check.check(workspace.root, None, known)
    if not any(problem.severity == "error" for problem in problems):
        try:
            used = _used_keys(*open_board(workspace_root))
        except FilesError:
            say("not checked: which calls are in use, because lb validate finds problems")
        else:
            problems = cassette_check.check(workspace.root, used, known)
    show_problems(problems, form)
    errors = sum(problem.severity == "error" for problem in problems)
    if errors:
        say(f"{count(errors, 'problem')} in the cassettes")
        raise SystemExit(1)
    say("OK" + (f", {count(len(problems), 'warning')}" if problems else ""))


@command.command()
@click.option("--unused", is_flag=True, help="Also remove calls that no score uses any more.")
@click.pass_obj
def prune(workspace_root: Path, unused: bool) -> None:
    """Remove what is never replayed (errors, repetitions), and rewrite every cassette in order.

    \b
    Example:
      lb cassettes prune --unused
    """
    from leaderboard.workspace import open_workspace
    from replay.cassettes import cassette_check

    workspace = open_workspace(workspace_root)
    used = _used_keys(*open_board(workspace_root)) if unused else None
    removed = cassette_check.prune(workspace.root, used)
    say(f"{count(removed, 'recorded call')} removed")


def _used_keys(workspace: Workspace, contents: Contents) -> frozenset[str]:
    """The keys of the judge calls that the scores use."""
    from replay.asker import open_asker
    from scoring.scorer import score_all

    panel = contents.leaderboard.panel
    with open_asker(workspace.root, offline=True) as asker:
        score_all(contents, panel, asker, confirming(workspace))
        return frozenset(asker.used)
