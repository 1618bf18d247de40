"""The links in the footer of every page to downloads: the tables of the whole board."""

from __future__ import annotations

from site_templates.board_index import BoardIndex
from site_templates.data import schema_files
from site_templates.data.download_formats import Downloads, links
from site_templates.links import CROISSANT_PATH, Link


def board_downloads(index: BoardIndex) -> Downloads:
    """The downloads of every page: the tables of the whole board, and what describes them."""
    verdicts = ("Parquet",) if index.board.is_large else ("CSV", "Parquet")
    downloads = [
        ("submissions", links("data/submissions", "JSON", "CSV", "Parquet")),
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
    downloads.append(("description", (Link("Croissant", CROISSANT_PATH),)))
    return tuple(downloads)
