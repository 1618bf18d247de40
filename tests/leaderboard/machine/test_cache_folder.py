"""Where things are kept between two runs."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from leaderboard.machine.cache_folder import cache_of, forget_old


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("TOOLBOARD_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", "")
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


def test_each_workspace_has_a_folder_below_the_home(home: Path) -> None:
    """It is the user's, and not part of the workspace."""
    first, second = cache_of(home / "a"), cache_of(home / "b")
    assert first is not None
    assert second is not None
    assert first != second
    assert first.parent == second.parent == home / ".cache/toolboard"


def test_nothing_is_kept_in_the_workspace_itself(home: Path) -> None:
    """Anyone who proposes a change could write there."""
    assert cache_of(home) is None
    (home / "link").symlink_to(home / "a")
    os.environ["TOOLBOARD_CACHE"] = str(home / "link/cache")
    try:
        assert cache_of(home / "a") is None
    finally:
        del os.environ["TOOLBOARD_CACHE"]


def test_the_folder_of_another_user_is_not_used(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody else could have written there."""
    folder = cache_of(home / "a")
    assert folder is not None
    folder.mkdir(parents=True)
    assert folder == cache_of(home / "a")
    monkeypatch.setattr(os, "getuid", lambda: folder.stat().st_uid + 1)
    assert cache_of(home / "a") is None


def test_the_oldest_folders_are_removed(tmp_path: Path) -> None:
    """What is kept is bounded: the last twenty workspaces."""
    for number in range(25):
        (tmp_path / str(number)).mkdir()
        os.utime(tmp_path / str(number), (number, number))
    forget_old(tmp_path / "3")
    left = {int(path.name) for path in tmp_path.iterdir()}
    assert {3, *range(6, 25)} == left
