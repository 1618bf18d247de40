"""The rankings of a board, long ones in pages, and all of their rows as data for the script."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from leaderboard.types import Json
from site_templates import formatting, page_frame
from site_templates.board_index import Register
from site_templates.links import Link
from site_templates.pages.overall_page import all_suites
from site_templates.parts.ranking_table import Ranking, Row, ranked_suites, ranking

_PAGE: Final = 200  # rows


@dataclass(frozen=True, slots=True)
class RankingPage:
    """Model of the second page and those that follow of a long ranking."""

    head: page_frame.Head
    title: str
    ranking: Ranking


def rankings(register: Register) -> dict[str, Ranking]:
    """Every ranking of a board by its place: "" for the first page, the folders of the suites, "all/" for all together."""
    board = register.board
    tables = [
        ranking(register, suite, first_page=True)
        for suite in board.suites
        if suite.id == board.ranked
    ]
    tables += [ranking(register, suite) for suite in board.suites]
    tables += [all_suites(register)] if len(ranked_suites(register)) > 1 else []
    return {table.place: table for table in tables}


def ranking_page(register: Register, table: Ranking) -> RankingPage:
    """A page of a long ranking."""
    part = table.pages[table.page - 1].label
    title = f"{table.title[:1].upper()}{table.title[1:]}"
    head = page_frame.Head(
        path=page_path(table.place, table.page),
        title=f"{'Board' if table.first_page else formatting.clip(title, 80)}, rows {part}: {register.board.title}",
        description=f"Rows {part} of the ranking on {table.title}.",
        section="Suites" if table.place.startswith("suites/") else "Board",
        crumbs=(
            Link("Board", "index.html"),
            Link(title, page_path(table.place, 1)),
            Link(f"rows {part}"),
        ),
        flags=table.flags,
        has_axis=True,
    )
    return RankingPage(head, f"{title}, rows {part}", table)


def shards(register: Register) -> Iterator[tuple[str, bytes]]:
    """Path and bytes of the rows of every ranking that has more than one page, as a call that the script answers."""
    if len(register.submissions) > _PAGE:
        for table in rankings(register).values():
            if table.entries > _PAGE:
                rows = json.dumps(shard(table), separators=(",", ":"), allow_nan=False)
                yield shard_path(table.place), f"toolboardRows({rows});\n".encode()


def in_pages(table: Ranking) -> tuple[Ranking, ...]:
    """A ranking cut into pages of 200 rows; the first one also has the baselines and the smallest gap."""
    entries = [*((row, True) for row in table.rows), *((row, False) for row in table.incomplete)]
    if len(entries) <= _PAGE:
        return (table,)
    starts = range(0, len(entries), _PAGE)
    pages = tuple(
        Link(f"{start + 1:,}–{min(start + _PAGE, len(entries)):,}", page_path(table.place, number))
        for number, start in enumerate(starts, 1)
    )
    return tuple(
        replace(
            table,
            rows=tuple(row for row, complete in entries[start : start + _PAGE] if complete),
            incomplete=tuple(
                row for row, complete in entries[start : start + _PAGE] if not complete
            ),
            baselines=table.baselines if not start else (),
            gap=table.gap if not start else None,
            page=number,
            pages=pages,
            shard=shard_path(table.place),
        )
        for number, start in enumerate(starts, 1)
    )


def page_path(place: str, number: int) -> str:
    """Where a page of a ranking stands; the first one is the page that the ranking belongs to."""
    return f"{place}index.html" if number == 1 else f"{place}ranking/{number}.html"


def shard_path(place: str) -> str:
    """Where all rows of a ranking stand as data."""
    return f"data/rankings/{place.replace('/', '-')}rows.js"


def shard(table: Ranking) -> Json:
    """All rows of a ranking as data, in the order of its columns, for the script to make rows of: see toolboard.js."""
    return [_packed(table, row, complete=True) for row in table.rows] + [
        _packed(table, row, complete=False) for row in table.incomplete
    ]


def _packed(table: Ranking, row: Row, *, complete: bool) -> Json:
    mark = row.interval
    plain = [row.judged]
    plain += [row.cost] if table.has_cost else []
    plain += [row.latency] if table.has_latency else []
    plain += [row.date] if table.has_date else []
    return [
        int(complete),
        [row.name.kind, row.name.weights, row.name.framework, int(row.part)],
        row.rank,
        [
            row.name.path,
            formatting.visible(row.name.label),
            [formatting.visible(note) for note in row.name.notes],
        ],
        [row.score, row.bounds, row.remark],
        [mark.low, mark.high, mark.at] if mark else 0,
        [
            [cell.text, cell.path or "", int(cell.best), cell.missing, cell.value]
            for cell in (*row.categories, *row.suites)
        ],
        plain,
    ]
