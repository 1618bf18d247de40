"""The one number that an answer gives, where it has several of the same kind."""

from __future__ import annotations

import pytest

from tests.each_row import each_row
from tests.scoring.facts.facts_of_texts import finding_of

QUERY = "How many strings does a violin have?"
HEDGES = [
    "Lower: {}. Upper: {}.",
    "{} by any method. By another method it is {}.",
    "Taken one way, {}. Taken another way, {}.",
    "A violin has {} strings. Again, a violin has {} strings.",
    "A violin: {}. Again, a violin: {} strings.",
    "From {} to {}.",
    "{}. So: {}.",
    "Some say {}. Some say {}.",
    "{} of its {} strings.",
    "Of {} strings, {} are counted.",
    "{} / 2 = {} strings.",
]


def decided(answer: str, number: int) -> str:
    strings = {
        "id": "strings",
        "label": "the number of strings",
        "accepts": [{"number": number, "unit": "string*"}],
    }
    return finding_of(QUERY, answer, facts=[strings]).decided


@pytest.mark.parametrize("hedge", HEDGES)
def test_one_of_two_numbers_passes_at_most(hedge: str) -> None:
    """The same text is not accepted whichever of its numbers is right."""
    answer = hedge.format(41, 67)
    assert "fail" in (decided(answer, 41), decided(answer, 67))


def test_numbers_that_make_a_sum() -> None:
    """A list does not pass with three answers because the last one is the sum of the others."""
    passed = [n for n in (41, 67, 108) if decided("Low: 41. Middle: 67. Up: 108.", n) == "pass"]
    assert passed == [108]


@each_row(
    ("answer", "expected"),
    [
        ("Violin: 4. Guitar: 6. Banjo: 5.", "pass"),
        ("Guitar: 6. Violin: 4.", "pass"),
        ("4. A violin of another kind has 5 strings.", "pass"),
        ("A guitar has 6 strings. Two fewer make 4.", "pass"),
        ("2 + 2 = 4.", "pass"),
        ("Total: 3 + 1 = 4 strings.", "pass"),
        ("(3 + 4 + 5) / 3 = 4 strings on average.", "pass"),
        ("A guitar has 6. Final answer: 4", "pass"),
        ("4 strings, 6 pegs and 1 bow.", "pass"),
        ("A violin has 4 strings, and I have 1 of them.", "pass"),
        ("A guitar and a violin: 6. The other: 4.", "fail"),
    ],
)
def test_numbers_of_something_else(answer: str, expected: str) -> None:
    """Honest answers compare, and show how they calculate."""
    assert decided(answer, 4) == expected


@each_row(
    ("answer", "expected"),
    [
        ("A guitar has 4 strings; a violin has 6.", "open"),
        ("Mandolins have 4 strings. The violin has 8.", "open"),
        ("A violin has 4 strings; a guitar has 6.", "pass"),
        ("It has 4 strings. A violin has 4 strings.", "pass"),
        ("4 strings. Some electric violins have 5.", "pass"),
        ("A violin has 6 strings; a guitar has 4.", "fail"),
    ],
)
def test_the_first_number_may_be_said_of_another(answer: str, expected: str) -> None:
    """A judge reads it if more words of the question are beside another number."""
    assert decided(answer, 4) == expected


@each_row(
    ("answer", "expected"),
    [
        ("The bridge was built in 1961 and opened in 1989.", "pass"),
        ("It was built in 1961 and was opened in 1989.", "pass"),
        ("The bridge was opened in 1961 and built in 1989.", "fail"),
        ("The bridge was opened in 1961 and again in 1989.", "fail"),
        ("It was opened in 1961 and opened in 1989.", "fail"),
        ("It was 1961, and 1989 for the opened one.", "fail"),
    ],
)
def test_each_verb_has_its_own_year(answer: str, expected: str) -> None:
    """The number after the verb of the question is given, if another verb is before it."""
    year = {"id": "year", "label": "the year", "accepts": [{"number": 1989}]}
    query = "In which year was the bridge opened?"
    assert finding_of(query, answer, facts=[year]).decided == expected
