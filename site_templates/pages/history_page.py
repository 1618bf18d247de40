"""The board's history: what changed from snapshot to snapshot, and why."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from leaderboard.board.board_changes import (
    BoardEntry,
    Cause,
    Change,
    Difference,
    Era,
    How,
    Range,
    RankMove,
    Step,
    VerdictFlip,
)
from leaderboard.board.changed_inputs import InputGroup, group_inputs
from site_templates import formatting
from site_templates.board_index import WHOLE, BoardIndex
from site_templates.figures.history_chart import ScoreLines, score_lines
from site_templates.links import Link
from site_templates.page_frame import Head
from site_templates.pages.snapshot_page import SnapshotPage, snapshot_page
from site_templates.parts.change_words import share_change
from site_templates.parts.page_head import page_head
from site_templates.parts.snapshots import PastNames, snapshot_path, snapshot_title, snapshots

_ROWS: Final = 60  # changes of one kind in the chapter of a snapshot
_INPUTS: Final = 3  # inputs of one kind that are named
_CASES: Final = 12  # changed cases that are linked
_VERDICTS: Final = 20  # changed verdicts of a row that are linked, if there is room
_FEWEST: Final = 3  # changed verdicts of a row that are linked in any case
_ROOM: Final = 240  # changed verdicts of all rows of a chapter

# Names for the kinds of inputs that can change a score.
_INPUT_KINDS: Final = {
    "responses": "responses",
    "prompts": "judge prompts",
    "judges": "judge settings",
    "cassettes": "recorded judge calls",
    "rules": "rules",
    "labels": "labels",
}


@dataclass(frozen=True, slots=True)
class VerdictChange:
    """A verdict that changed: its case, and the old and new outcome in words."""

    case: Link
    said: str


@dataclass(frozen=True, slots=True)
class ScoreChange:
    """The change of one submission on one suite. `alarm`: no changed input explains it.

    `verdicts` are the first changed verdicts, those of the ranked metric before others. `counts`
    counts all of them, `more` those that are left out.
    """

    who: Link
    suite: Link
    old: str
    new: str
    by: str
    counts: str
    verdicts: tuple[VerdictChange, ...]
    more: str
    cause: str
    alarm: bool


@dataclass(frozen=True, slots=True)
class HistoryLine:
    """A result that was added or removed, or a rank that changed, in words."""

    who: Link
    suite: Link
    said: str


@dataclass(frozen=True, slots=True)
class ChangedInput:
    """Inputs of one kind that changed; those of a suite link to the cases that it still has."""

    what: str
    suite: Link | None
    names: tuple[Link, ...]
    more: str


@dataclass(frozen=True, slots=True)
class Chapter:
    """One state in the changelog. `page` is its snapshot, None for the current board."""

    era: Era
    anchor: str
    title: str
    page: str | None
    summary: str
    inputs: tuple[ChangedInput, ...]
    added: tuple[HistoryLine, ...]
    removed: tuple[HistoryLine, ...]
    changed: tuple[ScoreChange, ...]
    ranks: tuple[HistoryLine, ...]
    more: str


@dataclass(frozen=True, slots=True)
class HistoryPage:
    """Model of history/index.html, the newest state first. `feed` is the path of the feed."""

    head: Head
    lines: tuple[ScoreLines, ...]
    chapters: tuple[Chapter, ...]
    feed: str | None


@dataclass(frozen=True, slots=True)
class RowMove:
    """A line of a submission's own history. `page` leads to the changelog.

    `dated` says what `date` is, unless it is the day of the snapshot.
    """

    dated: str
    date: str
    page: str
    suite: str
    said: str


def history_pages(
    index: BoardIndex, *, feed: bool
) -> Iterator[tuple[str, HistoryPage | SnapshotPage]]:
    """Template and model of every page of the history; none without snapshots."""
    if index.board.history is None or not index.board.states:
        return
    names = PastNames(index)
    head = page_head(
        index,
        "history/index.html",
        "History",
        "What changed on this board from snapshot to snapshot, and why.",
        section="History",
        crumbs=[Link("History")],
    )
    eras = reversed(index.board.history.eras)
    chapters = tuple(_chapter(index, names, era) for era in eras)
    yield (
        "history.html",
        HistoryPage(head, score_lines(index, names), chapters, "feed.xml" if feed else None),
    )
    for state in snapshots(index):
        yield "snapshot.html", snapshot_page(index, names, state)


# ---------------------------------------------------------------- the changelog


def anchor(sequence: int | None) -> str:
    """The id of a state's chapter in the changelog."""
    return "now" if sequence is None else f"snapshot-{sequence}"


def title(era: Era) -> str:
    """The title of a state's chapter."""
    if era.sequence is None:
        return "Since the last snapshot"
    return snapshot_title(era.label, era.sequence)


def _chapter(index: BoardIndex, names: PastNames, era: Era) -> Chapter:
    difference = era.difference or Difference(era.state, era.state, (), (), (), (), ())
    metric = index.board.metric
    ranks = [move for move in difference.ranks if move.category == WHOLE]
    changed = difference.changed[:_ROWS]
    each = min(_VERDICTS, max(_FEWEST, _ROOM // max(1, len(changed))))
    lists = (difference.added, difference.removed, difference.changed, ranks)
    left = sum(max(len(rows) - _ROWS, 0) for rows in lists)
    return Chapter(
        era=era,
        anchor=anchor(era.sequence),
        title=title(era),
        page=None if era.sequence is None else snapshot_path(era.state),
        summary=summary(era),
        inputs=tuple(changed_input(names, found) for found in group_inputs(difference.inputs)),
        added=tuple(_entry(names, metric(e.suite), e) for e in difference.added[:_ROWS]),
        removed=tuple(_entry(names, metric(e.suite), e) for e in difference.removed[:_ROWS]),
        changed=tuple(score_change(names, metric(c.suite), c, each) for c in changed),
        ranks=tuple(_rank_change(names, move) for move in ranks[:_ROWS]),
        more=f"{formatting.count(left, 'more change')} in the data." if left else "",
    )


def summary(era: Era) -> str:
    """What changed, in one sentence."""
    difference = era.difference
    if difference is None:
        return "The first snapshot."
    if difference.nothing:
        return "No score, verdict or rank changed."
    ranks = sum(move.category == WHOLE for move in difference.ranks)
    counts = (
        (difference.added, "added"),
        (difference.removed, "removed"),
        (difference.changed, "changed"),
    )
    parts = [f"{formatting.count(len(rows), 'result')} {verb}" for rows, verb in counts if rows]
    if ranks:
        parts.append(f"{formatting.count(ranks, 'rank')} changed")
    said = formatting.listed(parts)
    return f"{said[:1].upper()}{said[1:]}." if said else "Ranks in categories changed."


def _entry(names: PastNames, metric: str, entry: BoardEntry) -> HistoryLine:
    score = formatting.percent(entry.scores.get(metric))
    return HistoryLine(names.submission(entry.submission), names.suite(entry.suite), score)


def _rank_change(names: PastNames, move: RankMove) -> HistoryLine:
    said = f"{_range(move.old)} to {_range(move.new)}"
    return HistoryLine(names.submission(move.submission), names.suite(move.suite), said)


def _range(ranks: Range | None) -> str:
    return formatting.rank(ranks) or formatting.NONE


def score_change(
    names: PastNames, metric: str, change: Change, most: int = _VERDICTS
) -> ScoreChange:
    """The change of one submission on a suite ranked by `metric`, with `most` verdicts."""
    move = change.move(metric)
    old, new, by = (
        share_change(move.old, move.new) if move else (formatting.NONE, formatting.NONE, "")
    )
    flips = sorted(change.flips, key=lambda flip: flip.metric != metric)
    trials = any(flip.trial > 1 for flip in flips)
    verdicts = []
    for flip in flips[:most]:
        trial = f" #{flip.trial}" if trials else ""
        other = "" if flip.metric == metric else f" ({formatting.words(flip.metric)})"
        case = names.case(change.suite, flip.case_id, trial)
        verdicts.append(VerdictChange(case, turn(flip) + other))
    return ScoreChange(
        who=names.submission(change.submission),
        suite=names.suite(change.suite),
        old=old,
        new=new,
        by=by,
        counts=_counts(change, sum(flip.metric == metric for flip in flips)),
        verdicts=tuple(verdicts),
        more=_left(len(flips), most).strip(),
        cause=because(change.causes) or "no input changed: a rule did, without a new version",
        alarm=not change.causes,
    )


def turn(flip: VerdictFlip) -> str:
    """The old and new outcome of a verdict, or its scores if the outcome is the same."""
    if flip.old != flip.new:
        return f"{flip.old} to {flip.new}"
    before, after, _ = share_change(flip.old_score, flip.new_score)
    return f"{flip.old}, {before} to {after}"


def _counts(change: Change, flips: int) -> str:
    """How many verdicts changed. `flips` counts those of the ranked metric."""
    parts = [f"{formatting.count(flips, 'verdict')} changed"] if flips else []
    counts = (
        (len(change.flips) - flips, "changed by another metric"),
        (change.added, "added"),
        (change.removed, "removed"),
        (change.reworded, "changed reason only"),
    )
    parts += [f"{number:,} {words}" for number, words in counts if number]
    return "; ".join(parts)


# ---------------------------------------------------------------- causes


def because(causes: Iterable[Cause]) -> str:
    """Inputs that changed, in words: each kind once, with a few names."""
    parts = []
    for found in group_inputs(causes):
        what = _INPUT_KINDS.get(found.what, found.what)
        if found.suite is not None:
            what += f" of {formatting.clip(found.suite, 80)}"
        names = ", ".join(_input_name(name, how) for name, how in found.names[:_INPUTS])
        parts.append(f"{what}: {names}{_left(len(found.names), _INPUTS)}" if names else what)
    return "; ".join(parts)


def changed_input(names: PastNames, found: InputGroup) -> ChangedInput:
    """Inputs of one kind that changed. Cases are linked."""
    what, suite = _INPUT_KINDS.get(found.what, found.what), found.suite
    most = _INPUTS
    links: Sequence[Link] = [Link(_input_name(name, how)) for name, how in found.names]
    if found.what == "cases" and suite is not None:
        most = _CASES
        links = [names.case(suite, name, _note(how)) for name, how in found.names]
    place = None if suite is None else names.suite(suite)
    return ChangedInput(what, place, tuple(links[:most]), _left(len(found.names), most))


def _input_name(name: str, how: How) -> str:
    return formatting.clip(name, 80) + _note(how)


def _note(how: How) -> str:
    return "" if how == "changed" else f" {how}"


def _left(number: int, most: int) -> str:
    return f" and {number - most:,} more" if number > most else ""


# ---------------------------------------------------------------- one submission


def row_moves(index: BoardIndex, submission: str) -> tuple[RowMove, ...]:
    """The changes of one submission's results, newest first; none without a history."""
    history = index.board.history
    steps = () if history is None else history.steps.get(submission, ())
    names = PastNames(index)
    moves = []
    for step in reversed(steps):
        move = RowMove(
            dated="" if step.taken else "as of",
            date=step.taken or step.as_of or formatting.NONE,
            page=f"history/index.html#{anchor(step.sequence)}",
            suite=names.suite(step.suite).label,
            said=_said(step),
        )
        moves.append(move)
    return tuple(moves)


def _said(step: Step) -> str:
    """A step in words: "79.2 to 79.4, 3 verdicts changed (cases of bfcl: simple_1)"."""
    if step.how == "added":
        return f"added, at {_score_and_rank(step.new, step.new_rank)}"
    if step.how == "removed":
        return f"removed, at {_score_and_rank(step.old, step.old_rank)}"
    parts = []
    if step.old != step.new:
        parts.append(" to ".join(share_change(step.old, step.new)[:2]))
    if step.flips:
        parts.append(f"{formatting.count(step.flips, 'verdict')} changed")
    if step.old_rank != step.new_rank:
        parts.append(f"rank {_range(step.old_rank)} to {_range(step.new_rank)}")
    why = because(step.causes)
    if not why:
        only_rank = step.old == step.new and not step.flips
        why = "other submissions changed" if only_rank else "no input changed"
    return f"{', '.join(parts)} ({why})"


def _score_and_rank(score: float | None, ranks: Range | None) -> str:
    rank = f", rank {formatting.rank(ranks)}" if ranks else ""
    return formatting.percent(score) + rank
