"""The journal of a recording: one line per exchange, on the disk before the next one begins.

A recording that is killed leaves its journal behind, and the next recording files it into the
cassettes. A running recording holds the journal's lock.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import IO, Final, NamedTuple

from leaderboard.errors import FilesError, JudgeError, Problem
from leaderboard.files.cassette_paths import JOURNAL, cassette_path
from leaderboard.files.file_bytes import is_linked, link_problem
from leaderboard.files.json_files import parse_value
from leaderboard.machine.appended_lines import append_line, open_for_lines, try_lock
from leaderboard.proposals.harmless_git import run_git
from leaderboard.types import Json
from replay.cassettes import cassette_file
from replay.cassettes.maintainers_recordings import add_recordings

# What is wrong, and what to do.
_BUSY: Final = (
    "is in use: another recording, or lb cassettes prune, is writing to these cassettes",
    "wait until it has ended",
)
_COMMITTED: Final = (
    "is committed to git, so anybody may have written its replies",
    f"if you recorded it, run git rm --cached {JOURNAL}; else remove it with git rm {JOURNAL}",
)


def path_of(root: Path) -> Path:
    """The path of a workspace's journal, which exists while a recording runs."""
    return root / JOURNAL


class Journal:
    """The open journal of the one recording that runs. Safe to use from many threads."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._lock = threading.Lock()

    def keep(self, file: str, interaction: Json, *, listed: bool = False) -> None:
        """Writes one exchange of the cassette `file`, and waits until it is on the disk.

        `listed`: it belongs in the list of recordings by maintainers too. Raises OSError, and
        then removes the part of the line that was written.
        """
        entry = {"file": file, "interaction": interaction, "listed": listed}
        line = cassette_file.line_of(entry) + b"\n"
        with self._lock:
            append_line(self._file, line, durable=True)


@contextmanager
def open_journal(root: Path) -> Iterator[Journal]:
    """Holds the journal while the context lasts, and files its calls at the end in any case.

    Raises JudgeError when another recording holds it, FilesError when a cassette is broken.
    """
    with _locked(root) as file:
        if file is None:
            raise JudgeError.about(JOURNAL, *_BUSY)
        _file_calls(root, file)
        try:
            yield Journal(file)
        finally:
            _file_calls(root, file)
            path_of(root).unlink(missing_ok=True)


def file_leftover(root: Path) -> int:
    """Files what an interrupted recording left, and returns the number of its calls.

    Does nothing while that recording still runs.
    """
    if not path_of(root).exists():
        return 0
    with _locked(root) as file:
        if file is None:
            return 0
        filed = _file_calls(root, file)
        path_of(root).unlink(missing_ok=True)
        return filed


@contextmanager
def without_recording(root: Path) -> Iterator[None]:
    """Keeps recordings away while the context lasts. Raises FilesError while one runs."""
    with _locked(root) as file:
        if file is None:
            raise FilesError([replace(journal_problem(root), severity="error")])
        try:
            yield
        finally:
            if not file.seek(0, os.SEEK_END):  # else it is what an interrupted recording left
                path_of(root).unlink(missing_ok=True)


def journal_problem(root: Path) -> Problem:
    """What the journal that is there means: a recording runs, or left it.

    A leftover is an error: a committed one could bring anybody's replies into the cassettes.
    """
    if is_recording(root):
        return Problem(JOURNAL, *_BUSY, severity="warning")
    if _is_committed(root):
        return Problem(JOURNAL, *_COMMITTED)
    fix = "if you recorded it, move its calls into cassettes/ with lb rescore; else remove it"
    return Problem(JOURNAL, "was left by an interrupted recording", fix)


def is_recording(root: Path) -> bool:
    """Whether a recording holds the journal now."""
    path = path_of(root)
    if is_linked(path, root) or not path.is_file():
        return False
    with path.open("rb") as file:
        return not try_lock(file)


def _is_committed(root: Path) -> bool:
    return bool(run_git(root, "ls-files", "--", JOURNAL))


@contextmanager
def _locked(root: Path) -> Iterator[IO[bytes] | None]:
    """Opens the journal under its lock; yields None while another process holds it.

    Raises FilesError for a link: writing would change, and filing would empty, another file. Raises
    it for a journal that git tracks: a proposal may bring one, with replies of any text.
    """
    path = path_of(root)
    path.parent.mkdir(parents=True, exist_ok=True)
    while True:
        if is_linked(path, root):
            raise FilesError(link_problem(JOURNAL))
        if path.exists() and _is_committed(root):
            raise FilesError.about(JOURNAL, *_COMMITTED)
        with open_for_lines(path) as file:
            if not try_lock(file):
                yield None
                return
            # Between opening and locking, another process may have filed and removed the journal.
            # Then this file is no longer the journal, and the next attempt opens a new one.
            if path.exists() and path.stat().st_ino == os.fstat(file.fileno()).st_ino:
                yield file
                return


def _file_calls(root: Path, journal: IO[bytes]) -> int:
    """Merges the journal into its cassettes and the maintainers' list, then empties it.

    Doing it twice is harmless: a later reply replaces an earlier one. Raises FilesError for a
    cassette that is broken or would be too large; the journal stays.
    """
    journal.seek(0)
    by_file: dict[str, dict[str, Json]] = {}
    listed: dict[str, str] = {}
    keys = set()
    for entry in _entries(journal.read()):
        by_file.setdefault(entry.file, {})[entry.key] = entry.interaction
        if entry.listed:
            listed[entry.key] = cassette_file.exchange(entry.interaction).text
        keys.add(entry.key)
    try:
        for file, recorded in sorted(by_file.items()):
            known = cassette_file.read(root, file) if (root / file).exists() else ()
            kept = [item for item in known if cassette_file.key_of(item) not in recorded]
            cassette_file.write(root, file, [*kept, *recorded.values()])
        if listed:
            add_recordings(root, listed)
    except OSError as error:
        why = f"{error.filename} cannot be written: {error.strerror}"
        what = f"keeps the replies so far ({len(keys):,}), because {why}"
        fix = "free some space or correct its permissions, then move them into cassettes/"
        fix += " with lb rescore"
        raise FilesError.about(JOURNAL, what, fix) from error
    except FilesError as error:
        what = f"keeps the replies so far ({len(keys):,})"
        fix = "fix the cassette, then move them into cassettes/ with lb rescore"
        fix += "; or delete the lines that name it"
        raise FilesError([*error.problems, Problem(JOURNAL, what, fix)]) from error
    journal.truncate(0)
    return len(keys)


class _Entry(NamedTuple):
    """A line of the journal."""

    file: str
    key: str
    interaction: Json
    listed: bool


def _entries(data: bytes) -> Iterator[_Entry]:
    """Yields the entry of every line. A kill may have cut off the last line."""
    lines = data.split(b"\n")
    for number, line in enumerate(lines, start=1):
        if not line:
            continue
        try:
            entry = _entry(parse_value(line))
        except (KeyError, TypeError, ValueError) as error:
            if number == len(lines):
                return
            what = f"holds a line that is not a recorded call: {error}"
            raise FilesError.about(JOURNAL, what, "delete that line", line=number) from error
        yield entry


def _entry(line: Json) -> _Entry:
    """Reads a line. Raises KeyError, TypeError or ValueError if it is not a recorded call."""
    file, interaction = line["file"], line["interaction"]
    if cassette_path(file) is None:
        raise ValueError(f"{file!r} is not the path of a cassette")
    key = cassette_file.exchange(interaction).key
    return _Entry(file, key, interaction, line.get("listed") is True)
