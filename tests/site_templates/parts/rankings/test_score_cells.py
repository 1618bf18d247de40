"""The cells of a row: the name, and below it who made the submission."""

from __future__ import annotations

from dataclasses import replace

from site_templates.board_index import index_board
from site_templates.parts.rankings.score_cells import name_of
from tests.site_templates import site_board


def test_b9_an_organisation_that_nobody_has_named_is_left_out() -> None:
    """The row then says only what kind of submission it is."""
    index = index_board(site_board.board())
    submission = next(s for s in index.submissions if not s.is_baseline)
    unknown = replace(submission, card=replace(submission.card, organization="unknown"))

    assert submission.card.organization in name_of(index, submission).notes
    assert name_of(index, unknown).notes == name_of(index, submission).notes[1:]
