"""Marks of emphasis in texts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leaderboard.texts.markdown_marks import blank_struck_out, strip_emphasis
from tests.each_row import each_row


@each_row(
    ("text", "plain"),
    [
        ("**bold**, *it*, ***both***, __bold__, _it_, `code`", "bold, it, both, bold, it, code"),
        ("**a *b* c**", "a b c"),
        ("`__init__`", "__init__"),
        ("**`__init__`** and `_x`, `y_`", "__init__ and _x, y_"),
        ("*a `b* c`", "*a b* c"),
        ("(*so*).", "(so)."),
        ("5*3", "5*3"),
        ("5*3*2", "5*3*2"),
        ("*5*3*", "5*3"),
        ("2 * 3 * 4", "2 * 3 * 4"),
        ("snake_case_name", "snake_case_name"),
        ("f(*args, **kwargs)", "f(*args, **kwargs)"),
        ("* one\n* two", "* one\n* two"),
        ("*one\n\ntwo*", "*one\n\ntwo*"),
        ("```python\nx = 1\n```", "```python\nx = 1\n```"),
        ("____", "____"),
        ("*", "*"),
        ("", ""),
    ],
)
def test_strip_emphasis(text: str, plain: str) -> None:
    """Marks go where they are emphasis, and stay where they are anything else."""
    assert strip_emphasis(text) == plain


@given(st.text(alphabet="a *_`\n5", max_size=30))
def test_strip_emphasis_removes_nothing_but_marks(text: str) -> None:
    """Letters, digits and blanks all stay, in order."""
    words = str.maketrans("", "", "*_`")
    assert strip_emphasis(text).translate(words) == text.translate(words)


@pytest.mark.large
def test_strip_emphasis_is_linear() -> None:
    """A hundred thousand opened marks are no burden."""
    text = "*a _b **c `d " * 100_000
    assert strip_emphasis(text) == text


@each_row(
    ("text", "kept"),
    [
        ("~~Oslo~~ Rome", "         Rome"),
        ("~~Os\nlo~~ Rome", "          Rome"),
        ("~~Oslo\n\n~~ Rome", "~~Oslo\n\n~~ Rome"),
        ("about ~5 or ~~ 6", "about ~5 or ~~ 6"),
    ],
)
def test_blank_struck_out(text: str, kept: str) -> None:
    """Other characters keep their places, and a paragraph ends what is struck out."""
    assert blank_struck_out(text) == kept
