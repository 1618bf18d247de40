"""Reads and unpacks files: regular ones below a folder, or those that a user named."""

from __future__ import annotations

import os
import zlib
from pathlib import Path
from typing import Final

from leaderboard.errors import FilesError, Problem
from leaderboard.limits import (
    ARCHIVE_MEMBERS,
    FILE_BYTES,
    TEXT_FILE_BYTES,
    UNPACKED_BYTES,
    megabytes,
)

_PACK: Final = "compress it again with gzip"


def read_bytes(path: Path, shown: str, root: Path) -> bytes:
    """Reads a regular file below `root` and unpacks a .gz. Raises FilesError with one problem.

    Links are refused, because files of strangers must not lead to other files.
    """
    if is_linked(path, root):
        if ".." in Path(os.path.relpath(path, root)).parts:
            raise FilesError.about(shown, "is outside the board's folder", "put the file into it")
        raise FilesError(link_problem(shown))
    if path.exists() and not path.is_file():
        what = "is a folder, not a file" if path.is_dir() else "is not a regular file"
        raise FilesError.about(shown, what, "put a file in its place")
    return read_named(path, shown)


def is_linked(path: Path, root: Path) -> bool:
    """Whether a link below `root` leads to a path, or the path leaves `root`."""
    below = os.path.relpath(path, root)
    return Path(os.path.realpath(path)) != Path(os.path.realpath(root)) / below


def link_problem(shown: str) -> Problem:
    """The problem of a link in a board's files."""
    return Problem(shown, "is a link, or below one", "replace the link with the file itself")


def read_named(path: Path, shown: str) -> bytes:
    """Reads a file that the user named, also through a link. Unpacks a .gz. Raises FilesError."""
    try:
        if path.is_dir():
            raise FilesError.about(shown, "is a folder, not a file", "name a file")
        size = path.stat().st_size
        if size > FILE_BYTES:
            what = f"is {megabytes(size)}; the limit is {megabytes(FILE_BYTES)}"
            raise FilesError.about(shown, what, "compress it as .json.gz")
        data = path.read_bytes()
    except (OSError, ValueError) as error:  # a name with a null byte is a ValueError
        reason = error.strerror if isinstance(error, OSError) else None
        what = f"cannot be read: {reason or error}"
        raise FilesError.about(shown, what, "check the name and its permissions") from error
    return unpack(data, shown) if path.suffix == ".gz" else data


def unpack(data: bytes, shown: str) -> bytes:
    """Unpacks all members of a gzip file, but never more than the limits."""
    parts: list[bytes] = []
    room = UNPACKED_BYTES
    while data:
        if len(parts) == ARCHIVE_MEMBERS:
            what = f"is made of more than {ARCHIVE_MEMBERS} gzip files"
            raise FilesError.about(shown, what, _PACK)
        member = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
        try:
            parts.append(member.decompress(data, room + 1))
        except zlib.error as error:
            raise FilesError.about(shown, f"is not a gzip file: {error}", _PACK) from error
        room -= len(parts[-1])
        if room < 0:
            what = f"unpacks to more than {megabytes(UNPACKED_BYTES)}"
            raise FilesError.about(shown, what, "split the submission")
        if not member.eof:
            raise FilesError.about(shown, "ends in the middle of the gzip stream", _PACK)
        data = member.unused_data
    return b"".join(parts)


def read_text(path: Path, shown: str, root: Path, most: int = TEXT_FILE_BYTES) -> str:
    """Reads a UTF-8 file of so many bytes below `root`. Raises FilesError with one problem."""
    data = read_bytes(path, shown, root)
    if len(data) > most:
        what = f"is longer than {most:,} bytes"
        raise FilesError.about(shown, what, "shorten it, or link to a longer text")
    return as_text(data, shown)


def as_text(data: bytes, shown: str) -> str:
    """UTF-8 as text, without a byte order mark. Raises FilesError."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FilesError.about(shown, "is not UTF-8", "save it as UTF-8") from error
