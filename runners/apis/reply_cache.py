r"""The cache of API replies: `<category>/<tool>_for_<category>/<api>.json`, one JSON object per API from input to reply.

    {
    "{\"stop\":\"Harbour Square\"}": {"error": "", "response": "18:04 line 3", "source": "real", "model": null, "time": "..."}
    }

A key is the canonical JSON of the input. Caches of the upstream server, whose keys are Python's `str()` of it, are read as they
are. Several processes may write at once: a file is replaced in one step, by one writer at a time.
"""

from __future__ import annotations

import ast
import hashlib
import json
import os
import re
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from leaderboard.apis.api_names import (
    change_name,
    standard_category,
    standardise,
    standardise_upstream,
)
from leaderboard.errors import FilesError, Problem
from leaderboard.files.document import parse, read_bytes
from leaderboard.store import write_atomic
from leaderboard.types import Json

# What the upstream server keeps when its model fails; it is no reply of an API.
FAILED_PLACEHOLDER: Final = "Failed to generate fake response"
UNREADABLE: Final = ".unreadable"

_PLAIN: Final = re.compile(r"[A-Za-z0-9_-]{1,80}")
_HASH_DIGITS: Final = 10

Origin = Literal["real", "simulation", "written"]


@dataclass(frozen=True, slots=True)
class Reply:
    """What an API answers: `error` is empty where it succeeded."""

    error: str
    response: Json

    @property
    def is_empty(self) -> bool:
        """Whether it says nothing. Zero and false are something."""
        if isinstance(self.response, str):
            return not self.response.strip()
        return self.response is None or self.response in ([], {})

    @property
    def is_usable(self) -> bool:
        """Whether it is worth keeping: no error, and something said."""
        return not self.error and not self.is_empty

    def as_json(self) -> dict[str, Json]:
        """The reply as the server sends it."""
        return {"error": self.error, "response": self.response}


@dataclass(frozen=True, slots=True)
class Entry:
    """A reply to keep, with where it comes from, the model that made it, and when (ISO 8601, UTC)."""

    reply: Reply
    source: Origin
    model: str | None = None
    time: str | None = None


@dataclass(frozen=True, slots=True)
class Place:
    """Which file holds an API's replies: below the cache, its usual path and the others it may be found under."""

    path: str
    others: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.path.removesuffix(".json")


class CacheFileError(FilesError):
    """A file of the cache cannot be read."""


def place_of(category: str, tool: str, api: str) -> Place:
    """Where the replies of an API are kept, however a request spells the three; always a path of plain names below the cache.

    A part that is not plain (`[A-Za-z0-9_-]`) is made so, with a hash of the whole behind it that keeps it apart from others.
    """
    folder = standard_category(category)
    spelled = dict.fromkeys(
        _spelled(tool, api, folder, spell) for spell in (standardise, standardise_upstream)
    )
    plain, *others = dict.fromkeys(
        path
        for named in spelled
        for path in (_path(folder, *named, plain=True), _path(folder, *named, plain=False))
        if path
    )
    return Place(plain, tuple(others))


def _spelled(tool: str, api: str, folder: str, spell: Callable[[str], str]) -> tuple[str, str]:
    """The tool's folder and the API's file, as the upstream server names them."""
    end = f"_for_{folder}"
    whole = tool if tool.endswith(end) else f"{spell(tool)}{end}"
    short = whole.removesuffix(end)
    name = spell(api)
    for tail in (f"_for_{whole}", f"_for_{short}"):
        name = name.removesuffix(tail.lower())
    return whole, change_name(name)


def _path(folder: str, tool: str, api: str, *, plain: bool) -> str | None:
    """The path of an API's file; None where the names as they are would lead elsewhere."""
    parts = (folder, tool, api)
    if plain:
        return "/".join(map(_plain, parts)) + ".json"
    harmless = all(
        part and part.strip(".") and not re.search(r"[/\\\x00-\x1f:]", part) for part in parts
    )
    return (
        "/".join(parts) + ".json"
        if harmless and all(len(part.encode()) <= 200 for part in parts)
        else None
    )


def _plain(part: str) -> str:
    if _PLAIN.fullmatch(part):
        return part
    digest = hashlib.sha256(part.encode("utf-8", "surrogatepass")).hexdigest()[:_HASH_DIGITS]
    return re.sub(r"[^A-Za-z0-9_-]", "_", part)[:60] + f"-{digest}"


# ---------------------------------------------------------------- keys


def key_of(arguments: Mapping[str, Json]) -> str:
    """The canonical JSON of an input: sorted keys, no blanks, whole numbers without a fraction (3.0 is 3)."""
    return json.dumps(_normal(arguments), sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def _normal(value: Json) -> Json:
    if isinstance(value, Mapping):
        return {name: _normal(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_normal(item) for item in value]
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value


def _canonical(key: str) -> str | None:
    """The canonical form of a key as some file has it: JSON, or what Python prints of a dict. None where it is neither."""
    try:
        value = json.loads(key, parse_constant=_refuse)
    except (ValueError, RecursionError):
        try:
            value = ast.literal_eval(key)
        except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
            return None
    try:
        return key_of(value) if isinstance(value, dict) else None
    except (ValueError, TypeError, RecursionError):  # keys that are no text, sets, NaN
        return None


def _refuse(constant: str) -> Json:
    raise ValueError(f"{constant} is not JSON")


# ---------------------------------------------------------------- files


class ApiCache:
    """The replies below a folder. Safe to use from many threads and, for writing, from many processes."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._read: dict[str, tuple[tuple[int, int, int], Mapping[str, Reply]]] = {}
        self._lock = threading.Lock()

    def find(self, place: Place, arguments: Mapping[str, Json]) -> Reply | None:
        """The reply to an input; None where there is none, or only an empty one or a failure that was kept by mistake.

        Raises CacheFileError when the file is there and cannot be read.
        """
        key = key_of(arguments)
        for path in (place.path, *place.others):
            found = self._replies(path).get(key)
            if found is not None:
                return found
        return None

    def examples(self, place: Place, number: int) -> list[tuple[str, Reply]]:
        """Up to so many inputs with their replies, sorted by key: what the API is known to answer. Raises CacheFileError."""
        known: dict[str, Reply] = {}
        for path in (place.path, *place.others):
            for key, reply in self._replies(path).items():
                known.setdefault(key, reply)
        return sorted(known.items(), key=lambda item: item[0])[:number]

    def store(self, place: Place, arguments: Mapping[str, Json], entry: Entry) -> Reply | None:
        """Keep a reply; gives the one that is kept now. Where another writer was faster, that is the other's.

        A failure, or a reply that says nothing, is not kept: None. A file that cannot be read is set aside first, under its
        name with `.unreadable` behind it. Raises OSError, and CacheFileError for a folder that leads out of the cache.
        """
        if not entry.reply.is_usable:
            return None
        key = key_of(arguments)
        path = self.root / place.path
        self._make_folder(path.parent)
        with _one_writer(path.parent):
            for left in path.parent.glob(f".{path.name}.*.tmp"):
                left.unlink()  # of a writer that was killed: whoever writes holds the folder
            try:
                entries = self._document(place.path)
            except CacheFileError:
                _set_aside(path)
                entries = {}
            known = _usable(entries).get(key)
            if known is not None:
                return known
            entries[key] = {
                **entry.reply.as_json(),
                "source": entry.source,
                "model": entry.model,
                "time": entry.time,
            }
            write_atomic(path, file_bytes(entries), durable=True)
        return entry.reply

    def set_aside(self, place: Place) -> None:
        """Move those files of an API that cannot be read out of the way; none of them is lost or written over."""
        for path in (place.path, *place.others):
            whole = self.root / path
            if whole.exists():
                with _one_writer(whole.parent):
                    try:
                        self._document(path)
                    except CacheFileError:
                        _set_aside(whole)

    def _replies(self, path: str) -> Mapping[str, Reply]:
        """The usable replies of a file by canonical key. A file that did not change is not read again."""
        whole = self.root / path
        try:
            stat = whole.stat()
        except (FileNotFoundError, NotADirectoryError):
            return {}
        except OSError as error:
            raise CacheFileError(
                Problem(
                    path, f"cannot be read: {error.strerror}", "check the links and permissions"
                )
            ) from error
        stamp = (stat.st_mtime_ns, stat.st_size, stat.st_ino)
        with self._lock:
            known = self._read.get(path)
        if known and known[0] == stamp:
            return known[1]
        replies = _usable(self._document(path))
        with self._lock:
            self._read[path] = (stamp, replies)
        return replies

    def _document(self, path: str) -> dict[str, Json]:
        """A file's object; empty where there is no file. Raises CacheFileError."""
        whole = self.root / path
        if not whole.exists():
            return {}
        try:
            document = parse(read_bytes(whole, path, self.root), path)
        except FilesError as error:
            raise CacheFileError(error.problems) from error
        if not isinstance(document, dict):
            raise CacheFileError(
                Problem(path, "holds no object of replies", "restore it, or delete it")
            )
        return document

    def _make_folder(self, folder: Path) -> None:
        if not folder.resolve().is_relative_to(self.root.resolve()):
            shown = folder.relative_to(self.root).as_posix()
            raise CacheFileError(
                Problem(shown, "leads out of the cache", "replace the link by a folder")
            )
        folder.mkdir(parents=True, exist_ok=True)


def file_bytes(entries: Mapping[str, Json]) -> bytes:
    """A file of the cache: one reply a line, sorted by key, so that a diff shows the replies that changed."""
    lines = ",\n".join(f"{json.dumps(key)}: {json.dumps(entries[key])}" for key in sorted(entries))
    return f"{{\n{lines}\n}}\n".encode()


def _usable(document: Mapping[str, Json]) -> dict[str, Reply]:
    """Replies by canonical key. Where several keys mean one input, the one that is canonical itself counts, else the first."""
    replies: dict[str, Reply] = {}
    certain: set[str] = set()
    for key, value in document.items():
        canonical, reply = _canonical(key), reply_of(value)
        if canonical is None or reply is None or _is_failure(reply):
            continue
        if canonical == key:
            certain.add(key)
            replies[key] = reply
        elif canonical not in certain:
            replies.setdefault(canonical, reply)
    return replies


def reply_of(value: Json) -> Reply | None:
    """A reply from its JSON: an object with a text `error` and a `response`; None for anything else."""
    if isinstance(value, dict) and isinstance(value.get("error"), str) and "response" in value:
        return Reply(value["error"], value["response"])
    return None


def _is_failure(reply: Reply) -> bool:
    return FAILED_PLACEHOLDER in reply.error or (reply.is_empty and not reply.error)


def _set_aside(path: Path) -> None:
    aside, number = path.with_name(path.name + UNREADABLE), 2
    while aside.exists():
        aside = path.with_name(f"{path.name}{UNREADABLE}-{number}")
        number += 1
    path.rename(aside)


@contextmanager
def _one_writer(folder: Path) -> Iterator[None]:
    """Hold a tool's folder while the context lasts, against threads and other processes. The lock leaves no file behind."""
    if sys.platform == "win32":
        with _WINDOWS_LOCK:  # a folder cannot be locked there: one process at a time writes a cache
            yield
        return
    import fcntl  # noqa: PLC0415 - not there on every system

    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


_WINDOWS_LOCK: Final = threading.Lock()
