"""What a review says of cost, latency, tokens and trials."""

from __future__ import annotations

from typing import Any

from cli.output.usage_in_words import reported_in_words, trials_in_words
from tests.each_row import each_row

NOTHING = {
    "responses": 1200,
    "trials": 1,
    "same_in_trials": None,
    "input_tokens": None,
    "output_tokens": None,
    "priced": 0,
    "cost_usd": None,
    "timed": 0,
    "latency_p50": None,
}


@each_row(
    ("reported", "said"),
    [
        ({}, ""),
        (
            {"priced": 1, "cost_usd": 0.00125},
            "$1.25 per 1,000 cases (known for 1 of 1,200 responses)",
        ),
        (
            {"timed": 1200, "latency_p50": 0.5},
            "a median of 0.50 s (known for 1,200 of 1,200 responses)",
        ),
        (
            {"input_tokens": 9.0, "output_tokens": 30.0},
            "a mean of 9.00 input tokens, a mean of 30.00 output tokens",
        ),
    ],
)
def test_amounts_come_with_the_number_of_responses(reported: dict[str, Any], said: str) -> None:
    """A reviewer sees if an amount is known for a few responses only."""
    assert reported_in_words(NOTHING | reported) == said


def test_equal_trials_are_named() -> None:
    """Not for one trial, which cannot equal another."""
    assert trials_in_words(NOTHING) == ""
    assert trials_in_words(NOTHING | {"trials": 3, "same_in_trials": 0.999}) == (
        "3 trials: >99\u202f% of the cases with several answers have the same answer each time"
    )
