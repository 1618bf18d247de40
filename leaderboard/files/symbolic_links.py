"""Links in the folders of a board. None is followed, because it could lead to any file."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from leaderboard.errors import Problem
from leaderboard.files.file_bytes import link_problem
from leaderboard.workspace import Workspace

# `cassettes/` is not here: see `cassette_paths.stray_files`.
_FOLDERS: Final = ("submissions", "datasets", "prompts", "docs", "history", "audits")


def find_links(workspace: Workspace) -> Iterator[Problem]:
    """Yields a problem for each link in the folders that are read or published, sorted."""
    for name in _FOLDERS:
        top = workspace.root / name
        if top.is_symlink():
            yield link_problem(name)
        else:
            yield from (link_problem(workspace.shown(path)) for path in sorted(_links_below(top)))


def _links_below(top: Path) -> Iterator[Path]:
    for folder, folders, names in os.walk(top):
        paths = (Path(folder, name) for name in (*folders, *names))
        yield from (path for path in paths if path.is_symlink())
