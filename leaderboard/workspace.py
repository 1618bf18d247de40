"""A workspace: the folder with leaderboard.toml, and the folders below it."""

from __future__ import annotations

import tomllib
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from leaderboard.errors import FilesError

# What a board is made from. No command writes its results into these folders.
SCORED_FOLDERS: Final = (
    "audits",
    "cassettes",
    "datasets",
    "history",
    "prompts",
    "rules",
    "submissions",
)
SHOWN_FOLDERS: Final = ("docs", "theme")  # only on pages
INPUT_FOLDERS: Final = (*SCORED_FOLDERS, *SHOWN_FOLDERS)
CARD_FILE: Final = "submission.json"  # in the folder of each submission
MANIFEST: Final = "manifest.json"  # in results and in each snapshot
_FILES: Final = ("CITATION.cff", "Makefile", "leaderboard.toml", "recordings.json")


@dataclass(frozen=True, slots=True)
class Workspace:
    """A folder with a leaderboard.toml. Nothing in it is read before it is needed."""

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
    def history(self) -> Path:
        return self.root / "history"

    @property
    def docs(self) -> Path:
        return self.root / "docs"

    @property
    def results(self) -> Path:
        return self.root / "results"

    @property
    def site(self) -> Path:
        return self.root / "_site"

    def shown(self, path: Path) -> str:
        """A path for messages: relative to the workspace if it is inside, with slashes."""
        try:
            return path.relative_to(self.root).as_posix()
        except ValueError:
            return path.as_posix()


def suite_file(suite_id: str) -> str:
    """The path of a suite's settings in the workspace, with slashes."""
    return f"datasets/{suite_id}/suite.toml"


def card_file(submission_id: str) -> str:
    """The path of a submission's card in the workspace, with slashes."""
    return f"submissions/{submission_id}/{CARD_FILE}"


def input_files(workspace: Workspace) -> list[Path]:
    """The files outside these folders that a board is made from. Some may not exist."""
    names = [*_FILES]
    try:
        site = tomllib.loads(workspace.settings.read_text(encoding="utf-8"))["site"]
        names.append(str(site["logo"]))
    except (OSError, ValueError, KeyError, TypeError):
        pass  # there is none, or loading the settings reports what is wrong
    return [workspace.root / name for name in names]


def own_folder(workspace: Workspace, name: Literal["_site", "results"]) -> Path:
    """A folder of the workspace to write to. Raises FilesError if it is a link."""
    folder = workspace.root / name
    if folder.is_symlink():
        fix = "remove it, or name another folder with --out"
        raise FilesError.about(name, "is a link, which could lead anywhere", fix)
    return folder


def refuse_other_files(workspace: Workspace, folder: Path, names: Collection[str]) -> None:
    """Refuses to write files with these names among others. Hidden files do not matter.

    Raises FilesError for a file, a folder of the board itself, or one that holds anything else.
    """
    root, place = workspace.root.resolve(), folder.resolve()
    fix = "name an empty folder with --out"
    if place == root or any(place.is_relative_to(root / name) for name in INPUT_FOLDERS):
        raise FilesError.about(workspace.shown(folder), "is part of the board", fix)
    if place.is_file():
        raise FilesError.about(workspace.shown(folder), "is a file, not a folder", fix)
    entries = sorted(path.name for path in folder.iterdir()) if folder.is_dir() else []
    others = [name for name in entries if name not in names and not name.startswith(".")]
    if others:
        what = f"holds something else: {others[0]}"
        raise FilesError.about(workspace.shown(folder), what, fix)


def open_workspace(root: Path) -> Workspace:
    """The workspace at `root`. Raises FilesError without a leaderboard.toml."""
    workspace = Workspace(root)
    if not workspace.settings.is_file():
        fix = (
            "run lb in the folder that holds it, name that folder with --workspace, or start a "
            "board with lb init"
        )
        raise FilesError.about("leaderboard.toml", f"is not in {root.absolute()}", fix)
    return workspace
