"""All cases and all responses of a board as two Parquet tables."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Final

import polars as pl

from leaderboard.digest import canonical
from leaderboard.types import Response
from site_templates.board_index import BoardIndex
from site_templates.data.download_formats import parquet

CASES: Final = pl.Schema(
    {
        "suite": pl.String,
        "category": pl.String,
        "case_id": pl.String,
        "query": pl.String,
        "record": pl.String,  # JSON: the case as the suite's file has it, with its ground truth
        "digest": pl.String,
    }
)
RESPONSES: Final = pl.Schema(
    {
        "submission": pl.String,
        "suite": pl.String,
        "category": pl.String,
        "case_id": pl.String,
        "trial": pl.Int32,
        "calls": pl.String,  # JSON: a list of objects with name, arguments and result
        "text": pl.String,
        "error": pl.String,
        "malformed": pl.String,  # why a call cannot be read
        "state": pl.String,  # JSON: the final state of an environment
        "answer": pl.String,  # 32 hex digits, the same for equal answers to a case; null for none
    }
)
_NUMBERED: Final = pl.Schema([*list(RESPONSES.items())[:5], ("number", pl.UInt32)])
_TEXTS: Final = pl.Schema(list(RESPONSES.items())[5:])


def answer_tables(index: BoardIndex) -> Iterator[tuple[str, bytes]]:
    """Path and bytes of both tables. Cases are in the suites' order, responses by submission."""
    cases = []
    for suite in index.board.suites:
        for case in suite.cases:
            record = canonical(dict(case.record)).decode()
            row = (suite.id, case.category, case.id, case.query, record, case.digest)
            cases.append(row)
    yield "data/cases.parquet", parquet(pl.DataFrame(cases, schema=CASES, orient="row"))

    yield "data/responses.parquet", parquet(_responses(index))


def _responses(index: BoardIndex) -> pl.DataFrame:
    """The table RESPONSES. Equal answers are one Response, and their text is in memory once."""
    numbers: dict[Response, int] = {}
    texts: list[tuple[str | None, ...]] = []
    parts = []
    suites = sorted(suite.id for suite in index.board.suites)
    for submission, suite in product((one.id for one in index.submissions), suites):
        sent = index.sent(submission, suite)
        if not sent:
            continue
        categories, cases, trials, text_numbers = [], [], [], []
        for case, answer in sent:
            response = answer.response
            if response is None:
                continue
            if response not in numbers:
                numbers[response] = len(texts)
                texts.append((*_given(response), answer.key.hex() if answer.key else None))
            categories.append(case.category)
            cases.append(case.id)
            trials.append(answer.trial)
            text_numbers.append(numbers[response])
        columns = {
            "submission": [submission] * len(cases),
            "suite": [suite] * len(cases),
            "category": categories,
            "case_id": cases,
            "trial": trials,
            "number": text_numbers,
        }
        parts.append(pl.DataFrame(columns, schema=_NUMBERED))
    if not parts:
        return RESPONSES.to_frame()
    distinct = pl.DataFrame(texts, schema=_TEXTS, orient="row")
    table = pl.concat(parts, rechunk=True)
    return table.drop("number").hstack(distinct[table["number"]])


def _given(response: Response) -> tuple[str | None, ...]:
    """The columns that an answer alone decides."""
    calls = [
        {"name": call.name, "arguments": dict(call.arguments), "result": call.result}
        for call in response.calls
    ]
    state = canonical(response.state).decode() if response.has_state else None
    text = canonical(calls).decode()
    return text, response.text, response.error, response.malformed, state
