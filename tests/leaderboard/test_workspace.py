"""The folders of a workspace, and where results may be written."""

from __future__ import annotations

from pathlib import Path

import pytest

from leaderboard.errors import FilesError
from leaderboard.workspace import Workspace, refuse_other_files


def test_results_are_not_written_among_other_files(tmp_path: Path) -> None:
    """Not into the board, nor a folder in use. New, empty, own and hidden files are fine."""
    board = Workspace(tmp_path / "board")
    out = tmp_path / "out"
    refuse_other_files(board, out, ["a.json"])
    out.mkdir()
    for name in ("a.json", ".gitignore"):
        (out / name).touch()
    refuse_other_files(board, out, ["a.json"])

    with pytest.raises(FilesError, match=r"out: holds something else: a\.json"):
        refuse_other_files(board, out, ["b.json"])
    with pytest.raises(FilesError, match=r"out/a\.json: is a file, not a folder"):
        refuse_other_files(board, out / "a.json", ["a.json"])
    for place in (
        board.root,
        board.root / "cassettes",
        board.submissions / "new",
        board.root / "theme",
        tmp_path / "out/../board",
    ):
        with pytest.raises(FilesError, match=r"is part of the board \(name an empty folder"):
            refuse_other_files(board, place, ["a.json"])
