"""LABELLED frames written by hand, for the tests of agreement and of corrected scores."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import polars as pl

from leaderboard.frames import LABELLED

# Labelled equivalent: 20 found, 5 overlooked. Labelled different: 10 let through, 15 refused.
COUNTS = (20, 5, 10, 15)

PASSED = {"equivalent": 1.0, "solved": 1.0, "unsure": 0.5, "different": 0.0, "unsolved": 0.0}


def said(
    judge: str, what: str, label: str, number: int, category: str = "texts"
) -> list[dict[str, Any]]:
    """So many pairs with one label of which a judge says one thing."""
    row = {
        "judge": judge,
        "suite": "s",
        "category": category,
        "case_id": "c",
        "label": label,
        "said": what,
        "passed": PASSED.get(what),
    }
    return [{**row, "pair": f"{category}-{label}-{what}-{n}"} for n in range(number)]


def readings(
    counts: Sequence[int], judge: str = "*", category: str = "texts"
) -> list[dict[str, Any]]:
    """A judge's rows, from the four counts."""
    kinds = [
        (label, what)
        for label in ("equivalent", "different")
        for what in ("equivalent", "different")
    ]
    return [
        row
        for (label, what), number in zip(kinds, counts, strict=True)
        for row in said(judge, what, label, number, category)
    ]


def labelled(rows: Iterable[dict[str, Any]]) -> pl.DataFrame:
    return pl.DataFrame(
        [{name: row.get(name) for name in LABELLED} for row in rows], schema=LABELLED
    )


def grades(judge: str, *whats: str) -> list[dict[str, Any]]:
    """The grades of a judge for the pairs 0, 1, 2, ..."""
    row = {"judge": judge, "suite": "s", "category": "texts", "case_id": "c", "label": "equivalent"}
    return [
        {**row, "pair": str(place), "said": what, "passed": PASSED.get(what)}
        for place, what in enumerate(whats)
    ]


def only(frame: pl.DataFrame, **where: str) -> dict[str, Any]:
    (row,) = frame.filter(**where).iter_rows(named=True)
    return row


SOLVED = {"equivalent": "solved", "different": "unsolved"}
