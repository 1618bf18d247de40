"""`lb schema`: the JSON Schemas of files, generated from the shapes that check them."""

from __future__ import annotations

from pathlib import Path

import click

from cli.output.console import say, show_json
from leaderboard.errors import FilesError
from leaderboard.machine.atomic_files import write_atomic
from leaderboard.texts.near_names import suggestion
from leaderboard.workspace import open_workspace


@click.command()
@click.argument("name", required=False)
@click.option(
    "--check", is_flag=True, help="Write nothing; exit with 1 if the file is out of date."
)
@click.pass_obj
def command(workspace_root: Path, name: str | None, check: bool) -> None:
    """Write submissions/schema.json, for editors and other tools that check a submission.

    With a NAME, print the JSON Schema of that file instead: leaderboard, suite, tools, submission,
    responses, or cases-KIND.

    \b
    Example:
      lb schema --check
      lb schema cases-exact
    """
    if name is not None:
        if check:
            raise click.UsageError("--check is for submissions/schema.json: leave out NAME")
        _print(name)
        return
    from leaderboard.files.file_schemas import submission_schema

    workspace = open_workspace(workspace_root)
    path = workspace.submissions / "schema.json"
    data = submission_schema()
    fresh = path.is_file() and path.read_bytes() == data
    if check and not fresh:
        raise FilesError.about(workspace.shown(path), "is out of date", "run lb schema")
    if not fresh:
        write_atomic(path, data)
    say(f"{workspace.shown(path)} is up to date")


def _print(name: str) -> None:
    from leaderboard.files.file_schemas import file_schemas
    from scoring.rules import KINDS
    from scoring.rules.workspace_rules import OWN

    schemas = file_schemas((*KINDS.values(), OWN))
    if name not in schemas:
        message = f"no file {name!r}; {suggestion(name, schemas)}"
        raise click.BadParameter(message, param_hint="NAME")
    show_json(schemas[name])
