"""The pages of the judges."""

from __future__ import annotations

import polars as pl
import pytest

from site_templates.board_index import index_board
from site_templates.pages.judge_page import judges_page
from site_templates.parts.judge_counts import count_verdicts
from tests.site_templates import site_board
from tests.site_templates.rendered import file_of
from tests.site_templates.site_html import parse


@pytest.mark.large
def test_only_verdicts_without_a_reply_wait_for_a_judge() -> None:
    """A rule that leaves an answer open, and a tie, leave a verdict unscored for good."""
    given = site_board.board()
    unscored = given.results.verdicts.filter(outcome="unscored", submission="model-a")
    reasons = ["judge_missing", "judge_pending", "judge_tie", "rule_undecided", "not_replayed"]
    verdicts = unscored.head(1).drop("reason").join(pl.DataFrame({"reason": reasons}), how="cross")
    verdicts = verdicts.with_columns(trial=pl.int_range(1, 6, dtype=pl.Int32))
    index = index_board(site_board.changed(given, verdicts=verdicts.select(unscored.columns)))
    page = judges_page(index, count_verdicts(index))

    assert (page.verdicts, page.waiting) == (5, 2)


@pytest.mark.large
def test_the_verdicts_of_ranked_metrics_are_counted() -> None:
    """A scoring counts the verdicts of all metrics, so the page says which ones it counts."""
    page = parse(file_of(site_board.board(), "judges/index.html"))

    assert [name.text for name in page.all("dt")][:2] == ["Verdicts", "Waiting for a judge"]
    assert "on ranked metrics" in page.all("dd")[0].text
