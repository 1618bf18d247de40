"""The guard of `--offline`: while it is active, nothing in this process reaches the network.

vcrpy's `record_mode="none"` is no such guard: patches that a failed save left behind can let a
request through. This guard uses the interpreter's audit events, below every library.
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
    """Something tried to reach the network while it was off."""


class _Guard:
    """The one audit hook of this process, and how many contexts are active.

    A hook cannot be removed, so it is added once and only refuses while contexts are active.
    """

    def __init__(self) -> None:
        self._active = 0
        self._hooked = False
        self._lock = threading.Lock()

    @contextmanager
    def active(self) -> Iterator[None]:
        with self._lock:
            if not self._hooked:
                sys.addaudithook(self._refuse)
                self._hooked = True
            self._active += 1
        try:
            yield
        finally:
            with self._lock:
                self._active -= 1

    def _refuse(self, event: str, arguments: tuple[Any, ...]) -> None:
        if self._active and event in _REFUSED and not _is_local(arguments):
            target = _target(event, arguments)
            what = f"something tried to reach {target} although the network is off"
            fix = "record the missing judge calls first, without --offline"
            raise OfflineError(Problem("--offline", what, fix))


_GUARD: Final = _Guard()


def _is_local(arguments: tuple[Any, ...]) -> bool:
    """Returns whether a socket is one of the file system (AF_UNIX): it stays on this computer."""
    family = getattr(arguments[0], "family", None) if arguments else None
    return family is not None and family == getattr(socket, "AF_UNIX", None)


def _target(event: str, arguments: tuple[Any, ...]) -> str:
    if event == "socket.gethostbyname":
        return str(arguments[0])
    address = arguments[:2] if event == "socket.getaddrinfo" else arguments[1]
    return ":".join(map(str, address[:2])) if isinstance(address, tuple) else str(address)


@contextmanager
def no_network() -> Iterator[None]:
    """Refuses every connection and host look-up in all threads while the context lasts.

    The attempt raises OfflineError. Loopback is refused too; AF_UNIX sockets are not. Contexts
    may nest.
    """
    with _GUARD.active():
        yield
