"""`lb init`: start a board in a new folder."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.console import count, say
from cli.options import FILE, PATH

if TYPE_CHECKING:
    from leaderboard.types import Json
    from runners.start.new_board import NewSuite

DEFAULT_KIND = "exact"


@click.command()
@click.argument("folder", metavar="DIR", type=PATH)
@click.option("--title", help="The title of the board (default: the name of the folder).")
@click.option("--kind", help=f"How cases are answered and decided (default: {DEFAULT_KIND}).")
@click.option(
    "--cases",
    type=FILE,
    help="The questions: CSV, JSON, JSON lines or Parquet (default: examples).",
)
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
    cases: Path | None,
    demo: bool,
    action: str | None,
) -> None:
    """Start a board in the new folder DIR: settings, a suite, a README and a workflow.

    `lb docs kinds` lists the kinds, and the columns of a table of cases.

    \b
    Example:
      lb init my-board --cases questions.csv --title "My board"
      lb init look --demo && lb --workspace look rescore && lb --workspace look build
    """
    from runners.start.demo import demo_board
    from runners.start.new_board import board_files, in_words, write_board

    if demo and (kind or cases):
        raise click.UsageError("--demo has its own cases: leave out --kind and --cases")
    title = title or in_words(folder.absolute().name)
    if demo:
        files = demo_board(title, action)
    else:
        files = board_files(title, _suite(kind or DEFAULT_KIND, cases), action=action)
    write_board(folder, files, _check)
    found = sum(name.startswith("submissions/") and name.endswith(".md") for name in files)
    made = f", {count(found, 'submission')}" if found else ""
    say(f"wrote {folder}/: {count(len(files), 'file')}{made}")
    here = "" if folder.absolute() == Path.cwd() else f"cd {folder} && "
    if not found and cases is None:
        say("replace the examples in datasets/ by your questions")
    say(f"next: {here}lb {'rescore && lb build' if found else 'validate'}")


def _suite(kind: str, cases: Path | None) -> NewSuite:
    from leaderboard.files.cases.case_rows import case_records
    from runners.start.new_board import example_kinds, example_suite, suite_of_cases
    from scoring.rules import KINDS

    known = example_kinds()
    if kind not in known:
        message = f"no kind {kind!r}; there are: {', '.join(known)}"
        raise click.BadParameter(message, param_hint="--kind")
    if cases is None:
        return example_suite(kind)
    rows = _rows(cases)
    return suite_of_cases(cases, kind, rows, case_records(rows, KINDS[kind], str(cases)))


def _rows(source: Path) -> list[dict[str, Json]]:
    """The rows of a table, or the objects of a JSON file. Raises FilesError."""
    from leaderboard.errors import FilesError
    from leaderboard.files.document import read_named
    from leaderboard.responses.forms.containers import read_container

    found = read_container(read_named(source, str(source)), str(source))
    rows = [value for value in found.values if isinstance(value, dict)]
    if not rows or len(rows) < len(found.values) or found.name == "zip":
        fix = "give one row or object for each question: lb docs kinds"
        raise FilesError.about(str(source), "is no table of questions", fix)
    return rows


def _check(made: Path) -> None:
    """Reads the board as every command does. Raises FilesError with all problems."""
    from cli.wiring import open_board

    open_board(made)
