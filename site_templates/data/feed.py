"""An Atom feed of the history, and a sitemap for search engines. Both need the full address."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final
from xml.sax.saxutils import escape

from leaderboard.board.board_changes import Change, Era
from site_templates import formatting
from site_templates.board_index import BoardIndex
from site_templates.pages import history_page
from site_templates.parts import snapshots as past_names
from site_templates.parts.change_words import share_change

_ENTRIES: Final = 30  # snapshots in the feed, the newest
_TOLD: Final = 20  # changes that an entry tells
_CASES: Final = 3  # verdicts that turned, of each
MOST: Final = 50_000  # addresses of one map (sitemaps.org)


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
    """The feed of a board whose site stands at `base` (with a slash at its end)."""
    found = index.board.history
    eras = [era for era in (found.eras if found else ()) if era.sequence is not None]
    entries = tuple(_entry(era, base) for era in reversed(eras[-_ENTRIES:]))
    return Feed(
        id=f"{base}history/",
        link=f"{base}feed.xml",
        title=formatting.xml(f"{index.board.title}: history"),
        updated=max((entry.updated for entry in entries), default=_moment(None)),
        entries=entries,
    )


def _entry(era: Era, base: str) -> FeedEntry:
    page = f"{base}{past_names.snapshot_path(era.state).removesuffix('index.html')}"
    return FeedEntry(
        id=f"{page}#{era.sequence}",
        link=f"{base}history/#{history_page.anchor(era.sequence)}",
        title=formatting.xml(history_page.title(era)),
        updated=_moment(era.taken or era.as_of),
        content=formatting.xml(" ".join([history_page.summary(era), *_changes(era)])),
    )


def _changes(era: Era) -> Iterator[str]:
    """The changes of a snapshot, a sentence each."""
    moved = era.difference
    if moved is None:
        return
    for entry in moved.added[:_TOLD]:
        yield f"Added: {entry.submission} on {entry.suite}."
    for entry in moved.removed[:_TOLD]:
        yield f"Removed: {entry.submission} on {entry.suite}."
    for change in moved.changed[:_TOLD]:
        yield _change(change)


def _change(change: Change) -> str:
    move = next(
        (move for move in change.moves if move.category == "*" and move.by is not None), None
    )
    by = f" by {share_change(move.old, move.new)[2]} points" if move is not None else ""
    why = history_page.because(change.causes) or "no input changed"
    turned = ", ".join(
        f"{flip.case_id} {history_page.turn(flip)}" for flip in change.flips[:_CASES]
    )
    more = f" and {len(change.flips) - _CASES:,} more" if len(change.flips) > _CASES else ""
    return f"{change.submission} on {change.suite} moved{by} ({why})" + (
        f": {turned}{more}." if turned else "."
    )


def _moment(day: str | None) -> str:
    return f"{day or '1970-01-01'}T00:00:00Z"


def sitemap(base: str, pages: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    """Path and bytes of the map of these pages; beyond 50,000 of them an index of several maps."""
    addresses = [f"{base}{path.removesuffix('index.html')}" for path in sorted(pages)]
    parts = [addresses[start : start + MOST] for start in range(0, len(addresses), MOST)]
    if len(parts) == 1:
        yield "sitemap.xml", _map("urlset", "url", parts[0])
        return
    for number, part in enumerate(parts, 1):
        yield f"sitemap-{number}.xml", _map("urlset", "url", part)
    yield (
        "sitemap.xml",
        _map(
            "sitemapindex",
            "sitemap",
            [f"{base}sitemap-{number}.xml" for number in range(1, len(parts) + 1)],
        ),
    )


def _map(root: str, item: str, addresses: Sequence[str]) -> bytes:
    lines = "".join(f"<{item}><loc>{escape(address)}</loc></{item}>\n" for address in addresses)
    space = "http://www.sitemaps.org/schemas/sitemap/0.9"
    head = f'<?xml version="1.0" encoding="UTF-8"?>\n<{root} xmlns="{space}">'
    return f"{head}\n{lines}</{root}>\n".encode()
