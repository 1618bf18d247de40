"""The page of one snapshot: the rankings as they were, with names that the board may have lost."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import polars as pl

from leaderboard.board.board_changes import Range
from leaderboard.board.board_state import State
from leaderboard.ids import WHOLE
from site_templates import formatting
from site_templates.board_index import BoardIndex
from site_templates.links import HISTORY_PATH, Link
from site_templates.page_head import Head, page_head
from site_templates.parts.history.past_names import (
    PastNames,
    SnapshotDate,
    snapshot_date,
    snapshot_path,
    snapshot_title,
)


@dataclass(frozen=True, slots=True)
class OldRow:
    """A submission in an old ranking. `categories` are its scores."""

    rank: str
    who: Link
    score: str
    bounds: str
    scored: str
    categories: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OldRanking:
    """An old ranking of a suite, with the categories of that time."""

    suite: Link
    metric: str
    categories: tuple[str, ...]
    rows: tuple[OldRow, ...]


@dataclass(frozen=True, slots=True)
class SnapshotPage:
    """Model of history/<snapshot>/index.html."""

    head: Head
    title: str
    date: SnapshotDate
    state: State
    rankings: tuple[OldRanking, ...]
    changelog: str


def snapshot_page(index: BoardIndex, names: PastNames, state: State) -> SnapshotPage:
    """The page of one snapshot."""
    title = snapshot_title(state.label, state.sequence)
    date = snapshot_date(state)
    return SnapshotPage(
        head=page_head(
            index,
            snapshot_path(state.name),
            f"{title}, {state.name}",
            f"The board as it was {date.said}.",
            section="History",
            crumbs=[Link("History", HISTORY_PATH), Link(title)],
            json=f"data/history/{state.name}.json",
        ),
        title=title,
        date=date,
        state=state,
        rankings=tuple(_rankings(index, names, state)),
        changelog=f"{HISTORY_PATH}#snapshot-{state.sequence}",
    )


def _rankings(index: BoardIndex, names: PastNames, state: State) -> Iterator[OldRanking]:
    """The old rankings, in the order of the current suites."""
    suites = state.scores["suite"].unique()
    for suite in _in_order(suites, [suite.id for suite in index.board.suites]):
        metric = state.metrics.get(suite, names.metric(suite))
        scores = state.scores.filter(suite=suite, metric=metric)
        categories = _old_categories(index, suite, scores)
        rows = tuple(_rows(names, state, suite, scores, categories))
        labels = tuple(names.category(suite, category) for category in categories)
        yield OldRanking(names.suite(suite), metric, labels, rows)


def _rows(
    names: PastNames, state: State, suite: str, scores: pl.DataFrame, categories: list[str]
) -> Iterator[OldRow]:
    """Submissions with a rank first, by score. Rows without a rank follow."""
    whole = {row["submission"]: row for row in scores.filter(category=WHOLE).iter_rows(named=True)}
    columns = ("submission", "category", "score")
    cells = {(row[0], row[1]): row[2] for row in scores.select(columns).iter_rows()}
    ranked = state.ranks.filter(suite=suite, category=WHOLE).drop_nulls("rank_low")
    ranks: dict[str, Range] = {}
    for name, low, high in ranked.select("submission", "rank_low", "rank_high").iter_rows():
        ranks[name] = (low, high)

    def place(name: str) -> tuple[bool, float, str]:
        return (name not in ranks, -(whole[name]["score"] or 0.0), name)

    for name in sorted(whole, key=place):
        row = whole[name]
        yield OldRow(
            rank=formatting.rank(ranks.get(name)) or formatting.NONE,
            who=names.submission(name),
            score=formatting.percent(row["score"]),
            bounds=formatting.bounds(row["low"], row["high"]),
            scored=f"{row['scored']:,}",
            categories=tuple(formatting.percent(cells.get((name, one))) for one in categories),
        )


def _old_categories(index: BoardIndex, suite: str, scores: pl.DataFrame) -> list[str]:
    """The categories of an old ranking, in the order of the current ones."""
    current = index.board.suite(suite)
    categories = scores.filter(pl.col("category") != WHOLE)["category"].unique()
    order = [category.id for category in current.categories] if current else []
    return _in_order(categories, order)


def _in_order(names: Iterable[str], current: Sequence[str]) -> list[str]:
    """The names that the board still has, in its order, then others by name."""
    order = {name: place for place, name in enumerate(current)}
    return sorted(names, key=lambda name: (order.get(name, len(order)), name))
