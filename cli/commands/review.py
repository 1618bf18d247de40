"""`lb review`: what a maintainer needs to know about a pull request."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.board_for_pages import board_of
from cli.options import FOLDER, PATH
from cli.output.console import say
from cli.submission_warnings import exposed_keys, odd_dates, tomorrow
from cli.wiring import kinds_of, replay_board, warn_of_leftover

if TYPE_CHECKING:
    from cli.review_findings import BroughtCalls, Review
    from leaderboard.board.board_state import State
    from leaderboard.errors import Problem
    from leaderboard.load import Contents
    from leaderboard.proposals.changed_paths import Proposal
    from leaderboard.responses.response_records import Interner
    from leaderboard.results import Results
    from leaderboard.types import JudgeReply, Submission
    from leaderboard.workspace import Workspace
    from replay.asker import Asker
    from scoring.judging.panel_questions import MissingCall
    from scoring.tables.board_row import BoardRow


@click.command()
@click.option("--base", required=True, type=FOLDER, help="A checkout of the board as it is.")
@click.option("--proposed", required=True, type=FOLDER, help="A checkout of the proposal.")
@click.option(
    "--maintainer",
    is_flag=True,
    help="A maintainer vouches for changes outside the submission. They are listed as notes.",
)
@click.option("--out", type=PATH, help="Write the report to this file (default: stdout).")
@click.option("--site", type=PATH, help="Build the site of the proposed board in this folder.")
def command(
    base: Path, proposed: Path, maintainer: bool, out: Path | None, site: Path | None
) -> None:
    """Report on a pull request: what it changes, what it scores, and what looks odd.

    The rules, suites, prompts and templates are those of BASE. The submissions and the recorded
    judge calls are those of PROPOSED. Nothing of the proposal is executed. The report is Markdown.

    Exit code 1 means problems, or changes that only a maintainer may make. Exit code 3 means that
    judge calls are missing.

    \b
    Example:
      git worktree add ../proposed FETCH_HEAD
      lb review --base . --proposed ../proposed
    """
    from cli.output.review_report import review_report
    from cli.review_verdict import exit_code

    warn_of_leftover(base)
    with tempfile.TemporaryDirectory() as folder:
        review = _review(base, proposed, Path(folder), site, maintainer=maintainer)
    text = review_report(review)
    if out is None:
        click.echo(text)
    else:
        out.write_text(f"{text}\n", encoding="utf-8")
        say(f"report in {out}")
    if status := exit_code(review):
        raise SystemExit(status)


def _review(
    base: Path, proposed: Path, folder: Path, site: Path | None, *, maintainer: bool
) -> Review:
    from cli.review_findings import Review, former_id
    from leaderboard.errors import FilesError, ToolboardError, collect_problems
    from leaderboard.proposals.changed_paths import compare_folders
    from leaderboard.proposals.proposed_board import assemble
    from leaderboard.workspace import open_workspace
    from scoring.changes.board_difference import difference
    from scoring.changes.changed_questions import changed_questions
    from scoring.changes.judge_changes import judge_changes
    from site_templates.builder import build

    proposal = compare_folders(base, proposed)
    before = open_workspace(base)
    suites = _load_suites(before, before)
    old = _score(before, before, suites)
    after = assemble(base, proposed, folder / "board", maintainer=maintainer)
    problems = _drop_unreadable_cassettes(after)
    try:
        if maintainer:
            new = _score(after, after, _load_suites(after, before), old.contents.submissions)
        else:
            new = _score(after, before, suites, old.contents.submissions)
    except ToolboardError as error:
        problems.extend(error.problems)
        return Review(proposal, maintainer, tuple(problems), difference(old.state, old.state))

    problems.extend(_problems((before, after), proposal, old, new))
    if any(change.path.startswith("history/") for change in proposal.outside):
        problems += _snapshot_problems(before, proposed, (old.state, new.state), folder)
    if site is not None:
        with collect_problems(problems):
            build(board_of(after, new.contents, new.results), site)
    mine = proposal.submission or ""
    former = None
    if mine and not proposal.replaces:
        try:
            former = former_id(before, mine)
        except FilesError as error:
            problems.append(_unread_history(error.problems[0]))
    waiting = _waiting(old, new, mine)
    review = Review(
        proposal,
        maintainer,
        tuple(problems),
        moved=difference(old.state, new.state),
        old_problems=sum(problem.severity == "error" for problem in old.contents.problems),
        metrics=new.state.metrics,
        questions=tuple(changed_questions(old.contents, new.contents)),
        judges=tuple(judge_changes(old.results, new.results)),
        calls=_judge_calls(before, after, new, mine),
        missing=sum(not reply.pending for reply in waiting),
        pending=sum(reply.pending for reply in waiting),
        prompts=tuple(reply.characters for reply in waiting),
        former_id=former,
        beside=tuple(s.id for s in _brought(new, proposal) if s.id != mine),
    )
    submission = _submission(new, proposal)
    return review if submission is None else _with_row(review, submission, old, new)


def _submission(new: _Scored, proposal: Proposal) -> Submission | None:
    """The submission that is proposed, if it could be read."""
    return next((s for s in new.contents.submissions if s.id == proposal.submission), None)


def _brought(new: _Scored, proposal: Proposal) -> list[Submission]:
    """All submissions that the proposal adds or changes."""
    changes = (*proposal.own, *proposal.outside)
    folders = {c.path.split("/")[1] for c in changes if c.path.startswith("submissions/")}
    return [submission for submission in new.contents.submissions if submission.id in folders]


def _with_row(review: Review, submission: Submission, old: _Scored, new: _Scored) -> Review:
    """The review with what there is to know of the submission that is proposed."""
    from cli.review_findings import joined_sweep
    from leaderboard.proposals.look_alikes import look_alikes
    from scoring.changes.near_copies import near_copies

    mine = submission.id
    return replace(
        review,
        submission=submission,
        rows=_board_rows(new, mine),
        before=_board_rows(old, mine),
        changed_answers=_changed_answers(old, new, mine),
        copies=tuple(near_copies(new.contents, new.results.verdicts, [mine])),
        alike=tuple(look_alikes(submission, new.contents.submissions)),
        votes=_votes(new, mine),
        unscored=_unscored(new, mine),
        not_shown=_not_shown(new, mine),
        joins=joined_sweep(mine, old.contents.submissions, new.contents.submissions),
    )


@dataclass(frozen=True, slots=True)
class _Suites:
    """Suites, prompts and labels, with kinds that remember. Both boards can share them."""

    contents: Contents
    interner: Interner


@dataclass(frozen=True, slots=True)
class _Scored:
    """A board that was scored without a network. `misses` are judge calls without a reply."""

    contents: Contents
    results: Results
    state: State
    misses: tuple[MissingCall, ...]
    asker: Asker


def _load_suites(workspace: Workspace, base: Workspace) -> _Suites:
    """The suites of a workspace. Own rules are those of the base, never those of a proposal."""
    from leaderboard.load import load_suites
    from leaderboard.responses.response_records import Interner
    from scoring.cached.remembered_decisions import remembering

    kinds = kinds_of(workspace, rules=base)
    remember = {name: remembering(kind) for name, kind in kinds.items()}
    return _Suites(load_suites(workspace, remember), Interner())


def _score(
    workspace: Workspace, base: Workspace, suites: _Suites, before: Sequence[Submission] = ()
) -> _Scored:
    """Scores what can be read of a workspace, with the recordings of `base`. Raises ToolboardError.

    `before`: the submissions of the base, if the workspace is the proposal.
    Replies that differ from those of the base, or of their judge, are problems, and no errors.
    """
    from leaderboard.board.board_state import SNAPSHOT_COLUMNS, State
    from leaderboard.files.submission_files import submission_ids
    from leaderboard.load import find_board_problems, load_submissions
    from leaderboard.unread_files import unread_files

    contents = replace(
        suites.contents, problems=[*suites.contents.problems], records={}, digests={}
    )
    load_submissions(workspace, contents, submission_ids(workspace), interner=suites.interner)
    find_board_problems(workspace, contents, before)
    contents.problems.extend(unread_files(workspace, contents))
    results, misses, asker = replay_board(workspace, contents, base.root)
    kept = results.verdicts.select(list(SNAPSHOT_COLUMNS))
    state = State(
        "board",
        results.manifest,
        results.scores,
        results.ranks,
        lambda: kept,
        metrics={suite.id: suite.kind.ranked for suite in contents.suites},
        names={submission.id: submission.card.name for submission in contents.submissions},
    )
    return _Scored(contents, results, state, misses, asker)


def _board_rows(scored: _Scored, mine: str) -> tuple[BoardRow, ...]:
    """The rows that a board has of a submission."""
    from scoring.tables.board_row import board_rows

    by_id = {suite.id: suite for suite in scored.contents.suites}
    return tuple(board_rows(scored.results, by_id, mine))


def _changed_answers(old: _Scored, new: _Scored, mine: str) -> Counter[str]:
    """How many answers of the proposal's submission differ from those of the base, by suite."""
    import polars as pl

    from scoring.tables.equal_answers import answers

    tables = []
    for contents in (old.contents, new.contents):
        own = {key: records for key, records in contents.records.items() if key[0] == mine}
        tables.append(answers(contents.suites, own))
    key = ["submission", "suite", "case_id", "trial"]
    both = tables[0].join(tables[1], on=key, how="full", suffix="_new", coalesce=True)
    return Counter(both.filter(pl.col("answer").ne_missing(pl.col("answer_new")))["suite"])


def _waiting(old: _Scored, new: _Scored, mine: str) -> list[JudgeReply]:
    """The judge calls that the proposal's own answers wait for, or others because of it."""
    of_base = {call.reply.key for call in old.misses}
    # Another submission with the same answers may be named as the one that waits.
    own = new.results.verdicts.filter(submission=mine)
    asked = {key for keys in own["judge_call"].drop_nulls() for key in keys.split()}
    replies = {call.reply.key: call.reply for call in new.misses}
    return [reply for key, reply in replies.items() if key in asked or key not in of_base]


def _votes(new: _Scored, mine: str) -> int:
    """How many votes of other judges the proposal's records bring."""
    own = [records for (name, _), records in new.contents.records.items() if name == mine]
    return sum(len(votes) for records in own for votes in records.votes.values())


def _unscored(new: _Scored, mine: str) -> int:
    """How many verdicts of the proposal on ranked metrics are unscored, and wait for no judge."""
    unscored = new.results.verdicts.filter(submission=mine, outcome="unscored")
    return sum(
        new.state.metrics.get(suite) == metric and not reason.startswith("judge_")
        for suite, metric, reason in unscored.select("suite", "metric", "reason").iter_rows()
    )


def _not_shown(new: _Scored, mine: str) -> tuple[str, ...]:
    """The metrics that the proposal's answers do not show enough for, with numbers of verdicts."""
    import polars as pl

    from leaderboard.reasons import NOT_SHOWN

    left_out = new.results.verdicts.filter(pl.col("reason").is_in(NOT_SHOWN), submission=mine)
    counts = Counter(left_out.select("suite", "metric").iter_rows())
    return tuple(
        f"{metric.label} ({counts[suite.id, metric.id]:,})"
        for suite in new.contents.suites
        for metric in suite.kind.metrics_of(suite.policy)
        if (suite.id, metric.id) in counts
    )


def _problems(
    places: tuple[Workspace, Workspace], proposal: Proposal, old: _Scored, new: _Scored
) -> Iterator[Problem]:
    """What the base does not have. What is only odd on a board is an error in a proposal.

    `places` are the base and the proposed board.
    """
    before, after = places
    of_base = {*old.contents.problems, *_audit_problems(before, old)}
    found = (*new.contents.problems, *_audit_problems(after, new))
    yield from (problem for problem in found if problem not in of_base)
    yield from _cassette_problems(after, new, proposal)
    brought = _brought(new, proposal)
    # A date in the future would become that of the whole board.
    for odd in chain(odd_dates(after, brought), exposed_keys(after, brought)):
        yield replace(odd, severity="error")


def _audit_problems(workspace: Workspace, scored: _Scored) -> list[Problem]:
    from leaderboard.errors import collect_problems
    from leaderboard.files.audit_files import load_audits

    problems: list[Problem] = []
    for judge in scored.contents.leaderboard.judges:
        with collect_problems(problems):
            load_audits(workspace, judge)
    return problems


def _cassette_problems(after: Workspace, new: _Scored, proposal: Proposal) -> Iterator[Problem]:
    """What is wrong with the cassettes that the proposal changes, or that its submission owns."""
    from leaderboard.proposals.changed_paths import owner_of
    from replay.cassettes.cassette_check import check
    from replay.network_guard import no_network
    from scoring.judging.needed_judge_calls import needed_judge_calls

    changed = {change.path for change in (*proposal.own, *proposal.outside)}
    mine = proposal.submission or ""
    with no_network():
        needed = needed_judge_calls(new.contents, new.asker)
    problems = check(after.root, needed, new.contents.leaderboard.judges)
    seen = {(problem.file, problem.at) for problem in problems if "contradicts" in problem.what}
    known = set(problems)
    for problem in (*problems, *new.asker.index.contradictions):
        if problem not in known and (problem.file, problem.at) in seen:
            continue
        if problem.file in changed or owner_of(problem.file) == mine:
            yield problem


def _drop_unreadable_cassettes(workspace: Workspace) -> list[Problem]:
    """Removes cassettes that cannot be read from a copy, so that everything else is scored."""
    from leaderboard.errors import FilesError
    from leaderboard.files.cassette_paths import cassette_files
    from replay.cassettes import cassette_file

    problems: list[Problem] = []
    for file in cassette_files(workspace.root):
        try:
            cassette_file.read(workspace.root, file)
        except FilesError as error:
            problems.extend(error.problems)
            (workspace.root / file).unlink()
    return problems


def _snapshot_problems(
    before: Workspace, proposed: Path, states: Sequence[State], folder: Path
) -> list[Problem]:
    """What does not agree in the proposal's history. It is read from copies of regular files."""
    from leaderboard.errors import collect_problems
    from leaderboard.proposals.proposed_board import copy_files
    from leaderboard.proposals.proposed_snapshots import check_snapshots
    from leaderboard.workspace import Workspace as Place

    copy = folder / "history"
    for name in ("history", "submissions", "cassettes"):
        copy_files(proposed / name, copy / name)
    problems: list[Problem] = []
    with collect_problems(problems):
        derived = {state.digest: state for state in states}
        latest = tomorrow().isoformat()
        problems += check_snapshots(before, Place(copy), derived, latest)
    return problems


def _unread_history(found: Problem) -> Problem:
    """The proposal cannot repair the base's history, so this is only a warning."""
    what = f"the base's history cannot be read, so it may list the id: {found.what}"
    return replace(found, what=what, severity="warning")


def _judge_calls(before: Workspace, after: Workspace, new: _Scored, mine: str) -> BroughtCalls:
    """The judge calls that the proposal adds, and the verdicts that depend on them."""
    from cli.review_findings import BroughtCalls
    from replay.cassettes.cassette_check import new_calls

    brought = list(new_calls(before.root, after.root))
    contradictions = tuple(call.file for call in brought if call.contradicts)
    keys = {call.key for call in brought if not call.contradicts}
    results = new.results
    decided: Counter[str] = Counter()
    others = 0
    used: set[str] = set()
    judged = results.verdicts.drop_nulls("judge_call")
    for name, outcome, calls in judged.select("submission", "outcome", "judge_call").iter_rows():
        if keys.isdisjoint(calls.split()):
            continue
        used.update(calls.split())
        if name == mine:
            decided[outcome] += 1
        else:
            others += 1
    for calls in results.labelled["judge_call"].drop_nulls():
        used.update(calls.split())
    recomputed = len(keys & new.asker.recomputed.by_key.keys())
    return BroughtCalls(len(keys), recomputed, decided, others, len(keys - used), contradictions)
