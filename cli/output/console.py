"""What commands print: short messages on stderr, and data on stdout."""

from __future__ import annotations

import json
import os
import sys
import unicodedata
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Final, TextIO

import click

from leaderboard.errors import FilesError
from leaderboard.limits import MARKS
from leaderboard.texts.near_names import nearest

_copies: Final[list[list[tuple[str, bool]]]] = []


def is_quiet() -> bool:
    """Whether the user asked for data and errors only."""
    ctx = click.get_current_context(silent=True)
    return ctx is not None and bool(ctx.meta.get("quiet"))


def shows_progress() -> bool:
    """Whether a progress bar can be drawn: on a terminal that can move its cursor."""
    return sys.stderr.isatty() and os.environ.get("TERM") != "dumb" and not is_quiet()


def say(*lines: str) -> None:
    """Prints a message to stderr, one argument per line. stdout is for data."""
    for line in lines:
        _print(printable(line), error=True)


def explain_exit(line: str) -> None:
    """Prints why a command exits with an error to stderr, also with --quiet."""
    _print(printable(line), error=True, always=True)


def show(line: str) -> None:
    """Prints one line of data to stdout."""
    _print(printable(line), error=False)


def show_json(document: Any) -> None:
    """Prints one JSON document to stdout, in ASCII."""
    _print(json.dumps(document, indent=2, ensure_ascii=True, allow_nan=False), error=False)


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


def _print(text: str, *, error: bool, always: bool = False) -> None:
    for copy in _copies:
        copy.append((text, error))
    if always or not (error and is_quiet()):
        echo(text, error=error)


def echo(text: str, *, error: bool = False) -> None:
    """Prints a text. If its reader has closed the pipe, as `head` does, the command goes on.

    Python's own way ends the command before it is done, with the exit code 1 and no message.
    """
    try:
        click.echo(text, err=error)
    except BrokenPipeError:
        drop_output(sys.stderr if error else sys.stdout)


def drop_output(stream: TextIO) -> None:
    """Sends what is still written to a stream nowhere."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


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

    missing = [name for name in packages if importlib.util.find_spec(name) is None]
    if missing:
        verb = "is" if len(missing) == 1 else "are"
        what = f"needs {' and '.join(missing)}, which {verb} not installed"
        raise FilesError.about(command, what, f"pip install 'toolboard[{extra}]'")


def suggestion(name: str, names: Iterable[str]) -> str:
    """The hint for an unknown name: the nearest known one, or the first few of them."""
    choices = sorted(names)
    if near := nearest(name, choices):
        return f"did you mean {near}?"
    if not choices:
        return "none exists yet"
    more = f" and {len(choices) - 10:,} more" if len(choices) > 10 else ""
    return f"choose one of: {', '.join(choices[:10])}{more}"
