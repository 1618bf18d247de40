"""`lb init`: start a board in a new folder."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.console import count, say
from cli.options import PATH

if TYPE_CHECKING:
    from runners.start.new_board import NewSuite

DEFAULT_KIND = "exact"


@click.command()
@click.argument("folder", metavar="DIR", type=PATH)
@click.option("--title", help="The title of the board (default: the name of the folder).")
@click.option("--kind", help=f"How cases are answered and decided (default: {DEFAULT_KIND}).")
@click.option("--demo", is_flag=True, help="Make a small complete board with two made-up programs.")
@click.option(
    "--action",
    metavar="OWNER/NAME@COMMIT",
    help="Toolboard's action, for the workflow (default: a placeholder).",
)
def command(
    folder: Path,
    title: str | None,
    kind: str | None,
    demo: bool,
    action: str | None,
) -> None:
    """Start a board in the new folder DIR: settings, a suite, a README and a workflow.

    \b
    Example:
      lb init my-board --title "My board"
      lb init look --demo && lb --workspace look rescore && lb --workspace look build
    """
    from runners.start.demo import demo_board
    from runners.start.new_board import board_files, in_words, write_board

    if demo and kind:
        raise click.UsageError("--demo has its own cases: leave out --kind")
    title = title or in_words(folder.absolute().name)
    if demo:
        files = demo_board(title, action)
    else:
        files = board_files(title, _suite(kind or DEFAULT_KIND), action=action)
    write_board(folder, files, _check)
    found = sum(name.startswith("submissions/") and name.endswith(".md") for name in files)
    made = f", {count(found, 'submission')}" if found else ""
    say(f"wrote {folder}/: {count(len(files), 'file')}{made}")
    here = "" if folder.absolute() == Path.cwd() else f"cd {folder} && "
    if not found:
        say("put your questions into datasets/, then check them")
    say(f"next: {here}lb {'rescore && lb build' if found else 'validate'}")


def _suite(kind: str) -> NewSuite:
    from runners.start.new_board import example_kinds, example_suite

    known = example_kinds()
    if kind not in known:
        message = f"no kind {kind!r}; there are: {', '.join(known)}"
        raise click.BadParameter(message, param_hint="--kind")
    return example_suite(kind)


def _check(made: Path) -> None:
    """Reads the board as every command does. Raises FilesError with all problems."""
    from cli.wiring import open_board

    open_board(made)
