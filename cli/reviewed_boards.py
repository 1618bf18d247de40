"""The two boards of a review: as the base has it, and as it is proposed, both scored offline."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cli.wiring import kinds_of, replay_board
from leaderboard.board.board_state import SNAPSHOT_COLUMNS, State
from leaderboard.files.submission_files import submission_ids
from leaderboard.load import Contents, find_board_problems, load_submissions, load_suites
from leaderboard.proposals.changed_paths import PathChange, Proposal
from leaderboard.responses.response_records import Interner
from leaderboard.results import Results
from leaderboard.types import Submission
from leaderboard.unread_files import unread_files
from leaderboard.workspace import Workspace
from replay.asker import Asker
from scoring.cached.remembered_decisions import remembering
from scoring.judging.panel_questions import MissingCall


@dataclass(frozen=True, slots=True)
class LoadedSuites:
    """Suites, prompts and labels, with kinds that remember. Both boards can share them."""

    contents: Contents
    interner: Interner


@dataclass(frozen=True, slots=True)
class ScoredBoard:
    """A board that was scored without a network. `misses` are judge calls without a reply."""

    workspace: Workspace
    contents: Contents
    results: Results
    state: State
    misses: tuple[MissingCall, ...]
    asker: Asker


@dataclass(frozen=True, slots=True)
class ReviewedBoards:
    """The board of the base (`old`), that of the proposal (`new`), and what the proposal changes.

    `mine` is the id of the submission that is proposed, or empty.
    """

    proposal: Proposal
    old: ScoredBoard
    new: ScoredBoard

    @property
    def mine(self) -> str:
        return self.proposal.submission or ""

    @property
    def changes(self) -> tuple[PathChange, ...]:
        return (*self.proposal.own, *self.proposal.outside)

    @property
    def brought(self) -> list[Submission]:
        """All submissions that the proposal adds or changes."""
        paths = [change.path for change in self.changes]
        folders = {path.split("/")[1] for path in paths if path.startswith("submissions/")}
        return [one for one in self.new.contents.submissions if one.id in folders]


def suites_of(workspace: Workspace, base: Workspace) -> LoadedSuites:
    """The suites of a workspace. Own rules are those of the base, never those of a proposal."""
    kinds = kinds_of(workspace, rules=base)
    remember = {name: remembering(kind) for name, kind in kinds.items()}
    return LoadedSuites(load_suites(workspace, remember), Interner())


def score_board(
    workspace: Workspace,
    base: Workspace,
    suites: LoadedSuites,
    before: Sequence[Submission] = (),
) -> ScoredBoard:
    """Scores what can be read of a workspace, with the recordings of `base`. Raises ToolboardError.

    `before`: the submissions of the base, if the workspace is the proposal.
    Replies that differ from those of the base, or of their judge, are problems, and no errors.
    """
    contents = suites.contents.for_submissions()
    contents.problems.extend(suites.contents.problems)
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
    return ScoredBoard(workspace, contents, results, state, misses, asker)
