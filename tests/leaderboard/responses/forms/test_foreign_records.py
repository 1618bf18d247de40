"""What a record of a foreign file says. Its forms have tests of their own."""

from __future__ import annotations

from leaderboard.responses.forms.foreign_records import error_text
from leaderboard.types import Json
from tests.each_row import each_row

NO_ERRORS: list[Json] = [
    *(None, "", " ", False, 0, 0.0, float("nan"), {}, []),
    *("False", "false", "None", "null", "NULL", "nan", "NaN", "0"),
]


@each_row(
    ("error", "text"),
    [
        *((value, None) for value in NO_ERRORS),
        ("None of the tools worked", "None of the tools worked"),
        (429, "429"),
        ({"error": {"message": "too big"}}, "too big"),
    ],
)
def test_values_that_mean_no_error_are_none(error: Json, text: str | None) -> None:
    """Tables and programs have many ways to write it."""
    assert error_text(error) == text
