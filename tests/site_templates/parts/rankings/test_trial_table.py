"""Reliability over trials, as the page of a submission shows it."""

from __future__ import annotations

from site_templates.board_index import index_board
from site_templates.parts.rankings.trial_table import trial_table
from tests.site_templates import site_board
from tests.site_templates.rendered import small_pages


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


def test_one_trial_shows_no_trials() -> None:
    """A submission that answered once has no such table."""
    assert "pass^" not in small_pages()["submissions/model-b.html"].text
