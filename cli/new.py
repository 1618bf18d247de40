"""`lb new`: a submission to fill in, or one made from a responses file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from cli.console import say, show_problems

CARD_FIELDS = ("name", "organization", "model", "date")


@click.command()
@click.argument("submission_id", metavar="ID")
@click.option(
    "--from",
    "source",
    type=click.Path(path_type=Path),
    help="A responses file to take over (.json or .json.gz).",
)
@click.option("--suite", help="The suite that the responses file answers; needed with --from.")
@click.option("--name", help="How the board shows it (default: the id).")
@click.option("--organization", help="Who sends it in.")
@click.option("--model", help="The model that answered.")
@click.option("--kind", type=click.Choice(["model", "agent"]), default="model", show_default=True)
@click.option("--date", help="When it was made, YYYY-MM-DD.")
@click.pass_obj
def command(
    workspace_root: Path,
    /,
    submission_id: str,
    source: Path | None,
    suite: str | None,
    **card: str | None,
) -> None:
    """Start the submission ID: a folder with a card to fill in and, with --from, the responses file checked and in its place.

    \b
    Example:
      lb new my-model --from responses.json --suite tool_selection \\
        --organization "My lab" --model my-model-7b --date 2026-05-18
    """
    from leaderboard.errors import FilesError, Problem
    from leaderboard.files.board_settings import load_leaderboard
    from leaderboard.files.suite_files import suite_ids
    from leaderboard.workspace import SUBMISSION_ID, open_workspace

    if (source is None) != (suite is None):
        raise click.UsageError("--from and --suite go together")
    workspace = open_workspace(workspace_root)
    if not SUBMISSION_ID.fullmatch(submission_id):
        fix = "lower-case letters, digits, dot, dash, underscore; at most 64"
        raise FilesError(Problem(f"submissions/{submission_id}", "is not a valid id", fix))
    known = suite_ids(workspace, load_leaderboard(workspace))
    if suite is not None and suite not in known:
        raise FilesError(
            Problem(f"datasets/{suite}", "does not exist", f"suites: {', '.join(known)}")
        )
    folder = workspace.submissions / submission_id
    if folder.exists() and source is None:
        raise FilesError(
            Problem(workspace.shown(folder), "exists already", "choose another id, or edit it")
        )
    files = (
        _responses(workspace_root, source, suite, card["name"] or submission_id)
        if source and suite
        else {}
    )
    _write(folder, files, card, submission_id)
    say(f"wrote {workspace.shown(folder)}/" + (f" with {suite} responses" if suite else ""))
    _next_steps(workspace_root, submission_id, suite)


def _responses(workspace_root: Path, source: Path, suite_id: str, name: str) -> dict[str, bytes]:
    """The responses file, checked against the suite before anything is written."""
    from leaderboard.errors import FilesError
    from leaderboard.files.document import Findings, parse, read_bytes
    from leaderboard.files.suite_files import load_suite
    from leaderboard.responses.response_files import Interner, read_records
    from leaderboard.workspace import open_workspace
    from scoring.rules import KINDS

    data = read_bytes(source, str(source), source.resolve().parent)
    document = parse(data, str(source))
    suite = load_suite(open_workspace(workspace_root), suite_id, KINDS)
    findings = Findings(str(source), data)
    records = read_records(document, suite, findings, Interner())
    problems = findings.problems()
    if any(problem.severity == "error" for problem in problems):
        raise FilesError(problems)
    show_problems(problems, "text")
    answered = len({record.response.case_id for record in records})
    say(f"{name}: {answered:,} of {len(suite.cases):,} cases of {suite_id} answered")
    return {f"{suite_id}.json{'.gz' if source.suffix == '.gz' else ''}": source.read_bytes()}


def _write(
    folder: Path, files: dict[str, bytes], card: dict[str, str | None], submission_id: str
) -> None:
    from leaderboard.errors import FilesError, Problem
    from leaderboard.store import write_atomic

    for name in files:
        if (folder / name).exists():
            fix = "delete it first if it is to be replaced"
            raise FilesError(Problem(f"submissions/{submission_id}/{name}", "exists already", fix))
    for name, data in files.items():
        write_atomic(folder / name, data)
    if not (folder / "submission.json").exists():
        write_atomic(folder / "submission.json", _card(card, submission_id))
    if not (folder / "README.md").exists():
        text = f"# {card['name'] or submission_id}\n\nWhat this system is, and how the responses were made.\n"
        write_atomic(folder / "README.md", text.encode())


def _card(card: dict[str, str | None], submission_id: str) -> bytes:
    """The card with what was given; what is missing is left empty, so that `lb validate` asks for it."""
    import orjson

    given: dict[str, Any] = {
        "schema": 1,
        "name": card["name"] or submission_id,
        "kind": card["kind"],
    }
    given.update({field: card[field] or "" for field in CARD_FIELDS[1:]})
    return orjson.dumps(given, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def _next_steps(workspace_root: Path, submission_id: str, suite: str | None) -> None:
    here = "" if workspace_root == Path() else f" --workspace {workspace_root}"
    if suite is None:
        say(f"put your responses into it as <suite>.json (lb{here} suites lists them)")
    say(
        f"fill in submission.json, then: lb{here} validate {submission_id} && lb{here} rescore {submission_id}"
    )
