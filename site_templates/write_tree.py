"""Writes a folder of files in one step: all or nothing. Unchanged files are not touched."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from leaderboard.errors import FilesError, Problem
from leaderboard.limits import SITE_BYTES, SITE_FILES, megabytes

MARKER: Final = "toolboard.json"  # the file that says a folder is a site of ours
_KIND: Final = b'"site": "toolboard"'


@dataclass(frozen=True, slots=True)
class BuildReport:
    """What a build did, as sorted paths in its folder. `unchanged` is a count of files."""

    out: Path
    written: tuple[str, ...]
    unchanged: int
    removed: tuple[str, ...]

    def __str__(self) -> str:
        if not self.written and not self.removed:
            return f"nothing changed, {self.unchanged:,} files as they were"
        written, removed = len(self.written), len(self.removed)
        return f"{written:,} files written, {self.unchanged:,} as they were, {removed:,} removed"


def marker(rules: str, base_url: str | None = None, repository: str | None = None) -> bytes:
    """The content of the marker file: what the site was built with, so that it can be checked."""
    made = {
        "site": "toolboard",
        "format": 1,
        "rules": rules,
        "base_url": base_url,
        "repository": repository,
    }
    return (json.dumps(made, indent=2) + "\n").encode()


def replace(out: Path, files: Mapping[str, bytes]) -> BuildReport:
    """Make `out` hold exactly these files (path below it -> bytes, the marker among them).

    An existing folder must be empty or hold the marker. Raises FilesError if the folder cannot be
    written; the old folder then stays as it was.
    """
    _check_size(out, files)
    try:
        out = out.resolve()
        _recover(out)
        _ours(out)
        unchanged = frozenset(
            path for path, content in files.items() if _holds(out / path, content)
        )
        removed = tuple(sorted(_present(out) - files.keys()))
        written = tuple(sorted(files.keys() - unchanged))
        if written or removed:
            _swap(out, files, unchanged)
    except OSError as error:
        raise FilesError(
            Problem(
                str(out),
                f"the site cannot be written: {error.strerror or error}",
                _advice(error, out),
            )
        ) from error
    return BuildReport(out, written, len(unchanged), removed)


def _check_size(out: Path, files: Mapping[str, bytes]) -> None:
    """Refuses a site that hosts would not publish. The old one stays."""
    size = sum(map(len, files.values()))
    limits = f"{megabytes(SITE_BYTES)} and {SITE_FILES:,} files"
    if size > SITE_BYTES or len(files) > SITE_FILES:
        what = f"would have {megabytes(size)} in {len(files):,} files; the limit is {limits}"
        fix = "accept fewer trials or submissions, or move old ones to another board"
        raise FilesError(Problem(str(out), what, fix))


def _advice(error: OSError, out: Path) -> str:
    where = error.filename if isinstance(error.filename, str) else str(out)
    return (
        f"check {where}: it and the folder around the site must be writable, "
        "or choose another folder with --out"
    )


def _recover(out: Path) -> None:
    """Put the old folder back that a killed build had taken away and not yet replaced."""
    old = _beside(out, "old")
    if not out.exists() and (old / MARKER).is_file():
        old.rename(out)


def _beside(out: Path, state: str) -> Path:
    """The folder beside the site in which it is made (`new`) or waits to be removed (`old`)."""
    return out.with_name(f".{out.name}.{state}")


def _ours(out: Path) -> None:
    """Refuse a folder that somebody else made."""
    if not out.exists():
        return
    if not out.is_dir():
        raise FilesError(
            Problem(str(out), "is a file, not a folder", "choose another folder with --out")
        )
    mark = out / MARKER
    if any(out.iterdir()) and not (mark.is_file() and _KIND in mark.read_bytes()):
        raise FilesError(
            Problem(
                str(out),
                f"is not empty and holds no {MARKER}: no site made here",
                "choose another folder with --out",
            )
        )


def _holds(path: Path, content: bytes) -> bool:
    """Whether a file is there already, byte for byte."""
    try:
        return (
            path.is_file()
            and not path.is_symlink()
            and path.stat().st_size == len(content)
            and path.read_bytes() == content
        )
    except NotADirectoryError:
        return False


def _present(out: Path) -> set[str]:
    if not out.exists():
        return set()
    return {
        path.relative_to(out).as_posix()
        for path in out.rglob("*")
        if path.is_symlink() or not path.is_dir()
    }


def _swap(out: Path, files: Mapping[str, bytes], unchanged: frozenset[str]) -> None:
    """Fill a folder beside `out`, then let it take its place."""
    new, old = _beside(out, "new"), _beside(out, "old")
    out.parent.mkdir(parents=True, exist_ok=True)
    _discard(new)
    _discard(old)
    try:
        _fill(new, out, files, unchanged)
        if out.exists():
            out.rename(old)
        try:
            new.rename(out)
        except OSError:
            if old.exists():
                old.rename(out)
            raise
    finally:
        _discard(new)
    _discard(old)


def _discard(folder: Path) -> None:
    """Remove what an interrupted build left behind."""
    if folder.is_dir() and not folder.is_symlink():
        shutil.rmtree(folder)


def _fill(new: Path, out: Path, files: Mapping[str, bytes], unchanged: frozenset[str]) -> None:
    new.mkdir()
    for folder in sorted({path.rpartition("/")[0] for path in files}):
        (new / folder).mkdir(parents=True, exist_ok=True)
    for path, content in files.items():
        if path in unchanged and _linked(out / path, new / path):
            continue
        (new / path).write_bytes(content)


def _linked(source: Path, target: Path) -> bool:
    """Give a file a second name; False where the disk has no second names."""
    try:
        os.link(source, target)
    except OSError:
        return False
    return True
