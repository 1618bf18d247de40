"""The board that a proposal would give: the base's rules and suites over the proposed data."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Final

from leaderboard.workspace import Workspace, input_files

# What anybody may propose, what only maintainers may, and what is of the base in any case.
_ANYBODY: Final = ("submissions", "cassettes")
_MAINTAINERS: Final = (
    "leaderboard.toml",
    "recordings.json",
    "datasets",
    "prompts",
    "audits",
    "theme",
)
_BASE: Final = ("docs", "history", "CITATION.cff")


def assemble(base: Path, proposed: Path, out: Path, *, maintainer: bool) -> Workspace:
    """Makes a workspace in `out` from copies of regular files. Links and hidden files are left out.

    They are no part of a board, and a proposal's links could lead anywhere. With `maintainer`, the
    proposal's settings with their logo, suites, prompts, audits and stylesheet count too.
    """
    names = (*_ANYBODY, *_MAINTAINERS) if maintainer else _ANYBODY
    for name in (*_ANYBODY, *_MAINTAINERS, *_BASE):
        copy_files((proposed if name in names else base) / name, out / name)
    board, settled = Workspace(out), (proposed if maintainer else base).resolve()
    for path in input_files(board):  # such as the logo, which may be anywhere in a board
        source = settled / os.path.relpath(path, out)
        if not path.exists() and source.resolve() == source and source.is_relative_to(settled):
            copy_files(source, path)
    return board


def copy_files(source: Path, target: Path) -> None:
    """Copies a regular file, or the regular files below a folder. A link is left out."""
    if source.is_symlink():
        return
    if source.is_file():
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)
    for folder, folders, names in os.walk(source):
        place = Path(folder)
        folders[:] = [name for name in folders if not name.startswith(".")]
        made = target / place.relative_to(source)
        made.mkdir(parents=True, exist_ok=True)
        for name in names:
            path = place / name
            if path.is_file() and not path.is_symlink() and not name.startswith("."):
                shutil.copyfile(path, made / name)
