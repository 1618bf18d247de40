"""The heat map: tints, rows and columns."""

from __future__ import annotations

import dataclasses

import polars as pl
import pytest

from site_templates.board_index import index_board
from site_templates.figures.heat_map import heat
from tests.site_templates import site_board, site_crowd


@pytest.mark.large
def test_cells_are_tinted_by_tenths() -> None:
    """Nothing passed is tone 0, everything 9, no score -1. The map has at most 50 rows."""
    given = index_board(site_board.board())
    suites = given.board.suites
    field = [s for s in given.submissions if not s.is_baseline]
    found = heat(given, suites, field)
    assert found is not None
    cells = {row.link.label: [(c.text, c.tone) for c in row.cells] for row in found.rows}

    assert [number for _, number in found.groups] == [2, 2, 2]
    assert cells["Model A"][:2] == [("67", 6), ("100", 9)]
    assert next(row for name, row in cells.items() if name.startswith("Model C"))[:3] == [
        ("—", -1),
        ("—", -1),
        ("0", 0),
    ]
    crowd = index_board(site_crowd.crowd(60))
    large = heat(crowd, crowd.board.suites, crowd.submissions)
    assert large is not None
    assert (len(large.rows), large.left_out) == (50, 10)


@pytest.mark.large
def test_cells_are_rounded_like_other_percentages() -> None:
    """A half is rounded up, and only nothing passed is 0."""
    shown = {}
    for share in (0.005, 0.004, 0.815, 0.925, 0.996):
        given = site_board.board()
        scores = given.results.scores.with_columns(score=pl.lit(share))
        index = index_board(site_board.changed(given, scores=scores))
        found = heat(index, index.board.suites, index.submissions[:2])
        assert found is not None
        [shown[share]] = {c.text for row in found.rows for c in row.cells if c.tone >= 0}

    assert shown == {0.005: "1", 0.004: "<1", 0.815: "82", 0.925: "93", 0.996: ">99"}


def test_scores_on_chosen_cases_are_left_out() -> None:
    """Who asked only a part of a suite has none of its cells, and without any other no row."""
    given = site_board.board()
    suite = given.suites[0]
    in_part = (pl.col("submission") == "model-a") & (pl.col("suite") == suite.id)
    cases = pl.when(in_part).then(pl.lit(1, pl.Int64)).otherwise("cases")
    scores = given.results.scores.with_columns(cases=cases)
    index = index_board(site_board.changed(given, scores=scores))
    everything = heat(index, index.board.suites, index.submissions)
    alone = heat(index, (suite,), index.submissions)
    assert everything is not None
    assert alone is not None
    cells = {row.link.label: [cell.text for cell in row.cells] for row in everything.rows}

    assert cells["Model A"][:2] == ["—", "—"]
    assert "—" not in cells["Model A"][2:]
    assert "Model A" not in [row.link.label for row in alone.rows]


def test_one_category_or_one_submission_makes_no_map() -> None:
    """The ranking shows a single row or column already."""
    given = index_board(site_board.board())
    suite = given.board.suites[0]
    single = dataclasses.replace(suite, categories=suite.categories[:1])

    assert heat(given, (suite,), given.submissions[:1]) is None
    assert heat(given, (single,), given.submissions) is None
