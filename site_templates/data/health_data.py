"""The data of the pages on case health: the table HEALTH, whole and by suite."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from leaderboard.types import Json
from site_templates.board_index import BoardIndex
from site_templates.data.encoders import SCHEMA, encode, written
from site_templates.parts.health_rows import CaseHealth, entrants, rows_of_health


def health_files(index: BoardIndex) -> Iterator[tuple[str, bytes]]:
    """Path and bytes of the table of all cases, and of the tables beside each suite's page."""
    if index.board.results.health.is_empty():
        return
    rows = rows_of_health(index)
    ordered = [row for suite in index.board.suites for row in rows[suite.id]]
    schema = index.board.results.health.select(CaseHealth._fields).schema
    table = pl.DataFrame(ordered, schema=schema, orient="row")
    yield "data/health.json", encode({"schema": SCHEMA, "cases": table.to_dicts()})
    yield from written("data/health", table)
    for suite in index.board.suites:
        if entrants(rows[suite.id]):
            cases: list[Json] = [row._asdict() for row in rows[suite.id]]
            path = index.paths.health_data(suite.id)
            yield path, encode({"schema": SCHEMA, "suite": suite.id, "cases": cases})
            yield from written(path.removesuffix(".json"), table.filter(suite=suite.id))
