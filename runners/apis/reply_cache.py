r"""The cache of API replies: one JSON file for each API, an object that maps inputs to replies.

    {
    "{\"stop\":\"Old Mill\"}": {"error": "", "response": "18:04 line 3", "source": "real",
                                "model": null, "time": "..."}
    }

Each reply is on one line. A key is the canonical JSON of the input. Caches of the upstream server,
whose keys are Python's `str()` of the input, are read too. Several processes may write at once:
one writer at a time replaces a file in one step.
"""

from __future__ import annotations

import heapq
import json
import os
import sys
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from operator import itemgetter
from pathlib import Path
from typing import Final, Literal

from leaderboard.errors import FilesError, Problem
from leaderboard.files.file_bytes import read_bytes
from leaderboard.files.findings import Findings
from leaderboard.files.json_files import parse
from leaderboard.files.python_literals import read_literal
from leaderboard.machine.atomic_files import write_atomic
from leaderboard.types import Json
from runners.apis.api_call import ApiReply, reply_of
from runners.apis.reply_files import CachePlace

# The upstream server keeps this text when its model fails. It is not a reply of an API.
FAILED_PLACEHOLDER: Final = "Failed to generate fake response"
UNREADABLE: Final = ".unreadable"

_WINDOWS_LOCK: Final = threading.Lock()


@dataclass(frozen=True, slots=True)
class CachedReply:
    """A reply to keep: its source, the model that made it, and the time (ISO 8601, UTC)."""

    reply: ApiReply
    source: Literal["real", "simulation"]
    model: str | None = None
    time: str | None = None

    def as_json(self) -> dict[str, Json]:
        about = {"source": self.source, "model": self.model, "time": self.time}
        return {**self.reply.as_json(), **about}


class CacheFileError(FilesError):
    """A file of the cache cannot be read."""


def key_of(arguments: Mapping[str, Json]) -> str:
    """The canonical JSON of an input: sorted keys, no spaces, 3.0 written as 3."""
    normal = _normal(arguments)
    return json.dumps(normal, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def _normal(value: Json) -> Json:
    if isinstance(value, Mapping):
        return {name: _normal(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_normal(item) for item in value]
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value


def _canonical(key: str) -> str | None:
    """The canonical form of a stored key: JSON, or Python's text of a dict. Else None."""
    try:
        value = read_literal(key)
        return key_of(value) if isinstance(value, dict) else None
    except (ValueError, RecursionError):
        return None


@dataclass(frozen=True, slots=True)
class _KnownFile:
    """What a file had when it was last read or written here.

    `replies` are the usable ones by canonical key. `lines` are those of the file by stored key, or
    None if nothing was written here.
    """

    stamp: tuple[int, int, int]
    replies: Mapping[str, ApiReply]
    lines: Mapping[str, str] | None = None


_NO_FILE: Final = _KnownFile((0, 0, 0), {})


class ApiCache:
    """The replies in a folder. Many threads may use it, and many processes may write to it.

    With `strict`, a file with an entry of the wrong shape cannot be read. Else it has no reply.
    """

    def __init__(self, root: Path, *, strict: bool = False) -> None:
        self.root = root
        self.strict = strict
        self._known: dict[str, _KnownFile] = {}
        self._waiting: dict[str, dict[str, CachedReply]] = {}
        self._lock = threading.Lock()

    def problems(self) -> Iterator[Problem]:
        """Yields what is wrong with each file that cannot be read, by its path in the cache."""
        for path in sorted(self.root.rglob("*.json")):
            try:
                self._document(path.relative_to(self.root).as_posix())
            except CacheFileError as error:
                yield from error.problems

    def find(self, place: CachePlace, arguments: Mapping[str, Json]) -> ApiReply | None:
        """The reply to an input, or None. Empty replies and stored failures do not count.

        Raises CacheFileError for a file that cannot be read.
        """
        key = key_of(arguments)
        for path in place.paths:
            reply = self._file(path).replies.get(key)
            if reply is not None:
                return reply
        return None

    def examples(self, place: CachePlace, number: int) -> list[tuple[str, ApiReply]]:
        """The first inputs of an API, sorted by key, with their replies. Raises CacheFileError."""
        known: dict[str, ApiReply] = {}
        for path in place.paths:
            known = {**self._file(path).replies, **known}
        return heapq.nsmallest(number, known.items(), key=itemgetter(0))

    def store(
        self, place: CachePlace, arguments: Mapping[str, Json], new: CachedReply
    ) -> ApiReply | None:
        """Keeps a reply, and returns the one that is kept: another writer may have been first.

        Returns None for a failure or an empty reply, which are not kept. Moves a file that cannot
        be read out of the way. Raises OSError, or CacheFileError for a link out of the cache.
        """
        if not new.reply.is_usable:
            return None
        key = key_of(arguments)
        path = self.root / place.path
        if not path.parent.resolve().is_relative_to(self.root.resolve()):
            shown = path.parent.relative_to(self.root).as_posix()
            fix = "replace the link with a folder"
            raise CacheFileError.about(shown, "leads out of the cache", fix)
        path.parent.mkdir(parents=True, exist_ok=True)
        with self._lock:
            self._waiting.setdefault(place.path, {}).setdefault(key, new)
        with _locked(path.parent):
            kept = self._kept(place.path, key)
            if kept is not None:
                return kept
            try:
                file, lines = self._lines(place.path)
            except CacheFileError:
                _set_aside(path)
                file, lines = _NO_FILE, {}
            # One write keeps the replies of all threads that wait here.
            with self._lock:
                waiting = self._waiting.pop(place.path, {})
            replies = dict(file.replies)
            for name, made in ({key: new} | waiting).items():
                if name not in replies:
                    lines[name] = _line(name, made.as_json())
                    replies[name] = made.reply
            lines = dict(sorted(lines.items()))
            write_atomic(path, _file_of(lines.values()), durable=True)
            self._remember(place.path, _KnownFile(_stamp(path.stat()), replies, lines))
        return waiting.get(key, new).reply

    def _kept(self, path: str, key: str) -> ApiReply | None:
        try:
            return self._file(path).replies.get(key)
        except CacheFileError:
            return None

    def _lines(self, path: str) -> tuple[_KnownFile, dict[str, str]]:
        """A file and its lines by stored key. Files that were written here are not read again."""
        file = self._file(path)
        if file.lines is not None:
            return file, dict(file.lines)
        return file, {key: _line(key, value) for key, value in self._document(path).items()}

    def set_aside(self, place: CachePlace) -> None:
        """Renames the files of an API that cannot be read. Never overwrites a file."""
        for path in place.paths:
            whole = self.root / path
            if whole.exists():
                with _locked(whole.parent):
                    try:
                        self._document(path)
                    except CacheFileError:
                        _set_aside(whole)

    def _file(self, path: str) -> _KnownFile:
        """A file with its usable replies. Reads it again if it changed. Raises CacheFileError."""
        try:
            stamp = _stamp((self.root / path).stat())
        except (FileNotFoundError, NotADirectoryError):
            return _NO_FILE
        except OSError as error:
            what = f"cannot be read: {error.strerror}"
            raise CacheFileError.about(path, what, "check the links and permissions") from error
        with self._lock:
            known = self._known.get(path)
        if known and known.stamp == stamp:
            return known
        found = _KnownFile(stamp, _usable_replies(self._document(path)))
        self._remember(path, found)
        return found

    def _remember(self, path: str, file: _KnownFile) -> None:
        with self._lock:
            self._known[path] = file

    def _document(self, path: str) -> dict[str, Json]:
        """The object in a file, empty if there is no file. Raises CacheFileError."""
        whole = self.root / path
        if not whole.exists():
            return {}
        try:
            data = read_bytes(whole, path, self.root)
            document = parse(data, path)
        except FilesError as error:
            raise CacheFileError(error.problems) from error
        if not isinstance(document, dict):
            fix = "restore it, or delete it"
            raise CacheFileError.about(path, "is not an object of replies", fix)
        if self.strict and (problems := _wrong_entries(document, Findings(path, data))):
            raise CacheFileError(problems)
        return document


def _file_of(lines: Iterable[str]) -> bytes:
    """A file of the cache: one reply per line, so that diffs stay small."""
    inside = ",\n".join(lines)
    return f"{{\n{inside}\n}}\n".encode()


def _line(key: str, value: Json) -> str:
    return f"{json.dumps(key)}: {json.dumps(value)}"


def _stamp(found: os.stat_result) -> tuple[int, int, int]:
    """What changes if a file is replaced."""
    return found.st_mtime_ns, found.st_size, found.st_ino


def _wrong_entries(document: Mapping[str, Json], findings: Findings) -> tuple[Problem, ...]:
    """A problem for each entry whose key is no input, or whose value is no reply."""
    for key, value in document.items():
        if _canonical(key) is None:
            fix = "write the input as an object in JSON, or delete the entry"
            findings.add((key,), "is not the input of a call", fix)
        elif reply_of(value) is None:
            fix = 'write {"error": "", "response": ...}, or delete the entry'
            findings.add((key,), "is not a reply of an API", fix)
    return findings.problems()


def _usable_replies(document: Mapping[str, Json]) -> dict[str, ApiReply]:
    """Replies by canonical key. Of several keys for an input, a canonical one or the first."""
    replies: dict[str, ApiReply] = {}
    canonical_keys: set[str] = set()
    for key, value in document.items():
        canonical, reply = _canonical(key), reply_of(value)
        if canonical is None or reply is None:
            continue
        if FAILED_PLACEHOLDER in reply.error or (reply.is_empty and not reply.error):
            continue
        if canonical == key:
            canonical_keys.add(key)
            replies[key] = reply
        elif canonical not in canonical_keys:
            replies.setdefault(canonical, reply)
    return replies


def _set_aside(path: Path) -> None:
    aside, number = path.with_name(path.name + UNREADABLE), 2
    while aside.exists():
        aside = path.with_name(f"{path.name}{UNREADABLE}-{number}")
        number += 1
    path.rename(aside)


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Locks a folder against other threads and processes. The lock leaves no file behind."""
    if sys.platform == "win32":
        # Windows cannot lock a folder, so only one process may write to a cache there.
        with _WINDOWS_LOCK:
            yield
        return
    import fcntl  # noqa: PLC0415 - this module exists on POSIX systems only

    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)
