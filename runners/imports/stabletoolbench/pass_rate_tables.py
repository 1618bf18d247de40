"""StableToolBench's tables of pass rates: tab-separated, quoted as CSV is, the columns named in the first line."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from leaderboard.errors import FilesError, Problem
from leaderboard.files.python_literals import read_literal
from leaderboard.types import Json

# Those that are read. The tools offered, the last step and the model's name stand in the others, or in the file's name.
COLUMNS: Final = ("query", "model_intermediate_steps", "query_id", "is_solved")

_LONGEST: Final = 10_000_000  # characters of a cell: whole executions stand in one


@dataclass(frozen=True, slots=True)
class PassRow:
    """A query, the steps taken to answer it as text, and the votes on that by round."""

    query_id: str
    query: str
    steps: str
    is_solved: Mapping[str, Json]


def read_table(data: bytes, shown: str) -> tuple[PassRow, ...] | None:
    """The rows of a table of pass rates, None where it is another table. Raises FilesError with the problems of its rows."""
    try:
        lines = _lines(data.decode("utf-8-sig"))
    except (UnicodeDecodeError, csv.Error) as error:
        raise FilesError(
            Problem(shown, f"is no table: {error}", "save it as UTF-8, tab-separated")
        ) from error
    head = lines[0][1] if lines else []
    if not set(COLUMNS) <= set(head):
        return None
    problems: list[Problem] = []
    rows: dict[str, PassRow] = {}
    for number, cells in lines[1:]:
        row = _row(dict(zip(head, cells, strict=False)), shown, number, problems)
        if row is not None and rows.setdefault(row.query_id, row) is not row:
            problems.append(
                Problem(
                    shown,
                    f"tells of query {row.query_id} again",
                    "keep one of the rows",
                    line=number,
                )
            )
    if problems:
        raise FilesError(problems)
    return tuple(rows.values())


def _lines(text: str) -> Sequence[tuple[int, list[str]]]:
    """The cells of every row, with the line that the row ends on."""
    before = csv.field_size_limit(_LONGEST)
    try:
        reader = csv.reader(io.StringIO(text, newline=""), delimiter="\t")
        return [(reader.line_num, cells) for cells in reader if cells]
    finally:
        csv.field_size_limit(before)


def _row(
    cells: Mapping[str, str], shown: str, line: int, problems: list[Problem]
) -> PassRow | None:
    if missing := [name for name in COLUMNS if name not in cells]:
        problems.append(
            Problem(
                shown,
                f"has a row without {', '.join(missing)}",
                "export the table again",
                line=line,
            )
        )
        return None
    try:
        votes = read_literal(cells["is_solved"])
    except ValueError:
        votes = None
    if not isinstance(votes, dict):
        what = f"has a row whose is_solved is no object of votes: {cells['is_solved'][:60]!r}"
        problems.append(Problem(shown, what, "write it as {0: 'AnswerStatus.Solved'}", line=line))
        return None
    return PassRow(cells["query_id"], cells["query"], cells["model_intermediate_steps"], votes)
