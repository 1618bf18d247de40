"""Numbers with their nouns."""

from __future__ import annotations

from leaderboard.texts.counted_nouns import counted


def test_a_number_has_its_noun() -> None:
    """Thousands are separated, and a plural can be named."""
    assert counted(1, "case") == "1 case"
    assert counted(1240, "case") == "1,240 cases"
    assert counted(2, "query", "queries") == "2 queries"
