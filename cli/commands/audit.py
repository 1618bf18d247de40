"""`lb audit`: does a judge give the same grade when it is asked again?"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.options import SUBMISSION, Number, jobs_option
from cli.output.console import explain_exit, say, show, shows_progress
from cli.wiring import open_board, panel_of
from leaderboard.errors import FilesError
from leaderboard.files.cassette_paths import cassette_path
from leaderboard.ids import WHOLE
from leaderboard.texts.counted_nouns import counted
from leaderboard.workspace import Workspace
from site_templates.formatting import bounds, percent

if TYPE_CHECKING:
    from leaderboard.files.audit_files import Audit, GradeFlips
    from leaderboard.load import Contents
    from leaderboard.types import JudgeCall, JudgeReply, JudgeSettings
    from scoring.judging.audit_sample import CallPlace

SHOWN_CHANGES = 20


@click.command()
@click.argument("ids", metavar="[IDS]...", nargs=-1, type=SUBMISSION)
@click.option(
    "--judge",
    "judge_name",
    help="The judge of leaderboard.toml to ask (default: every judge of the panel).",
)
@click.option(
    "--sample",
    type=click.IntRange(1),
    default=20,
    help="How many calls of each submission and suite to repeat.",
)
@click.option(
    "--at-most",
    type=Number(0, 100),
    default=5.0,
    help="The percentage of grades that may change, in total and for each submission and suite.",
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
    workspace_root: Path,
    ids: tuple[str, ...],
    judge_name: str | None,
    sample: int,
    at_most: float,
    seed: int,
    jobs: int,
) -> None:
    """Repeat a sample of a judge's recorded calls, and report how often its grade changes.

    With IDs, only calls that were recorded for those submissions are repeated. The judge is asked
    live. The cassettes do not change. The result is a new file in audits/, for the judge's page.
    The embedded judge must not change any grade.

    Exit code 1 means that more grades changed than --at-most, 3 that some calls got no reply.

    \b
    Example:
      lb audit --judge my-judge --sample 50
    """
    from leaderboard.files.audit_files import write_audit
    from scoring.judging.audit_sample import AskedAgain, SampleTaken, audit_of, draw_each
    from scoring.judging.replies import vocabulary_of_kind

    workspace, contents = open_board(workspace_root)
    judges = panel_of(contents, judge_name)
    if not judges:
        fix = "add panel and [judges.NAME]: lb docs judges"
        raise FilesError.about("leaderboard.toml", "names no judge in `panel`", fix)
    audits = []
    for judge in judges:
        recorded = _recorded(workspace, contents, judge, ids)
        keys = draw_each({key: call.cassette for key, call in recorded.items()}, sample, seed)
        replies = _asked_again(judge, [recorded[key].prompt for key in keys], jobs)
        vocabularies = {suite.id: vocabulary_of_kind(suite.kind) for suite in contents.suites}
        asked = []
        for key, reply in zip(keys, replies, strict=True):
            call = recorded[key]
            where = key, call.place, call.owner, call.cassette
            vocabulary = vocabularies[call.place.suite]
            asked.append(AskedAgain(*where, call.reply, reply, vocabulary))
        bound = 0.0 if judge.is_recomputed else at_most / 100
        taken = SampleTaken(sample, seed, bound, len(recorded), tuple(sorted({*ids})))
        audit = audit_of(judge, taken, asked)
        audits.append(audit)
        path = write_audit(workspace, audit)
        _show(audit)
        say(f"in {path}: commit it to show it on the judge's page")
    _exit(audits)


def _asked_again(judge: JudgeSettings, prompts: Sequence[str], jobs: int) -> Sequence[str | None]:
    """What a judge replies now, with a bar that shows how many replies are in."""
    from replay.asking_judges import ask_again

    with click.progressbar(
        length=len(prompts),
        label=f"asking {judge.name}",
        file=sys.stderr,
        hidden=not shows_progress(),
    ) as bar:
        return ask_again(judge, prompts, jobs, lambda: bar.update(1))


@dataclass(frozen=True, slots=True)
class _RecordedReply:
    """A recorded call that scores or labelled pairs use."""

    prompt: str
    reply: str
    owner: str
    cassette: str
    place: CallPlace


def _recorded(
    workspace: Workspace, contents: Contents, judge: JudgeSettings, ids: Sequence[str]
) -> Mapping[str, _RecordedReply]:
    """The recorded calls that scores or labelled pairs use, by key, of every recorder.

    Raises FilesError if there is none, or none of a submission in `ids`.
    """
    from replay.network_guard import no_network
    from replay.recorded_calls import as_recorded
    from scoring.judging.audit_sample import places
    from scoring.scorer import score_all

    judge = replace(judge, recordings="submitters")
    replay = as_recorded(workspace.root)
    prompts: dict[str, str] = {}

    def ask(calls: Sequence[JudgeCall]) -> Sequence[JudgeReply]:
        replies = replay(calls)
        for call, reply in zip(calls, replies, strict=True):
            # Further rounds are asked with another seed, so their judge is not this one.
            if reply.text is not None and call.judge == judge:
                prompts[reply.key] = call.prompt
        return replies

    with no_network():
        scored = score_all(contents, (judge,), ask)
    where = places(scored.verdicts, scored.labelled)
    recorded: dict[str, _RecordedReply] = {}
    for key, prompt in prompts.items():
        call = replay.index.find(key)
        path = cassette_path(call.file) if call else None
        if call is not None and path is not None and (not ids or path.owner in ids):
            recorded[key] = _RecordedReply(prompt, call.text, path.owner, call.file, where[key])
    owners = {reply.owner for reply in recorded.values()}
    absent = [name for name in ids if name not in owners]
    if absent or not recorded:
        whose = f"of {', '.join(absent)}" if absent else "that a score uses"
        what = f"contains no call {whose}"
        fix = f"record some: lb rescore --judge {judge.name}"
        raise FilesError.about(f"cassettes/{judge.name}", what, fix)
    return recorded


def _show(audit: Audit) -> None:
    """A line per category, submission and changed call, on stdout."""
    recorded = counted(audit.recorded, "recorded call")
    show(f"{audit.judge}: {audit.rows[0].asked:,} of {recorded} repeated")
    for row in audit.rows:
        rate = "no reply to compare"
        if row.rate is not None and row.low is not None and row.high is not None:
            rate = f"{percent(row.rate):>5} % changed ({bounds(row.low, row.high)})"
            rate += f", {row.flips:,} of {row.compared:,}"
        others = [(row.unparseable, "without a grade"), (row.unanswered, "without a reply")]
        more = "".join(f", {number:,} {what}" for number, what in others if number)
        show(f"  {_name(row):<40} {rate}{more}")
    for call in audit.changed[:SHOWN_CHANGES]:
        where = f"{call.cassette}, {call.case_id}, {call.judge_call[:16]}"
        show(f"  changed: {where}: {_difference(call.before, call.after)}")
    if len(audit.changed) > SHOWN_CHANGES:
        show(f"  and {len(audit.changed) - SHOWN_CHANGES:,} more, all named in the file")


def _difference(before: str, after: str) -> str:
    """The first lines of two replies, or all lines if a later one makes the difference."""
    old, new = before.partition("\n")[0], after.partition("\n")[0]
    if old == new:
        old, new = " / ".join(before.splitlines()), " / ".join(after.splitlines())
    return f"{old} -> {new}"


def _name(row: GradeFlips) -> str:
    if row.submission != WHOLE:
        return f"{row.suite}, recorded for {row.submission}"
    return "all" if row.category == WHOLE else f"{row.suite}/{row.category}"


def _exit(audits: Sequence[Audit]) -> None:
    """Exits with 1 if too many grades changed, with 3 if calls got no reply."""
    for audit in audits:
        for row in audit.too_high:
            changed = percent(row.rate or 0)
            bound = f"at most {percent(audit.at_most)} % may change"
            explain_exit(f"{audit.judge}, {_name(row)}: {changed} % of the grades changed, {bound}")
    if any(audit.too_high for audit in audits):
        raise SystemExit(1)
    unanswered = sum(audit.rows[0].unanswered for audit in audits)
    if unanswered:
        explain_exit(f"{counted(unanswered, 'judge call')} got no reply")
        raise SystemExit(3)
