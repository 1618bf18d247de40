"""Problems as commands print them: text, JSON or annotations of GitHub, equal ones together."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

import click

from cli.output.console import echo, printable, show_json
from leaderboard.errors import Problem
from leaderboard.limits import PROBLEMS_SHOWN
from leaderboard.texts.counted_nouns import counted

_FEW: Final = 3  # more problems of a kind than these are counted
_VALUE: Final = re.compile(r"'[^']*'|\"[^\"]*\"|\d+")


def show_problems(problems: Sequence[Problem], form: str) -> None:
    """Prints problems as text (stderr), as one JSON document, or as GitHub annotations (stdout).

    Equal problems and those beyond the limit are counted. For people, problems that differ only in
    the record are one line with a count.
    """
    problems = bounded(problems if form == "json" else grouped(problems))
    if form == "json":
        show_json([_as_object(problem) for problem in problems])
        return
    for problem in problems:
        if form == "github":
            echo(_annotation(problem))
        else:
            colour = "red" if problem.is_error else "yellow"
            severity = click.style(problem.severity, fg=colour)
            echo(f"{severity}: {printable(str(problem))}", error=True)


def bounded(problems: Sequence[Problem]) -> Sequence[Problem]:
    """Each problem once. Of too many, errors come first and a last one counts the rest."""
    distinct = list(dict.fromkeys(problems))
    if len(distinct) <= PROBLEMS_SHOWN:
        return distinct
    kept = sorted(distinct, key=lambda problem: not problem.is_error)[:PROBLEMS_SHOWN]
    left = len(distinct) - len(kept)
    what = f"{counted(left, 'more problem')} not shown"
    fix = "fix the problems above, then run the command again"
    return [*kept, Problem("all files", what, fix, severity=kept[-1].severity)]


def grouped(problems: Sequence[Problem]) -> Sequence[Problem]:
    """The first of many problems of a file that differ only in places and values, with a count."""
    groups: dict[tuple[str, ...], list[Problem]] = {}
    for problem in problems:
        kind = (
            _VALUE.sub("", problem.at),
            _VALUE.sub("", problem.what),
            _VALUE.sub("", problem.fix),
        )
        groups.setdefault((problem.severity, problem.file, *kind), []).append(problem)
    shown: list[Problem] = []
    for group in groups.values():
        if len(group) <= _FEW:
            shown += group
        else:
            first = group[0]
            what = f"{first.what}, and {len(group) - 1:,} more like it"
            shown.append(replace(first, what=what))
    return shown


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
    """A workflow command. Escaped, so that it cannot end the line or start another command."""
    place = f"file={_escape(printable(problem.file), property_=True)}"
    if problem.line:
        place += f",line={problem.line}"
    text = f"{problem.at}: {problem.what}" if problem.at else problem.what
    if problem.fix:
        text += f" ({problem.fix})"
    return f"::{problem.severity} {place}::{_escape(printable(text))}"


def _escape(text: str, *, property_: bool = False) -> str:
    escaped = text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    return escaped.replace(":", "%3A").replace(",", "%2C") if property_ else escaped
