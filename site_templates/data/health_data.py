"""The data of the pages on case health: the table HEALTH, whole and by suite."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from site_templates.board_index import BoardIndex
from site_templates.data.download_formats import SCHEMA, table_files
from site_templates.parts.health_rows import CaseHealth, entrants, rows_of_health


def health_files(index: BoardIndex) -> Iterator[tuple[str, bytes]]:
    """Path and bytes of the table of all cases, and of the tables beside each suite's page."""
    if index.board.results.health.is_empty():
        return
    rows = rows_of_health(index)
    ordered = [row for suite in index.board.suites for row in rows[suite.id]]
    schema = index.board.results.health.select(CaseHealth._fields).schema
    table = pl.DataFrame(ordered, schema=schema, orient="row")
    file = {"schema": SCHEMA, "cases": table.to_dicts()}
    yield from table_files("data/health.json", file, table)
    for suite in index.board.suites:
        if entrants(rows[suite.id]):
            mine = table.filter(suite=suite.id)
            file = {"schema": SCHEMA, "suite": suite.id, "cases": mine.to_dicts()}
            yield from table_files(index.paths.health_data(suite.id), file, mine)
