"""Letters that look like those of another script."""

from __future__ import annotations

from leaderboard.texts.confusable_letters import as_ascii
from tests.each_row import each_row


@each_row(
    ("letters", "expected"),
    [
        ("\u0430\u0435\u043e\u0441\u0440\u0445\u0456", "aeocpxi"),  # Cyrillic
        ("\u043d\u0432", "hb"),  # as capitals
        ("\u03b1\u03bf\u03bd", "aov"),  # Greek
        ("\u0131\u0261", "ig"),  # Latin, but not ASCII
        ("az09_", "az09_"),
        ("\u0436\u03c8", "\u0436\u03c8"),
        ("\u0e17\u5de5\u0627\u0665", "\u0e17\u5de5\u0627\u0665"),
    ],
)
def test_only_letters_of_scripts_like_latin_become_ascii(letters: str, expected: str) -> None:
    """Arabic, Chinese and Thai words consist of other letters, and digits are values."""
    assert "".join(map(as_ascii, letters)) == expected
