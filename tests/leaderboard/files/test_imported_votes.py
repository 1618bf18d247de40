"""Votes imported beside an answer: read with care, since anybody may have written them."""

from __future__ import annotations

from typing import Any

from leaderboard.files.imported_votes import read_votes
from leaderboard.types import ImportedVote
from tests.each_row import each_row


def test_a_vote_is_read() -> None:
    """What an import wrote, whole or with less."""
    full = {
        "status": "solved",
        "by": "official",
        "round": 2,
        "judge": "m",
        "reason": "why",
        "file": "x.json",
    }
    assert (
        ImportedVote("solved", "official", 2, "m", "why", "x.json"),
        ImportedVote(None, "", 0, None, "", ""),
    ) == read_votes({"origin": {"votes": [full, {"status": None}]}})


@each_row(
    "origin",
    [
        None,
        "x",
        3,
        [],
        {},
        {"votes": None},
        {"votes": "solved"},
        {"votes": {"0": "solved"}},
        {"votes": ["solved", None, [1]]},
    ],
)
def test_what_is_no_vote_is_passed_over(origin: Any) -> None:
    """No score uses votes, so malformed ones are skipped."""
    assert () == read_votes({"origin": origin})


@each_row("number", ["2", -1, True, 1.5, None, 10**4000])
def test_values_of_other_kinds_are_none(number: Any) -> None:
    """Texts are texts, and the round is a number from 0 to 999."""
    given = {"status": 1, "by": [], "round": number, "judge": {}, "reason": None, "file": 5}
    assert (ImportedVote(None, "", 0, None, "", ""),) == read_votes({"origin": {"votes": [given]}})
