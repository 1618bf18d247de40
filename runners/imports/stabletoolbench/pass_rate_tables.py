"""Reads StableToolBench's tables of pass rates, quoted as CSV is, with a header.

The cells are separated by tabs, also in upstream's `.csv` files. A table with commas is read too.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from leaderboard.errors import FilesError, Problem, collect_problems, raise_any
from leaderboard.files.python_literals import read_literal
from leaderboard.types import Json

# The columns that are read. The others repeat the tools, the last step and the model's name.
COLUMNS: Final = ("query", "model_intermediate_steps", "query_id", "is_solved")

_MAX_CELL: Final = 10_000_000  # characters: one cell contains a whole execution


@dataclass(frozen=True, slots=True)
class PassRow:
    """A query, the steps taken to answer it, usually as text, and the votes on it by round."""

    query_id: str
    query: str
    steps: Json
    is_solved: Mapping[str, Json]


def read_table(data: bytes, shown: str) -> tuple[PassRow, ...] | None:
    """The rows of a table of pass rates, or None if it is another kind of table.

    Raises FilesError with the problems of all rows.
    """
    limit = csv.field_size_limit(_MAX_CELL)
    try:
        text = data.decode("utf-8-sig")
        separator = "\t" if "\t" in text.partition("\n")[0] else ","
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
        # A cell may contain line breaks: line_num is the line that the row ends on.
        lines = [(reader.line_num, cells) for cells in reader if cells]
    except (UnicodeDecodeError, csv.Error) as error:
        fix = "save it as UTF-8, separated by tabs"
        raise FilesError.about(shown, f"is not a table: {error}", fix) from error
    finally:
        csv.field_size_limit(limit)
    header = lines[0][1] if lines else []
    if not set(COLUMNS) <= set(header):
        return None
    problems: list[Problem] = []
    rows: dict[str, PassRow] = {}
    for line, cells in lines[1:]:
        with collect_problems(problems):
            row = _row(dict(zip(header, cells, strict=False)), shown, line)
            if row.query_id in rows:
                what = f"repeats query {row.query_id}"
                problems.append(Problem(shown, what, "keep one of the rows", line=line))
            rows[row.query_id] = row
    raise_any(problems)
    return tuple(rows.values())


def _row(cells: Mapping[str, str], shown: str, line: int) -> PassRow:
    if missing := [name for name in COLUMNS if name not in cells]:
        what = f"has a row without {', '.join(missing)}"
        raise FilesError.about(shown, what, "export the table again", line=line)
    try:
        votes = read_literal(cells["is_solved"])
    except ValueError:
        votes = None
    if not isinstance(votes, dict):
        what = f"has a row whose is_solved is not an object of votes: {cells['is_solved'][:60]!r}"
        fix = "write it as {0: 'AnswerStatus.Solved'}"
        raise FilesError.about(shown, what, fix, line=line)
    return PassRow(cells["query_id"], cells["query"], cells["model_intermediate_steps"], votes)
