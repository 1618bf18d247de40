"""Source code of Java and JavaScript, taken apart."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leaderboard.texts.code_text import quoted_text, split_code
from tests.each_row import each_row


@each_row(
    ("text", "parts"),
    [
        ("", []),
        (" a , b ", ["a", "b"]),
        ("a,", ["a", ""]),
        ("f(\"a, b\"), [1, {2, 3}], ','", ['f("a, b")', "[1, {2, 3}]", "','"]),
        (r'"say \", twice", 1', [r'"say \", twice"', "1"]),
        ("new HashMap<String, List<Integer>>(), 2", ["new HashMap<String, List<Integer>>()", "2"]),
        ("a < b, c > d", ["a < b", "c > d"]),
        ("a<1+2, 3", ["a<1+2", "3"]),
    ],
)
def test_separators_inside_quotes_and_brackets_do_not_split(text: str, parts: list[str]) -> None:
    """Only separators on the outside count; type arguments are brackets too."""
    assert split_code(text, ",") == parts


@each_row("text", ["(", ")", "(]", '"a', "'a\\'", "`"])
def test_what_is_not_closed_is_refused(text: str) -> None:
    """Brackets and quotes come in pairs."""
    with pytest.raises(ValueError, match=r"lacks|closes"):
        split_code(text, ",")


@each_row(
    ("text", "inner"),
    [
        ('"a"', "a"),
        ("'a\"b'", 'a"b'),
        (r'"a\"\n\u00e9\\"', 'a"\né\\'),
        ("''", ""),
        ('"a" + "b"', None),
        ("a", None),
        ('"', None),
        ("\"a'", None),
    ],
)
def test_one_quoted_text(text: str, inner: str | None) -> None:
    """The escapes mean what they mean in source; anything else than one text is none."""
    assert quoted_text(text) == inner


@given(st.text(alphabet="ab,<>()[]{}\"'`\\ ;", max_size=40))
def test_no_text_breaks_it(text: str) -> None:
    """Every text is split or refused, and nothing but separators and blanks is lost."""
    try:
        parts = split_code(text, ",")
    except ValueError:
        return
    assert "".join(parts).replace(" ", "") in text.replace(" ", "").replace(",", "") or any(
        sign in text for sign in "\"'`([{<"
    )
    quoted_text(text)


def test_deep_brackets_are_refused() -> None:
    """Each level is read by a call of its own, and Python allows a thousand."""
    assert ["[" * 50 + "]" * 50] == split_code("[" * 50 + "]" * 50, ",")
    with pytest.raises(ValueError, match="too deep"):
        split_code("[" * 51 + "]" * 51, ",")


@pytest.mark.large
def test_many_operators_are_read_in_linear_time() -> None:
    """Each `<` could start type arguments. Only a short text can be some."""
    assert ["a<" * 50_000] == split_code("a<" * 50_000, ",")
