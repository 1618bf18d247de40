"""Equality of JSON values: the documented vectors, its laws, and what a judge may decide."""

from __future__ import annotations

import math
import unicodedata
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.rules.json_equality import caseless, equal, identical, textual
from tests.each_row import each_row

NAN, INF = float("nan"), float("inf")

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | st.sampled_from(
        [
            "1",
            "1.0",
            " 1 ",
            "true",
            "TRUE",
            "none",
            "1e3",
            "007",
            "nan",
            "-0",
            10**30,
            1e30,
            "1e999999999",
        ]
    )
)
JSON = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
)


def nested(depth: int, core: Any) -> Any:
    value = core
    for level in range(depth):
        value = [value] if level % 2 else {"in": value}
    return value


@each_row(
    ("expected", "got", "same"),
    [
        # the documented vectors
        ("007", "7", False),
        ("1_000", "1000", False),
        ("1e3", 1000, True),
        (True, "true", True),
        (None, "none", False),
        ("nan", "nan", True),
        ("inf", "inf", True),
        (12345678901234567890, 12345678901234567891, False),
        ("12345678901234567890", "12345678901234567891", False),
        (1e-11, 0, True),
        (100, "100.0", True),
        ("100", "100.0", True),
        (["p", "q"], ["q", "p"], False),
        ([1], [1.0], True),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, True),
        ("", None, False),
        (0, False, False),
        ("1,000", "1000", False),
        (1e16, 1e16 + 1, True),
        # booleans
        (True, True, True),
        (True, False, False),
        (True, "TRUE", True),
        (False, "true", False),
        (True, "yes", False),
        (True, 1, False),
        (True, 1.0, False),
        (False, None, False),
        (False, "", False),
        # null
        (None, None, True),
        (None, "", False),
        (None, 0, False),
        (None, [], False),
        # numbers
        (3, 3.0, True),
        (3, "3.0", True),
        (3, 4, False),
        (3, "three", False),
        (0.1, "0.1", True),
        (0.3, 0.1 + 0.2, True),
        (1, 1 + 1e-10, True),
        (1, 1 + 3e-10, False),
        (0, "0.0000000001", True),
        (0, "0.00000000010000000000000000000000000000000001", False),
        (123456789012.3, "123456789012.3", True),
        (1e23, "1e23", True),
        (2**53 + 1, float(2**53), False),
        (10**400, 10**400 + 1, False),
        (10**400, "1e400", True),
        (10**400, INF, False),
        ("1e999999999", "1e999999999", True),
        ("1e999999999", "1e999999998", False),
        ("1e-999999999", 0, True),
        ("1e9999999999999999999", "1E9999999999999999999", True),
        ("1e9999999999999999999", "2e9999999999999999999", False),
        ("9" * 5000, "9" * 4999 + "8", False),
        (0, -0.0, True),
        ("-0", 0, True),
        ("+5", 5, True),
        (" 5 ", 5, True),
        ("5.", 5, False),
        (".5", 0.5, False),
        ("0x10", 16, False),
        ("٥", "5", False),
        ("٥", 5, False),
        (NAN, NAN, True),
        (INF, INF, True),
        (INF, -INF, False),
        (INF, NAN, False),
        (NAN, 1, False),
        (NAN, "nan", False),
        (INF, "inf", False),
        # text
        ("Paris", " paris ", True),
        ("New  York\tCity", "new york city", True),
        ("STRASSE", "straße", True),
        (unicodedata.normalize("NFC", "é"), unicodedata.normalize("NFD", "é"), True),
        ("Paris", "Paris, France", False),
        ("", " ", True),
        ("a", "", False),
        # lists and objects
        ([], [], True),
        ([1], [1, 2], False),
        ([["A"]], [["a "]], True),
        ([1], 1, False),
        (["a"], "a", False),
        ({}, {}, True),
        ({}, [], False),
        ({"a": 1}, {"A": 1}, False),
        ({"a": [1, "x"]}, {"a": ["1.0", "X"]}, True),
        ({"a": None}, {}, False),
    ],
)
def test_equal(expected: Any, got: Any, same: bool) -> None:
    """Equality is by value as documented, and the same in both directions."""
    assert equal(expected, got) is same
    assert equal(got, expected) is same


@pytest.mark.large
@given(JSON)
def test_equal_is_reflexive(value: Any) -> None:
    """Every JSON value equals itself, NaN included."""
    assert equal(value, value)


@pytest.mark.large
@given(JSON, JSON)
def test_equal_is_symmetric(left: Any, right: Any) -> None:
    """The order of the two sides never matters, and no pair of values raises."""
    assert equal(left, right) is equal(right, left)


@pytest.mark.large
@given(JSON)
def test_identical_implies_equal(value: Any) -> None:
    """A value is identical to itself, and what is identical is equal."""
    assert identical(value, value)
    assert equal(value, value)


@given(st.text())
def test_caseless_is_settled_and_keeps_equality(text: str) -> None:
    """Text with other blanks and letter case around it is still the same caseless text."""
    assert caseless(f"  {text}\n") == caseless(text)
    assert equal(text, f"\t{text} ")


@each_row(
    ("left", "right", "same"),
    [
        (1, 1, True),
        (1, 1.0, False),
        (1, True, False),
        ("a", "A", False),
        (None, None, True),
        (NAN, NAN, True),
        (NAN, 1.0, False),
        ([1, "a"], [1, "a"], True),
        ([1], [1, 1], False),
        ([1], ["1"], False),
        ({"a": 1, "b": [2]}, {"b": [2], "a": 1}, True),
        ({"a": 1}, {"b": 1}, False),
    ],
)
def test_identical(left: Any, right: Any, same: bool) -> None:
    """Identical values are written the same, apart from the order of keys."""
    assert identical(left, right) is same


@pytest.mark.large
@pytest.mark.parametrize("compare", [equal, identical, textual])
def test_depth_is_no_obstacle(compare: Any) -> None:
    """Values nested far deeper than Python recurses are compared, not crashed on."""
    assert compare(nested(20_000, "a"), nested(20_000, "a"))
    assert not compare(nested(20_000, 1), nested(20_000, 2))


@each_row(
    ("expected", "got", "judge"),
    [
        ("kilometers", "km", True),
        ("1,000", "1000", True),
        ("1000", "1,000", True),
        ("007", "7", True),
        ("two", 2, True),
        ("two", 2.5, True),
        ("5", "6", False),
        ("5", 6, False),
        (5, 6, False),
        (2, "two", False),
        (True, "yes", False),
        ("yes", True, False),
        ("x", None, False),
        (None, "x", False),
        ("x", ["x"], False),
        (["Ann"], ["Anne"], True),
        (["Ann", 1], ["Anne", 1.0], True),
        (["Ann", 1], ["Anne", 2], False),
        (["Ann"], ["Anne", "Bob"], False),
        ({"to": "Ann"}, {"to": "Anne"}, True),
        ({"to": "Ann"}, {"from": "Ann"}, False),
        ({"to": "Ann"}, ["Ann"], False),
    ],
)
def test_textual(expected: Any, got: Any, judge: bool) -> None:
    """Only differences in words go to a judge. Code decides numbers, null, types and shapes."""
    assert textual(expected, got) is judge


def test_not_a_number_compares_without_its_sign() -> None:
    """NaN of either sign is the same value, because JSON has only one."""
    assert equal(NAN, math.copysign(NAN, -1))
