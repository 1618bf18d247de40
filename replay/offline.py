"""A guard for `--offline`: while it stands, nothing in this process reaches the network.

vcrpy's `record_mode="none"` is no such guard: patches that a failed save left behind can let a request through. This one hangs
on the interpreter's audit events, below every library.
"""

from __future__ import annotations

import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from leaderboard.errors import Problem, ToolboardError

_REFUSED: Final = frozenset(
    {
        "socket.connect",
        "socket.getaddrinfo",
        "socket.gethostbyname",
        "socket.sendto",
        "socket.sendmsg",
    }
)


class OfflineError(ToolboardError):
    """Something tried to reach the network although it was to stay offline."""


class _Guard:
    """The one audit hook of this process (hooks cannot be taken back) and how many contexts want it to refuse."""

    def __init__(self) -> None:
        self.standing = 0
        self._hooked = False
        self._lock = threading.Lock()

    def raise_up(self) -> None:
        with self._lock:
            if not self._hooked:
                sys.addaudithook(self._refuse)
                self._hooked = True
            self.standing += 1

    def take_down(self) -> None:
        with self._lock:
            self.standing -= 1

    def _refuse(self, event: str, arguments: tuple[Any, ...]) -> None:
        if self.standing and event in _REFUSED and not _is_local(arguments):
            what = (
                f"something tried to reach {_target(event, arguments)} although the network is off"
            )
            raise OfflineError(
                Problem(
                    "--offline", what, "record the missing judge calls first, without --offline"
                )
            )


_GUARD: Final = _Guard()


@contextmanager
def no_network() -> Iterator[None]:
    """Refuse every connection and every look-up of a host while the context lasts, in all threads; raises OfflineError there.

    Loopback is refused too; sockets of the file system (AF_UNIX), which reach nothing outside, are not. Contexts may nest.
    """
    _GUARD.raise_up()
    try:
        yield
    finally:
        _GUARD.take_down()


def _is_local(arguments: tuple[Any, ...]) -> bool:
    first = arguments[0] if arguments else None
    return (
        isinstance(first, socket.socket)
        and hasattr(socket, "AF_UNIX")
        and first.family == socket.AF_UNIX
    )


def _target(event: str, arguments: tuple[Any, ...]) -> str:
    if event == "socket.gethostbyname":
        return str(arguments[0])
    address = arguments[:2] if event == "socket.getaddrinfo" else arguments[1]
    return ":".join(map(str, address[:2])) if isinstance(address, tuple) else str(address)
