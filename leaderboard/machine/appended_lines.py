"""Files to which one process at a time adds whole lines, such as journals."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from leaderboard.machine.atomic_files import errors_naming


@contextmanager
def open_for_lines(path: Path) -> Iterator[IO[bytes]]:
    """The file at `path`, open for reading and for more lines. Makes it if it is missing."""
    # A buffer would keep what a full disk refused, and fail again when the file is closed.
    file = path.open("a+b", buffering=0)
    try:
        yield file
    finally:
        with errors_naming(path):
            file.close()


def append_line(file: IO[bytes], line: bytes, *, durable: bool) -> None:
    """Adds a line to the end of a file without a buffer. `durable` waits until it is on the disk.

    Raises OSError, and then removes the part of the line that was written.
    """
    end = file.seek(0, os.SEEK_END)
    left = line
    try:
        while left:  # a nearly full disk takes only the beginning
            left = left[file.write(left) :]
        if durable:
            os.fsync(file.fileno())
    except OSError:
        file.truncate(end)
        raise


def try_lock(file: IO[bytes]) -> bool:
    """Locks an open file until it is closed; False when another process holds the lock.

    Windows cannot lock a file that others may still open, so there every attempt succeeds.
    """
    if sys.platform == "win32":
        return True
    import fcntl  # noqa: PLC0415 - this module exists on POSIX systems only

    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
