"""`lb schema`: the JSON Schema of submissions, generated from the shapes that check them."""

from __future__ import annotations

from pathlib import Path

import click

from cli.console import say


@click.command()
@click.option(
    "--check", is_flag=True, help="Write nothing; exit with 1 if the file is out of date."
)
@click.pass_obj
def command(workspace_root: Path, check: bool) -> None:
    """Write submissions/schema.json, for editors and other tools that check a submission.

    \b
    Example:
      lb schema --check
    """
    from leaderboard.errors import FilesError, Problem
    from leaderboard.files.submission_schema import submission_schema
    from leaderboard.store import write_atomic
    from leaderboard.workspace import open_workspace

    workspace = open_workspace(workspace_root)
    path = workspace.submissions / "schema.json"
    data = submission_schema()
    fresh = path.is_file() and path.read_bytes() == data
    if check and not fresh:
        raise FilesError(Problem(workspace.shown(path), "is out of date", "run lb schema"))
    if not fresh:
        write_atomic(path, data)
    say(f"{workspace.shown(path)} is up to date")
