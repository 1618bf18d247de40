"""Everything that a review of a pull request knows, as one object, and how it is collected."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import polars as pl

from cli.board_for_pages import board_of
from cli.review_problems import drop_unreadable_cassettes, new_problems, snapshot_problems
from cli.reviewed_boards import ReviewedBoards, ScoredBoard, score_board, suites_of
from leaderboard.board.board_changes import Difference
from leaderboard.board.snapshots import load_history
from leaderboard.board.sweeps import swept
from leaderboard.errors import FilesError, Problem, ToolboardError, collect_problems, errors_in
from leaderboard.ids import WHOLE
from leaderboard.proposals.board_like_names import BoardLikeName, board_like_names
from leaderboard.proposals.changed_paths import Proposal, compare_folders
from leaderboard.proposals.look_alikes import LookAlike, look_alikes
from leaderboard.proposals.proposed_board import assemble
from leaderboard.reasons import NOT_SHOWN
from leaderboard.types import JudgeReply, Submission
from leaderboard.workspace import open_workspace
from replay.cassettes.new_calls import new_calls
from scoring.changes.board_difference import difference
from scoring.changes.changed_questions import ChangedQuestions, changed_questions
from scoring.changes.judge_changes import JudgeChange, judge_changes
from scoring.changes.near_copies import NearCopy, near_copies
from scoring.changes.shared_texts import compared_in_part
from scoring.tables.board_row import BoardRow, board_rows
from scoring.tables.equal_answers import answers
from site_templates.builder import build


@dataclass(frozen=True, slots=True)
class BroughtCalls:
    """The recorded judge calls of a proposal that the base does not have.

    `recomputed` counts those that were compared with the judge's own replies, and `decided` the
    submission's verdicts that rest on new calls, by outcome. `others` counts such verdicts of other
    submissions, and `unused` the calls that nothing needs. A call that waits for a maintainer
    decides nothing. `contradictions` has the cassette of each call to which the base has another
    reply.
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
    `long_answers` counts the answers whose end nobody compares with those of others.
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
    long_answers: int = 0
    alike: tuple[LookAlike, ...] = ()
    board_like: tuple[BoardLikeName, ...] = ()
    votes: int = 0
    unscored: int = 0
    not_shown: tuple[str, ...] = ()
    former_id: FormerId | None = None
    joins: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()

    @property
    def errors(self) -> tuple[Problem, ...]:
        return errors_in(self.problems)

    @property
    def lost_ranks(self) -> int:
        """How many rows lose their rank."""
        return sum(move.category == WHOLE and move.new is None for move in self.moved.ranks)

    @property
    def removes(self) -> bool:
        """Whether the proposal removes every file of a submission."""
        own = self.proposal.own
        return self.submission is None and bool(own) and all(c.how == "removed" for c in own)

    @property
    def is_new_baseline(self) -> bool:
        return self.submission is not None and self.submission.is_baseline


def collect(
    base: Path, proposed: Path, folder: Path, site: Path | None, *, maintainer: bool
) -> Review:
    """Reviews a proposal, with copies of its files in `folder`. Raises ToolboardError.

    `site`: the folder in which to build the site of the proposed board.
    """
    before = open_workspace(base)
    _refuse_no_board(proposed)
    proposal = compare_folders(base, proposed)
    suites = suites_of(before, before)
    old = score_board(before, before, suites)
    submissions = old.contents.submissions
    after = assemble(base, proposed, folder / "board", maintainer=maintainer)
    problems = drop_unreadable_cassettes(after)
    try:
        if maintainer:
            new = score_board(after, after, suites_of(after, before), submissions)
        else:
            new = score_board(after, before, suites, submissions)
    except ToolboardError as error:
        problems.extend(error.problems)
        return Review(proposal, maintainer, tuple(problems), difference(old.state, old.state))

    boards = ReviewedBoards(proposal, old, new)
    problems += new_problems(boards)
    problems += snapshot_problems(boards, proposed, folder / "history")
    if site is not None:
        with collect_problems(problems):
            build(board_of(after, new.contents, new.results), site)
    former = None
    try:
        former = former_id(boards)
    except FilesError as error:
        problems.append(_unread_history(error.problems[0]))
    review = _review(boards, problems, former, maintainer=maintainer)
    named = [one for one in new.contents.submissions if one.id == proposal.submission]
    return _with_row(review, named[0], boards) if named else review


def _refuse_no_board(proposed: Path) -> None:
    """Refuses a folder that is no board, which would read as a proposal that removes every file.

    A proposal may remove one of the two that a board has.
    """
    if not any((proposed / name).exists() for name in ("leaderboard.toml", "submissions")):
        what = "is not a board: it has neither leaderboard.toml nor submissions/"
        raise FilesError.about(str(proposed), what, "name the folder of the proposed board")


def former_id(boards: ReviewedBoards) -> FormerId | None:
    """What the snapshots of the base know of a new submission's id. Raises FilesError."""
    mine = boards.mine
    if not mine or boards.proposal.replaces:
        return None
    found, name = None, ""
    for state in load_history(boards.old.workspace):
        name = state.names.get(mine, name)
        if mine in state.manifest["submissions"]:
            # Old snapshots have only the day of their newest answers.
            found = FormerId(state.taken or state.as_of or "", name)
    return found


def _unread_history(found: Problem) -> Problem:
    """The proposal cannot repair the base's history, so this is only a warning."""
    what = f"the base's history cannot be read, so it may list the id: {found.what}"
    return replace(found, what=what, severity="warning")


def _review(
    boards: ReviewedBoards,
    problems: Sequence[Problem],
    former: FormerId | None,
    *,
    maintainer: bool,
) -> Review:
    """What there is to know of any proposal."""
    old, new = boards.old, boards.new
    waiting = _waiting(boards)
    return Review(
        boards.proposal,
        maintainer,
        tuple(problems),
        moved=difference(old.state, new.state),
        old_problems=len(old.contents.errors),
        metrics=new.state.metrics,
        questions=tuple(changed_questions(old.contents, new.contents)),
        judges=tuple(judge_changes(old.results, new.results)),
        calls=_judge_calls(boards),
        missing=sum(not reply.pending for reply in waiting),
        pending=sum(reply.pending for reply in waiting),
        prompts=tuple(reply.characters for reply in waiting),
        former_id=former,
        beside=tuple(one.id for one in boards.brought if one.id != boards.mine),
    )


def _with_row(review: Review, submission: Submission, boards: ReviewedBoards) -> Review:
    """The review with what there is to know of the submission that is proposed."""
    old, new, mine = boards.old, boards.new, submission.id
    return replace(
        review,
        submission=submission,
        rows=_rows(new, mine),
        before=_rows(old, mine),
        changed_answers=_changed_answers(boards),
        copies=tuple(near_copies(new.contents, new.results.verdicts, [mine])),
        long_answers=compared_in_part(new.contents, mine),
        alike=tuple(look_alikes(submission, new.contents.submissions)),
        board_like=tuple(board_like_names(submission, new.contents.submissions)),
        votes=_votes(new, mine),
        unscored=_unscored(new, mine),
        not_shown=_not_shown(new, mine),
        joins=joined_sweep(mine, old.contents.submissions, new.contents.submissions),
    )


def _rows(board: ScoredBoard, mine: str) -> tuple[BoardRow, ...]:
    """The rows that a board has of a submission."""
    by_id = {suite.id: suite for suite in board.contents.suites}
    return tuple(board_rows(board.results, by_id, mine))


def _changed_answers(boards: ReviewedBoards) -> Counter[str]:
    """How many answers of the proposal's submission differ from those of the base, by suite."""
    before, after = _answers(boards.old, boards.mine), _answers(boards.new, boards.mine)
    key = ["submission", "suite", "case_id", "trial"]
    both = before.join(after, on=key, how="full", suffix="_new", coalesce=True)
    return Counter(both.filter(pl.col("answer").ne_missing(pl.col("answer_new")))["suite"])


def _answers(board: ScoredBoard, mine: str) -> pl.DataFrame:
    records = board.contents.records
    own = {place: records[place] for place in records if place[0] == mine}
    return answers(board.contents.suites, own)


def _waiting(boards: ReviewedBoards) -> list[JudgeReply]:
    """The judge calls that the proposal's own answers wait for, or others because of it."""
    of_base = {call.reply.key for call in boards.old.misses}
    # Another submission with the same answers may be named as the one that waits.
    own = boards.new.results.verdicts.filter(submission=boards.mine)
    asked = {key for keys in own["judge_call"].drop_nulls() for key in keys.split()}
    replies = {call.reply.key: call.reply for call in boards.new.misses}
    return [reply for key, reply in replies.items() if key in asked or key not in of_base]


def _votes(new: ScoredBoard, mine: str) -> int:
    """How many votes of other judges the proposal's records bring."""
    own = [records for (name, _), records in new.contents.records.items() if name == mine]
    return sum(len(votes) for records in own for votes in records.votes.values())


def _unscored(new: ScoredBoard, mine: str) -> int:
    """How many cases have no score on the ranked metric, and wait for no judge."""
    unscored = new.results.verdicts.filter(submission=mine, outcome="unscored")
    rows = unscored.select("suite", "case_id", "metric", "reason").iter_rows()
    return len(
        {
            (suite, case_id)
            for suite, case_id, metric, reason in rows
            if new.state.metrics.get(suite) == metric and not reason.startswith("judge_")
        }
    )


def _not_shown(new: ScoredBoard, mine: str) -> tuple[str, ...]:
    """The metrics that the proposal's answers do not show enough for, with numbers of verdicts."""
    left_out = new.results.verdicts.filter(pl.col("reason").is_in(NOT_SHOWN), submission=mine)
    counts = Counter(left_out.select("suite", "metric").iter_rows())
    return tuple(
        f"{metric.label} ({counts[suite.id, metric.id]:,})"
        for suite in new.contents.suites
        for metric in suite.kind.metrics_of(suite.policy)
        if (suite.id, metric.id) in counts
    )


def _judge_calls(boards: ReviewedBoards) -> BroughtCalls:
    """The judge calls that the proposal adds, and the verdicts that depend on them."""
    brought = list(new_calls(boards.old.workspace.root, boards.new.workspace.root))
    contradictions = tuple(call.file for call in brought if call.contradicts)
    keys = {call.key for call in brought if not call.contradicts}
    deciding = keys.difference(call.reply.key for call in boards.new.misses)
    results = boards.new.results
    decided: Counter[str] = Counter()
    others = 0
    used: set[str] = set()
    judged = results.verdicts.drop_nulls("judge_call")
    for name, outcome, calls in judged.select("submission", "outcome", "judge_call").iter_rows():
        used.update(calls.split())
        if deciding.isdisjoint(calls.split()):
            continue
        if name == boards.mine:
            decided[outcome] += 1
        else:
            others += 1
    for calls in results.labelled["judge_call"].drop_nulls():
        used.update(calls.split())
    recomputed = len(keys & boards.new.asker.recomputed.by_key.keys())
    return BroughtCalls(len(keys), recomputed, decided, others, len(keys - used), contradictions)


def joined_sweep(
    submission: str, before: Sequence[Submission], after: Iterable[Submission]
) -> tuple[str, ...]:
    """The submissions in whose sweep another one appears now, in order of tools.

    Ids and cards define a sweep, and anybody can write them.
    """
    if submission in swept(before):
        return ()
    known = {other.id for other in before} - {submission}
    members = [member.submission.id for member in swept(after).get(submission, ())]
    return tuple(member for member in members if member in known)
