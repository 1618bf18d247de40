"""`lb new`: a submission to fill in, or one made from a responses file."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from cli.new_responses import as_card, card_bytes, responses_of
from cli.options import PATH, SUBMISSION
from cli.output.console import say
from cli.wiring import suite_names
from leaderboard.errors import FilesError, Problem, raise_any
from leaderboard.ids import id_problem
from leaderboard.machine.atomic_files import write_atomic
from leaderboard.mappings import without_none
from leaderboard.responses.response_file_names import response_file_names, responses_file
from leaderboard.workspace import CARD_FILE, Workspace, card_file, open_workspace


@click.command()
@click.argument("submission_id", metavar="ID", type=SUBMISSION)
@click.option(
    "--from",
    "sources",
    type=PATH,
    metavar="FILE",
    multiple=True,
    help="What the system answered, in any known format; - reads standard input.",
)
@click.option("--suite", help="The suite that the responses file answers. Needed with --from.")
@click.option("--name", help="The name on the board (default: the id).")
@click.option("--organization", help="Who submits it.")
@click.option("--model", help="The model that answered.")
@click.option(
    "--kind",
    type=click.Choice(["model", "agent"]),
    default="model",
    help="Whether a model answered alone, or in an agent.",
)
@click.option("--date", help="The day when the responses were made, YYYY-MM-DD.")
@click.option(
    "--allow-empty",
    is_flag=True,
    help="Accept a file without a single answer, or whose calls all lack arguments.",
)
@click.pass_obj
def command(
    workspace_root: Path,
    /,
    submission_id: str,
    sources: tuple[Path, ...],
    suite: str | None,
    allow_empty: bool,
    **card: str | None,
) -> None:
    """Start the submission ID: a folder with a card to fill in.

    With --from, FILE is checked, converted and written into the folder. It can be JSON, JSON lines,
    CSV or Parquet, optionally compressed with gzip, with one record for each case: OpenAI,
    Anthropic or Gemini replies or batch output, Inspect logs, samples of lm-evaluation-harness,
    promptfoo results, messages, tool calls, or plain texts.

    \b
    Example:
      lb new my-model --from batch_output.jsonl --suite tool_selection \\
        --organization "My lab" --model my-model-7b --date 2026-05-18
      my-harness | lb new my-model --from - --suite tool_selection
    """
    from leaderboard.files.card_shape import card_problems
    from runners.submission_writer import existing_card

    _refuse_options(sources, suite, allow_empty=allow_empty)
    source = next(iter(sources), None)
    workspace = open_workspace(workspace_root)
    _refuse_bad_names(workspace, submission_id, suite)
    folder = workspace.submissions / submission_id
    shown = f"submissions/{submission_id}"
    if (folder / CARD_FILE).exists() and source is None:
        raise FilesError.about(shown, "exists already", "choose another id, or edit it")
    given = without_none(card)
    raise_any(card_problems(given))
    kept = existing_card(workspace.root, submission_id)
    source_of_kind = click.get_current_context().get_parameter_source("kind")
    if source_of_kind is click.core.ParameterSource.DEFAULT:
        del given["kind"]
    filled = _filled(kept, given, card_file(submission_id))
    files: dict[str, bytes] = {}
    if source and suite:
        data = responses_of(workspace, source, suite, allow_empty=allow_empty)
        files |= _responses_file(folder, suite, data)
    if not kept:
        files[CARD_FILE] = card_bytes(card, card["name"] or submission_id)
    elif filled:
        files[CARD_FILE] = as_card({**kept, **filled})
    for name, data in files.items():
        write_atomic(folder / name, data)
    say(f"wrote {shown}/" + (f" with {suite} responses" if suite else ""))
    _say_next(workspace_root, submission_id, suite, {**given, **kept, **filled})


def _say_next(
    workspace_root: Path, submission_id: str, suite: str | None, card: Mapping[str, Any]
) -> None:
    """Says what the submission lacks, and the commands that come next."""
    here = "" if workspace_root == Path() else f" --workspace {shlex.quote(str(workspace_root))}"
    lb = f"lb{here}"
    if suite is None:
        say(f"put your responses into it as <suite>.json ({lb} suites lists the suites)")
    empty = [name for name in ("organization", "model", "date") if not card.get(name)]
    path = card_file(submission_id)
    first = f"fill in {', '.join(empty)} in {path}, then" if empty else "next"
    say(f"{first}: {lb} validate {submission_id} && {lb} rescore {submission_id}")


def _refuse_options(sources: Sequence[Path], suite: str | None, *, allow_empty: bool) -> None:
    """Raises UsageError for options that do not fit together: none is ignored."""
    if len(sources) > 1:
        what = "--from takes one file: put the records of all into one, and number them in `trial`"
        raise click.UsageError(f"{what} (lb docs submitting)")
    if bool(sources) != (suite is not None):
        raise click.UsageError("--from and --suite go together")
    if allow_empty and not sources:
        raise click.UsageError("--allow-empty needs --from")


def _refuse_bad_names(workspace: Workspace, submission_id: str, suite: str | None) -> None:
    """Raises FilesError if this cannot be a submission's id, or the board has no such suite."""
    if problem := id_problem(submission_id):
        raise FilesError(problem)
    known = suite_names(workspace)
    if suite is not None and suite not in known:
        fix = f"suites: {', '.join(known)}"
        raise FilesError.about(f"datasets/{suite}", "does not exist", fix)


def _filled(kept: Mapping[str, Any], given: Mapping[str, Any], shown: str) -> Mapping[str, Any]:
    """The given values for empty fields of an existing card.

    Raises FilesError for values that differ from those on the card: no field is replaced.
    """
    others = []
    for field, value in given.items():
        if kept.get(field) and kept[field] != value:
            what = f"is {kept[field]!r}, not {value!r}"
            fix = f"edit it, or leave out --{field}"
            others.append(Problem(shown, what, fix, at=f"$.{field}"))
    raise_any(others)
    return {field: value for field, value in given.items() if kept and not kept.get(field)}


def _responses_file(folder: Path, suite: str, data: bytes) -> dict[str, bytes]:
    """The name and the bytes of the file.

    Raises FilesError if the submission has responses to the suite, in any encoding.
    """
    for name in response_file_names(suite):
        if (folder / name).exists():
            shown = f"submissions/{folder.name}/{name}"
            raise FilesError.about(shown, "exists already", "delete it first to replace it")
    name, packed = responses_file(suite, data)
    return {name: packed}
