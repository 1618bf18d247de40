"""Who passes a case, of two submissions."""

from __future__ import annotations

from leaderboard.board.comparison import CaseSide, standing


def test_who_passes_a_case() -> None:
    """Both, only the first, only the second, neither; unscored if one has no score."""
    sides = ((True, True), (True, False), (False, True), (False, False), (None, True))

    assert ["both", "first", "second", "neither", "unscored"] == [standing(*each) for each in sides]


def test_a_case_is_passed_in_every_trial() -> None:
    """One failed trial is enough to fail, and one unscored to be unscored."""
    passed, failed = CaseSide(1.0, 2, 2, (), ""), CaseSide(0.9999, 1, 2, (), "")
    unscored = CaseSide(None, 1, 2, (), "")

    assert [True, False, None] == [side.passed for side in (passed, failed, unscored)]
