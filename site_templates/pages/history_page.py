"""The board's history: what changed from snapshot to snapshot, and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from leaderboard.board.board_changes import (
    BoardEntry,
    Change,
    Difference,
    Era,
    History,
    RankMove,
)
from leaderboard.board.causes_of_change import group_inputs
from leaderboard.ids import WHOLE
from leaderboard.texts.counted_nouns import counted
from site_templates import formatting
from site_templates.board_index import BoardIndex
from site_templates.figures.history_chart import ScoreLines, score_lines
from site_templates.links import HISTORY_PATH, Link
from site_templates.page_head import Head, page_head
from site_templates.parts.history.change_words import (
    ChangedInput,
    because,
    changed_input,
    chapter_anchor,
    chapter_title,
    rank_change,
    share_change,
    summary,
    turn,
)
from site_templates.parts.history.past_names import (
    PastNames,
    SnapshotDate,
    snapshot_date,
    snapshot_path,
)

_ROWS: Final = 60  # changes of one kind in the chapter of a snapshot
_VERDICTS: Final = 20  # changed verdicts of a row that are linked, if there is room
_FEWEST: Final = 3  # changed verdicts of a row that are linked in any case
_ROOM: Final = 240  # changed verdicts of all rows of a chapter


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
class Chapter:
    """One state in the changelog. `page` is its snapshot, None for the current board."""

    era: Era
    date: SnapshotDate
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
    """Model of history/index.html, the newest state first."""

    head: Head
    lines: tuple[ScoreLines, ...]
    chapters: tuple[Chapter, ...]


def history_page(index: BoardIndex, history: History, names: PastNames) -> HistoryPage:
    """The page of the history."""
    return HistoryPage(
        head=page_head(
            index,
            HISTORY_PATH,
            "History",
            "What changed on this board from snapshot to snapshot, and why.",
            section="History",
            crumbs=[Link("History")],
        ),
        lines=score_lines(index, names),
        chapters=tuple(_chapter(names, era) for era in reversed(history.eras)),
    )


# ---------------------------------------------------------------- the changelog


def _chapter(names: PastNames, era: Era) -> Chapter:
    difference = era.difference or Difference(era.state, era.state, (), (), (), (), ())
    metric = names.metric
    ranks = [move for move in difference.ranks if move.category == WHOLE]
    changed = difference.changed[:_ROWS]
    each = min(_VERDICTS, max(_FEWEST, _ROOM // max(1, len(changed))))
    lists = (difference.added, difference.removed, difference.changed, ranks)
    left = sum(max(len(rows) - _ROWS, 0) for rows in lists)
    return Chapter(
        era=era,
        date=snapshot_date(era),
        anchor=chapter_anchor(era.sequence),
        title=chapter_title(era),
        page=None if era.sequence is None else snapshot_path(era.state),
        summary=summary(era, metric),
        inputs=tuple(changed_input(names, group) for group in group_inputs(difference.inputs)),
        added=tuple(_entry(names, metric(e.suite), e) for e in difference.added[:_ROWS]),
        removed=tuple(_entry(names, metric(e.suite), e) for e in difference.removed[:_ROWS]),
        changed=tuple(
            score_change(names, metric(c.suite), c, each, recased=c.suite in difference.recased)
            for c in changed
        ),
        ranks=tuple(_rank_change(names, move) for move in ranks[:_ROWS]),
        more=f"{counted(left, 'more change')} in the data." if left else "",
    )


def _entry(names: PastNames, metric: str, entry: BoardEntry) -> HistoryLine:
    score = formatting.percent(entry.scores.get(metric))
    return HistoryLine(names.submission(entry.submission), names.suite(entry.suite), score)


def _rank_change(names: PastNames, move: RankMove) -> HistoryLine:
    ranks = rank_change(move.old, move.new)
    return HistoryLine(names.submission(move.submission), names.suite(move.suite), ranks)


def score_change(
    names: PastNames,
    metric: str,
    change: Change,
    most: int,
    *,
    recased: bool,
) -> ScoreChange:
    """The change of one submission on a suite ranked by `metric`, with `most` verdicts.

    `recased`: the suite gained or lost cases, so there is no difference of scores.
    """
    move = change.move(metric)
    if move is None:
        old, new, by = formatting.NONE, formatting.NONE, ""
    else:
        old, new, by = share_change(move.old, move.new, recased=recased)
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
        more=f"and {len(flips) - most:,} more" if len(flips) > most else "",
        cause=because(change.causes) or "no input changed: a rule did, without a new version",
        alarm=not change.causes,
    )


def _counts(change: Change, flips: int) -> str:
    """How many verdicts changed. `flips` counts those of the ranked metric."""
    parts = [f"{counted(flips, 'verdict')} changed"] if flips else []
    counts = (
        (len(change.flips) - flips, "changed by another metric"),
        (change.added, "added"),
        (change.removed, "removed"),
        (change.reworded, "changed reason only"),
    )
    parts += [f"{number:,} {words}" for number, words in counts if number]
    return "; ".join(parts)
