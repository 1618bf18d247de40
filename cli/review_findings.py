"""Everything that a review of a pull request finds, as one object, and the places that it takes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from leaderboard.board.board_changes import Difference
from leaderboard.board.snapshots import load_history
from leaderboard.errors import Problem
from leaderboard.proposals.changed_paths import Proposal
from leaderboard.proposals.look_alikes import LookAlike
from leaderboard.types import Submission
from leaderboard.workspace import Workspace
from scoring.changes.changed_questions import ChangedQuestions
from scoring.changes.judge_changes import JudgeChange
from scoring.changes.near_copies import NearCopy
from scoring.tables.board_row import BoardRow
from site_templates.figures.sweep_chart import swept


@dataclass(frozen=True, slots=True)
class BroughtCalls:
    """The recorded judge calls of a proposal that the base does not have.

    `recomputed` counts those that were compared with the judge's own replies, and `decided` the
    submission's verdicts that rest on new calls, by outcome. `others` counts such verdicts of other
    submissions, and `unused` the calls that nothing needs. `contradictions` has the cassette of
    each call to which the base has another reply.
    """

    new: int = 0
    recomputed: int = 0
    decided: Mapping[str, int] = field(default_factory=dict)
    others: int = 0
    unused: int = 0
    contradictions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FormerId:
    """An id that snapshots list: the day of the last, YYYY-MM-DD, and the name, if known."""

    last_day: str
    name: str


@dataclass(frozen=True, slots=True)
class Review:
    """Everything that a report says.

    `problems` are those that the base does not have, and `old_problems` counts the base's own
    errors.
    `missing` counts judge calls that are not recorded, `pending` those that a maintainer has to
    record. `prompts` has the length of each in characters. `votes` counts those of other judges
    that come with the answers. `unscored` counts cases without a score that wait for no judge, for
    example because an answer leaves out steps.
    `rows` are those of the submission, `before` those that the base has of it, and
    `changed_answers` counts by suite the answers that differ. `questions` are those
    that change under answers. `judges` compares judges with the labels wherever that changes.
    `not_shown` names every metric with verdicts that are unscored because the answers leave out
    what it needs, each with their number.
    `former_id` says that the submission's id was that of one that was removed, and `joins` names
    the submissions in whose sweep it appears. `beside` are the other submissions that the proposal
    adds or changes: only a maintainer may, and they are not looked at as closely.
    """

    proposal: Proposal
    maintainer: bool
    problems: tuple[Problem, ...]
    moved: Difference
    old_problems: int = 0
    submission: Submission | None = None
    metrics: Mapping[str, str] = field(default_factory=dict)
    rows: tuple[BoardRow, ...] = ()
    before: tuple[BoardRow, ...] = ()
    changed_answers: Mapping[str, int] = field(default_factory=dict)
    questions: tuple[ChangedQuestions, ...] = ()
    judges: tuple[JudgeChange, ...] = ()
    calls: BroughtCalls = field(default_factory=BroughtCalls)
    missing: int = 0
    pending: int = 0
    prompts: tuple[int, ...] = ()
    copies: tuple[NearCopy, ...] = ()
    alike: tuple[LookAlike, ...] = ()
    votes: int = 0
    unscored: int = 0
    not_shown: tuple[str, ...] = ()
    former_id: FormerId | None = None
    joins: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()

    @property
    def errors(self) -> int:
        return sum(problem.severity == "error" for problem in self.problems)

    @property
    def lost_ranks(self) -> int:
        """How many rows lose their rank."""
        return sum(move.category == "*" and move.new is None for move in self.moved.ranks)

    @property
    def removes(self) -> bool:
        """Whether the proposal removes every file of a submission."""
        own = self.proposal.own
        return self.submission is None and bool(own) and all(c.how == "removed" for c in own)

    @property
    def is_new_baseline(self) -> bool:
        return self.submission is not None and self.submission.is_baseline


def former_id(base: Workspace, submission: str) -> FormerId | None:
    """Returns what the snapshots of the base know of an id. Raises FilesError."""
    found, name = None, ""
    for state in load_history(base):
        name = state.names.get(submission, name)
        if submission in state.manifest["submissions"]:
            # Old snapshots have only the day of their newest answers.
            found = FormerId(state.taken or state.manifest["as_of"], name)
    return found


def joined_sweep(
    submission: str, before: Sequence[Submission], after: Iterable[Submission]
) -> tuple[str, ...]:
    """Returns the submissions in whose sweep another one appears now, in order of tools.

    Ids and cards define a sweep, and anybody can write them.
    """
    if submission in swept(before):
        return ()
    known = {other.id for other in before} - {submission}
    members = [member.submission.id for member in swept(after).get(submission, ())]
    return tuple(member for member in members if member in known)
