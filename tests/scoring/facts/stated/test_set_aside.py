"""Numbers that are not what an answer gives: wholes, totals, and steps of calculations."""

from __future__ import annotations

import time

from scoring.facts.stated.case_facts import StatedCase
from scoring.facts.stated.set_aside import set_aside
from scoring.facts.stated.statements import Statements
from tests.each_row import each_row
from tests.scoring.facts.facts_of_texts import facts_of, finding_of

FOODS = "How many of her favorite foods contain milk?"
EACH = "How many players does each side have on the pitch?"
AVERAGE = "How many calories does one of the foods have on average?"


def decided(query: str, answer: str, number: int, noun: str) -> str:
    fact = {
        "id": "number",
        "label": f"the number of {noun}s",
        "accepts": [{"number": number, "unit": f"{noun}*"}],
    }
    return finding_of(query, answer, facts=[fact]).decided


@each_row(
    ("answer", "expected"),
    [
        ("Two of her three favorite foods contain milk.", "pass"),
        ("2 of the 3 favorite foods contain milk.", "pass"),
        ("2 out of 3 favorite foods contain milk.", "pass"),
        ("Of her three favorite foods, two contain milk.", "pass"),
        ("Out of 3 favorite foods, 2 contain milk.", "pass"),
        ("Of her three favorite foods, two contain milk and one does not.", "pass"),
        ("Of her three favorite foods, two lack milk and one contains it.", "fail"),
        ("Two of her three favorite foods are milk-free, one contains milk.", "fail"),
        ("Of her 3 favorite foods, 2 are without milk.", "fail"),
        ("Of her three favorite foods, two have none and one has milk.", "fail"),
        ("Of her three favorite foods all three contain milk; two also contain wheat.", "fail"),
        ("Of her three favorite foods, all contain milk, two of them a lot.", "fail"),
        ("3 of her 2 favorite foods contain milk.", "fail"),
        ("Of her 2 favorite foods, 1 is a food with milk.", "fail"),
    ],
)
def test_a_share_is_given_and_not_its_whole(answer: str, expected: str) -> None:
    """The whole is no second answer, and no right one."""
    assert decided(FOODS, answer, 2, "food") == expected


@each_row(
    ("answer", "expected"),
    [
        ("Each side has 11 players, for a total of 22 on the pitch.", "pass"),
        ("11 players per side (22 players in total).", "pass"),
        ("11 players per side, so 22 in total.", "pass"),
        ("10 players and 1 goalkeeper, 11 in total.", "pass"),
        ("There are 11 in total and 5 on each side.", "fail"),
        ("Each side has 10 players, for a total of 11.", "fail"),
        ("Each side has 10 players, so the total is 11.", "fail"),
    ],
)
def test_a_total_is_not_the_number_of_each(answer: str, expected: str) -> None:
    """It is not given where the question asks for the number of each, and the answer has one."""
    assert decided(EACH, answer, 11, "player") == expected


@each_row(
    ("answer", "expected"),
    [
        ("The average is (130 + 330 + 380) / 3 = 840 / 3 = **280 calories**.", "pass"),
        ("It has 280 calories on average (840 calories in total).", "pass"),
        ("280 - 130 calories for one, 330 calories for another.", "pass"),
        ("280 + 560 = 840 calories.", "fail"),
        ("The average is (280 + 330 + 380) / 3 = 330 calories.", "fail"),
    ],
)
def test_steps_of_a_calculation_are_not_given(answer: str, expected: str) -> None:
    """What is on the left of an equals sign is worked with. A dash alone is no equation."""
    assert decided(AVERAGE, answer, 280, "calorie") == expected


def test_t12_marks_between_numbers_are_read_in_linear_time() -> None:
    """Emphasis without end is no operator."""
    fact = {"id": "number", "label": "the number", "accepts": [{"number": 2}]}
    case = StatedCase.of(facts_of(facts=[fact]), FOODS, "2")
    answer = Statements.of("1 " + "*" * 20_000 + " x 2 and 88", case)
    start = time.process_time()
    assert set_aside(answer) == frozenset()
    assert time.process_time() - start < 0.3
