"""The states of a board's history in words, for its page, the feed and the submissions' pages."""

from __future__ import annotations

from leaderboard.board.board_changes import Era, Range, VerdictFlip
from site_templates import formatting
from site_templates.indexed_rows import WHOLE
from site_templates.parts.change_words import share_change
from site_templates.parts.snapshots import snapshot_title


def chapter_anchor(sequence: int | None) -> str:
    """The id of a state's chapter in the changelog."""
    return "now" if sequence is None else f"snapshot-{sequence}"


def chapter_title(era: Era) -> str:
    """The title of a state's chapter."""
    if era.sequence is None:
        return "Since the last snapshot"
    return snapshot_title(era.label, era.sequence)


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
