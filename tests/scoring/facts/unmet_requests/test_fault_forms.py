"""The forms of a fault: what follows from the details that a case gives."""

from __future__ import annotations

import pytest

from leaderboard.facts.fault_types import FAULT_TYPES
from scoring.facts.sentences import read_passage
from scoring.facts.toml_tables import read_table
from scoring.facts.unmet_requests.fault_forms import forms_of
from tests.each_row import each_row
from tests.scoring.facts.facts_of_texts import facts_of


def test_types_and_their_reasons_are_those_of_the_vocabulary() -> None:
    """A data set can use every type, and every part of a type that a case may name."""
    types = read_table("unmet_requests/faults.toml")["faults"]
    assert set(types) == set(FAULT_TYPES)
    for name, known in FAULT_TYPES.items():
        parts = {part for part, table in types[name].items() if type(table) is dict}
        assert not known.reasons or parts == set(known.reasons)


@each_row(
    ("day", "reason"),
    [
        ("2027-02-29", "2027 is not a leap year."),
        ("2026-13-05", "There are only 12 months."),
        ("2026-06-00", "Days begin with 1."),
        ("--06-31", "June has 30 days."),
        ("2026-01-32", "January has 31 days."),
        ("2026-12-32", "December has 31 days."),
    ],
)
def test_reasons_follow_from_the_day(day: str, reason: str) -> None:
    """Leap days, months, day 0 and short months have their own reasons."""
    fault = facts_of(fault={"type": "no_such_day", "day": day}).fault
    assert fault is not None
    assert forms_of(fault).reasons.first(read_passage(reason))


@each_row(("number", "false"), [(26, False), (27, True), (30, False), (31, False), (32, False)])
def test_another_length_of_the_month_is_a_contradiction(number: int, false: bool) -> None:
    """November has 30 days. With 31, an answer only repeats the day at fault."""
    fault = facts_of(fault={"type": "no_such_day", "day": "2026-11-31"}).fault
    assert fault is not None
    said = read_passage(f"November has only {number} days.")
    assert bool(forms_of(fault).false.first(said)) is false


def test_a_gap_in_what_contradicts_a_fault_crosses_no_comma() -> None:
    """What follows the comma is another statement."""
    day = {"type": "no_such_day", "day": "2026-13-05", "excludes": ["months .. missing"]}
    fault = facts_of(fault=day).fault
    assert fault is not None
    false = forms_of(fault).false
    assert false.first(read_passage("The months are missing."))
    assert not false.first(read_passage("There are 12 months, and one is missing."))


@pytest.mark.parametrize(
    ("time", "reason", "other"),
    [
        ("24:10", "A day has 24 hours.", "An hour has 60 minutes."),
        ("23:60", "An hour has 60 minutes.", "A day has 24 hours."),
    ],
)
def test_the_wrong_part_of_a_time_is_named(time: str, reason: str, other: str) -> None:
    """23 is an hour. 24 is none, whatever the minutes are."""
    fault = facts_of(fault={"type": "no_such_time", "time": time}).fault
    assert fault is not None
    reasons = forms_of(fault).reasons
    assert reasons.first(read_passage(reason))
    assert not reasons.first(read_passage(other))


@pytest.mark.parametrize(
    ("time", "at_fault", "fine"), [("24:10", "24", "10"), ("23:61", "61", "23")]
)
def test_the_number_at_fault_is_that_of_the_wrong_part(time: str, at_fault: str, fine: str) -> None:
    """A denial may name the number alone."""
    fault = facts_of(fault={"type": "no_such_time", "time": time}).fault
    assert fault is not None
    assert forms_of(fault).absent.first(read_passage(f"There is no {at_fault}."))
    assert not forms_of(fault).absent.first(read_passage(f"There is no {fine}."))


@pytest.mark.parametrize(
    ("count", "reason", "wrong"),
    [
        (0, "The room is empty.", "The number is negative."),
        (-1, "The number is negative.", "It must be a whole number."),
        (1.5, "It must be a whole number.", "The number is negative."),
    ],
)
def test_reasons_follow_from_the_count(count: float, reason: str, wrong: str) -> None:
    """Nothing, less than nothing and parts have their own reasons."""
    fault = facts_of(fault={"type": "bad_count", "count": count, "of": ["guests"]}).fault
    assert fault is not None
    assert forms_of(fault).reasons.first(read_passage(reason))
    assert forms_of(fault).wrong.first(read_passage(wrong))
