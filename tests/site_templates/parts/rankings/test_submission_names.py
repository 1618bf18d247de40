"""The cells of a row: the name, and below it who made the submission."""

from __future__ import annotations

from dataclasses import replace

from site_templates.board_index import index_board
from site_templates.pages.submission_page import submission_page
from site_templates.parts.rankings.submission_names import name_of
from tests.site_templates import site_board


def test_b9_an_organisation_that_nobody_has_named_is_left_out() -> None:
    """The row then says only what kind of submission it is."""
    index = index_board(site_board.board())
    submission = next(s for s in index.submissions if not s.is_baseline)
    unknown = replace(submission, card=replace(submission.card, organization="unknown"))

    assert submission.card.organization in name_of(index, submission).notes
    assert name_of(index, unknown).notes == name_of(index, submission).notes[1:]


def test_a_framework_has_its_label() -> None:
    """A card may call anything its framework, "verified by the board" too."""
    index = index_board(site_board.board())
    submission = next(s for s in index.submissions if not s.is_baseline)
    claim = "verified by the board"
    claiming = replace(submission, card=replace(submission.card, framework=claim))
    page = submission_page(index, claiming, {}, {}, pairs=(), sweep=(), base=None)

    assert f"framework: {claim}" in name_of(index, claiming).notes
    assert claim not in name_of(index, claiming).notes
    assert claim not in page.tags
    assert ("Framework", claim) in [(fact.name, fact.value) for fact in page.facts]
