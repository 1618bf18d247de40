"""Skips the work of `lb rescore` and `lb build` if their output is up to date.

A folder of results or a site is unchanged if every input has the same bytes, the code included, and
if every file that the command made is as it was left. What is kept is in the user's cache folder.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Final

import orjson

from leaderboard.digest import digest_bytes, digest_of, folder_digest, packages_digest
from leaderboard.doc_pages import docs_folder
from leaderboard.files.cassette_paths import JOURNAL
from leaderboard.machine.atomic_files import write_atomic
from leaderboard.types import Json
from leaderboard.workspace import SCORED_FOLDERS, SHOWN_FOLDERS, Workspace, input_files

_PROJECT: Final = Path(__file__).parents[2]
_PACKAGES: Final = ("cli", "leaderboard", "replay", "runners", "scoring", "site_templates")
_LIBRARIES: Final = ("jinja2", "markdown-it-py", "markupsafe", "polars", "pydantic")

# A line of output, and whether it went to stderr.
Line = tuple[str, bool]


@dataclass(frozen=True, slots=True)
class UnchangedOutput:
    """How many files a folder holds, and the lines that were printed when they were made."""

    files: int
    lines: tuple[Line, ...]


class Inputs:
    """What decides the bytes that a command makes.

    `options` are those of the command. `results` are an input of the site, with its documents.
    `digest` is the sha256 of all, or None if it cannot be known: a file cannot be read, or a
    symbolic link leads elsewhere.
    """

    def __init__(
        self, workspace: Workspace, options: Sequence[Json], results: Path | None = None
    ) -> None:
        self._folders = [workspace.root / name for name in SCORED_FOLDERS]
        if results is not None:
            self._folders += [*(workspace.root / name for name in SHOWN_FOLDERS), results]
        self._files = [*input_files(workspace), workspace.root / JOURNAL]
        self._options = list(options)
        self._before = self._state()
        self.digest = self._digest()

    def have_changed(self) -> bool:
        """Whether a file was written since the digest was made."""
        return self._state() != self._before

    def _state(self) -> list[dict[str, Json]]:
        return [_files_of(path) for path in (*self._folders, *self._files)]

    def _digest(self) -> str | None:
        try:
            data = [_tree_digest(folder) for folder in self._folders]
            files = [_file_digest(file) for file in self._files]
        except OSError:
            return None
        return digest_of(
            [
                _library_versions(),
                packages_digest(_PROJECT, _PACKAGES),
                folder_digest(docs_folder()),
                data,
                files,
                self._options,
            ]
        )


@cache
def _library_versions() -> list[str]:
    return [version(name) for name in _LIBRARIES]


def _tree_digest(folder: Path) -> str:
    """The sha256 of the files and folders below a folder, with their names. Raises OSError."""
    digest = sha256()
    for path, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name != "__pycache__")
        for name in (*folders, *sorted(names)):
            place = f"{path}/{name}"
            mode = os.lstat(place).st_mode
            if stat.S_ISREG(mode):
                data = Path(place).read_bytes()
            elif stat.S_ISDIR(mode):
                data = b""
            else:
                raise OSError(f"{place} is neither a file nor a folder")
            inside = place.removeprefix(str(folder))
            digest.update(os.fsencode(f"{inside}\0{stat.S_IFMT(mode)}\0{len(data)}\0"))
            digest.update(data)
    return digest.hexdigest()


def _file_digest(file: Path) -> str | None:
    return digest_bytes(file.read_bytes()) if file.is_file() else None


def unchanged_output(cache: Path, out: Path, inputs: str | None) -> UnchangedOutput | None:
    """What the folder `out` holds, if it was made of these inputs; None if anything has changed."""
    try:
        kept = orjson.loads(_place(cache, out).read_bytes())
        lines = tuple((str(line), bool(error)) for line, error in kept["lines"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
    files = _files_of(out)
    same = inputs is not None and kept["inputs"] == inputs and kept["files"] == files
    return UnchangedOutput(len(files), lines) if same and files else None


def remember_output(cache: Path, out: Path, inputs: Inputs, lines: Sequence[Line]) -> None:
    """Keep what `unchanged_output` needs, unless an input was written meanwhile. Raises OSError."""
    if inputs.digest is not None and not inputs.have_changed():
        state = {"inputs": inputs.digest, "files": _files_of(out), "lines": lines}
        write_atomic(_place(cache, out), orjson.dumps(state))


def _place(cache: Path, out: Path) -> Path:
    return cache / f"output-{digest_of(str(out.resolve()))[:16]}.json"


def _files_of(path: Path) -> dict[str, Json]:
    """Mode, size and time of change (ns) of a file, or of every file of a folder.

    The paths are in ASCII: JSON cannot hold those that are not in UTF-8.
    """
    path = path.resolve()
    places = [f"{folder}/{name}" for folder, _, names in os.walk(path) for name in names]
    files: dict[str, Json] = {}
    for place in [str(path)] if path.is_file() else places:
        try:
            state = os.lstat(place)
        except FileNotFoundError:  # a temporary file, which its writer has renamed meanwhile
            continue
        files[ascii(place)] = [state.st_mode, state.st_size, state.st_mtime_ns]
    return files
