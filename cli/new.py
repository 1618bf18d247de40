"""`lb new`: a submission to fill in, or one made from a responses file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cli.console import say, show_problems
from cli.options import PATH

if TYPE_CHECKING:
    from leaderboard.types import Suite


@click.command()
@click.argument("submission_id", metavar="ID")
@click.option("--from", "source", type=PATH, help="A responses file to copy (.json or .json.gz).")
@click.option("--suite", help="The suite that the responses file answers. Needed with --from.")
@click.option("--name", help="The name on the board (default: the id).")
@click.option("--organization", help="Who submits it.")
@click.option("--model", help="The model that answered.")
@click.option("--kind", type=click.Choice(["model", "agent"]), default="model")
@click.option("--date", help="The day when the responses were made, YYYY-MM-DD.")
@click.pass_obj
def command(
    workspace_root: Path,
    /,
    submission_id: str,
    source: Path | None,
    suite: str | None,
    **card: str | None,
) -> None:
    """Start the submission ID: a folder with a card to fill in.

    With --from, the responses file is checked and copied into it.

    \b
    Example:
      lb new my-model --from responses.json --suite tool_selection \\
        --organization "My lab" --model my-model-7b --date 2026-05-18
    """
    from leaderboard.errors import FilesError, Problem
    from leaderboard.files.board_settings import load_leaderboard
    from leaderboard.files.suite_files import load_suite, suite_ids
    from leaderboard.workspace import id_problem, open_workspace
    from scoring.rules import KINDS

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
    name = card["name"] or submission_id
    responses = {}
    if source and suite:
        responses = _responses(source, load_suite(workspace, suite, KINDS), name)
    _write(folder, responses, _card(card, name), name)
    say(f"wrote {shown}/" + (f" with {suite} responses" if suite else ""))
    here = "" if workspace_root == Path() else f" --workspace {workspace_root}"
    if suite is None:
        say(f"put your responses into it as <suite>.json (lb{here} suites lists them)")
    commands = f"lb{here} validate {submission_id} && lb{here} rescore {submission_id}"
    say(f"fill in submission.json, then: {commands}")


def _responses(source: Path, suite: Suite, name: str) -> dict[str, bytes]:
    """The responses file by its new name, checked against the suite before anything is written."""
    from leaderboard.responses.response_encodings import ending_of, read_responses_document
    from leaderboard.responses.response_files import Interner, read_records

    folder = source.resolve().parent
    document, findings = read_responses_document(source.resolve(), str(source), folder)
    records = read_records(document, suite, findings, Interner())
    findings.raise_errors()
    show_problems(findings.problems(), "text")
    answered = len({record.response.case_id for record in records})
    say(f"{name}: {answered:,} of {len(suite.cases):,} cases of {suite.id} answered")
    return {f"{suite.id}{ending_of(source)}": source.read_bytes()}


def _write(folder: Path, responses: dict[str, bytes], card: bytes, name: str) -> None:
    """Writes the responses. An existing card or README stays as it is."""
    from leaderboard.errors import FilesError, Problem
    from leaderboard.store import write_atomic

    for file in responses:
        if (folder / file).exists():
            fix = "delete it first to replace it"
            raise FilesError(Problem(f"submissions/{folder.name}/{file}", "exists already", fix))
    for file, data in responses.items():
        write_atomic(folder / file, data)
    readme = f"# {name}\n\nWhat this system is, and how the responses were made.\n"
    for file, data in {"submission.json": card, "README.md": readme.encode()}.items():
        if not (folder / file).exists():
            write_atomic(folder / file, data)


def _card(card: dict[str, str | None], name: str) -> bytes:
    """The card. What is missing is left empty, so that `lb validate` asks for it."""
    import orjson

    given: dict[str, Any] = {"schema": 1, "name": name, "kind": card["kind"]}
    given.update({field: card[field] or "" for field in ("organization", "model", "date")})
    return orjson.dumps(given, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
