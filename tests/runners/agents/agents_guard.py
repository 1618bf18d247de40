"""Runs `lb`, refuses every address outside loopback, and writes a list of them.

Usage: agents_guard.py FILE ARGUMENTS-OF-LB
"""

from __future__ import annotations

import socket
import sys
from pathlib import Path
from typing import Any

LOOPBACK = ("127.0.0.1", "localhost", "::1")


def watch(file: Path) -> None:
    """Listens to the interpreter's audit events. Also reports processes that are started."""

    def refuse(event: str, arguments: tuple[Any, ...]) -> None:
        where = place(event, arguments)
        if where is not None and not where.startswith(LOOPBACK):
            with file.open("a", encoding="utf-8") as lines:
                lines.write(f"{event} {where}\n")
            raise ConnectionError(f"{where} is outside")

    sys.addaudithook(refuse)


def place(event: str, arguments: tuple[Any, ...]) -> str | None:
    """The address that an event leads to, or None if it stays inside the process."""
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
