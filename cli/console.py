"""What commands print: problems in three formats, and short messages on stderr."""

from __future__ import annotations

import json
import os
import re
import sys
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Final

import click

from leaderboard.errors import Problem
from leaderboard.limits import MARKS, PROBLEMS_SHOWN

_copies: Final[list[list[tuple[str, bool]]]] = []
FEW_PROBLEMS: Final = 3  # more of a kind than these are counted
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
            click.echo(_annotation(problem))
        else:
            colour = "red" if problem.severity == "error" else "yellow"
            click.echo(
                f"{click.style(problem.severity, fg=colour)}: {printable(str(problem))}", err=True
            )


def bounded(problems: Sequence[Problem]) -> Sequence[Problem]:
    """Each problem once, errors first where some are left out, and a last one counts the others."""
    distinct = list(dict.fromkeys(problems))
    if len(distinct) <= PROBLEMS_SHOWN:
        return distinct
    kept = sorted(distinct, key=lambda problem: problem.severity != "error")[:PROBLEMS_SHOWN]
    left = len(distinct) - len(kept)
    what, fix = f"and {left:,} more problems", "fix these first"
    return [*kept, Problem("and more", what, fix, severity=kept[-1].severity)]


def is_quiet() -> bool:
    """Whether the user asked for data and errors only."""
    ctx = click.get_current_context(silent=True)
    return ctx is not None and bool(ctx.meta.get("quiet"))


def shows_progress() -> bool:
    """Whether a progress bar can be drawn: on a terminal that can move its cursor."""
    return sys.stderr.isatty() and os.environ.get("TERM") != "dumb" and not is_quiet()


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
        if len(group) <= FEW_PROBLEMS:
            shown += group
        else:
            first = group[0]
            what = f"{first.what}, and {len(group) - 1:,} more like it"
            shown.append(replace(first, what=what))
    return shown


def say(*lines: str) -> None:
    """Prints a message to stderr, one argument per line. stdout is for data."""
    for line in lines:
        _print(printable(line), error=True)


def show(line: str) -> None:
    """Prints one line of data to stdout."""
    _print(printable(line), error=False)


def show_json(document: Any) -> None:
    """Prints one JSON document to stdout, in ASCII."""
    _print(json.dumps(document, indent=2, ensure_ascii=True), error=False)


@contextmanager
def copied_lines() -> Iterator[list[tuple[str, bool]]]:
    """Collects what is printed: each text, and whether it goes to stderr."""
    copy: list[tuple[str, bool]] = []
    _copies.append(copy)
    try:
        yield copy
    finally:
        _copies.remove(copy)


def print_again(lines: Iterable[tuple[str, bool]]) -> None:
    """Prints what `copied_lines` collected."""
    for text, error in lines:
        _print(text, error=error)


def _print(text: str, *, error: bool) -> None:
    for copy in _copies:
        copy.append((text, error))
    if not (error and is_quiet()):
        click.echo(text, err=error)


def printable(text: str) -> str:
    """One line that cannot steer a terminal or a log: other characters are shown as escapes.

    So are marks beyond the first four on a character, which would cover the lines around it.
    GitHub's runner reads `##[` as a command anywhere in a line of its log, so it is broken up.
    """
    text = text.replace("##[", "##\\[")
    if text.isascii() and text.isprintable():
        return text
    shown, marks = [], 0
    for char in text:
        marks = marks + 1 if unicodedata.category(char) in {"Mn", "Me"} else 0
        plain = char.isprintable() and marks <= MARKS
        shown.append(char if plain else char.encode("unicode_escape").decode("ascii"))
    return "".join(shown)


def require_packages(command: str, extra: str, *packages: str) -> None:
    """Raises FilesError if a package of an extra is not installed."""
    import importlib.util

    from leaderboard.errors import FilesError

    missing = [name for name in packages if importlib.util.find_spec(name) is None]
    if missing:
        verb = "is" if len(missing) == 1 else "are"
        what = f"needs {' and '.join(missing)}, which {verb} not installed"
        raise FilesError(Problem(command, what, f"pip install 'toolboard[{extra}]'"))


def count(number: int, noun: str) -> str:
    """`3 problems`, `1 problem`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def percent(share: float) -> str:
    """A share of 1 in percent, without the sign: `81.9`."""
    return f"{100 * share:.1f}"


def interval(low: float, high: float) -> str:
    """The limits of a share in percent: `78.0–85.1`."""
    return f"{percent(low)}–{percent(high)}"


def suggestion(name: str, known: Iterable[str]) -> str:
    """The hint for an unknown name: the nearest known one, or the first few of them."""
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
