"""What has been recorded but not yet filed: one line per exchange, on the disk before the next one begins.

A recording that is killed leaves its journal behind; the next start files it. While a recording runs it holds the lock.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final

import orjson

from leaderboard.errors import FilesError, JudgeError, Problem
from leaderboard.file_lock import try_lock
from leaderboard.types import Json
from replay.cassettes import cassette_file

NAME: Final = ".journal"
SHOWN: Final = f"{cassette_file.FOLDER}/{NAME}"


def path_of(root: Path) -> Path:
    """Where a workspace's journal lies while there is one."""
    return root / cassette_file.FOLDER / NAME


class Journal:
    """The open journal of the one recording that runs. Safe to use from many threads."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._lock = threading.Lock()

    def keep(self, file: str, interaction: Json) -> None:
        """Write one exchange that belongs into the cassette `file`, and wait until it is on the disk."""
        line = (
            b'{"file": '
            + orjson.dumps(file)
            + b', "interaction": '
            + cassette_file.line_of(interaction)
            + b"}\n"
        )
        with self._lock:
            self._file.write(line)
            self._file.flush()
            os.fsync(self._file.fileno())


@contextmanager
def recording(root: Path) -> Iterator[Journal]:
    """Hold the journal while the context lasts, and file everything in it at the end, whatever ends it.

    Raises JudgeError when another recording holds it, FilesError when what it should be filed into is broken.
    """
    with _locked(root) as file:
        if file is None:
            what = "another recording is writing to these cassettes"
            raise JudgeError(Problem(SHOWN, what, "wait until it has ended"))
        _file_away(root, file)
        try:
            yield Journal(file)
        finally:
            _file_away(root, file)
            path_of(root).unlink()


def file_leftover(root: Path) -> int:
    """File what an interrupted recording left; the number of its calls. Does nothing while that recording still runs."""
    if not path_of(root).exists():
        return 0
    with _locked(root) as file:
        if file is None:
            return 0
        filed = _file_away(root, file)
        path_of(root).unlink()
        return filed


@contextmanager
def _locked(root: Path) -> Iterator[IO[bytes] | None]:
    """The journal, open for reading and appending under its lock; None while another process holds it."""
    path = path_of(root)
    path.parent.mkdir(parents=True, exist_ok=True)
    while True:
        with path.open("a+b") as file:
            if not try_lock(file):
                yield None
                return
            # Between opening and locking, the process that held it may have filed and removed it: then this is no journal.
            if path.exists() and path.stat().st_ino == os.fstat(file.fileno()).st_ino:
                yield file
                return


def _file_away(root: Path, journal: IO[bytes]) -> int:
    """Merge the journal into its cassettes, then empty it. Twice does no harm: a later reply replaces an earlier one."""
    journal.seek(0)
    by_file: dict[str, dict[str, Json]] = {}
    filed = 0
    for file, interaction in _entries(journal.read()):
        by_file.setdefault(file, {})[cassette_file.exchange(interaction).key] = interaction
        filed += 1
    for file, recorded in sorted(by_file.items()):
        _merge(root, file, recorded)
    journal.truncate(0)
    return filed


def _merge(root: Path, file: str, recorded: dict[str, Json]) -> None:
    known = cassette_file.read(root, file) if (root / file).exists() else ()
    kept = [
        interaction for interaction in known if cassette_file.key_of(interaction) not in recorded
    ]
    cassette_file.write(root / file, [*kept, *recorded.values()])


def _entries(data: bytes) -> Iterator[tuple[str, Json]]:
    """The exchanges of a journal. Its last line may be cut off: that call was not complete."""
    lines = data.split(b"\n")
    for number, line in enumerate(lines, start=1):
        if not line:
            continue
        try:
            entry = orjson.loads(line)
            file, interaction = entry["file"], entry["interaction"]
            cassette_file.exchange(interaction)
        except (orjson.JSONDecodeError, KeyError, TypeError, ValueError) as error:
            if number == len(lines):
                return
            what = f"holds a line that is no recorded call: {error}"
            raise FilesError(Problem(SHOWN, what, "delete that line", line=number)) from error
        yield file, interaction
