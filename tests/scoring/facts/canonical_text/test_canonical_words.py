"""The tables of number words and units."""

from __future__ import annotations

import math

import pytest

from scoring.facts.canonical_text.canonical_words import (
    MEASURES,
    MONTHS,
    ORDINALS,
    SHORT_ORDINALS,
    SMALL,
    TENS,
)


def test_number_words_have_their_values() -> None:
    """From zero to nineteen, then in tens. The short ordinals are those that stay words."""
    words = {**SMALL, **TENS}
    found = [words[word] for word in ("zero", "twelve", "nineteen", "twenty", "fifty", "ninety")]
    ordinals = [ORDINALS[word] for word in ("first", "nineteenth", "twentieth", "ninetieth")]

    assert [0, 12, 19, 20, 50, 90] == found
    assert [1, 19, 20, 90] == ordinals
    assert list(range(1, 13)) == sorted(SHORT_ORDINALS)
    assert (MONTHS["january"], MONTHS["december"]) == (1, 12)
    assert (SHORT_ORDINALS[1], SHORT_ORDINALS[12]) == ("first", "twelfth")


@pytest.mark.parametrize(
    ("number", "unit", "same", "other"),
    [
        (212, "fahrenheit", 100, "celsius"),
        (-40, "fahrenheit", -40, "celsius"),
        (1, "mile", 1.609344, "kilometre"),
        (90, "minute", 1.5, "hour"),
    ],
)
def test_equal_amounts_are_equal_in_the_first_unit(
    number: float, unit: str, same: float, other: str
) -> None:
    """A unit has a factor, and only temperatures have an offset."""
    assert math.isclose(MEASURES[unit].of(number), MEASURES[other].of(same))
