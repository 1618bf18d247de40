"""The states of a board's history in words, for its page, the feed and the submissions' pages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from leaderboard.board.board_changes import Era, Range, VerdictFlip
from site_templates import formatting
from site_templates.indexed_rows import WHOLE
from site_templates.parts.change_words import share_change
from site_templates.parts.snapshots import snapshot_title

OTHER_CASES: Final = "different cases: not comparable"


def chapter_anchor(sequence: int | None) -> str:
    """The id of a state's chapter in the changelog."""
    return "now" if sequence is None else f"snapshot-{sequence}"


def chapter_title(era: Era) -> str:
    """The title of a state's chapter."""
    if era.sequence is None:
        return "Since the last snapshot"
    return snapshot_title(era.label, era.sequence)


def summary(era: Era, metric: Callable[[str], str]) -> str:
    """What changed, in one sentence. `metric` gives the ranked metric of a suite."""
    difference = era.difference
    if difference is None:
        return "The first snapshot."
    if difference.nothing:
        return "No score, verdict or rank changed."
    ranks = sum(move.category == WHOLE for move in difference.ranks)
    moves = [change.move(metric(change.suite)) for change in difference.changed]
    scores = sum(move is not None and move.old != move.new for move in moves)
    counts = (
        (len(difference.added), "result", "added"),
        (len(difference.removed), "result", "removed"),
        (scores, "score", "changed"),
        (ranks, "rank", "changed"),
    )
    parts = [f"{formatting.count(number, noun)} {verb}" for number, noun, verb in counts if number]
    if parts:
        return f"{formatting.listed(parts)}."
    if difference.changed:
        results = formatting.count(len(difference.changed), "result")
        return f"No score changed. Verdicts or other metrics of {results} did."
    return "Ranks in categories changed."


def turn(flip: VerdictFlip) -> str:
    """The old and new outcome of a verdict, or its scores if the outcome is the same."""
    if flip.old != flip.new:
        return f"{flip.old} to {flip.new}"
    before, after, _ = share_change(flip.old_score, flip.new_score)
    return f"{flip.old}, {before} to {after}"


def rank_change(old: Range | None, new: Range | None) -> str:
    """Two ranges of ranks: "2 to 1–2"."""
    before, after = (formatting.rank(ranks) or formatting.NONE for ranks in (old, new))
    return f"{before} to {after}"
