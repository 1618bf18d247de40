"""`lb audit`: does a judge say the same when it is asked again?"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.console import count, say
from cli.wiring import open_board, panel_of

if TYPE_CHECKING:
    from leaderboard.files.audit_files import Audit
    from leaderboard.load import Contents
    from leaderboard.types import JudgeCall, JudgeReply, JudgeSettings
    from leaderboard.workspace import Workspace
    from scoring.judging.audit_sample import Place


@click.command()
@click.option(
    "--judge",
    "judge_name",
    help="The judge of leaderboard.toml to ask (default: every judge of the panel).",
)
@click.option(
    "--sample",
    type=click.IntRange(1),
    default=100,
    show_default=True,
    help="How many recorded calls to put again.",
)
@click.option(
    "--seed", type=click.IntRange(0), default=1, show_default=True, help="Which calls are drawn."
)
@click.option(
    "--jobs",
    type=click.IntRange(1, 64),
    default=4,
    show_default=True,
    help="Judge calls at a time.",
)
@click.pass_obj
def command(
    workspace_root: Path, judge_name: str | None, sample: int, seed: int, jobs: int
) -> None:
    """Ask a judge again about a sample of its recorded calls, and tell how often it changes its mind.

    The judge is asked live. The cassettes stay as they are; what was found goes into audits/, for the judge's page. Exit 3 when
    some calls got no reply.

    \b
    Example:
      lb audit --judge my-judge --sample 200
    """
    from leaderboard.files.audit_files import shown, write_audit

    workspace, contents = open_board(workspace_root)
    unanswered = 0
    for judge in panel_of(contents, judge_name):
        audit = _audit(workspace, contents, judge, sample, seed, jobs)
        write_audit(workspace, audit)
        _show(audit)
        say(f"in {shown(judge.name)}: commit it to show it on the judge's page")
        unanswered += audit.rows[0].unanswered
    if unanswered:
        say(f"{count(unanswered, 'judge call')} got no reply")
        raise SystemExit(3)


def _audit(
    workspace: Workspace,
    contents: Contents,
    judge: JudgeSettings,
    sample: int,
    seed: int,
    jobs: int,
) -> Audit:
    from replay.recording.live_calls import ask_again
    from scoring.judging.audit_sample import AskedAgain, audit_of, draw

    recorded, where = _recorded(workspace, contents, judge)
    keys = draw(recorded, sample, seed)
    with _progress(judge, len(keys)) as told:
        replies = ask_again(judge, [recorded[key][0].prompt for key in keys], jobs, progress=told)
    asked = [
        AskedAgain(key, *where[key], recorded[key][1], reply)
        for key, reply in zip(keys, replies, strict=True)
    ]
    return audit_of(judge, seed, len(recorded), asked)


def _recorded(
    workspace: Workspace, contents: Contents, judge: JudgeSettings
) -> tuple[Mapping[str, tuple[JudgeCall, str]], Mapping[str, Place]]:
    """The recorded calls that scores or labelled pairs rest on, with their replies, and where each belongs; both by key.

    Raises FilesError where there is none.
    """
    from leaderboard.errors import FilesError, Problem
    from replay.judges import open_judges
    from scoring.judging.audit_sample import places
    from scoring.scorer import score_all

    found: dict[str, tuple[JudgeCall, str]] = {}
    with open_judges(workspace.root, (judge,)) as (_, replay):

        def ask(calls: Sequence[JudgeCall]) -> Sequence[JudgeReply]:
            replies = replay(calls)
            for call, reply in zip(calls, replies, strict=True):
                if (
                    reply.text is not None and call.judge == judge
                ):  # further rounds are asked with another seed
                    found[reply.key] = (call, reply.text)
            return replies

        scored = score_all(contents, (judge,), ask)
    if not found:
        fix = f"record some first: lb rescore --judge {judge.name}"
        raise FilesError(
            Problem(f"cassettes/{judge.name}", "holds no call that a score rests on", fix)
        )
    return found, places(scored.verdicts, scored.labelled)


@contextmanager
def _progress(judge: JudgeSettings, calls: int) -> Iterator[Callable[[int, int], None]]:
    with click.progressbar(
        length=calls, label=f"asking {judge.name}", file=sys.stderr, hidden=not sys.stderr.isatty()
    ) as bar:
        yield lambda _done, _calls: bar.update(1)


def _show(audit: Audit) -> None:
    """A line per category, on stdout: flip rate, interval, calls compared."""
    click.echo(
        f"{audit.judge}: {audit.rows[0].asked:,} of {count(audit.recorded, 'recorded call')} put again"
    )
    for row in audit.rows:
        name = "all" if row.category == "*" else f"{row.suite}/{row.category}"
        rate = "no grade to compare"
        if row.rate is not None and row.low is not None and row.high is not None:
            rate = f"{100 * row.rate:5.1f} % changed ({100 * row.low:.1f}–{100 * row.high:.1f}), {row.flips:,} of {row.compared:,}"
        others = [(row.unparseable, "without a grade"), (row.unanswered, "without a reply")]
        click.echo(
            f"  {name:<40} {rate}"
            + "".join(f", {number:,} {what}" for number, what in others if number)
        )
