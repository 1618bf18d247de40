"""`lb audit`: does a judge give the same grade when it is asked again?"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.console import count, interval, percent, say, show
from cli.options import jobs as jobs_option
from cli.wiring import confirming, open_board, panel_of

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
    help="How many recorded calls to repeat.",
)
@click.option(
    "--seed",
    type=click.IntRange(0),
    default=1,
    help="The seed that draws the sample.",
)
@jobs_option
@click.pass_obj
def command(
    workspace_root: Path, judge_name: str | None, sample: int, seed: int, jobs: int
) -> None:
    """Repeat a sample of a judge's recorded calls, and report how often its grade changes.

    The judge is asked live. The cassettes do not change. The result goes to audits/, for the
    judge's page. Exit code 3 means that some calls got no reply.

    \b
    Example:
      lb audit --judge my-judge --sample 200
    """
    from leaderboard.files.audit_files import audit_path, write_audit
    from replay.recording.live_calls import ask_again
    from scoring.judging.audit_sample import AskedAgain, audit_of, draw

    workspace, contents = open_board(workspace_root)
    unanswered = 0
    for judge in panel_of(contents, judge_name):
        recorded, where = _recorded(workspace, contents, judge)
        keys = draw(recorded, sample, seed)
        with click.progressbar(
            length=len(keys),
            label=f"asking {judge.name}",
            file=sys.stderr,
            hidden=not sys.stderr.isatty(),
        ) as bar:
            prompts = [recorded[key][0].prompt for key in keys]
            replies = ask_again(judge, prompts, jobs, progress=lambda _done, _calls: bar.update(1))
        asked = [
            AskedAgain(key, *where[key], recorded[key][1], reply)
            for key, reply in zip(keys, replies, strict=True)
        ]
        audit = audit_of(judge, seed, len(recorded), asked)
        write_audit(workspace, audit)
        _show(audit)
        say(f"in {audit_path(judge.name)}: commit it to show it on the judge's page")
        unanswered += audit.rows[0].unanswered
    if unanswered:
        say(f"{count(unanswered, 'judge call')} got no reply")
        raise SystemExit(3)


def _recorded(
    workspace: Workspace, contents: Contents, judge: JudgeSettings
) -> tuple[Mapping[str, tuple[JudgeCall, str]], Mapping[str, Place]]:
    """The recorded calls that scores or labelled pairs use, with their replies, and their places.

    Both by key. Raises FilesError if there is none.
    """
    from leaderboard.errors import FilesError, Problem
    from replay.asker import open_asker
    from scoring.judging.audit_sample import places
    from scoring.scorer import score_all

    found: dict[str, tuple[JudgeCall, str]] = {}
    with open_asker(workspace.root, offline=True) as replay:

        def ask(calls: Sequence[JudgeCall]) -> Sequence[JudgeReply]:
            replies = replay(calls)
            for call, reply in zip(calls, replies, strict=True):
                # Further rounds are asked with another seed, so their judge is not this one.
                if reply.text is not None and call.judge == judge:
                    found[reply.key] = (call, reply.text)
            return replies

        scored = score_all(contents, (judge,), ask, confirming(workspace))
    if not found:
        what, fix = (
            "holds no call that a score uses",
            f"record some: lb rescore --judge {judge.name}",
        )
        raise FilesError(Problem(f"cassettes/{judge.name}", what, fix))
    return found, places(scored.verdicts, scored.labelled)


def _show(audit: Audit) -> None:
    """A line per category, on stdout: changed grades, interval, calls compared."""
    recorded = count(audit.recorded, "recorded call")
    show(f"{audit.judge}: {audit.rows[0].asked:,} of {recorded} repeated")
    for row in audit.rows:
        name = "all" if row.category == "*" else f"{row.suite}/{row.category}"
        rate = "no grade to compare"
        if row.rate is not None and row.low is not None and row.high is not None:
            rate = f"{percent(row.rate):>5} % changed ({interval(row.low, row.high)})"
            rate += f", {row.flips:,} of {row.compared:,}"
        others = [(row.unparseable, "without a grade"), (row.unanswered, "without a reply")]
        more = "".join(f", {number:,} {what}" for number, what in others if number)
        show(f"  {name:<40} {rate}{more}")
