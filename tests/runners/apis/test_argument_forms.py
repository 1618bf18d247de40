"""The arguments of services: variants that mean the same, and values that are refused."""

from __future__ import annotations

import pytest

from leaderboard.types import Json
from runners.apis.argument_forms import RefusedError, Tables, argument_form, is_absent
from tests.each_row import each_row

TABLES: Tables = {
    "hotels": [{"id": "h-71", "city": "Port Calder"}],
    "lines": [{"line": "210"}],
    "grades": [{"grade": 4.0}, {"grade": 2.7}],
    "empty": [],
}


@each_row(
    ("form", "given", "value"),
    [
        ("text", "  two   words ", "two words"),
        ("text", 7, "7"),
        ("hotels.city", "PORT  calder", "Port Calder"),
        ("choice metric|imperial", "Metric", "metric"),
        ("lines.line", 210, "210"),
        ("lines.line", 210.0, "210"),
        ("lines.line", "210", "210"),
        ("grades.grade", 4.0, 4.0),
        ("grades.grade", 4, 4.0),
        ("grades.grade", "4.0", 4.0),
        ("grades.grade", "4", 4.0),
        ("grades.grade", 2.7, 2.7),
        ("choice 1|2", 2.0, "2"),
        ("text", 7.0, "7"),
        ("boolean", 1.0, True),
        ("integer 1..14", "3", 3),
        ("integer", 3.0, 3),
        ("number 0..", "2.5", 2.5),
        ("date", " 2031-05-17 ", "2031-05-17"),
        ("time", "8:05", "08:05"),
        ("boolean", "True", True),
        ("boolean", 0, False),
    ],
)
def test_spellings_of_a_value_mean_the_same(form: str, given: Json, value: Json) -> None:
    """Case, blanks, numbers as text and whole floats do not matter."""
    found = argument_form(form, TABLES).read("x", given)
    assert (value, type(value)) == (found, type(found))


@each_row(
    ("form", "name", "given", "error"),
    [
        ("hotels.city", "city", "Velmoora", "unknown city: 'Velmoora'"),
        ("lines.line", "line", 210.5, "unknown line: '210.5'"),
        ("lines.line", "line", 211.0, "unknown line: '211'"),
        ("grades.grade", "grade", 27, "unknown grade: '27'"),
        ("hotels.id", "hotel_id", "Inn", "unknown hotel_id: 'Inn'; values look like 'h-71'"),
        ("choice a|b", "units", "c", "units: 'c' is not one of a, b"),
        ("integer 1..14", "nights", 0, "nights must be from 1 to 14, not '0'"),
        ("number 1..", "kg", "0.5", "kg must be at least 1, not '0.5'"),
        ("number ..9", "kg", 10, "kg must be at most 9, not '10'"),
        ("integer", "nights", 1.5, "nights: '1.5' is not a whole number"),
        ("number", "kg", "two", "kg: 'two' is not a number"),
        ("number", "kg", "1e999", "kg: '1e999' is not a number"),
        ("number", "kg", "nan", "kg: 'nan' is not a number"),
        ("number", "kg", True, "kg: 'True' is not a number"),
        ("date", "day", "17 May", "day: '17 May' is not a date; write YYYY-MM-DD"),
        ("date", "day", "2031-02-30", "day: '2031-02-30' is not a date; write YYYY-MM-DD"),
        (
            "date 2031-05-01..2031-05-31",
            "day",
            "2031-06-01",
            "day: no data for 2031-06-01; known from 2031-05-01 to 2031-05-31",
        ),
        ("time", "at", "6 pm", "at: '6 pm' is not a time; write HH:MM"),
        ("boolean", "car", "maybe", "car: 'maybe' is neither true nor false"),
        ("text", "q", ["a"], "q must be text"),
    ],
)
def test_a_wrong_value_is_refused(form: str, name: str, given: Json, error: str) -> None:
    """The error names the parameter and the value, as an API would."""
    with pytest.raises(RefusedError) as refused:
        argument_form(form, TABLES).read(name, given)
    assert error == str(refused.value)


def test_a_default_is_json_or_text() -> None:
    """What an optional argument is if it is left out."""
    forms = ("integer 1..20 = 5", "boolean = false", "choice a|b = a", "text")
    assert [5, False, "a", None] == [argument_form(form, TABLES).default for form in forms]


@each_row("form", ["", "Text", "riddle", "hotels.name", "empty.id"])
def test_an_unknown_form_is_an_error(form: str) -> None:
    """A kind that does not exist, or a column that no table has."""
    with pytest.raises(ValueError, match=r"form|kind|column"):
        argument_form(form, TABLES)


def test_null_and_blank_text_are_absent() -> None:
    """Zero and false are values."""
    assert [True, True, False, False] == [is_absent(value) for value in (None, " ", 0, False)]
