"""What a record of a foreign file says. Its forms have tests of their own."""

from __future__ import annotations

from collections.abc import Sequence

from leaderboard.responses.forms.foreign_records import error_text, number_in, usage_fields
from leaderboard.types import Json
from tests.each_row import each_row

NO_ERRORS: list[Json] = [
    *(None, "", " ", False, 0, 0.0, float("nan"), {}, []),
    *("False", "false", "None", "null", "NULL", "nan", "NaN", "0"),
    *("N/A", "n/a", "NA", "#N/A", "-", "--", "no", "No", "nil"),
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


@each_row(
    ("cell", "number"),
    [
        ("3", 3),
        ("0.84", 0.84),
        (2.0, 2),
        (4, 4),
        ("nan", "nan"),
        ("inf", "inf"),
        ("fast", "fast"),
        ("", ""),
        (None, None),
        (True, True),
    ],
)
def test_numbers_are_read_from_texts(cell: Json, number: Json) -> None:
    """Anything else stays as it is, so that a later check can name it."""
    assert (number_in(cell), type(number_in(cell))) == (number, type(number))


@each_row(
    ("amounts", "fields"),
    [
        ((12.0, "7", 0.5, 1.23456), (12, 7, 0.5, 1.235)),
        ((2e9, None, None, 2), (2_000_000_000, None, None, 2)),
        (("1,234", "n/a", "$1", "0.8 s"), ("1,234", None, "$1", "0.8 s")),
        ((-1, True, None, 10**400), (-1, True, None, 10**400)),
    ],
)
def test_amounts_are_read_or_kept_for_a_later_check(
    amounts: Sequence[Json], fields: Sequence[Json]
) -> None:
    """None is lost without a word, except those that say that there is none."""
    found = usage_fields(*amounts)
    usage = found.get("usage", {})
    read = [usage.get(name) for name in ("input_tokens", "output_tokens", "cost_usd")]

    assert [*read, found.get("latency_s")] == [*fields]
