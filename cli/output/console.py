"""What commands print: short messages on stderr, and data on stdout."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, TextIO

import click

from leaderboard.limits import MARKS
from leaderboard.texts.unicode_forms import mark_runs

if TYPE_CHECKING:
    from leaderboard.machine.unchanged_output import Line

# The key of what `copied_lines` collects, in the values that all contexts of a call share.
_COPIED: Final = "copied lines"


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


def say_report(report: object) -> None:
    """Prints a report of several lines to stderr."""
    say(*str(report).splitlines())


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
def copied_lines() -> Iterator[list[Line]]:
    """Collects what a command prints from now on."""
    shared = click.get_current_context().meta
    copy: list[Line] = []
    shared[_COPIED] = copy
    try:
        yield copy
    finally:
        del shared[_COPIED]


def print_again(lines: Iterable[Line]) -> None:
    """Prints what `copied_lines` collected."""
    for text, error in lines:
        _print(text, error=error)


def _print(text: str, *, error: bool, always: bool = False) -> None:
    ctx = click.get_current_context(silent=True)
    if ctx is not None and _COPIED in ctx.meta:
        ctx.meta[_COPIED].append((text, error))
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
    shown = []
    for char, marks in mark_runs(text):
        plain = char.isprintable() and marks <= MARKS
        shown.append(char if plain else char.encode("unicode_escape").decode("ascii"))
    return "".join(shown)
