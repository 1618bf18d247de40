"""Reliability over trials, as the page of a submission shows it."""

from __future__ import annotations

import polars as pl
import pytest

from site_templates.board_index import index_board
from site_templates.parts.trial_table import trial_table
from tests.each_row import each_row
from tests.site_templates import site_board
from tests.site_templates.rendered import file_of, small_pages


def test_trials_show_pass_hat_and_pass_at() -> None:
    """pass^k falls and pass@k rises with k. At k = 1 part scores count nothing."""
    given = index_board(site_board.board())
    submission = next(s for s in given.submissions if s.id == "model-a")
    table = trial_table(given, submission, given.board.suites[2])
    assert table is not None
    desk = next(row for row in table.rows if row.link.label == "At the desk")

    assert table.ks == (1, 2, 3)
    assert desk.hats == ("33.3", "16.7", "0.0")
    assert desk.ats == ("33.3", "50.0", "50.0")
    text = small_pages()["submissions/model-a.html"].text
    assert "pass^3" in text
    assert "the share of passing trials, which is the score if no case counts in part" in text


@pytest.mark.large
@each_row(
    ("share", "told", "warned"),
    [(1.0, "100\u202f% of the", True), (0.999, "99\u202f% of the", False), (None, "", False)],
)
def test_equal_trials_show_no_reliability(share: float | None, told: str, warned: bool) -> None:
    """pass^k is pass^1 then. A system at temperature 0 has many of them."""
    board = site_board.board()
    usage = board.results.usage.with_columns(same_in_trials=pl.lit(share, pl.Float64))
    page = file_of(site_board.changed(board, usage=usage), "submissions/model-a.html").decode()
    assert ("have the same answer each time" in page) == (share is not None)
    assert told in page
    assert ("So the trials do not show how reliable the system is." in page) == warned


def test_one_trial_shows_no_trials() -> None:
    """A submission that answered once has no such table."""
    assert "pass^" not in small_pages()["submissions/model-b.html"].text
