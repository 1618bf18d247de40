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
    won = {"1": {"a": 0, "b": 1}, "2": {"b": 1, "a": 0}, "3": {"a": 1, "b": 0}}
    (rate,) = win_rates(PreferenceFile("f", won), {})
    assert ("b", "a", 2, 1, 0) == (rate.candidate, rate.reference, rate.won, rate.lost, rate.tied)


def test_an_answered_query_without_a_vote_is_left_out_of_the_mean() -> None:
    """Nobody said that it is unsolved. A query that is not answered is."""
    voted = {"1": [Vote("solved")]}
    assert "SoPR 100.0 ± 0.0 from 1 round over 2 queries (1 without a vote, left out: 2)" == str(
        pass_rate(voted, ["1", "2"], {"1", "2"})
    )
    both = pass_rate(voted, ["1", "2", "3"], {"1", "2"})
    assert (50.0, 1, ["2"]) == (both.score, both.unanswered, both.without_vote)


def test_a_win_rate_counts_queries_that_both_imported_systems_answer() -> None:
    """The preference on any other query is left out of the answers, too."""
    won = {"1": {"a": 0, "b": 1}, "2": {"a": 0, "b": 1}, "3": {"b": 0, "a": 1}}
    file = PreferenceFile("f", won)
    (rate,) = win_rates(file, {"a": {"1", "3"}, "b": {"1", "2", "3"}})
    assert (
        "b against a: 1 won, 1 lost, 0 tied; win rate 50.0 % (1 query left out without an answer)"
    ) == str(rate)
    (rate,) = win_rates(file, {"a": {"1", "3"}})
    assert (1, 1, 1) == (rate.won, rate.lost, rate.left_out)
