"""The second page of a long ranking, and those after it."""

from __future__ import annotations

from dataclasses import dataclass

from site_templates import formatting
from site_templates.board_index import BoardIndex
from site_templates.links import Link
from site_templates.page_head import Head, page_head
from site_templates.parts.named_links import SUITES
from site_templates.parts.rankings.paging import page_path
from site_templates.parts.rankings.ranking_table import Ranking


@dataclass(frozen=True, slots=True)
class RankingPage:
    """Model of the second page of a long ranking, and of those after it."""

    head: Head
    title: str
    ranking: Ranking


def ranking_page(index: BoardIndex, table: Ranking) -> RankingPage:
    """A page of a long ranking."""
    rows = f"rows {table.pages[table.page - 1].label}"
    title = formatting.capitalised(table.subject.title)
    name = "Board" if table.subject.first_page else formatting.clip(title, 80)
    whole = Link("JSON", table.subject.data)
    of_suite = table.subject.place.startswith("suites/")
    first_page = Link(title, page_path(table.subject.place, 1))
    above = (SUITES, first_page) if of_suite else (first_page,)
    head = page_head(
        index,
        page_path(table.subject.place, table.page),
        f"{name}, {rows}",
        f"{rows.capitalize()} of the ranking on {table.subject.title}.",
        section="Suites" if of_suite else "Board",
        crumbs=[*above, Link(rows)],
        tables=tuple(
            (f"{what} of all rows", (whole, *files)) for what, files in table.subject.tables
        ),
        flags=table.subject.flags,
        has_axis=True,
    )
    return RankingPage(head, f"{title}, {rows}", table)
