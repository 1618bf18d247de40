"""Values, names and foreign texts in sentences: short and safe."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leaderboard.texts.shown_values import first_line, name, show, written
from tests.each_row import each_row

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.just("\ud800"),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@each_row(
    ("value", "shown"),
    [
        ("Zürich", '"Zürich"'),
        ('say "hi"\n', '"say \\"hi\\"\\n"'),
        ({"b": 1, "a": [None, True, 1.0]}, '{"a": [null, true, 1.0], "b": 1}'),
        ("x" * 118, '"' + "x" * 118 + '"'),
        ("x" * 119, '"' + "x" * 117 + '…"'),
        ([1] * 1000, "[" + "1, " * 39 + "1…"),
        ("\ud800", '"\\ud800"'),
    ],
)
def test_show(value: Any, shown: str) -> None:
    """A value is shown as JSON with sorted keys, cut with an ellipsis. A text keeps its quotes."""
    assert show(value) == shown


def test_show_writes_no_endless_number() -> None:
    """A number that Python refuses to write is described."""
    assert show(10**5000) == "an integer of very many digits"
    assert show([1, 10**5000]) == "[1 an integer of very many digits"


@pytest.mark.large
@given(JSON)
def test_show_holds_any_value(value: Any) -> None:
    """No value raises, is longer than the limit, or holds what UTF-8 cannot."""
    assert len(show(value).encode("utf-8").decode("utf-8")) <= 120


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("5*3 ", "5*3 "),
        (2, "2"),
        (2.0, "2.0"),
        (["a", {"c": 1, "b": 2}], '["a", {"b": 2, "c": 1}]'),
    ],
)
def test_written(value: Any, text: str) -> None:
    """A judge reads text as it is and everything else as JSON, uncut."""
    assert written(value) == text
    assert written("long " * 1000) == "long " * 1000
    assert len(written(["long " * 1000])) == 5004


@each_row(
    ("text", "shown"),
    [
        ("get_weather", "get_weather"),
        ("a b", "a b"),
        ("", '""'),
        ("a\nb", '"a\\nb"'),
        ("\ud800", '"\\ud800"'),
    ],
)
def test_name(text: str, shown: str) -> None:
    """A name is shown as it is, unless it could break the sentence."""
    assert name(text) == shown


def test_first_line() -> None:
    """The first line with something on it, or words that say there is none."""
    assert first_line("\n  Timeout \nat line 3") == "Timeout"
    assert first_line(" \n") == "no reason is given"
