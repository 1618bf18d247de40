"""`lb cassettes`: are the recorded judge calls clean, whole and used?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.console import count, say, show_problems

if TYPE_CHECKING:
    from leaderboard.workspace import Workspace


@click.group()
def command() -> None:
    """Look after the recorded judge calls in cassettes/.

    \b
    Example:
      lb cassettes check
    """


@command.command()
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "github"]),
    default="text",
    help="How to print problems.",
)
@click.pass_obj
def check(workspace_root: Path, form: str) -> None:
    """Say whether every cassette is readable, sorted, free of secrets and errors, and still used by some score.

    \b
    Example:
      lb cassettes check --format github
    """
    from leaderboard.files.board_settings import load_leaderboard
    from leaderboard.workspace import open_workspace
    from replay.cassettes import cassette_check as cassettes

    workspace = open_workspace(workspace_root)
    known = load_leaderboard(workspace).judges
    problems = cassettes.check(workspace.root, None, known)
    if not any(problem.severity == "error" for problem in problems):
        used = _used_keys(workspace)
        if used is None:
            say("which calls are used is not checked: lb validate finds problems")
        else:
            problems = cassettes.check(workspace.root, used, known)
    show_problems(problems, form)
    errors = sum(problem.severity == "error" for problem in problems)
    if errors:
        say(f"{count(errors, 'problem')} in the cassettes")
        raise SystemExit(1)
    say("fine" + (f"; {count(len(problems), 'warning')}" if problems else ""))


@command.command()
@click.option("--unused", is_flag=True, help="Also take out calls that no score rests on any more.")
@click.pass_obj
def prune(workspace_root: Path, unused: bool) -> None:
    """Take out what is never replayed (errors, repetitions), and lay every cassette out anew: sorted, clean, one call a line.

    \b
    Example:
      lb cassettes prune --unused
    """
    from leaderboard.errors import FilesError
    from leaderboard.load import load_contents
    from leaderboard.workspace import open_workspace
    from replay.cassettes import cassette_check as cassettes
    from scoring.rules import KINDS

    workspace = open_workspace(workspace_root)
    used = _used_keys(workspace) if unused else None
    if unused and used is None:
        raise FilesError(load_contents(workspace, KINDS).problems)
    removed = cassettes.prune(workspace.root, used)
    say(f"{count(removed, 'recorded call')} taken out")


def _used_keys(workspace: Workspace) -> frozenset[str] | None:
    """The judge calls that the scores rest on; None where the workspace cannot be scored."""
    from leaderboard.load import load_contents
    from replay.judges import open_judges
    from scoring.rules import KINDS
    from scoring.scorer import score_all

    contents = load_contents(workspace, KINDS)
    if contents.errors:
        return None
    panel = contents.leaderboard.panel
    with open_judges(workspace.root, panel) as (asker, ask):
        score_all(contents, panel, ask)
        return asker.statistics.used
