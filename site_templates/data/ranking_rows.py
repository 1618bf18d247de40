"""The rows of long rankings as data, for the script that filters and sorts them."""

from __future__ import annotations

import json
from collections.abc import Iterator

from leaderboard.types import Json
from site_templates import formatting
from site_templates.board_index import BoardIndex
from site_templates.parts.rankings.paging import MOST_ROWS, rankings, rows_path
from site_templates.parts.rankings.ranking_table import Cell, Row
from site_templates.parts.rankings.score_trust import JudgedScore


def ranking_files(index: BoardIndex) -> Iterator[tuple[str, bytes]]:
    """Path and bytes of the rows of every long ranking, as a call of a function of the script."""
    if len(index.submissions) <= MOST_ROWS:
        return
    for table in rankings(index).values():
        if table.entries > MOST_ROWS:
            rows = [_packed(row, ranked=True) for row in table.rows]
            rows += [_packed(row, ranked=False) for row in table.unranked]
            text = json.dumps(rows, separators=(",", ":"), allow_nan=False)
            yield rows_path(table.subject.place), f"toolboardRows({text});\n".encode()


def _packed(row: Row, *, ranked: bool) -> Json:
    """A row as data, in the order of the columns. See `makeRow` in toolboard-ranking.js."""
    mark = row.score.whisker
    notes = [formatting.visible(note) for note in row.name.notes]
    return [
        int(ranked),
        [row.name.kind, row.name.weights, formatting.visible(row.name.framework), int(row.part)],
        row.rank,
        [row.name.path, row.name.label, notes, row.score.unranked, row.name.whole],
        [
            row.score.text,
            row.score.bounds,
            row.score.remark,
            row.score.path,
            *_packed_judge(row.score.judged),
        ],
        [mark.low, mark.high, mark.at] if mark else 0,
        [_packed_cell(cell) for cell in row.cells],
        row.comparison or "",
    ]


def _packed_judge(judged: JudgedScore | None) -> list[str]:
    return [judged.value, judged.bounds, judged.said] if judged else []


def _packed_cell(cell: Cell) -> Json:
    if cell.path is None and not cell.missing:
        return cell.text
    row = [cell.text, cell.path or "", int(cell.best), cell.missing, cell.value]
    return [*row, cell.judged] if cell.judged else row
