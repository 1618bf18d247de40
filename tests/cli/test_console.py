"""What commands print: foreign text never ends a line or starts a command."""

from __future__ import annotations

import pytest

from cli.console import printable, say, show

HOSTILE = "a\n::error::x\r\x1b[2J\u202e\u2028\x85b"


def test_control_characters_are_shown_as_escapes() -> None:
    """Line ends, escape sequences and direction marks are visible and do nothing."""
    assert r"a\n::error::x\r\x1b[2J\u202e\u2028\x85b" == printable(HOSTILE)
    assert "naïve – ✓ 表" == printable("naïve – ✓ 表")
    assert r"a ##\[error]b" == printable("a ##[error]b")
    assert "a" + "\u0336" * 4 + r"\u0336\u0336b" == printable("a" + "\u0336" * 6 + "b")


def test_t10_messages_and_data_are_one_line_each(capsys: pytest.CaptureFixture[str]) -> None:
    """What commands say and print is escaped. Several lines are several arguments."""
    say(HOSTILE, "second")
    show(HOSTILE)
    out, err = capsys.readouterr()
    assert (1, 2) == (len(out.splitlines()), len(err.splitlines()))
