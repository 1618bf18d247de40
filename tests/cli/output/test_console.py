"""What commands print: foreign text never ends a line or starts a command."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from cli.output.console import printable, say, show
from tests.conftest import PROJECT

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


@pytest.mark.large
@pytest.mark.parametrize("code", [0, 3])
def test_a_closed_pipe_does_not_change_the_exit_code(code: int) -> None:
    """`lb rescore | head -1` ends as lb rescore does, and goes on after its reader has left."""
    program = (
        "from cli.output.console import say, show\n"
        "show('first'); show('second'); say('done')\n"
        f"raise SystemExit({code})"
    )
    read_end, write_end = os.pipe()
    os.close(read_end)
    command = [sys.executable, "-c", program]
    done = subprocess.run(
        command, cwd=PROJECT, stdout=write_end, stderr=subprocess.PIPE, check=False
    )
    os.close(write_end)
    assert (code, b"done") == (done.returncode, done.stderr.strip())
