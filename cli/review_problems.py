"""The problems that a review finds in a proposal: in its files, judge calls, cards and history."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path

from cli.reviewed_boards import ReviewedBoards, ScoredBoard
from cli.submission_warnings import exposed_keys, odd_dates, tomorrow
from leaderboard.errors import FilesError, Problem, collect_problems
from leaderboard.files.audit_files import load_audits
from leaderboard.files.cassette_paths import cassette_files
from leaderboard.proposals.changed_paths import owner_of
from leaderboard.proposals.proposed_board import copy_files
from leaderboard.proposals.proposed_snapshots import check_snapshots
from leaderboard.workspace import Workspace
from replay.cassettes import cassette_file
from replay.cassettes.cassette_check import check
from replay.network_guard import no_network
from scoring.judging.needed_judge_calls import needed_judge_calls


def new_problems(boards: ReviewedBoards) -> Iterator[Problem]:
    """What the base does not have. What is only odd on a board is an error in a proposal."""
    of_base = {*boards.old.contents.problems, *_audit_problems(boards.old)}
    found = (*boards.new.contents.problems, *_audit_problems(boards.new))
    yield from (problem for problem in found if problem not in of_base)
    yield from _cassette_problems(boards)
    after, brought = boards.new.workspace, boards.brought
    # A date in the future would become that of the whole board.
    for odd in chain(odd_dates(after, brought), exposed_keys(after, brought)):
        yield replace(odd, severity="error")


def _audit_problems(board: ScoredBoard) -> list[Problem]:
    problems: list[Problem] = []
    for judge in board.contents.leaderboard.judges:
        with collect_problems(problems):
            load_audits(board.workspace, judge)
    return problems


def _cassette_problems(boards: ReviewedBoards) -> Iterator[Problem]:
    """What is wrong with the cassettes that the proposal changes, or that its submission owns."""
    new = boards.new
    changed = {change.path for change in boards.changes}
    with no_network():
        needed = needed_judge_calls(new.contents, new.asker)
    judges = new.contents.leaderboard.judges
    for problem in check(new.workspace.root, needed, judges, new.asker.index):
        if problem.file in changed or owner_of(problem.file) == boards.mine:
            yield problem


def drop_unreadable_cassettes(workspace: Workspace) -> list[Problem]:
    """Removes cassettes that cannot be read from a copy, so that everything else is scored."""
    problems: list[Problem] = []
    for file in cassette_files(workspace.root):
        try:
            cassette_file.read(workspace.root, file)
        except FilesError as error:
            problems.extend(error.problems)
            (workspace.root / file).unlink()
    return problems


def snapshot_problems(boards: ReviewedBoards, proposed: Path, copy: Path) -> list[Problem]:
    """What does not agree in the proposal's history. It is read from copies of regular files."""
    if not any(change.path.startswith("history/") for change in boards.proposal.outside):
        return []
    for name in ("history", "submissions", "cassettes"):
        copy_files(proposed / name, copy / name)
    derived = {state.digest: state for state in (boards.old.state, boards.new.state)}
    latest = tomorrow().isoformat()
    problems: list[Problem] = []
    with collect_problems(problems):
        problems += check_snapshots(boards.old.workspace, Workspace(copy), derived, latest)
    return problems
