"""The times, dates and numbers of a passage, with their units."""

from __future__ import annotations

from scoring.facts.api_answers.answer_values import DATE, Values
from scoring.facts.sentences import read_passage


def test_the_numbers_of_a_time() -> None:
    """Minutes of the day can be used in sums; hours on both clocks and minutes are only parts."""
    values = Values()
    values.add(read_passage("It leaves at 18:45."))

    assert (values.times, values.numbers) == ({"18:45"}, {18 * 60 + 45})
    assert values.clock == {0, 6, 18, 45}


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


def test_the_time_between_two_times() -> None:
    """The later one may be on the next day. A time is not a day apart from itself."""
    values = Values()
    values.add(read_passage("from 22:30 to 00:15"))
    apart = [minutes for minutes in range(2000) if values.has_times_apart(float(minutes))]
    assert apart == [0, 105, 1335]
    assert not values.has_times_apart(105.5)
