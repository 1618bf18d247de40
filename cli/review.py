"""`lb review`: what a maintainer needs to know of a pull request."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.console import say
from cli.options import FOLDER, PATH
from cli.wiring import board_of, calls_in_need, replay_board

if TYPE_CHECKING:
    from cli.review_report import BroughtCalls, Review
    from leaderboard.board.history import State
    from leaderboard.errors import Problem
    from leaderboard.load import Contents
    from leaderboard.results import Results
    from leaderboard.workspace import Workspace


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
    from cli.review_report import exit_code, review_report

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
    from cli.review_report import Review
    from leaderboard.board.changed_paths import compare_folders
    from leaderboard.board.look_alikes import look_alikes
    from leaderboard.board.proposed_board import assemble
    from leaderboard.errors import ToolboardError, collect_problems
    from leaderboard.workspace import open_workspace
    from scoring.changes.difference import difference
    from scoring.changes.near_copies import near_copies
    from scoring.changes.proposed_row import proposed_rows
    from site_templates.builder import build

    proposal = compare_folders(base, proposed)
    before = open_workspace(base)
    old = _score(before, before)
    after = assemble(base, proposed, folder / "board", maintainer=maintainer)
    unreadable = _drop_unreadable_cassettes(after)
    try:
        new = _score(after, after if maintainer else before)
    except ToolboardError as error:
        problems = (*unreadable, *error.problems)
        return Review(proposal, maintainer, problems, moved=difference(old.state, old.state))
    suites = {suite.id: suite for suite in new.contents.suites}
    mine = [s for s in new.contents.submissions if s.id == proposal.submission]
    names = [submission.id for submission in mine]
    found = [*unreadable, *_added(new.contents.problems, old.contents.problems)]
    if any(change.kind == "history" for change in proposal.outside):
        found += _snapshot_problems(before, proposed, (old.state, new.state), folder)
    if site is not None:
        with collect_problems(found):
            build(board_of(after, new.contents, new.results), site)
    return Review(
        proposal,
        maintainer,
        tuple(found),
        moved=difference(old.state, new.state),
        old_problems=len(old.contents.problems),
        submission=mine[0] if mine else None,
        metrics={suite.id: suite.kind.ranked for suite in suites.values()},
        rows=tuple(row for name in names for row in proposed_rows(new.results, suites, name)),
        calls=_judge_calls(before, after, new, names),
        missing=len(new.missing - old.missing),
        pending=len(new.pending - old.pending),
        copies=tuple(near_copies(new.contents, new.results, names)),
        alike=tuple(a for s in mine for a in look_alikes(s, new.contents.submissions)),
    )


@dataclass(frozen=True, slots=True)
class _Scored:
    """A board that was scored without a network.

    `missing` has the keys of judge calls without a reply, `pending` of those whose reply waits for
    a maintainer, and `recomputed` of those that were recomputed.
    """

    contents: Contents
    results: Results
    state: State
    missing: frozenset[str]
    pending: frozenset[str]
    recomputed: frozenset[str]


def _score(workspace: Workspace, base: Workspace) -> _Scored:
    """Scores what can be read of a workspace, with the recordings of `base`. Raises ToolboardError.

    Replies that differ from those of the base, or of their judge, are problems, and no errors.
    """
    from leaderboard.board.history import KEPT, State
    from leaderboard.load import load_contents
    from replay.cassettes.cassette_check import check
    from scoring.rules import KINDS

    contents = load_contents(workspace, KINDS)
    results, misses, asker = replay_board(workspace, contents, base.root)
    needed = calls_in_need(workspace, contents, base.root)
    contents.problems.extend(check(workspace.root, needed, contents.leaderboard.judges))
    kept = results.verdicts.select(list(KEPT))
    state = State("board", results.manifest, results.scores, results.ranks, lambda: kept)
    pending = frozenset(call.reply.key for call in misses if call.reply.pending)
    missing = frozenset(call.reply.key for call in misses) - pending
    return _Scored(contents, results, state, missing, pending, frozenset(asker.recomputed))


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


def _added(new: Sequence[Problem], old: Sequence[Problem]) -> Iterator[Problem]:
    """The problems that the base does not have."""
    known = set(old)
    return (problem for problem in new if problem not in known)


def _snapshot_problems(
    before: Workspace, proposed: Path, states: Sequence[State], folder: Path
) -> list[Problem]:
    """What does not agree in the proposal's history. It is read from copies of regular files."""
    from leaderboard.board.proposed_board import copy_files
    from leaderboard.board.snapshot_origins import check_snapshots
    from leaderboard.errors import collect_problems
    from leaderboard.workspace import Workspace as Place

    copy = folder / "history"
    for name in ("history", "submissions", "cassettes"):
        copy_files(proposed / name, copy / name)
    problems: list[Problem] = []
    with collect_problems(problems):
        derived = {state.digest: state for state in states}
        problems += check_snapshots(before, Place(copy), derived)
    return problems


def _judge_calls(
    before: Workspace, after: Workspace, new: _Scored, mine: Sequence[str]
) -> BroughtCalls:
    """The judge calls that the proposal brings, and the verdicts that rest on them."""
    from cli.review_report import BroughtCalls
    from replay.cassettes.new_calls import new_calls

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
        if name in mine:
            decided[outcome] += 1
        else:
            others += 1
    for calls in results.labelled["judge_call"].drop_nulls():
        used.update(calls.split())
    recomputed = len(keys & new.recomputed)
    return BroughtCalls(len(keys), recomputed, decided, others, len(keys - used), contradictions)
