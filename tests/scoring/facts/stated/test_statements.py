"""What an answer states, and what of its text states nothing."""

from __future__ import annotations

from tests.each_row import each_row
from tests.scoring.facts.facts_of_texts import finding_of

QUERY = "Which city is the coldest right now?"
CITY = {
    "id": "city",
    "label": "the city, Oslo",
    "accepts": ["oslo"],
    "rivals": ["lima", "rome"],
}


@each_row(
    ("answer", "expected"),
    [
        ("~~Oslo~~ Rome", "fail"),
        ("~~Rome~~ **Oslo**", "pass"),
        ("It's ~~Rome or\nLima~~ Oslo.", "pass"),
        ("~~Rome\n\nOslo~~", "fail"),
        ("About ~5 degrees in Oslo, and ~20 in Rome.", "pass"),
    ],
)
def test_what_is_struck_out_states_nothing(answer: str, expected: str) -> None:
    """Markdown's two tildes withdraw what is between them, within a paragraph."""
    assert finding_of(QUERY, answer, facts=[CITY]).decided == expected
