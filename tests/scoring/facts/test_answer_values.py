"""Numbers, times and dates that are the same."""

from __future__ import annotations

from leaderboard.facts import NumberForm, TimeForm
from scoring.facts.answer_values import (
    DATE,
    Values,
    find_number,
    find_time,
    is_combined,
    is_derived,
    rounds_to,
)
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


def test_rounded_numbers() -> None:
    """Two digits are enough, if they are the right ones."""
    assert rounds_to(9_800_000, 9_820_000)
    assert rounds_to(32, 31.6)
    assert not rounds_to(31, 31.6)
    assert not rounds_to(30, 34)
    assert rounds_to(34, 33.4, tolerance=0.02)


def test_the_numbers_of_a_time() -> None:
    """Minutes of the day can be used in sums; hours on both clocks and minutes are only parts."""
    values = Values()
    values.add(read_passage("It leaves at 18:45."))

    assert (values.times, values.numbers) == ({"18:45"}, {18 * 60 + 45})
    assert values.clock == {0, 6, 18, 45}


def test_numbers_worked_out() -> None:
    """Sums, differences, products, quotients and percentages of two numbers."""
    known = Values()
    known.add(read_passage("129 now, 39.9 before, 34.9 after, 15 percent off, on 2031-05-20"))
    assert is_derived(129 * 0.85, known)
    assert is_derived(5, known)
    assert not is_derived(41, known)
    assert not is_derived(129 - 15, known)
    assert is_derived(14.3, known, "percent")
    assert not is_derived(129 / 39.9, known, "percent")
    assert is_combined(129 - 39.9 - 34.9, [129, 39.9, 34.9])
    assert is_combined(129 - 3 * 34.9, [129, 3, 34.9])
    assert not is_combined(41, [129, 39.9, 34.9])


def test_the_units_of_known_numbers() -> None:
    """Keys of replies hold units, and the numbers of dates and times have their own."""
    values = Values()
    values.add(read_passage("percent_off 15\nwait_minutes 14\nat 01:10 on 2031-05-20, 7 seats"))
    assert values.only(15, "percent")
    assert values.only(14, "minute")
    assert values.only(70, "minute")
    assert values.only(20, DATE)
    assert values.only(2031, DATE)
    assert values.units[7] == {None}


def test_values_of_a_passage() -> None:
    """Every value is collected, with the parts of dates and times."""
    values = Values()
    values.add(read_passage("from 2031-05 on: 20:15 on 17 June 2031, 81.5"))
    assert values.times == {"20:15"}
    assert values.days == {"06-17"}
    assert values.months == {5, 6}
    assert {81.5, 2031, 17} <= values.numbers
