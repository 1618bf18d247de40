"""Where everything lies: the folders below the one that holds leaderboard.toml."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from leaderboard.errors import FilesError, Problem

SUBMISSION_ID = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")


@dataclass(frozen=True, slots=True)
class Workspace:
    """A folder with a leaderboard.toml. Nothing is read until it is asked for."""

    root: Path

    @property
    def settings(self) -> Path:
        return self.root / "leaderboard.toml"

    @property
    def datasets(self) -> Path:
        return self.root / "datasets"

    @property
    def prompts(self) -> Path:
        return self.root / "prompts"

    @property
    def submissions(self) -> Path:
        return self.root / "submissions"

    @property
    def cassettes(self) -> Path:
        return self.root / "cassettes"

    @property
    def history(self) -> Path:
        return self.root / "history"

    @property
    def docs(self) -> Path:
        return self.root / "docs"

    def shown(self, path: Path) -> str:
        """A path as messages show it: below the workspace where it is, with forward slashes."""
        try:
            return path.relative_to(self.root).as_posix()
        except ValueError:
            return path.as_posix()


def open_workspace(root: Path) -> Workspace:
    """The workspace at `root`. Raises FilesError when there is no leaderboard.toml."""
    workspace = Workspace(root)
    if not workspace.settings.is_file():
        raise FilesError(
            Problem(
                "leaderboard.toml",
                f"is not in {root}",
                "run lb in the folder that holds it, or name that folder with --workspace",
            )
        )
    return workspace
