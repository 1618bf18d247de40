"""Runs `lb` and writes down every place outside loopback that anything in the process tries to reach, which is refused.

Usage: agents_guard.py FILE ARGUMENTS-OF-LB
"""

from __future__ import annotations

import socket
import sys
from pathlib import Path
from typing import Any

LOOPBACK = ("127.0.0.1", "localhost", "::1")


def watch(file: Path) -> None:
    """Hangs on the interpreter's audit events, below every library; a process that is started is told of, too."""

    def refuse(event: str, arguments: tuple[Any, ...]) -> None:
        where = place(event, arguments)
        if where is not None and not where.startswith(LOOPBACK):
            with file.open("a", encoding="utf-8") as lines:
                lines.write(f"{event} {where}\n")
            raise ConnectionError(f"{where} is outside")

    sys.addaudithook(refuse)


def place(event: str, arguments: tuple[Any, ...]) -> str | None:
    """Where an event leads; None for one that leads nowhere outside the process."""
    if event in {"socket.getaddrinfo", "socket.gethostbyname"}:
        return str(arguments[0])
    if event in {"socket.connect", "socket.sendto", "socket.sendmsg"}:
        if arguments[0].family == socket.AF_UNIX:
            return None
        return str(arguments[1][0]) if isinstance(arguments[1], tuple) else str(arguments[1])
    if event == "subprocess.Popen":
        return (
            None if arguments[0] == "uname" else f"process {arguments[0]}"
        )  # the platform module asks for it
    return None


if __name__ == "__main__":
    watch(Path(sys.argv[1]))
    del sys.argv[:2]
    sys.argv.insert(0, "lb")
    from cli.main import main

    main()
