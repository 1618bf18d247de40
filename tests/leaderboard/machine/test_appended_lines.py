"""Adding lines to a file, also on a full disk."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from leaderboard.machine.appended_lines import append_line, open_for_lines, try_lock
from tests.write_faults import full_disk


def test_lines_are_added_to_what_is_there(tmp_path: Path) -> None:
    """A file that is missing is made, and an old one keeps its lines, wherever it was read."""
    path = tmp_path / "lines"
    for line in (b"one\n", b"two\n"):
        with open_for_lines(path) as file:
            file.seek(0)
            append_line(file, line, durable=True)
    assert b"one\ntwo\n" == path.read_bytes()


@pytest.mark.parametrize("durable", [False, True])
def test_a_line_that_does_not_fit_leaves_no_part(tmp_path: Path, durable: bool) -> None:
    """The lines before it and after it are whole, also if one is longer than a buffer."""
    path = tmp_path / "lines"
    with open_for_lines(path) as file:
        append_line(file, b"one\n", durable=durable)
        with full_disk(15_000), pytest.raises(OSError, match="too large"):
            append_line(file, b"x" * 20_000 + b"\n", durable=durable)
        append_line(file, b"two\n", durable=durable)
    assert b"one\ntwo\n" == path.read_bytes()


def test_a_line_that_may_not_be_on_the_disk_is_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A line counts as written only if waiting for the disk succeeds, too."""

    def refuse(_descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    path = tmp_path / "lines"
    with open_for_lines(path) as file, monkeypatch.context() as patch:
        patch.setattr(os, "fsync", refuse)
        with pytest.raises(OSError, match="No space left"):
            append_line(file, b"one\n", durable=True)
    assert b"" == path.read_bytes()


def test_a_file_is_locked_once_until_it_is_closed(tmp_path: Path) -> None:
    """A second opener cannot lock the file before the first one closes it."""
    path = tmp_path / "journal"
    with path.open("a+b") as first, path.open("a+b") as second:
        assert (try_lock(first), try_lock(second)) == (True, False)
        first.close()
        assert try_lock(second)
