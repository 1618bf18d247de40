"""Cut texts."""

from __future__ import annotations

from leaderboard.texts.short_text import cut


def test_cut() -> None:
    """A text within the limit stays whole; a longer one ends in an ellipsis at the limit."""
    assert cut("abcd", 4) == "abcd"
    assert cut("abcde", 4) == "abc…"
