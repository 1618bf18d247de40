"""Answers that list numbers."""

from __future__ import annotations

from scoring.facts.stated.case_facts import StatedCase
from scoring.facts.stated.conflicting_numbers import many_numbers
from scoring.facts.stated.statements import Statements
from tests.each_row import each_row
from tests.scoring.facts.facts_of_texts import facts_of


@each_row(
    ("calculation", "expected"),
    [
        ("10 + 15 = 25. 25 + 20 = 45. 45 + 22 = 67. 67 + 33 = 100.", False),
        ("10 + 15 = 25. 25 + 20 = 45. 45 + 25 = 70. 70 + 30 = 100.", True),
        ("10 + 15 = 25. 26 + 20 = 46. 46 + 21 = 67. 67 + 33 = 100.", True),
    ],
)
def test_a_number_that_occurs_exactly_twice_counts_once(calculation: str, expected: bool) -> None:
    """It is a result and starts the next calculation. One that occurs three times counts thrice."""
    fact = {"id": "sum", "label": "the sum", "accepts": [{"number": 100}]}
    case = StatedCase.of(facts_of(facts=[fact]), "What is the sum?", "100")
    assert any(many_numbers(case, Statements.of(calculation, case))) is expected
