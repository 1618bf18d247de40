"""A submission's files from what a system answered, for `lb new` and `lb init`."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cli.output.console import say
from cli.output.problem_output import show_problems
from cli.wiring import open_suites
from leaderboard.errors import FilesError
from leaderboard.files.file_bytes import read_named
from leaderboard.limits import FILE_BYTES, megabytes
from leaderboard.workspace import Workspace

if TYPE_CHECKING:
    from leaderboard.types import Suite


def responses_of(workspace: Workspace, source: Path, suite_id: str, *, allow_empty: bool) -> bytes:
    """The responses file, checked against the suite before anything is written."""
    from runners.converted_responses import import_responses

    def others() -> list[Suite]:
        return [other for other in open_suites(workspace.root)[1] if other.id != suite_id]

    suite = open_suites(workspace.root, [suite_id])[1][0]
    data, shown = _read(source)
    imported = import_responses(data, shown, suite, others, allow_empty=allow_empty)
    show_problems(imported.problems, "text")
    say(f"{shown}: {imported.form}: {imported.contents}")
    say(*(f"{shown}: {note}" for note in imported.notes))
    recorded = imported.answered + imported.unanswered + imported.empty
    cases = f"{recorded:,} of {len(suite.cases):,} cases of {suite.id}"
    if imported.unanswered:
        errors = f"{imported.unanswered:,} of them an error in place of an answer"
        fix = f"to change that, ask again and replace the records in {shown}"
        say(f"{cases} have a record, {errors}, which is a fail; {fix}")
    elif imported.empty:
        say(f"{cases} have a record, {imported.empty:,} of them an empty one")
    else:
        say(f"{cases} answered")
    if recorded < len(suite.cases):
        partial = f'"partial": ["{suite.id}"]'
        say(f"the others count as fails; if they were not asked, write {partial} into the card")
    return imported.data


def _read(source: Path) -> tuple[bytes, str]:
    """The bytes of a file or of standard input, and their name for messages."""
    if source.is_dir():
        raise FilesError.about(str(source), "is a folder", "pass the file with the responses")
    if source != Path("-"):
        return read_named(source, str(source)), str(source)
    data = sys.stdin.buffer.read(FILE_BYTES + 1)
    if len(data) > FILE_BYTES:
        what = f"is longer than {megabytes(FILE_BYTES)}"
        raise FilesError.about("standard input", what, "split it by suite")
    return data, "standard input"


def card_bytes(card: Mapping[str, str | None], name: str) -> bytes:
    """The card. What is missing is left empty, so that `lb validate` asks for it."""
    fields: dict[str, Any] = {"schema": 1, "name": name, "kind": card.get("kind") or "model"}
    fields.update({field: card.get(field) or "" for field in ("organization", "model", "date")})
    return as_card(fields)


def as_card(fields: Mapping[str, Any]) -> bytes:
    """The bytes of a card with these fields."""
    import orjson

    return orjson.dumps(fields, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
