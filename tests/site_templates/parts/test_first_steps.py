"""The first page of a board without models."""

from __future__ import annotations

from tests.site_templates import site_board
from tests.site_templates.rendered import file_of


def test_pages_say_of_baselines_what_is_true_on_every_board() -> None:
    """A board may have other baselines than the floor and the ceiling."""
    said = "show what a program without a model scores"
    first_steps = file_of(site_board.board(baselines_only=True), "index.html").decode()
    ranking = file_of(site_board.board(), "suites/match/index.html").decode()

    assert f"Baselines {said}. They are not ranked." in first_steps
    assert f"are not ranked. They {said}" in ranking
