"""The data of the pages of judges: settings, agreement, concordance and corrected scores."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from site_templates.board_index import BoardIndex
from site_templates.data.data_fields import JudgesFile
from site_templates.data.download_formats import SCHEMA, encode, in_order, written


def judge_tables(index: BoardIndex) -> dict[str, pl.DataFrame]:
    """The tables about judges that have any rows."""
    board = index.board
    tables = {
        "agreement": board.results.agreement,
        "concordance": board.results.concordance,
        "corrected": board.results.corrected,
    }
    return {name: in_order(frame) for name, frame in tables.items() if not frame.is_empty()}


def judge_files(index: BoardIndex) -> Iterator[tuple[str, bytes]]:
    """Path and bytes of the judges and of the tables about them, if there are any."""
    if not index.board.judges:
        return

    tables = judge_tables(index)
    rows = {name: frame.to_dicts() for name, frame in tables.items()}
    file: JudgesFile = {
        "schema": SCHEMA,
        "judges": [
            {
                "judge": judge.name,
                "provider": judge.provider,
                "model": judge.model,
                "settings": dict(sorted(judge.public_settings.items())),
            }
            for judge in index.board.judges
        ],
        "agreement": rows.get("agreement", []),
        "concordance": rows.get("concordance", []),
        "corrected": rows.get("corrected", []),
    }
    yield "data/judges.json", encode(file)
    for name, frame in tables.items():
        yield from written(f"data/judges/{name}", frame)
