"""What `lb run` prints: progress, how a run ended, and the command that continues it."""

from __future__ import annotations

import errno
import shlex
import signal
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import FrameType, MappingProxyType
from typing import TYPE_CHECKING, Any

import click

from cli.output.console import explain_exit, say, shows_progress
from cli.output.problem_output import show_problems
from leaderboard.texts.counted_nouns import counted

if TYPE_CHECKING:
    from runners.early_ends import RunInterrupted
    from runners.run_report import Mark, RunReport, Spent, SuiteProgress

# What a shell reports for a command that a signal has ended: Ctrl-C, or SIGTERM.
INTERRUPTED = 130
TERMINATED = 143
SHOWN_ERRORS = 5
# What is said of answers only if there are such.
_MARKS: Mapping[Mark, str] = MappingProxyType(
    {
        "unreadable": "with arguments that are not JSON, or a call without a name",
        "cut_off": "cut off at the token limit, which --max-tokens raises",
        "unfinished": "unfinished, or ended by a filter",
        "unclosed": "cut off during the thoughts, without an answer; --max-tokens may be too low",
        "thoughts": "with thoughts at the start of the text or of a line, which were removed",
        "tokens": "with tokens of a chat template around the text, which were removed",
    }
)
_MAY_BE_SECRET = ("--header", "--extra-body")


class RunCommand(click.Command):
    """Remembers how it was called, to print the command that continues an interrupted run."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.meta["arguments"] = tuple(args)
        return super().parse_args(ctx, args)


@contextmanager
def report_early_end(ctx: click.Context) -> Iterator[None]:
    """Says why a run ended early, and exits.

    1: budget or full disk, 2: no key, 130: Ctrl-C, 143: SIGTERM.
    """
    from runners.early_ends import RunInterrupted
    from runners.models.model_settings import MissingKeyError

    with _interrupted_by_sigterm() as terminations:
        try:
            yield
        except MissingKeyError as error:
            show_problems(error.problems, "text")
            ctx.exit(2)
        except RunInterrupted as stopped:
            _say_interrupted(ctx, stopped)
            was_stopped = stopped.dollars is not None or stopped.fault is not None
            by_signal = TERMINATED if terminations else INTERRUPTED
            ctx.exit(1 if was_stopped else by_signal)
        except KeyboardInterrupt:  # before the first request
            if not terminations:
                raise
            ctx.exit(TERMINATED)


@contextmanager
def _interrupted_by_sigterm() -> Iterator[list[int]]:
    """Lets SIGTERM do what Ctrl-C does. Yields a list, to which each SIGTERM is added."""
    terminations: list[int] = []

    def terminate(number: int, frame: FrameType | None) -> None:
        terminations.append(number)
        on_ctrl_c = signal.getsignal(signal.SIGINT)
        if not callable(on_ctrl_c):
            raise KeyboardInterrupt
        on_ctrl_c(signal.SIGINT, frame)

    with _with_handler_of_ctrl_c():
        before = signal.signal(signal.SIGTERM, terminate)
        try:
            yield terminations
        finally:
            signal.signal(signal.SIGTERM, before)


@contextmanager
def _with_handler_of_ctrl_c() -> Iterator[None]:
    """Gives Ctrl-C its handler even if it is ignored, as by commands in the background of a shell.

    asyncio ends its tasks in order only with that handler. Ctrl-C itself stays without effect.
    """
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        yield
        return
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)


@contextmanager
def run_progress() -> Iterator[SuiteProgress]:
    """A bar for each suite on a terminal, and up to ten lines in a log."""
    if not shows_progress():
        yield _log_progress
        return
    bar: Any = None  # that of the suite which is answered now
    with ExitStack() as stack:

        def show(suite: str, done: int, total: int) -> None:
            nonlocal bar
            if bar is None or bar.label != suite:
                stack.close()
                bar = stack.enter_context(
                    click.progressbar(length=total, label=suite, file=sys.stderr, show_pos=True)
                )
            bar.update(done - bar.pos)

        yield show


def _log_progress(suite: str, done: int, total: int) -> None:
    """A line whenever another tenth of a suite is asked, with or without a reply."""
    if done and total and (done * 10 // total) > ((done - 1) * 10 // total):
        say(f"{suite}: {done:,} of {total:,} asked")


def _say_interrupted(ctx: click.Context, stopped: RunInterrupted) -> None:
    kept = f"{stopped.kept:,} of {stopped.total:,} answers to {stopped.suite} are kept"
    if stopped.fault is not None:
        _explain_fault(stopped.fault, kept, _again(ctx))
        return
    if stopped.dollars is None:
        say(f"interrupted: {kept}; continue with", f"  {_again(ctx)}")
        return
    why = f"stopped after ${stopped.dollars:,.4f}, because the budget could be exceeded"
    say(f"{why}: {kept}; continue with a larger --budget", f"  {_again(ctx, '--budget')}")


def _explain_fault(fault: OSError, kept: str, again: str) -> None:
    """Says which file could not be written, even with --quiet, and how to continue."""
    is_full = fault.errno in (errno.ENOSPC, errno.EDQUOT)
    fix = "make space on the disk" if is_full else "make the file writable"
    explain_exit(f"error: {fault.filename}: {fault.strerror}")
    explain_exit(f"the run was stopped: {kept}; {fix}, then continue with this command:")
    explain_exit(f"  {again}")


def _again(ctx: click.Context, *changed: str) -> str:
    """The same command once more, with --resume.

    Without the values of options that may be secrets, or must be `changed`.
    """
    left_out = (*_MAY_BE_SECRET, *changed)
    arguments = list(ctx.meta["arguments"])
    for place, argument in enumerate(arguments):
        name, equals, _ = argument.partition("=")
        if name in left_out and equals:
            arguments[place] = f"{name}=…"
        elif name in left_out and place + 1 < len(arguments):
            arguments[place + 1] = "…"
    here = () if ctx.obj == Path() else ("--workspace", str(ctx.obj))
    more = () if "--resume" in arguments else ("--resume",)
    return shlex.join(["lb", *here, "run", *arguments, *more])


def _cost_in_words(spent: Spent) -> str:
    tokens = f"{spent.input_tokens:,} input and {spent.output_tokens:,} output tokens"
    if not spent.input_tokens + spent.output_tokens:
        tokens = "tokens not reported"
    cost = "" if spent.dollars is None else f", ${spent.dollars:,.4f}"
    minutes, seconds = divmod(round(spent.seconds), 60)
    took = f"{minutes} min {seconds} s" if minutes else f"{seconds} s"
    return f"{counted(spent.requests, 'request')}, {tokens}{cost}, {took}"


def say_done(ctx: click.Context, report: RunReport) -> None:
    answers = f"{counted(report.answers, 'answer')}, {report.asked:,} of them new"
    say(f"submissions/{report.submission}/: {answers}, {report.outcome}")
    counts = report.counts
    shown = f"{counts['call']:,} with calls, {counts['text']:,} with a text"
    say(f"  {shown}, {counts['empty']:,} empty")
    for mark, words in _MARKS.items():
        if counts[mark]:
            say(f"  {counts[mark]:,} {words}")
    if report.spent is not None and report.spent.requests:
        say(f"  {_cost_in_words(report.spent)}")
    for error in report.errors[:SHOWN_ERRORS]:
        say(f"  {error}")
    if report.errors:
        hidden = len(report.errors) - SHOWN_ERRORS
        more = f" ({hidden:,} not shown)" if hidden > 0 else ""
        say(f"{counted(len(report.errors), 'answer')} failed{more}")
    if report.left_out:
        left = counted(report.left_out, "answer")
        again = "repeat the command with --trials N and --resume"
        say(f"{left} left out, because trials are incomplete; {again}")
    if report.unanswered:
        say(
            f"{counted(report.unanswered, 'case')} got no reply; ask again with", f"  {_again(ctx)}"
        )
    here = "" if ctx.obj == Path() else f" --workspace {shlex.quote(str(ctx.obj))}"
    say(
        "check submission.json (--organization names who submits it), then: "
        f"lb{here} validate {report.submission}"
    )
