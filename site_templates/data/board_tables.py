"""The tables of the whole board as JSON, CSV and Parquet, its manifest and its citation."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Final

import polars as pl

from leaderboard.board.manifest_shape import Manifest
from leaderboard.types import Submission
from site_templates.board import Board
from site_templates.data.data_fields import SUBMISSIONS
from site_templates.data.download_formats import SCHEMA, encode, in_order, table_files, written
from site_templates.links import MANIFEST_PATH

CITATION: Final = "CITATION.cff"


def _manifest(value: Manifest) -> bytes:
    """The manifest as its file holds it: indented, keys in order."""
    return (json.dumps(value, indent=2, sort_keys=True, ensure_ascii=False) + "\n").encode()


def _cards(submissions: Iterable[Submission]) -> pl.DataFrame:
    """The table SUBMISSIONS."""
    rows = []
    for one in submissions:
        card, price = one.card, one.card.price
        prices = (price.input, price.output) if price else (None, None)
        who = (card.name, card.kind, card.organization, card.model, card.date)
        more = (card.framework, card.url, card.parameters, card.license, card.open_weights)
        rows.append((one.id, *who, *more, *prices))
    return pl.DataFrame(rows, SUBMISSIONS, orient="row")


def tables(board: Board) -> Iterator[tuple[str, bytes]]:
    """Path and bytes of the tables of the whole board, its manifest and its citation."""
    results = board.results
    frames = {
        "submissions": _cards(board.submissions),
        "scores": results.scores,
        "usage": results.usage,
    }
    for name, frame in frames.items():
        rows = in_order(frame)
        file = {"schema": SCHEMA, name: rows.to_dicts()}
        yield from table_files(f"data/{name}.json", file, rows)
    ranks = in_order(results.ranks).to_dicts()
    yield "data/ranks.json", encode({"schema": SCHEMA, "ranks": ranks})
    yield from written("data/verdicts", in_order(results.verdicts), csv=not board.is_large)
    yield MANIFEST_PATH, _manifest(results.manifest)
    if board.citation is not None:
        yield CITATION, board.citation
