"""The rankings of a board, the long ones in pages."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from site_templates.board_index import BoardIndex
from site_templates.links import Link
from site_templates.parts.rankings.overall_ranking import all_suites
from site_templates.parts.rankings.ranking_table import Ranking, ranked_suites, ranking

MOST_ROWS: Final = 100  # of a ranking on one page: a page with more would react too late
PAGE_ROWS: Final = 50  # of each page of a longer ranking


def rankings(index: BoardIndex) -> dict[str, Ranking]:
    """Every ranking by its place: "" for the first page, "all/", and the folder of each suite."""
    board = index.board
    ranked = board.suite_of(board.ranked)
    tables = [ranking(index, ranked, first_page=True)]
    tables += [ranking(index, suite) for suite in board.suites]
    if len(ranked_suites(index)) > 1:
        tables.append(all_suites(index))
    return {table.subject.place: table for table in tables}


def in_pages(table: Ranking) -> tuple[Ranking, ...]:
    """A ranking, cut into pages if it is long. Only the first has the baselines."""
    entries = [*((row, True) for row in table.rows), *((row, False) for row in table.unranked)]
    if len(entries) <= MOST_ROWS:
        return (table,)
    starts = range(0, len(entries), PAGE_ROWS)
    links = []
    for number, start in enumerate(starts, 1):
        end = min(start + PAGE_ROWS, len(entries))
        links.append(Link(f"{start + 1:,}–{end:,}", page_path(table.subject.place, number)))

    pages = []
    for number, start in enumerate(starts, 1):
        part = entries[start : start + PAGE_ROWS]
        page = replace(
            table,
            rows=tuple(row for row, ranked in part if ranked),
            unranked=tuple(row for row, ranked in part if not ranked),
            baselines=table.baselines if number == 1 else (),
            page=number,
            pages=tuple(links),
            rows_path=rows_path(table.subject.place),
        )
        pages.append(page)
    return tuple(pages)


def page_path(place: str, number: int) -> str:
    """The path of a page of a ranking. The first is the page that the ranking belongs to."""
    return f"{place}index.html" if number == 1 else f"{place}ranking/{number}.html"


def rows_path(place: str) -> str:
    """The path of all rows of a ranking as data."""
    return f"data/rankings/{place.replace('/', '-')}rows.js"
