"""An Atom feed of the history, which needs the full address of the site."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from leaderboard.board.board_changes import Change, Era
from leaderboard.texts.short_text import and_more
from site_templates import formatting
from site_templates.board_index import BoardIndex
from site_templates.parts.history.change_words import (
    OTHER_CASES,
    because,
    chapter_anchor,
    chapter_title,
    share_change,
    summary,
    turn,
)
from site_templates.parts.history.past_names import PastNames, snapshot_date, snapshot_path

_ENTRIES: Final = 30  # snapshots in the feed, the newest
_TOLD: Final = 20  # changes that an entry lists
_CASES: Final = 3  # verdicts that turned, of each


@dataclass(frozen=True, slots=True)
class FeedEntry:
    """A snapshot in the feed. `id` is the address of its ranking, with its number."""

    id: str
    link: str
    title: str
    updated: str
    content: str


@dataclass(frozen=True, slots=True)
class Feed:
    """Model of feed.xml. Dates are the recorded days of the snapshots; no clock is used.

    If a day is not recorded, the date of the newest submission is used.
    """

    id: str
    link: str
    title: str
    updated: str
    entries: tuple[FeedEntry, ...]


def feed(index: BoardIndex, base: str) -> Feed:
    """The feed of a board whose site is at `base` (with a slash at its end)."""
    history = index.board.history
    eras = [era for era in (history.eras if history else ()) if era.sequence is not None]
    metric = PastNames(index).metric
    entries = tuple(_entry(metric, era, base) for era in reversed(eras[-_ENTRIES:]))
    return Feed(
        id=f"{base}history/",
        link=f"{base}feed.xml",
        title=formatting.xml(f"{index.board.title}: history"),
        updated=max((entry.updated for entry in entries), default=_moment(None)),
        entries=entries,
    )


def _entry(metric: Callable[[str], str], era: Era, base: str) -> FeedEntry:
    sentence = summary(era, metric)
    page = f"{base}{snapshot_path(era.state).removesuffix('index.html')}"
    return FeedEntry(
        id=f"{page}#{era.sequence}",
        link=f"{base}history/#{chapter_anchor(era.sequence)}",
        title=formatting.xml(chapter_title(era)),
        updated=_moment(snapshot_date(era).day),
        content=formatting.xml(" ".join([sentence, *_changes(era, metric)])),
    )


def _changes(era: Era, metric: Callable[[str], str]) -> Iterator[str]:
    """The changes of a snapshot, a sentence each. Scores are those of the ranked metric."""
    moved = era.difference
    if moved is None:
        return
    for entry in moved.added[:_TOLD]:
        yield f"Added: {entry.submission} on {entry.suite}."
    for entry in moved.removed[:_TOLD]:
        yield f"Removed: {entry.submission} on {entry.suite}."
    for change in moved.changed[:_TOLD]:
        recased = change.suite in moved.recased
        yield _change(change, metric(change.suite), recased=recased)


def _change(change: Change, metric: str, *, recased: bool) -> str:
    move = change.move(metric)
    by = ""
    if move is not None and move.by is not None:
        by = f" by {share_change(move.old, move.new)[2]} points"
    if recased:
        by = f", {OTHER_CASES}"
    why = because(change.causes) or "no input changed"
    flips = [flip for flip in change.flips if flip.metric == metric]
    turned = ", ".join(f"{flip.case_id} {turn(flip)}" for flip in flips[:_CASES])
    more = and_more(len(flips) - _CASES)
    return f"{change.submission} on {change.suite} moved{by} ({why})" + (
        f": {turned}{more}." if turned else "."
    )


def _moment(day: str | None) -> str:
    return f"{day or '1970-01-01'}T00:00:00Z"
