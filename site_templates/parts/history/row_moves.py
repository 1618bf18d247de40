"""The changes of one submission's results, from snapshot to snapshot."""

from __future__ import annotations

from dataclasses import dataclass

from leaderboard.board.board_changes import Range, Step
from leaderboard.texts.counted_nouns import counted
from site_templates import formatting
from site_templates.board_index import BoardIndex
from site_templates.links import HISTORY_PATH
from site_templates.parts.history.change_words import (
    OTHER_CASES,
    because,
    chapter_anchor,
    rank_change,
    share_change,
)
from site_templates.parts.history.past_names import PastNames, SnapshotDate, snapshot_date


@dataclass(frozen=True, slots=True)
class RowMove:
    """A line of a submission's own history. `page` leads to the changelog."""

    date: SnapshotDate
    page: str
    suite: str
    said: str


def row_moves(index: BoardIndex, submission: str) -> tuple[RowMove, ...]:
    """The changes of one submission's results, newest first; none without a history."""
    history = index.board.history
    steps = () if history is None else history.steps.get(submission, ())
    names = PastNames(index)
    moves = []
    for step in reversed(steps):
        move = RowMove(
            date=snapshot_date(step),
            page=f"{HISTORY_PATH}#{chapter_anchor(step.sequence)}",
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
    if step.recased:
        before, after = formatting.percent(step.old), formatting.percent(step.new)
        parts.append(f"{before} before, {after} now on {OTHER_CASES}")
    elif step.old != step.new:
        parts.append(" to ".join(share_change(step.old, step.new)[:2]))
    if step.flips:
        parts.append(f"{counted(step.flips, 'verdict')} changed")
    if step.old_rank != step.new_rank:
        parts.append(f"rank {rank_change(step.old_rank, step.new_rank)}")
    why = because(step.causes)
    if not why:
        only_rank = step.old == step.new and not step.flips
        why = "other submissions changed" if only_rank else "no input changed"
    return f"{', '.join(parts)} ({why})"


def _score_and_rank(score: float | None, ranks: Range | None) -> str:
    rank = f", rank {formatting.rank(ranks)}" if ranks else ""
    return formatting.percent(score) + rank
