"""Amounts, errors and objects in the cells of tables."""

from __future__ import annotations

from leaderboard.responses.forms.table_cells import number_in, read_cells
from leaderboard.types import Json
from tests.each_row import each_row


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
    ("row", "read"),
    [
        ({"trial": "2", "latency_s": "0.84"}, {"trial": 2, "latency_s": 0.84}),
        ({"usage": '{"input_tokens": 5}'}, {"usage": {"input_tokens": 5}}),
        (
            {"input_tokens": "5", "output_tokens": 3.0, "cost_usd": None},
            {"usage": {"input_tokens": 5, "output_tokens": 3}},
        ),
        ({"usage": '{"cost_usd": 1}', "input_tokens": "5"}, {"usage": {"cost_usd": 1}}),
        ({"trial": None, "latency_s": "", "error": "", "usage": None}, {}),
        ({"latency_s": "fast", "usage": "much"}, {"latency_s": "fast", "usage": "much"}),
        ({"error": "lost"}, {"error": "lost"}),
    ],
)
def test_amounts_and_errors_are_those_of_a_record(row: Json, read: Json) -> None:
    """Other columns stay. Empty cells are no amounts."""
    assert read_cells({"id": "1", "model_text": None, **row}) == {
        "id": "1",
        "model_text": None,
        **read,
    }
