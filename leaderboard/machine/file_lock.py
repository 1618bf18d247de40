"""Locks on open files: two processes never write the same journal at the same time."""

from __future__ import annotations

import sys
from typing import IO


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
