"""Writing files so that a reader never sees half of one."""

from __future__ import annotations

import os
import re
import shutil
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def write_atomic(path: Path, data: bytes, *, durable: bool = False) -> None:
    """Writes `data` to `path` in one step, and makes its folder if it is missing.

    A reader sees the old bytes or the new ones, even if the process dies. `durable` waits until the
    bytes are on the disk, for data that cost money. Raises OSError; the old file stays.
    """
    with _temporary(path, data, durable=durable) as temporary:
        temporary.replace(path)
    if durable:
        _sync_folder(path.parent)


def write_new(path: Path, data: bytes) -> None:
    """Writes a file in one step, and waits until it is on the disk.

    Raises FileExistsError if there is one, also if another process has just written it.
    """
    with _temporary(path, data, durable=True) as temporary:
        os.link(temporary, path)
    _sync_folder(path.parent)


@contextmanager
def _temporary(path: Path, data: bytes, *, durable: bool) -> Iterator[Path]:
    """A file beside `path` that holds `data`. It is removed at the end if it is still there."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = temporary_beside(path)
    try:
        with errors_naming(path, temporary):
            with temporary.open("wb") as file:
                file.write(data)
                if durable:
                    file.flush()
                    os.fsync(file.fileno())
            yield temporary
    finally:
        temporary.unlink(missing_ok=True)


@contextmanager
def errors_naming(path: Path, temporary: Path | None = None) -> Iterator[None]:
    """Sets the file name of an OSError to `path` if it has none or names `temporary`.

    A full disk raises one without a name.
    """
    try:
        yield
    except OSError as error:
        if error.filename is None or error.filename == str(temporary):
            error.filename = str(path)
        raise


def temporary_beside(path: Path) -> Path:
    """A name for what will become `path`, and removes what killed processes left there."""
    _remove_leftovers(path)
    return path.with_name(f".{path.name}.{os.getpid()}-{threading.get_ident()}.tmp")


def _remove_leftovers(path: Path) -> None:
    if sys.platform == "win32":
        return  # asking for a process there would end it
    name = re.compile(rf"\.{re.escape(path.name)}\.(\d+)-\d+\.tmp")
    with os.scandir(path.parent) as entries:
        left = [(entry.path, name.fullmatch(entry.name)) for entry in entries]
    for place, leftover in left:
        if leftover is not None and not _runs(int(leftover[1])):
            if Path(place).is_dir():
                shutil.rmtree(place, ignore_errors=True)
            else:
                Path(place).unlink(missing_ok=True)


def _runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        pass
    return True


def _sync_folder(folder: Path) -> None:
    """Waits until the rename itself is on the disk, on file systems that can sync a folder."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(handle)
    except OSError:
        pass
    finally:
        os.close(handle)
