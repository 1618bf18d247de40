"""The tables of the whole board as JSON, CSV and Parquet, its manifest and its citation."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from site_templates.board import Board
from site_templates.data.encoders import SCHEMA, encode, in_order, links, written
from site_templates.links import Link

CITATION: Final = "CITATION.cff"


def downloads(board: Board) -> tuple[tuple[str, tuple[Link, ...]], ...]:
    """The tables of the whole board by title, with links to their files."""
    verdicts = ("Parquet",) if board.is_large else ("CSV", "Parquet")
    return (
        ("scores", links("data/scores", "JSON", "CSV", "Parquet")),
        ("verdicts", links("data/verdicts", *verdicts)),
        ("cases", links("data/cases", "Parquet")),
        ("responses", links("data/responses", "Parquet")),
        ("usage", links("data/usage", "JSON", "CSV", "Parquet")),
        ("manifest", links("data/manifest", "JSON")),
    )


def manifest(value: Mapping[str, Any]) -> bytes:
    """The manifest as its file holds it: indented, keys in order."""
    return (json.dumps(value, indent=2, sort_keys=True, ensure_ascii=False) + "\n").encode()


def tables(board: Board) -> Iterator[tuple[str, bytes]]:
    """Path and bytes of the tables of the whole board, its manifest and its citation."""
    for name, frame in (("scores", board.results.scores), ("usage", board.results.usage)):
        rows = in_order(frame)
        yield f"data/{name}.json", encode({"schema": SCHEMA, name: rows.to_dicts()})
        yield from written(f"data/{name}", rows)
    ranks = in_order(board.results.ranks).to_dicts()
    yield "data/ranks.json", encode({"schema": SCHEMA, "ranks": ranks})
    yield from written("data/verdicts", in_order(board.results.verdicts), csv=not board.is_large)
    yield "data/manifest.json", manifest(board.results.manifest)
    if board.citation is not None:
        yield CITATION, board.citation
