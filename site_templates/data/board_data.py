"""The tables of the whole board as JSON, CSV and Parquet, its manifest and its citation."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Final

from leaderboard.board.manifest_shape import Manifest
from site_templates.board import Board
from site_templates.data.download_formats import SCHEMA, encode, in_order, table_files, written
from site_templates.links import MANIFEST_PATH

CITATION: Final = "CITATION.cff"


def _manifest(value: Manifest) -> bytes:
    """The manifest as its file holds it: indented, keys in order."""
    return (json.dumps(value, indent=2, sort_keys=True, ensure_ascii=False) + "\n").encode()


def tables(board: Board) -> Iterator[tuple[str, bytes]]:
    """Path and bytes of the tables of the whole board, its manifest and its citation."""
    for name, frame in (("scores", board.results.scores), ("usage", board.results.usage)):
        rows = in_order(frame)
        file = {"schema": SCHEMA, name: rows.to_dicts()}
        yield from table_files(f"data/{name}.json", file, rows)
    ranks = in_order(board.results.ranks).to_dicts()
    yield "data/ranks.json", encode({"schema": SCHEMA, "ranks": ranks})
    yield from written("data/verdicts", in_order(board.results.verdicts), csv=not board.is_large)
    yield MANIFEST_PATH, _manifest(board.results.manifest)
    if board.citation is not None:
        yield CITATION, board.citation
