"""Small numbers that are part of something else."""

from __future__ import annotations

from scoring.facts.api_answers.small_numbers import is_own_value, names_with_numbers
from scoring.facts.sentences import Span, read_passage
from tests.each_row import each_row

NAMES = names_with_numbers(["2 left shoes", "2 birds", "left shoes"], " the song 2 left shoes ")


@each_row(
    ("text", "number", "own"),
    [
        ("It came in at place 2.", "2", True),
        ("'Two Left Shoes' is in G major.", "2", False),
        ("Two birds were seen.", "2", True),
        ("Two left shoe laces.", "2", True),
        ("From 6 to 14 degrees.", "6", False),
        ("From 0 to 6 degrees.", "6", False),
        ("12 to 14 of them.", "12", False),
        ("13 to 14 of them.", "13", True),
        ("Between the two, skyr has more.", "2", False),
        ("One of the two", "2", False),
        ("The two of them", "2", False),
        ("The two copies are there.", "2", True),
        ("These 3, then.", "3", True),
        ("Two.", "2", True),
        ("Two of these", "2", True),
        ("Up to 6 birds.", "6", True),
        ("2 to 6 of them.", "6", False),
    ],
)
def test_a_number_of_its_own(text: str, number: str, own: bool) -> None:
    """No part of a name that the query has, no end of a range, and not what was named before."""
    passage = read_passage(text)
    at = passage.words.index(number)
    assert is_own_value(passage, Span(at, at + 1), NAMES) is own


def test_a_range_of_a_measure_has_two_values() -> None:
    """A fact with a unit may be one end of "6 to 14 °C"."""
    passage = read_passage("6 to 14 °C")
    assert is_own_value(passage, Span(0, 1), NAMES, has_unit=True)
    assert not is_own_value(passage, Span(0, 1), NAMES)


def test_names_are_those_that_the_query_has() -> None:
    """A reply's own text, such as "2 birds", is no name that hides its number."""
    assert names_with_numbers(["2 birds", "gull"], " the gull ") == frozenset()
    assert frozenset({("2", "left", "shoes")}) == NAMES
