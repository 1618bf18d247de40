"""Amounts, errors and objects in the cells of tables."""

from __future__ import annotations

from leaderboard.responses.forms.table_cells import column_name, read_cells
from leaderboard.types import Json
from tests.each_row import each_row


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
        ({"latency_s": "n/a", "cost_usd": "-", "trial": "nan"}, {}),
        ({"cost_usd": "0,0021", "trial": "two"}, {"usage": {"cost_usd": "0,0021"}, "trial": "two"}),
    ],
)
def test_amounts_and_errors_are_those_of_a_record(row: Json, read: Json) -> None:
    """Other columns stay. Empty cells are no amounts."""
    assert read_cells({"id": "1", "model_text": None, **row}) == {
        "id": "1",
        "model_text": None,
        **read,
    }


@each_row(
    ("name", "read"),
    [
        ("ID", "id"),
        (" Answer ", "answer"),
        ("TOOLCALLS", "toolCalls"),
        ("Latency_S", "latency_s"),
        ("Model_Text", "model_text"),
        ("Prompt_Tokens", "input_tokens"),
        ("completion_tokens", "output_tokens"),
        ("My Score", "My Score"),
    ],
)
def test_known_columns_are_written_in_any_letter_case(name: str, read: str) -> None:
    """Tokens have OpenAI's names, too. Other names stay, because they may be those of metrics."""
    assert column_name(name) == read
