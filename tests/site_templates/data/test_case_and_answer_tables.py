"""The Parquet tables of all cases and all responses."""

from __future__ import annotations

import io
import json
from functools import cache

import polars as pl

from site_templates.board_index import index_board
from site_templates.data.case_and_answer_tables import CASES, RESPONSES, answer_tables
from tests.site_templates import site_board


@cache
def tables() -> dict[str, pl.DataFrame]:
    made = answer_tables(index_board(site_board.board()))
    return {path: pl.read_parquet(io.BytesIO(content)) for path, content in made}


def test_every_case_is_in_the_table() -> None:
    """In the order of the suites, with the record of its file."""
    board, table = site_board.board(), tables()["data/cases.parquet"]
    cases = [case for suite in board.suites for case in suite.cases]

    assert table.schema == CASES
    assert table["case_id"].to_list() == [case.id for case in cases]
    assert json.loads(table["record"][0]) == dict(cases[0].record)


def test_every_response_is_in_the_table() -> None:
    """Once for each trial. Equal answers have equal values in the column `answer`."""
    board, table = site_board.board(), tables()["data/responses.parquet"]
    sent = sum(len(records) for records in board.records.values())

    assert table.schema == RESPONSES
    assert table.height == sent
    assert table.select("submission", "suite", "case_id", "trial").is_unique().all()
    calls = json.loads(table.filter(submission="model-a", suite="tools")["calls"][0])
    assert calls[0]["name"] == "set_alarm"
    alike = table.drop_nulls("answer").group_by("suite", "case_id", "answer").len()
    assert (alike["len"] > 1).any()
