"""The guard of `--offline`: while it is active, nothing in this process reaches the network.

vcrpy's `record_mode="none"` is not enough: patches that a failed save left behind can let a
request through. This guard uses the interpreter's audit events, below every library.
"""

from __future__ import annotations

import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from leaderboard.errors import ToolboardError

_REFUSED: Final = frozenset(
    {
        "socket.connect",
        "socket.getaddrinfo",
        "socket.gethostbyaddr",
        "socket.gethostbyname",
        "socket.getnameinfo",
        "socket.sendto",
        "socket.sendmsg",
    }
)


class OfflineError(ToolboardError):
    """Something tried to reach the network while it was off."""


# How many contexts are active. An audit hook cannot be removed, so it stays and looks here.
_active = 0
_hooked = False
_lock = threading.Lock()


@contextmanager
def no_network() -> Iterator[None]:
    """Refuses every connection and host look-up in all threads while the context lasts.

    The attempt raises OfflineError. Loopback is refused too; AF_UNIX sockets are not. Contexts
    may nest.
    """
    global _active, _hooked  # noqa: PLW0603 - the hook belongs to the process
    with _lock:
        if not _hooked:
            sys.addaudithook(_refuse)
            _hooked = True
        _active += 1
    try:
        yield
    finally:
        with _lock:
            _active -= 1


def _refuse(event: str, arguments: tuple[Any, ...]) -> None:
    if _active and event in _REFUSED and not _is_local(arguments):
        target = _target(event, arguments)
        what = f"a connection to {target} was refused, because the network is off"
        fix = "record the missing judge calls first, without --offline"
        raise OfflineError.about("--offline", what, fix)


def _is_local(arguments: tuple[Any, ...]) -> bool:
    """Whether a socket is one of the file system (AF_UNIX): it stays on this computer."""
    family = getattr(arguments[0], "family", None) if arguments else None
    return family is not None and family == getattr(socket, "AF_UNIX", None)


def _target(event: str, arguments: tuple[Any, ...]) -> str:
    if event == "socket.getaddrinfo":
        address = arguments[:2]
    else:
        address = arguments[0] if event.startswith("socket.get") else arguments[1]
    return ":".join(map(str, address[:2])) if isinstance(address, tuple) else str(address)
