"""`lb init`: start a board in a new folder."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Final

import click

from cli.new_responses import card_bytes, responses_of
from cli.options import FILE, PATH
from cli.output.console import say
from cli.wiring import open_board
from leaderboard.errors import FilesError, Problem
from leaderboard.files.file_bytes import read_named
from leaderboard.machine.atomic_files import write_atomic
from leaderboard.responses.response_file_names import responses_file
from leaderboard.texts.counted_nouns import counted
from leaderboard.workspace import CARD_FILE, Workspace

if TYPE_CHECKING:
    from leaderboard.responses.forms.file_formats import Container
    from runners.init.new_board import NewSuite

DEFAULT_KIND: Final = "exact"
_CASE: Final = re.compile(r"\$\[(\d+)\](.*)")  # the place of a problem in a file of cases
# A branch could change what a board runs, so a whole commit is named, or the tag of a version.
_ACTION: Final = re.compile(
    r"[\w.-]+/[\w./-]+@([0-9a-f]{40}|v?\d+(\.\d+)*([-+][\w.-]+)?)", re.ASCII
)
_OPTIONS: Final = {  # options by the file and the place that they set
    ("leaderboard.toml", "$.title"): "--title",
    ("leaderboard.toml", "$.site.accent"): "--accent",
    (CARD_FILE, "$.organization"): "--organization",
    (CARD_FILE, "$.date"): "--date",
}


def _action(_context: click.Context, _option: click.Parameter, action: str | None) -> str | None:
    if action is not None and not _ACTION.fullmatch(action):
        named = "a commit of 40 hexadecimal digits, or the tag of a version, such as v1.2"
        raise click.BadParameter(f"{action!r} is not OWNER/NAME@COMMIT: name {named}")
    return action


@click.command()
@click.argument("folder", metavar="DIR", type=PATH)
@click.option("--title", help="The title of the board (default: the name of the folder).")
@click.option("--kind", help=f"How cases are answered and decided (default: {DEFAULT_KIND}).")
@click.option(
    "--cases",
    type=FILE,
    help="The questions: CSV, JSON, JSON lines or Parquet (default: examples).",
)
@click.option(
    "--responses",
    type=FILE,
    multiple=True,
    help="What one system answered, in any form that `lb new --from` reads. Can be repeated.",
)
@click.option("--organization", help="Who made the responses. Needed with --responses.")
@click.option("--date", help="The day when they were made, YYYY-MM-DD. Needed with --responses.")
@click.option(
    "--accent", metavar="#RRGGBB", help="The colour of links, marks, badges and the icon."
)
@click.option("--demo", is_flag=True, help="Make a small complete board with two made-up programs.")
@click.option(
    "--action",
    callback=_action,
    metavar="OWNER/NAME@COMMIT",
    help="Toolboard's action, for the workflow, by commit or tag (default: a placeholder).",
)
def command(
    folder: Path,
    title: str | None,
    kind: str | None,
    cases: Path | None,
    responses: tuple[Path, ...],
    organization: str | None,
    date: str | None,
    accent: str | None,
    demo: bool,
    action: str | None,
) -> None:
    """Start a board in the new folder DIR: settings, a suite, a README and a workflow.

    `lb docs kinds` lists the kinds, and the columns of a table of cases. Each file of --responses
    becomes a submission with the name of the file.

    \b
    Example:
      lb init my-board --cases questions.csv --title "My board"
      lb init look --demo && lb --workspace look rescore && lb --workspace look build
    """
    from runners.init.made_up_board import PROGRAMS, demo_board
    from runners.init.new_board import board_files, in_words, write_board

    if demo and (kind or cases or responses or accent):
        raise click.UsageError("--demo takes only --title and --action")
    needed = {
        "--responses": responses,
        "--cases": cases,
        "--organization": organization,
        "--date": date,
    }
    missing = [option for option, value in needed.items() if not value]
    if missing and any((responses, organization, date)):
        together = "--responses, --cases, --organization and --date go together"
        raise click.UsageError(f"{together} (missing: {', '.join(missing)}), or give only --cases")
    if title is None:
        title = in_words(folder.absolute().name)
    if demo:
        files = demo_board(title, action)
        write_board(folder, files, _check)
    else:
        suite = _suite(kind or DEFAULT_KIND, cases)
        files = board_files(title, suite, action=action, accent=accent)
        card = {"organization": organization, "date": date}

        def complete(made: Path) -> None:
            for source in responses:
                _add_submission(made, source, suite.id, card)
            try:
                _check(made)
            except FilesError as error:
                if cases is None:
                    raise
                raise FilesError(_of_table(p, cases, suite) for p in error.problems) from error

        write_board(folder, files, complete)
    submissions = len(PROGRAMS) if demo else len(responses)
    if not demo and suite.categories:
        say(_categories_line(suite))
    _say_next(folder, submissions, examples=cases is None and not demo)


def _categories_line(suite: NewSuite) -> str:
    """The categories of a suite, each with its number of cases."""
    counts = [f"{title} ({counted(cases, 'case')})" for title, cases in suite.categories.items()]
    return f"{counted(len(counts), 'category', 'categories')}: {', '.join(counts)}"


def _say_next(folder: Path, submissions: int, *, examples: bool) -> None:
    say(f"wrote {folder}/" + (f" with {counted(submissions, 'submission')}" if submissions else ""))
    if examples:
        say("replace the examples in datasets/ with your questions")
    here = "" if folder.absolute() == Path.cwd() else f"cd {shlex.quote(str(folder))} && "
    say(f"next: {here}lb {'rescore && lb build' if submissions else 'validate'}")


def _suite(kind: str, cases: Path | None) -> NewSuite:
    from leaderboard.files.cases.table_cases import case_records
    from runners.init.new_board import example_kinds, example_suite, suite_of_cases
    from scoring.rules import KINDS
    from scoring.rules.workspace_rules import OWN

    kinds = example_kinds()
    if kind not in kinds:
        message = f"no kind {kind!r}; choose one of: {', '.join(kinds)}"
        if kind in KINDS:
            message = f"{kind} has no examples to start with: lb init DIR, then lb import"
        raise click.BadParameter(message, param_hint="--kind")
    example = example_suite(kind)
    if cases is None:
        return example
    if "tools.json" in example.files:
        what = f"makes no suites of kind {kind}, which need tools"
        fix = "start without it, and replace the examples in datasets/: lb docs own-suite"
        raise FilesError.about("--cases", what, fix)
    table = _table(cases)
    converted = case_records(table.values, KINDS.get(kind, OWN), str(cases), table.places)
    say(*(f"{cases}: {note}" for note in converted.notes))
    suite = suite_of_cases(cases, kind, table.values, converted.records, table.places)
    for name, category in suite.respelt.items():
        say(f"{cases}: category {name!r} is taken as {category!r}: they differ in letter case only")
    return suite


def _table(source: Path) -> Container:
    """The rows of a table, or the objects of a JSON file. Raises FilesError."""
    from leaderboard.responses.forms.file_formats import read_container

    container = read_container(read_named(source, str(source)), str(source))
    rows = all(isinstance(value, dict) for value in container.values)
    if not container.values or not rows or container.name == "zip":
        fix = "give one row or object for each question: lb docs kinds"
        raise FilesError.about(str(source), "is not a table of questions", fix)
    return container


def _add_submission(
    made: Path, source: Path, suite_id: str, card: Mapping[str, str | None]
) -> None:
    """Writes the submission of one file. Raises FilesError."""
    from runners.init.new_board import identifier

    name = PurePath(source.name.removesuffix(".gz")).stem  # a model's name may have dots
    workspace = Workspace(made)
    folder = workspace.submissions / identifier(name)
    if folder.exists():
        what = f"gets the same submission id as another file: {folder.name}"
        raise FilesError.about(str(source), what, "rename one of them")
    file, data = responses_file(
        suite_id, responses_of(workspace, source, suite_id, allow_empty=False)
    )
    write_atomic(folder / file, data)
    write_atomic(folder / CARD_FILE, card_bytes({**card, "model": name}, name))


def _check(made: Path) -> None:
    """Reads the board as every command does. Raises FilesError with all problems."""
    try:
        open_board(made)
    except FilesError as error:
        raise FilesError(map(_of_option, error.problems)) from error


def _of_option(problem: Problem) -> Problem:
    """A problem with what an option put into a new file, as a problem of the option."""
    option = _OPTIONS.get((PurePath(problem.file).name, problem.at))
    return replace(problem, file=option, line=None, at="") if option else problem


def _of_table(problem: Problem, cases: Path, suite: NewSuite) -> Problem:
    """A problem of the new suite, as a problem of the row of `cases` that it comes from."""
    name = problem.file.removeprefix(f"datasets/{suite.id}/")
    if name == "suite.toml":
        return replace(problem, file=str(cases), line=None)
    found = _CASE.fullmatch(problem.at)
    if name not in suite.places or not found:
        return problem
    place = suite.places[name][int(found[1])]
    at = f"{place} ${found[2]}" if found[2] else place
    return replace(problem, file=str(cases), line=None, at=at)
