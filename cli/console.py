"""What commands print: problems, in three formats, and short messages, always on stderr."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

import click

from leaderboard.errors import Problem


def show_problems(problems: Sequence[Problem], form: str) -> None:
    """Prints problems as text (stderr), as one JSON document, or as GitHub annotations (stdout)."""
    if form == "json":
        click.echo(
            json.dumps([_as_object(problem) for problem in problems], indent=2, ensure_ascii=True)
        )
        return
    for problem in problems:
        if form == "github":
            click.echo(_annotation(problem))
        else:
            colour = "red" if problem.severity == "error" else "yellow"
            click.echo(
                f"{click.style(problem.severity, fg=colour)}: {printable(str(problem))}", err=True
            )


def say(message: str) -> None:
    """A message for the person at the terminal; stdout stays free for data."""
    click.echo(message, err=True)


def printable(text: str) -> str:
    """Text that cannot steer a terminal: control characters are shown as escapes."""
    return "".join(
        c if c.isprintable() or c == "\n" else c.encode("unicode_escape").decode("ascii")
        for c in text
    )


def count(number: int, noun: str) -> str:
    """`3 problems`, `1 problem`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def suggestion(name: str, known: Iterable[str]) -> str:
    """What to say of a name that is not known: the nearest known one, or the first few of them."""
    import difflib

    names = sorted(known)
    near = difflib.get_close_matches(name, names, 1)
    if near:
        return f"the nearest is {near[0]}"
    more = f" and {len(names) - 10:,} more" if len(names) > 10 else ""
    return f"there are: {', '.join(names[:10])}{more}" if names else "there is none"


def _as_object(problem: Problem) -> dict[str, Any]:
    return {
        "severity": problem.severity,
        "file": problem.file,
        "line": problem.line,
        "at": problem.at,
        "what": problem.what,
        "fix": problem.fix,
    }


def _annotation(problem: Problem) -> str:
    """A workflow command. Its data must not end the line or start another command."""
    place = f"file={_escape(problem.file, property_=True)}" + (
        f",line={problem.line}" if problem.line else ""
    )
    text = f"{problem.at + ': ' if problem.at else ''}{problem.what}" + (
        f" ({problem.fix})" if problem.fix else ""
    )
    return f"::{problem.severity} {place}::{_escape(text)}"


def _escape(text: str, *, property_: bool = False) -> str:
    escaped = text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    return escaped.replace(":", "%3A").replace(",", "%2C") if property_ else escaped
