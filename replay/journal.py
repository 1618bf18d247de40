"""What has been recorded but not yet filed: one line per exchange, on the disk before the next one begins.

A recording that is killed leaves its journal behind; the next start files it. While a recording runs it holds the journal's lock.
"""

from __future__ import annotations

import fcntl
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final

import orjson

from leaderboard.errors import FilesError, JudgeError, Problem
from leaderboard.types import Json
from replay import cassette

NAME: Final = ".journal"


def path_of(root: Path) -> Path:
    """Where a workspace's journal lies while there is one."""
    return root / cassette.FOLDER / NAME


class Journal:
    """The open journal of the one recording that runs. Safe to use from many threads."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._lock = threading.Lock()

    def keep(self, file: str, interaction: Json) -> None:
        """Write one exchange that belongs into the cassette `file`, and wait until it is on the disk."""
        line = b'{"file": ' + orjson.dumps(file) + b', "interaction": ' + cassette.line_of(interaction) + b"}\n"
        with self._lock:
            self._file.write(line)
            self._file.flush()
            os.fsync(self._file.fileno())


@contextmanager
def recording(root: Path) -> Iterator[Journal]:
    """Hold the journal while the context lasts, and file everything in it at the end, whatever ends it.

    Raises JudgeError when another recording holds it, FilesError when a cassette cannot be written.
    """
    path = path_of(root)
    path.parent.mkdir(parents=True, exist_ok=True)
    with _locked(path) as file:
        if file is None:
            what = "another recording is writing to these cassettes"
            raise JudgeError(Problem(f"{cassette.FOLDER}/{NAME}", what, "wait until it has ended"))
        try:
            yield Journal(file)
        finally:
            _file_away(root, path)


def file_leftover(root: Path) -> int:
    """File what an interrupted recording left; the number of its calls. Does nothing while that recording still runs."""
    path = path_of(root)
    if not path.exists():
        return 0
    with _locked(path) as file:
        return 0 if file is None else _file_away(root, path)


@contextmanager
def _locked(path: Path) -> Iterator[IO[bytes] | None]:
    """The journal, opened for appending under its lock; None while another process holds it."""
    with path.open("ab") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield None
            return
        yield file


def _file_away(root: Path, path: Path) -> int:
    """Merge the journal into its cassettes, then remove it. Doing it twice does no harm: a later reply replaces an earlier one."""
    entries = list(_entries(path))
    by_file: dict[str, dict[str, Json]] = {}
    for file, interaction in entries:
        by_file.setdefault(file, {})[cassette.exchange(interaction).key] = interaction
    for file, recorded in sorted(by_file.items()):
        _merge(root, file, recorded)
    path.unlink(missing_ok=True)
    return len(entries)


def _merge(root: Path, file: str, recorded: dict[str, Json]) -> None:
    known = cassette.read(root, file) if (root / file).exists() else ()
    kept = [interaction for interaction in known if _key_of(interaction) not in recorded]
    cassette.write(root / file, [*kept, *recorded.values()])


def _key_of(interaction: Json) -> str:
    try:
        return cassette.exchange(interaction).key
    except ValueError:
        return ""


def _entries(path: Path) -> Iterator[tuple[str, Json]]:
    """The exchanges of a journal. Its last line may be cut off: that call was not complete."""
    for number, line in enumerate(path.read_bytes().split(b"\n"), start=1):
        if not line:
            continue
        try:
            entry = orjson.loads(line)
            file, interaction = entry["file"], entry["interaction"]
            cassette.exchange(interaction)
        except (orjson.JSONDecodeError, KeyError, TypeError, ValueError) as error:
            if _is_last(path, number):
                return
            what = f"holds a line that is no recorded call: {error}"
            raise FilesError(Problem(f"{cassette.FOLDER}/{NAME}", what, "delete that line", line=number)) from error
        yield file, interaction


def _is_last(path: Path, number: int) -> bool:
    lines = path.read_bytes().split(b"\n")
    return number >= len(lines)
