"""Where numbers and times are stated."""

from __future__ import annotations

from leaderboard.facts.accepted_forms import NumberForm, TimeForm
from scoring.facts.api_answers.value_search import find_number, find_time
from scoring.facts.sentences import read_passage
from tests.each_row import each_row


@each_row(
    ("number", "unit", "text", "stated"),
    [
        (174, "km", "It is 174 km.", True),
        (174, "km", "It is 174.", True),
        (174, "km", "It is 108 miles.", True),
        (174, "km", "It is 174 miles.", False),
        (145, "minutes", "It takes 2 hours and 25 minutes.", True),
        (145, "minutes", "It takes 145 hours.", False),
        (5, "km", "It is 5 stops.", True),
        (5, "km", "It is 5 ARV.", True),
        (6, "km", "It is 5 ARV.", False),
        (5, "arv", "It is 5 km.", False),
        (15, "brp", "It costs 15 BRP.", True),
        (15, "brp", "It costs 15 ARV.", False),
        (4350, "nlk", "It costs NLK 4,350.", True),
        (25, "celsius", "A high of 77 °F.", True),
        (29, "arv", "March 29 ARV, April 24.50 ARV", True),
        (9820000, None, "About 9.8 million.", True),
        (9820000, None, "About 10 million.", False),
    ],
)
def test_numbers_with_units(number: float, unit: str | None, text: str, stated: bool) -> None:
    """A number counts in another unit of its dimension, but not with another unit."""
    found = list(find_number(NumberForm(number, unit), read_passage(text)))
    assert bool(found) is stated


def test_full_hours() -> None:
    """An hour without minutes counts where the words around it make it a time."""
    ten = TimeForm("22:00")
    assert list(find_time(ten, read_passage("It closes at 10.")))
    assert list(find_time(ten, read_passage("10 in the evening")))
    assert not list(find_time(ten, read_passage("10 cabins are free.")))
    assert not list(find_time(TimeForm("22:15"), read_passage("It closes at 10.")))
