"""Python's spelling of data."""

from __future__ import annotations

import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leaderboard.files.python_literals import read_literal
from tests.each_row import each_row


@each_row(
    ("text", "value"),
    [
        ('{"a": 1}', {"a": 1}),
        ("{'a': None, 'b': (1, True)}", {"a": None, "b": [1, True]}),
        ("{1: {2}}", {"1": [2]}),
        ("1e999", "inf"),
        ("b'x'", "b'x'"),
        ("'\\ud83d'", "\ufffd"),
        (str(2**80), 2**80),
        (f"({2**1024 - 1}, -{2**80})", [2**1024 - 1, -(2**80)]),
        ("{None: -1.5, True: ...}", {"None": -1.5, "True": "Ellipsis"}),
        ("{3, 1, 'b', 1}", [1, 3, "b"]),
    ],
)
def test_python_data_becomes_json(text: str, value: Any) -> None:
    """Values that JSON does not have become lists or text."""
    assert value == read_literal(text)


@each_row(
    "text",
    [
        "",
        "x",
        "__import__('os')",
        "{'a': f()}",
        "[" * 100_000,
        "-" * 100_000,
        "1" * 2_000_000 + "x",
        "'a\\",
        "{[1]: 2}",
        "{**{}}",
        str(2**1024) + ",",
        "{'letter': 0x" + "f" * 5000 + "}",
    ],
)
def test_what_is_no_data_is_refused(text: str) -> None:
    """Names, calls, deep nesting and very long text are refused, and nothing is run."""
    with pytest.raises(ValueError, match="Python literal"):
        read_literal(text)


@pytest.mark.large
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
)
def test_whatever_python_writes_is_read_back(value: Any) -> None:
    """The spelling of any JSON value in Python gives that value (half characters apart)."""
    assert value == read_literal(repr(value))


@pytest.mark.large
@each_row("form", ["{%s}", "{%s: 1}"])
def test_t12_numbers_that_collide_in_a_hash_take_no_longer(form: str) -> None:
    """Python gives the multiples of 2**61 - 1 one hash: sets and keys of them are slow."""
    members = form[1:-1]
    text = "{" + ",".join(members % (place * (2**61 - 1)) for place in range(20_000)) + "}"
    start = time.process_time()
    assert 20_000 == len(read_literal(text))
    assert time.process_time() - start < 3


def test_t12_names_with_many_marks_are_refused() -> None:
    """Python normalises a name before it is known to be no data."""
    start = time.process_time()
    with pytest.raises(ValueError, match="too many marks"):
        read_literal("{'a': a" + "\u0301\u0316" * 40_000 + "}")
    assert time.process_time() - start < 2
