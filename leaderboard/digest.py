"""sha256 of canonical JSON, of files and folders. The manifest has the digest of every input."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import orjson

from leaderboard.types import Json


def canonical(value: Json) -> bytes:
    """JSON with sorted keys and no blanks. Integers beyond 64 bits keep every digit.

    A path that is not in UTF-8 has lone surrogates. They count like other characters.
    """
    try:
        return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
    except TypeError:  # an integer beyond 64 bits, or a lone surrogate
        text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        return text.encode("utf-8", "surrogatepass")


def digest_of(value: Json) -> str:
    """The sha256 (64 hex digits) of a JSON value, independent of key order and blanks."""
    return hashlib.sha256(canonical(value)).hexdigest()


def digest_bytes(data: bytes) -> str:
    """The sha256 (64 hex digits) of bytes."""
    return hashlib.sha256(data).hexdigest()


def folder_digest(folder: Path) -> str:
    """The sha256 of the files in a folder with their names. A folder may be missing."""
    digest = hashlib.sha256()
    for path, data in files_below(folder):
        digest.update(f"{path}\0{len(data)}\0".encode("utf-8", "surrogateescape") + data)
    return digest.hexdigest()


@cache
def packages_digest(project: Path, packages: tuple[str, ...]) -> str:
    """The sha256 of packages of code. What this process has loaded does not change any more."""
    return digest_of([folder_digest(project / package) for package in packages])


def files_below(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Path in a folder and bytes of each of its files in order, without compiled modules."""
    for path in sorted(folder.rglob("*")):
        if path.parent.name != "__pycache__" and path.is_file():
            yield path.relative_to(folder).as_posix(), path.read_bytes()
