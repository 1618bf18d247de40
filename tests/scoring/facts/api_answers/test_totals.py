"""Totals of replies that answers give as the price of one thing."""

from __future__ import annotations

from scoring.facts.api_answers.totals import Total, given_as_rate, totals
from scoring.facts.sentences import read_passage
from tests.each_row import each_row

REPLY = {"site": "Dune Camp", "people": 2, "nights": 3, "car": True, "total": 78.0}


def test_a_total_is_about_what_its_reply_counts() -> None:
    """Only counts above one matter, at any depth; a reply about one thing has a price."""
    found = [Total(78.0, frozenset(("people", "person", "head", "adult", "night")))]
    assert list(totals({"offers": [REPLY, {"nights": 1, "total": 26.0}]})) == found
    assert list(totals({"nights": 3, "total": "78"})) == []


@each_row(
    ("answer", "words"),
    [
        ("It costs 78 a night, so 234 for the three of them.", "78 a night"),
        ("78 ARV per night.", "78 arv per night"),
        ("You pay 78 each.", "78 each"),
        ("A night costs 78, so 234 for three.", "a night costs 78"),
        ("For every night you pay 78.", "every night you pay 78"),
        ("Three nights cost 78.", None),
        ("It is 26 a night, 78 in all.", None),
        ("It's 78 per person, so 156.", "78 per person"),
        ("Das macht 78 pro Kopf.", "78 each"),
        ("It costs 78 for three nights.", None),
        ("It costs 78, each night 26.", None),
        ("78 in all, 26 a night.", None),
        ("78 a year.", None),
    ],
)
def test_a_total_for_one(answer: str, words: str | None) -> None:
    """The number comes right before "a night", "per night" or "each"."""
    passage = read_passage(answer)
    found = given_as_rate(passage, totals(REPLY))
    assert (passage.text_of(found) if found else None) == words
