"""Numbers with what they count, and ids, which count nothing."""

from __future__ import annotations

from scoring.facts.sentences import read_passage
from scoring.facts.stated.quantities import quantities, without_ids
from tests.each_row import each_row
from tests.scoring.facts.facts_of_texts import finding_of

CALORIES = {
    "id": "c",
    "label": "the calories, 410",
    "accepts": [{"number": 410, "unit": "calorie"}],
}
USER = {"id": "u", "label": "the user ID, 52", "accepts": [{"number": 52}]}


@each_row(
    ("text", "numbers"),
    [
        ("A Walnut Brownie (food ID 131) has 410 calories.", [410]),
        ("A Walnut Brownie (food_id: 131, 410 calories)", [410]),
        ("The food #131 has 410 calories.", [410]),
        ("The ID is **131**, and it has 410.", [410]),
        ("7 users: IDs 17, 24 and 94. There are 8 foods.", [7, 8]),
        ("# 5 ideas", [5]),
        ("#3", [3]),
        ("Madrid 2 and Android 9", [2, 9]),
        ("Lines 17, 24", [17, 24]),
    ],
)
def test_ids_are_left_out(text: str, numbers: list[float]) -> None:
    """A list of ids is one only after "IDs"."""
    passage = read_passage(text)
    assert [one.value for one in without_ids(passage, quantities(passage))] == numbers


@each_row(
    ("answer", "expected"),
    [
        ("A Walnut Brownie (food ID 131) has 410 calories.", "pass"),
        ("The food ID is 131. It has 410 calories.", "pass"),
        ("A Walnut Brownie (food ID 410) has 131 calories.", "fail"),
        ("Food ID 410.", "fail"),
    ],
)
def test_an_id_is_neither_a_right_number_nor_another(answer: str, expected: str) -> None:
    """It says which record the answer is about."""
    query = "How many calories does a Walnut Brownie have?"
    assert finding_of(query, answer, facts=[CALORIES]).decided == expected


@each_row(
    ("answer", "expected"),
    [("Your user ID is 52.", "pass"), ("Your user ID is 17, not 52.", "fail")],
)
def test_an_id_that_is_asked_for_counts(answer: str, expected: str) -> None:
    """The question names an ID."""
    assert finding_of("What is my user ID?", answer, facts=[USER]).decided == expected
