"""The expressions of services: what they compute, and what they refuse."""

from __future__ import annotations

import pytest

from leaderboard.types import Json
from runners.apis.service_expressions import EVALUATION_ERRORS, by_spelling, expression, plain_text
from tests.each_row import each_row

VALUES = {
    "nights": 3,
    "hotel": {"price": 79.5, "name": "The Inn"},
    "rows": [{"price": 4}, {"price": 6}],
    "from": "Velmora",
    "none": None,
}


@each_row(
    ("text", "value"),
    [
        ("round(hotel.price * nights * 0.9, 2)", 214.65),
        ("-nights // 2 + 7 % 4", 1),
        ("nights > 2 and hotel.name != ''", True),
        ("none or nights", 3),
        ("1 < nights <= 3", True),
        ("'low' if nights < 2 else 'high'", "high"),
        ("f'{nights} nights at {hotel.name}'", "3 nights at The Inn"),
        ("sum(column(rows, 'price'))", 10),
        ("rows[0].price in [4, 5]", True),
        ("from_", "Velmora"),
        ("pick(hotel, 'name')", {"name": "The Inn"}),
        ("contains(['Crème brûlée'], 'creme')", True),
        ("minutes('23:50', '00:15')", 25),
        ("add_minutes('23:50', 25)", "00:15"),
        ("days('2031-02-27', '2031-03-01')", 2),
        ("add_days('2031-02-27', 2)", "2031-03-01"),
        ("weekday('2031-05-17')", "Saturday"),
        ("join(['a', 1])", "a, 1"),
        ("not none is None", False),
    ],
)
def test_an_expression_has_a_value(text: str, value: Json) -> None:
    """Arithmetic, comparisons, conditions, f-strings, rows and functions."""
    assert value == expression(text).value(VALUES)


@each_row(
    "text",
    [
        "nights +",
        "open('x')",
        "nights.real()",
        "round(number=3)",
        "[x for x in rows]",
        "lambda: 1",
        "2 ** 9",
        "{**hotel}",
        "f'{nights:9}'",
        "f'{nights!r}'",
    ],
)
def test_other_syntax_is_refused(text: str) -> None:
    """No loops, no powers, no other functions, no keywords, no formats."""
    with pytest.raises(ValueError, match=r"not an expression|syntax|function|operator|formats"):
        expression(text)


@each_row(
    "text",
    ["'x' * 3", "'%99d' % 3", "1 / 0", "missing", "hotel.stars", "none < 3", "pick(hotel, none)"],
)
def test_values_that_do_not_fit_are_errors(text: str) -> None:
    """Each is one of the errors that a service turns into a reply. Text is never multiplied."""
    with pytest.raises(EVALUATION_ERRORS):
        expression(text).value(VALUES)


def test_spellings_are_compared_without_accents_signs_and_case() -> None:
    """A person who types a name gets the record."""
    assert "cafe du nord" == plain_text("  Café-du   NORD! ")


def test_values_that_differ_in_signs_are_told_apart() -> None:
    """A sign counts if it tells values apart, and otherwise it does not."""
    known = by_spelling(["A+", "A", "C-1", "+"])
    assert ("A+", "A", "C-1", "C-1") == (known["a+"], known["a"], known["c-1"], known["c 1"])
    assert "" not in known
    assert not expression("contains('C-1', '☃')").value({})


def test_an_argument_may_be_named_like_a_function() -> None:
    """What an expression needs are the names of values, not of functions."""
    found = expression("weekday(date) == weekday")
    assert {"date", "weekday"} == found.names
    assert found.value({"date": "2031-05-17", "weekday": "Saturday"})
