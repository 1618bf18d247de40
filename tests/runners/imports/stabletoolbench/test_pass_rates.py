"""Pass rates and win rates of votes."""

from __future__ import annotations

from typing import Any

import pytest

from runners.imports.stabletoolbench.imported_answers import PreferenceFile, Vote
from runners.imports.stabletoolbench.pass_rates import pass_rate, win_rates
from tests.each_row import each_row


@each_row(
    ("cast", "ids", "score", "deviation"),
    [
        ({"1": "ssu", "2": "nnn"}, "12", 41.666667, 11.785113),
        ({"1": "sss", "2": "sss", "3": "nnn"}, "123", 66.666667, 0.0),
        ({"1": "s"}, "12", 50.0, 0.0),
        ({"1": "s?", "2": "ss"}, "12", 100.0, 0.0),
        ({"1": "s", "2": "sn"}, "12", 50.0, 50.0),
        ({}, "12", None, None),
        ({"1": "??"}, "1", None, None),
        ({}, "", None, None),
    ],
)
def test_pass_rates(
    cast: dict[str, str], ids: str, score: float | None, deviation: float | None
) -> None:
    """The mean of the rounds and its population deviation.

    Unanswered queries are unsolved, and lost votes are left out.
    """
    words: dict[str, Any] = {"s": "solved", "u": "unsure", "n": "unsolved", "?": None}
    given = {
        key: [Vote(words[letter], round=n) for n, letter in enumerate(letters)]
        for key, letters in cast.items()
    }
    found = pass_rate(given, list(ids))
    assert pytest.approx(score) == found.score
    assert pytest.approx(deviation) == found.deviation


def test_a_preference_may_name_its_systems_in_any_order() -> None:
    """The order in the first query decides who the candidate is."""
    (rate,) = win_rates(
        PreferenceFile("f", {"1": {"a": 0, "b": 1}, "2": {"b": 1, "a": 0}, "3": {"a": 1, "b": 0}})
    )
    assert ("b", "a", 2, 1, 0) == (rate.candidate, rate.reference, rate.won, rate.lost, rate.tied)
