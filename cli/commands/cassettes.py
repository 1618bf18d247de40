"""`lb cassettes`: are the recorded judge calls clean, whole and used?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.options import output_format
from cli.output.console import say
from cli.output.problem_output import show_problems
from cli.wiring import calls_in_need, kinds_of, open_board
from leaderboard.errors import FilesError, errors_in
from leaderboard.files.cassette_paths import cassette_files, stray_files
from leaderboard.texts.counted_nouns import counted
from leaderboard.workspace import Workspace, open_workspace

if TYPE_CHECKING:
    from replay.cassettes.cassette_check import Needed


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
    """Check that the cassettes are clean, readable, genuine and in use.

    The replies of the embedded judge are computed again.

    \b
    Example:
      lb cassettes check --format github
    """
    from leaderboard.files.board_settings import load_leaderboard
    from leaderboard.files.submission_files import submission_ids
    from leaderboard.files.suite_files import suite_ids
    from replay.cassettes import cassette_check

    click.get_current_context().meta["problem format"] = form  # also of what ends the command
    workspace = open_workspace(workspace_root)
    settings = load_leaderboard(workspace)
    judges, suites = settings.judges, suite_ids(workspace, settings)
    strays = stray_files(workspace.root, judges, suites, submission_ids(workspace))
    try:
        needed = calls_in_need(*open_board(workspace_root))
    except FilesError:
        needed = None
        say("unused calls were not checked: first fix the problems that lb validate reports")
    problems = strays + cassette_check.check(workspace.root, needed, judges)
    show_problems(problems, form)
    if errors := errors_in(problems):
        say(f"{counted(len(errors), 'problem')} in the cassettes")
        raise SystemExit(1)
    say("OK" + (f", {counted(len(problems), 'warning')}" if problems else ""))


@command.command()
@click.option("--unused", is_flag=True, help="Also remove calls that no answer needs any more.")
@click.pass_obj
def prune(workspace_root: Path, unused: bool) -> None:
    """Remove what is never replayed, and sort every cassette.

    Errors and repetitions are never replayed. With --unused, a call that only other submissions
    need moves to the cassette of one of them. This includes calls of removed submissions.

    \b
    Example:
      lb cassettes prune --unused
    """
    from replay.cassettes import cassette_prune

    workspace = open_workspace(workspace_root)
    needed = _calls_in_need(workspace) if unused else None
    removed = cassette_prune.prune(workspace.root, needed)
    say(f"{counted(removed, 'recorded call')} removed")


def _calls_in_need(workspace: Workspace) -> Needed:
    """What answers need on a board that may have cassettes of nobody: pruning removes these."""
    from leaderboard.load import load_contents, united_problems

    contents = load_contents(workspace, kinds_of(workspace))
    cassettes = cassette_files(workspace.root)
    problems = [problem for problem in contents.problems if problem.file not in cassettes]
    if errors_in(problems):
        raise FilesError(united_problems(problems, contents.suites))
    return calls_in_need(workspace, contents)
