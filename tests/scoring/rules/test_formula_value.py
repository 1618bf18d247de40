"""The values of formulas, and the texts that are none."""

from __future__ import annotations

import pytest

from scoring.rules.formula_value import formula_value
from tests.each_row import each_row
from tests.scoring.facts.made_up_answers import suite


@each_row(
    "text, value",
    [
        ("17% of 2,340", 397.8),
        ("What is 17% of 2,340?", 397.8),
        ("2340 * 17%", 397.8),
        ("17 percent of 2340", 397.8),
        ("(17/100) × 2340", 397.8),
        ("48 mod 7", 6),
        ("48 % 7", 6),
        ("Average speed = 312 ÷ 2.6", 120),
        ("312 ÷ 2.6 = ?", 120),
        ("312 divided by 2.6", 120),
        ("Calculate: 3 x 4", 12),
        ("1764^0.5", 42),
        ("√1764", 42),
        ("the square root of 1764", 42),
        ("2³ − 3²", -1),
        ("-(1 + 2) * 1e2", -300),
    ],
)
def test_formulas(text: str, value: float) -> None:
    """Signs, words, percentages and roots, as people write them."""
    found = formula_value(text, "")
    assert found is not None
    assert found == pytest.approx(value)


def test_units_of_the_question() -> None:
    """They change nothing. Other words may: miles are not kilometres."""
    question = "A train covers 312 km in 2.6 hours. What is its average speed?"
    assert formula_value("Average speed = 312 km / 2.6 hours", question) == 120
    for text in ("312 miles / 2.6 hours", "312 km / 2.6 hours squared", "2 million * 3"):
        assert formula_value(text, question) is None


@each_row(
    "text",
    [
        "397.8",
        "48 % 7 squared",
        "-5",
        "3x + 7 = 31",
        "17% off 2340",
        "How many of 48 bulbs are left over?",
        "1 / 0",
        "9 ** 9 ** 9 ** 9",
        "10 ** 64 ** 64",
        "1e300 * 1e300",
        "(-1) ^ 0.5",
        "(1 +",
        "1_000 * 2",
        "0b1 + 1",
        "__import__('os')",
        "'\\i' * 3",
        "1 + " * 60 + "1",
    ],
)
def test_other_texts(text: str) -> None:
    """Single numbers, equations, questions, and what has no value or takes too long."""
    assert formula_value(text, "") is None


def test_the_shipped_results_are_those_of_their_formulas() -> None:
    """Where the expected call holds a formula, it has the result of the case."""
    read = {}
    for category in suite("tool_selection").categories:
        for case in category.cases:
            for call in case.ground_truth.calls:
                for argument in call.arguments:
                    if argument.result is not None:
                        read[case.id] = (argument.result, formula_value(argument.accepted[0], ""))
    assert len(read) == 5
    assert all(value in (None, pytest.approx(result)) for result, value in read.values())
    assert [value for _, value in read.values()].count(None) == 3
