"""Writes a folder of files in one step: all or nothing. Unchanged files are not written again."""

from __future__ import annotations

import json
import os
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Final

from leaderboard.errors import FilesError
from leaderboard.limits import SITE_BYTES, SITE_FILES, megabytes
from leaderboard.machine.atomic_files import temporary_beside
from leaderboard.machine.processes import in_processes

MARKER: Final = "toolboard.json"  # the file that says a folder is a site of ours
_KIND: Final = b'"site": "toolboard"'


# Makes the files of a share: path below the folder, bytes.
Share = Callable[[], Iterable[tuple[str, bytes]]]


@dataclass(slots=True)
class _Filled:
    """The files of one share that are in the new folder, and their bytes in all."""

    size: int = 0
    written: list[str] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class BuildReport:
    """What a build did, as sorted paths in its folder. `unchanged` is a count of files."""

    written: tuple[str, ...]
    unchanged: int
    removed: tuple[str, ...]


def marker(rules: str, base_url: str | None, repository: str | None) -> bytes:
    """The content of the marker file: what the site was built with, so that it can be checked."""
    made = {
        "site": "toolboard",
        "format": 1,
        "rules": rules,
        "base_url": base_url,
        "repository": repository,
    }
    return (json.dumps(made, indent=2) + "\n").encode()


def replace(out: Path, files: Iterable[tuple[str, bytes]]) -> BuildReport:
    """Make `out` hold exactly these files (path below it, bytes). See `replace_in_shares`."""
    return replace_in_shares(out, [lambda: files])


def replace_in_shares(out: Path, shares: Sequence[Share]) -> BuildReport:
    """Make `out` hold exactly the files of all shares, the marker among them.

    Each share has a process of its own, forked from this one. Files are written beside `out` as
    they come, so that they need not be in memory together. An existing folder must be empty or
    hold the marker, and be no git repository. What people added for a host stays in it (see
    `is_added`). The old folder stays as it was if a share raises, and if the folder cannot be
    written or is too large for hosts: that is a FilesError.
    """
    try:
        out = out.resolve()
        _recover(out)
        _ours(out)
        return _replace(out, shares)
    except OSError as error:
        what = f"the site cannot be written: {error.strerror or error}"
        raise FilesError.about(str(out), what, _advice(error, out)) from error


def _replace(out: Path, shares: Sequence[Share]) -> BuildReport:
    out.parent.mkdir(parents=True, exist_ok=True)
    new = temporary_beside(out)
    try:
        report = _fill(new, out, shares)
        if report.written or report.removed:
            _swap(out, new)
    finally:
        _discard(new)
    return report


def _fill(new: Path, out: Path, shares: Sequence[Share]) -> BuildReport:
    """Write every file into the folder `new`."""
    new.mkdir()

    def work(some: Sequence[Share]) -> list[_Filled]:
        return [_write(new, out, share()) for share in some]

    done = list(chain.from_iterable(in_processes(work, shares, len(shares))))
    _keep_added(new, out)
    _stay_below_limits(out, sum(share.size for share in done), done)
    written = list(chain.from_iterable(share.written for share in done))
    unchanged = list(chain.from_iterable(share.unchanged for share in done))
    twice = [path for path, number in Counter([*written, *unchanged]).items() if number > 1]
    if twice:
        raise ValueError(f"two files of one path: {twice[0]}")
    removed = _present(out).difference(unchanged, written)
    return BuildReport(tuple(sorted(written)), len(unchanged), tuple(sorted(removed)))


def is_added(name: str) -> bool:
    """Whether people add a file or folder of this name for a host, such as .well-known/."""
    return name == "CNAME" or (name.startswith(".") and name != ".nojekyll")


def _keep_added(new: Path, out: Path) -> None:
    """Copy what people added to the old folder."""
    for path in out.iterdir() if out.exists() else ():
        if not is_added(path.name):
            continue
        if path.is_dir() and not path.is_symlink():
            shutil.copytree(path, new / path.name, symlinks=True)
        else:
            shutil.copy2(path, new / path.name, follow_symlinks=False)


def _write(new: Path, out: Path, files: Iterable[tuple[str, bytes]]) -> _Filled:
    """Write the files of a share. Those that `out` holds already get a second name."""
    done, folders = _Filled(), set()
    for path, content in files:
        done.size += len(content)
        _stay_below_limits(out, done.size, [done])
        folder = (new / path).parent
        if folder not in folders:
            folder.mkdir(parents=True, exist_ok=True)
            folders.add(folder)
        if _holds(out / path, content):
            done.unchanged.append(path)
            if _linked(out / path, new / path):
                continue
        else:
            done.written.append(path)
        (new / path).write_bytes(content)
    return done


def _stay_below_limits(out: Path, size: int, done: Sequence[_Filled]) -> None:
    """Raise FilesError for a site that hosts would not publish."""
    count = sum(len(share.written) + len(share.unchanged) for share in done)
    if size > SITE_BYTES or count > SITE_FILES:
        limits = f"{megabytes(SITE_BYTES)} or {SITE_FILES:,} files"
        fix = "accept fewer trials or submissions, or move old ones to another board"
        raise FilesError.about(str(out), f"would have more than {limits}, which is the limit", fix)


def _swap(out: Path, new: Path) -> None:
    """Let the folder `new` take the place of `out`."""
    old = _taken_away(out)
    _discard(old)
    if out.exists():
        out.rename(old)
    try:
        new.rename(out)
    except OSError:
        if old.exists():
            old.rename(out)
        raise
    _discard(old)


def _advice(error: OSError, out: Path) -> str:
    where = error.filename if isinstance(error.filename, str) else str(out)
    return (
        f"check {where}: it and the folder around the site must be writable, "
        "or choose another folder with --out"
    )


def _recover(out: Path) -> None:
    """Put the old folder back that a killed build had taken away and not yet replaced."""
    old = _taken_away(out)
    if not out.exists() and (old / MARKER).is_file():
        old.rename(out)


def _taken_away(out: Path) -> Path:
    """The folder beside the site in which the old one waits to be removed."""
    return out.with_name(f".{out.name}.old")


def _ours(out: Path) -> None:
    """Refuse a folder that somebody else made."""
    fix = "choose another folder with --out"
    if not out.exists():
        return
    if not out.is_dir():
        raise FilesError.about(str(out), "is a file, not a folder", fix)
    mark = out / MARKER
    if any(out.iterdir()) and not (mark.is_file() and _KIND in mark.read_bytes()):
        what = f"is not empty and has no {MARKER}, so lb build did not make it"
        raise FilesError.about(str(out), what, fix)
    if os.path.lexists(out / ".git"):
        raise FilesError.about(str(out), "is a git repository, which a build would remove", fix)


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
    """The files in the folder that a build made."""
    if not out.exists():
        return set()
    return {
        path.relative_to(out).as_posix()
        for path in out.rglob("*")
        if (path.is_symlink() or not path.is_dir()) and not is_added(path.relative_to(out).parts[0])
    }


def _discard(folder: Path) -> None:
    """Remove what an interrupted build left behind."""
    if folder.is_dir() and not folder.is_symlink():
        shutil.rmtree(folder)


def _linked(source: Path, target: Path) -> bool:
    """Give a file a second name; False where the disk has no second names."""
    try:
        os.link(source, target)
    except OSError:
        return False
    return True
