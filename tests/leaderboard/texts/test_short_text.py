"""Cut texts."""

from __future__ import annotations

from leaderboard.texts.short_text import cut, first_of, single_spaced


def test_cut() -> None:
    """A text within the limit stays whole; a longer one ends in an ellipsis at the limit."""
    assert cut("abcd", 4) == "abcd"
    assert cut("abcde", 4) == "abc…"


def test_a_long_list_says_how_many_are_not_shown() -> None:
    """A list that fits is whole."""
    assert first_of(["a", "b"], 2) == "a, b"
    assert first_of([str(number) for number in range(1_503)], 2, "; ") == "0; 1, and 1,501 more"


def test_runs_of_blanks_become_one_blank() -> None:
    """Line breaks too, and none is left at the ends."""
    assert single_spaced("\n a \t b\n") == "a b"
