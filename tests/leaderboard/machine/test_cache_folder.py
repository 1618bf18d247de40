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


def test_a_folder_that_cannot_be_read_is_not_used(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Then nothing is cached, and the command goes on."""
    monkeypatch.setenv("TOOLBOARD_CACHE", str(home / ("x" * 300)))
    assert cache_of(home / "a") is None


def test_the_oldest_folders_are_removed(tmp_path: Path) -> None:
    """What is kept is bounded: the last twenty workspaces. Folders of others stay."""
    names = [f"toolboard-{number:032x}" for number in range(25)]
    others = ["Documents", "toolboard-fork", "f" * 32]
    for time, name in enumerate([*others, *names]):
        (tmp_path / name).mkdir()
        os.utime(tmp_path / name, (time, time))
    forget_old(tmp_path / names[3])
    assert {*others, names[3], *names[6:]} == {path.name for path in tmp_path.iterdir()}


def test_what_is_removed_has_the_name_that_caches_get(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The caches of twenty workspaces stay, and that of the one before them does not."""
    monkeypatch.setenv("TOOLBOARD_CACHE", str(home))
    caches = [found for name in range(21) if (found := cache_of(home / "boards" / str(name)))]
    for time, cache in enumerate(caches):
        cache.mkdir()
        os.utime(cache, (time, time))
    forget_old(caches[-1])
    assert caches[1:] == sorted(home.iterdir(), key=lambda path: path.stat().st_mtime)
