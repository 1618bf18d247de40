"""The links in the footer to downloads: what a page shows, and the tables of the whole board."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from site_templates.board_index import BoardIndex
from site_templates.data import croissant, schema_files
from site_templates.data.download_formats import links, stem_of
from site_templates.data.judge_data import judge_tables
from site_templates.links import Link
from site_templates.parts.pairs.pair_pages import comparable
from site_templates.parts.rankings.ranking_table import ranked_suites

# The second page of a long ranking and those that follow.
_RANKING: Final = re.compile(r"(|.*/)ranking/\d+\.html")

# Tables by title, each with links to its files.
Downloads = tuple[tuple[str, tuple[Link, ...]], ...]


@dataclass(frozen=True, slots=True)
class PageDownloads:
    """The downloads of a page: its JSON, if it has one, and tables by title."""

    json: str | None
    tables: Downloads = ()


def board_downloads(index: BoardIndex) -> Downloads:
    """The downloads of every page: the tables of the whole board, and what describes them."""
    verdicts = ("Parquet",) if index.board.is_large else ("CSV", "Parquet")
    downloads = [
        ("scores", links("data/scores", "JSON", "CSV", "Parquet")),
        ("verdicts", links("data/verdicts", *verdicts)),
        ("cases", links("data/cases", "Parquet")),
        ("responses", links("data/responses", "Parquet")),
        ("usage", links("data/usage", "JSON", "CSV", "Parquet")),
        ("manifest", links("data/manifest", "JSON")),
    ]
    if not index.board.results.health.is_empty():
        downloads.append(("case health", links("data/health", "JSON", "CSV", "Parquet")))
    downloads.append(("schemas", (Link("JSON Schema", schema_files.INDEX),)))
    downloads.append(("description", (Link("Croissant", croissant.PATH),)))
    return tuple(downloads)


def download_links(index: BoardIndex) -> dict[str, PageDownloads]:
    """The downloads of each page that shows tables, by the page's path."""
    paths, board = index.paths, index.board
    by_path = {"suites/index.html": _table("These suites", "data/suites.json")}
    if len(ranked_suites(index)) > 1:
        by_path["all/index.html"] = _table("This ranking", "data/all.json")
    for suite in board.suites:
        by_path[paths.suite(suite.id)] = _table("Scores", paths.suite_data(suite.id))
        for category in suite.categories:
            data = paths.category_data(suite.id, category.id)
            by_path[paths.category(suite.id, category.id)] = _table("Scores", data)
    by_path["index.html"] = by_path[paths.suite(board.ranked)]
    if comparable(index):
        by_path["compare/index.html"] = _table("These pairs", "data/compare.json")
    if not board.results.health.is_empty():
        by_path["health/index.html"] = _table("Every case", "data/health.json")
        # A suite that only baselines have taken has no such page: its entry is never looked up.
        for suite in board.suites:
            by_path[paths.health(suite.id)] = _table("Every case", paths.health_data(suite.id))
    if board.judges:
        names = judge_tables(index)
        tables = tuple((name.title(), _links(f"data/judges/{name}")) for name in names)
        by_path["judges/index.html"] = PageDownloads("data/judges.json", tables)
        for judge in board.judges:
            all_judges = ("All judges", links("data/judges", "JSON"))
            by_path[paths.judge(judge.name)] = PageDownloads(None, (all_judges, *tables))
    return by_path


def downloads_of(
    downloads: Mapping[str, PageDownloads], path: str, json: str | None
) -> PageDownloads:
    """The downloads of the page at `path`, whose own JSON is `json` if it is not in `downloads`.

    The further pages of a long ranking have the downloads of the first.
    """
    if path in downloads:
        return downloads[path]
    further = _RANKING.fullmatch(path) if json is None else None
    first = downloads.get(f"{further[1]}index.html") if further else None
    if first is None:
        return PageDownloads(json)
    of_first = (Link("JSON", first.json),) if first.json else ()
    tables = ((f"{title} of all rows", (*of_first, *files)) for title, files in first.tables)
    return PageDownloads(None, tuple(tables))


def _links(stem: str) -> tuple[Link, ...]:
    return links(stem, "CSV", "Parquet")


def _table(title: str, json: str) -> PageDownloads:
    """A JSON file with a table of the same name beside it."""
    return PageDownloads(json, ((title, _links(stem_of(json))),))
