"""Locks on open files."""

from __future__ import annotations

from pathlib import Path

from leaderboard.machine.file_lock import try_lock


def test_a_file_is_locked_once_until_it_is_closed(tmp_path: Path) -> None:
    """A second opener cannot lock the file before the first one closes it."""
    path = tmp_path / "journal"
    with path.open("a+b") as first, path.open("a+b") as second:
        assert (try_lock(first), try_lock(second)) == (True, False)
        first.close()
        assert try_lock(second)
