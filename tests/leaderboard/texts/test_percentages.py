"""Percentages are rounded like those of the pages' scripts: halves away from 0."""

from __future__ import annotations

from leaderboard.texts.percentages import percentage
from tests.each_row import each_row


@each_row(
    ("share", "digits", "expected"),
    [
        (0.0, 1, "0.0"),
        (1.0, 1, "100.0"),
        (0.8194, 1, "81.9"),
        (353 / 400, 1, "88.3"),
        (0.8815, 1, "88.2"),
        (-0.0025, 1, "-0.3"),
        (0.815, 0, "82"),
        (0.925, 0, "93"),
        (0.005, 0, "1"),
        (0.123456, 3, "12.346"),
        (0.1 * 3 + 0.0005, 1, "30.1"),  # 0.30050000000000004
        (1 - 0.1175 - 0.0, 1, "88.3"),
        (0.88249999999999995, 1, "88.3"),
        (0.882499, 1, "88.2"),
        (12.5, 1, "1250.0"),
    ],
)
def test_halves_are_rounded_away_from_zero(share: float, digits: int, expected: str) -> None:
    """Also where the number in floating point is a little below the half."""
    assert percentage(share, digits) == expected
