"""Writing files in one step."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from leaderboard.machine.atomic_files import write_atomic


@pytest.mark.parametrize("durable", [False, True])
def test_write_makes_folders_and_leaves_nothing_else(tmp_path: Path, durable: bool) -> None:
    """The file is there with its bytes, in folders made for it, and no temporary file beside it."""
    path = tmp_path / "a" / "b.json"
    write_atomic(path, b"one", durable=durable)
    write_atomic(path, b"two", durable=durable)
    assert (b"two", ["b.json"]) == (
        path.read_bytes(),
        [item.name for item in path.parent.iterdir()],
    )


def test_a_failed_write_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When the rename fails, the old bytes stay and the temporary file goes."""
    path = tmp_path / "a.json"
    path.write_bytes(b"old")

    def refuse(self: Path, target: Path) -> Path:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", refuse)
    with pytest.raises(OSError, match="No space"):
        write_atomic(path, b"new")
    assert (b"old", ["a.json"]) == (path.read_bytes(), [item.name for item in tmp_path.iterdir()])


def test_permissions_follow_the_umask(tmp_path: Path) -> None:
    """A written file is as readable as any other new file, not private like a temporary one."""
    (tmp_path / "plain").write_bytes(b"")
    write_atomic(tmp_path / "written", b"")
    modes = [(tmp_path / name).stat().st_mode for name in ("plain", "written")]
    assert modes[0] == modes[1]


def test_what_a_killed_process_left_is_removed_by_the_next_write(tmp_path: Path) -> None:
    """Temporary files of this file go, unless their process still runs."""
    gone, mine, other = (".a.json.999999999-1.tmp", f".a.json.{os.getppid()}-1.tmp", ".b.1-1.tmp")
    for name in (gone, mine, other):
        (tmp_path / name).touch()
    (tmp_path / ".a.json.999999998-1.tmp").mkdir()
    write_atomic(tmp_path / "a.json", b"new")
    assert {path.name for path in tmp_path.iterdir()} == {"a.json", mine, other}


def test_a_folder_in_place_of_the_file_is_named(tmp_path: Path) -> None:
    """The error names what the user gave, and no temporary file."""
    with pytest.raises(OSError, match="directory") as raised:
        write_atomic(tmp_path, b"x")
    assert str(tmp_path) == raised.value.filename
