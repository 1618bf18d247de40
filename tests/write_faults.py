"""Faults at a chosen write: an error as of a full disk, or the sudden end of the process."""

from __future__ import annotations

import errno
import os
import resource
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

_CHANGES = {"os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.link", "os.truncate"}


class _Writes:
    """Counts what a process changes below a folder, and fails one of the changes."""

    def __init__(self) -> None:
        self.root: str | None = None
        self.number = 0
        self.fails_at: int | None = None
        self.kills = False

    def see(self, event: str, arguments: tuple[Any, ...]) -> None:
        """The audit hook. It stays for the life of the process, and sleeps without a folder."""
        if self.root is None or not (event == "open" or event in _CHANGES):
            return
        path = arguments[0]
        if event == "open" and not arguments[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
            return
        if not isinstance(path, str | os.PathLike) or not str(path).startswith(self.root):
            return
        self.number += 1
        if self.number == self.fails_at:
            if self.kills:
                os.kill(os.getpid(), signal.SIGKILL)
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))


_WRITES = _Writes()


@contextmanager
def counted_writes(
    root: Path, fails_at: int | None = None, *, kills: bool = False
) -> Iterator[_Writes]:
    """Counts the changes below `root`. The one with the number `fails_at` (from 1) fails."""
    if not hasattr(sys, "_write_faults"):
        sys.addaudithook(_WRITES.see)
        sys._write_faults = True  # type: ignore[attr-defined]
    _WRITES.root, _WRITES.number = str(root), 0
    _WRITES.fails_at, _WRITES.kills = fails_at, kills
    try:
        yield _WRITES
    finally:
        _WRITES.root = None


@contextmanager
def full_disk(size: int) -> Iterator[None]:
    """Makes every file end after `size` bytes, so that writes fail in the middle."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        # Python would keep the half of a compiled module, and fail to import it afterwards.
        with patch.object(sys, "dont_write_bytecode", new=True):
            yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
