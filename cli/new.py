"""`lb new`: a submission to fill in, or one made from a responses file."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cli.console import count, say, show_problems
from cli.options import PATH

if TYPE_CHECKING:
    from leaderboard.types import Suite
    from leaderboard.workspace import Workspace


@click.command()
@click.argument("submission_id", metavar="ID")
@click.option(
    "--from",
    "source",
    type=PATH,
    metavar="FILE",
    help="What the system answered, in any form that is known; - reads standard input.",
)
@click.option("--suite", help="The suite that the responses file answers. Needed with --from.")
@click.option("--name", help="The name on the board (default: the id).")
@click.option("--organization", help="Who submits it.")
@click.option("--model", help="The model that answered.")
@click.option("--kind", type=click.Choice(["model", "agent"]), default="model")
@click.option("--date", help="The day when the responses were made, YYYY-MM-DD.")
@click.option(
    "--allow-empty",
    is_flag=True,
    help="Accept a file without one answer, or with calls that all have no arguments.",
)
@click.pass_obj
def command(
    workspace_root: Path,
    /,
    submission_id: str,
    source: Path | None,
    suite: str | None,
    allow_empty: bool,
    **card: str | None,
) -> None:
    """Start the submission ID: a folder with a card to fill in.

    With --from, the file is converted, checked and put into it. It can be JSON, JSON lines, CSV or
    Parquet, also packed with gzip, with one record for each case: OpenAI, Anthropic or Gemini
    replies or batch output, Inspect logs, samples of lm-evaluation-harness, promptfoo results,
    messages, tool calls, or plain texts.

    \b
    Example:
      lb new my-model --from batch_output.jsonl --suite tool_selection \\
        --organization "My lab" --model my-model-7b --date 2026-05-18
      my-harness | lb new my-model --from - --suite tool_selection
    """
    from leaderboard.errors import FilesError, Problem
    from leaderboard.files.board_settings import load_leaderboard
    from leaderboard.files.submission_files import card_problems
    from leaderboard.files.suite_files import suite_ids
    from leaderboard.responses.response_encodings import responses_file
    from leaderboard.workspace import id_problem, open_workspace

    if (source is None) != (suite is None):
        raise click.UsageError("--from and --suite go together")
    workspace = open_workspace(workspace_root)
    folder = workspace.submissions / submission_id
    shown = f"submissions/{submission_id}"
    if problem := id_problem(submission_id):
        raise FilesError(problem)
    known = suite_ids(workspace, load_leaderboard(workspace))
    if suite is not None and suite not in known:
        fix = f"suites: {', '.join(known)}"
        raise FilesError(Problem(f"datasets/{suite}", "does not exist", fix))
    if folder.exists() and source is None:
        raise FilesError(Problem(shown, "exists already", "choose another id, or edit it"))
    given = {field: value for field, value in card.items() if value is not None}
    if problems := list(card_problems(given)):
        raise FilesError(problems)
    responses: dict[str, bytes] = {}
    if source and suite:
        data = _responses(workspace, source, suite, allow_empty=allow_empty)
        responses = dict([responses_file(suite, data)])
    _write(folder, responses, _card(card, card["name"] or submission_id))
    say(f"wrote {shown}/" + (f" with {suite} responses" if suite else ""))
    here = "" if workspace_root == Path() else f" --workspace {workspace_root}"
    if suite is None:
        say(f"put your responses into it as <suite>.json (lb{here} suites lists them)")
    commands = f"lb{here} validate {submission_id} && lb{here} rescore {submission_id}"
    say(f"fill in submission.json, then: {commands}")


def _responses(workspace: Workspace, source: Path, suite_id: str, *, allow_empty: bool) -> bytes:
    """The responses file, checked against the suite before anything is written."""
    from cli.wiring import open_suites
    from runners.imports.responses_import import import_responses

    def others() -> list[Suite]:
        return [other for other in open_suites(workspace.root)[1] if other.id != suite_id]

    suite = open_suites(workspace.root, [suite_id])[1][0]
    data, shown = _read(source)
    found = import_responses(data, shown, suite, others, allow_empty=allow_empty)
    show_problems(found.problems, "text")
    counts = [count(found.records, "record"), count(found.calls, "call")]
    counts += [count(found.texts, "text"), count(found.failed, "error")]
    say(f"{shown}: {found.form}: {', '.join(counts)}")
    say(*(f"{shown}: {note}" for note in found.notes))
    say(f"{found.answered:,} of {len(suite.cases):,} cases of {suite.id} answered")
    return found.data


def _read(source: Path) -> tuple[bytes, str]:
    """The bytes of a file or of standard input, and their name for messages."""
    from leaderboard.errors import FilesError
    from leaderboard.files.document import read_named
    from leaderboard.limits import FILE_BYTES, megabytes

    if source != Path("-"):
        return read_named(source.resolve(), str(source)), str(source)
    data = sys.stdin.buffer.read(FILE_BYTES + 1)
    if len(data) > FILE_BYTES:
        what = f"is longer than {megabytes(FILE_BYTES)}"
        raise FilesError.about("standard input", what, "split it by suite")
    return data, "standard input"


def _write(folder: Path, responses: dict[str, bytes], card: bytes) -> None:
    """Writes the responses and a card. An existing card stays as it is."""
    from leaderboard.errors import FilesError, Problem
    from leaderboard.responses.response_encodings import response_file_names, suite_of_file
    from leaderboard.store import write_atomic

    for file in responses:
        for name in response_file_names(suite_of_file(file) or ""):
            if (folder / name).exists():
                fix = "delete it first to replace it"
                shown = f"submissions/{folder.name}/{name}"
                raise FilesError(Problem(shown, "exists already", fix))
    for file, data in responses.items():
        write_atomic(folder / file, data)
    if not (folder / "submission.json").exists():
        write_atomic(folder / "submission.json", card)


def _card(card: dict[str, str | None], name: str) -> bytes:
    """The card. What is missing is left empty, so that `lb validate` asks for it."""
    import orjson

    given: dict[str, Any] = {"schema": 1, "name": name, "kind": card["kind"]}
    given.update({field: card[field] or "" for field in ("organization", "model", "date")})
    return orjson.dumps(given, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
