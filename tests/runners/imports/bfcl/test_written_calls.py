"""Calls that models wrote as text."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leaderboard.types import Language
from runners.imports.bfcl.written_calls import (
    UnreadableTextError,
    as_json,
    read_calls,
    read_json_calls,
)
from tests.each_row import each_row


@each_row(
    ("text", "calls"),
    [
        ("[f(a=1), g.h(b='x')]", [("f", {"a": 1}), ("g.h", {"b": "x"})]),
        ("f(a=1)", [("f", {"a": 1})]),
        ("```\n[f(a=1)]\n```", [("f", {"a": 1})]),
        ("[]", []),
        ("", []),
        ("f(a=-1, b=+2, c=not True, d=~5)", [("f", {"a": -1, "b": 2, "c": False, "d": -6})]),
        ("f(a=[1, (2, 'x')], b={'k': None})", [("f", {"a": [1, (2, "x")], "b": {"k": None}})]),
        ("f(a=2 * 3 + 1, b='x' + 'y', c=1 / 4)", [("f", {"a": 7, "b": "xy", "c": 0.25})]),
        (
            "f(a=route, b=g(1), c=h(x=2), d=l[0])",
            [("f", {"a": "route", "b": "g(1)", "c": {"h": {"x": 2}}, "d": "l[0]"})],
        ),
        ("f(1, b=2, **more)", [("f", {"#1": 1, "b": 2, "**": "more"})]),
        ("f(a=...)", [("f", {"a": "..."})]),
        (f"f(a=0x{'f' * 5000})", [("f", {"a": "0x" + "f" * 5000})]),
    ],
)
def test_python_is_read(text: str, calls: Any) -> None:
    """Literals have their values. Names, and calls without named arguments, stay source."""
    assert read_calls(text, None) == calls


@each_row(
    "text",
    [
        "I would call f(a=1).",
        "Yes",
        "[1, 2]",
        "f(a=x.y)",
        "f(a=1 if b else 2)",
        "f(a=[b for b in c])",
        "f(a=f'{x}')",
        "f(a={**b})",
        "f(a=9 ** 9 ** 9)",
        "f(a='x' * 10 ** 9)",
        "f(a=x + 1)",
        "f(a=1 / 0)",
        "f()()",
        "f(" * 500,
        "f(a=" + "[" * 150 + "]" * 150 + ")" * 2,
        "f(a=1" + "+1" * 40_000 + ")",
        "f(a='" + "x" * 200_000 + "')",
        "f(a=1)\x00",
        "f(a=a" + "\u0301\u0316" * 40 + ")",
    ],
)
@pytest.mark.large
def test_prose_and_code_are_no_calls(text: str) -> None:
    """Nothing is run, and nothing is guessed: not a call, a calculation too large, no text."""
    with pytest.raises(UnreadableTextError):
        read_calls(text, None)


@each_row(
    ("text", "calls"),
    [
        ('[{"name": "f", "arguments": {"a": [1]}}]', [("f", {"a": [1]})]),
        ('```\n{"name": "f", "parameters": {}}\n```', [("f", {})]),
        ("[]", []),
        ('[{"name": "f"}]', None),
        ('[{"name": 7, "arguments": {}}]', None),
        ("[f(a=1)]", None),
        ("missing", None),
    ],
)
def test_calls_in_json_are_read(text: str, calls: Any) -> None:
    """A name with an object of arguments, alone or in a list; anything else is no call."""
    if calls is not None:
        assert read_json_calls(text) == calls
        return
    with pytest.raises(UnreadableTextError):
        read_json_calls(text)


SOURCE: list[tuple[Language, str, Any]] = [
    (
        "java",
        '[Logs.open(log=harbourLog, mode="re, ad", tags=new String[]{"a", "b"})]',
        [
            (
                "Logs.open",
                {"log": "harbourLog", "mode": "re, ad", "tags": 'new String[]{"a", "b"}'},
            )
        ],
    ),
    ("java", "f(c='x', s='long')", [("f", {"c": "x", "s": "'long'"})]),
    ("java", "f(m=new HashMap<String, Object>())", [("f", {"m": "new HashMap<String, Object>()"})]),
    ("javascript", "f(a={b: [1, 2]}, c='d')", [("f", {"a": "{b: [1, 2]}", "c": "d"})]),
    ("javascript", "f(a=1); g(b=2)", [("f", {"a": "1"}), ("g", {"b": "2"})]),
    ("javascript", "f(x, a == b)", [("f", {"#1": "x", "#2": "a == b"})]),
    ("javascript", "f()", [("f", {})]),
]


@each_row(("language", "text", "calls"), SOURCE)
def test_java_and_javascript_are_read(language: Language, text: str, calls: Any) -> None:
    """Every value is its source, a text without its quotes."""
    assert read_calls(text, language) == calls


@each_row("text", ["No.", "f(a=1", "f(a=1, a=2)", "f(a=1) and", "f(a='b)"])
def test_other_text_is_no_call_in_java(text: str) -> None:
    """Prose, an open bracket and an argument given twice are no calls."""
    with pytest.raises(UnreadableTextError):
        read_calls(text, "java")


@pytest.mark.large
@given(st.text(alphabet="fab=1,.()[]{}'\"+-*/ \n", max_size=60))
def test_no_text_breaks_it(text: str) -> None:
    """Every text is read or refused, in every language, and its values can be written as JSON."""
    for language in (None, "java", "javascript"):
        try:
            calls = read_calls(text, language)
        except UnreadableTextError:
            continue
        for _, arguments in calls:
            as_json(arguments, None)


@each_row(
    ("value", "declared", "json"),
    [
        ((1, 2), "tuple", [1, 2]),
        ((1, 2), "array", {"python": "(1, 2)"}),
        ([(1, 2)], "tuple", [{"python": "(1, 2)"}]),
        ({"a": 1}, "dict", {"a": 1}),
        ({1: 2}, "dict", {"python": "{1: 2}"}),
        (10**30, "integer", {"python": str(10**30)}),
        (float("inf"), "float", {"python": "inf"}),
        (b"x", "string", {"python": "b'x'"}),
        (None, "string", None),
    ],
)
def test_what_json_cannot_say_equals_nothing(value: Any, declared: str, json: Any) -> None:
    """A tuple is a list only where a tuple is declared. The rest is an object nobody accepts."""
    assert as_json(value, declared) == json
