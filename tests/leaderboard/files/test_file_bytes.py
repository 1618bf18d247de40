"""Files that are read, refused, or unpacked."""

from __future__ import annotations

import gzip
import os
import time
from pathlib import Path

import pytest

from leaderboard.errors import FilesError
from leaderboard.files.file_bytes import read_bytes, read_named, read_text
from leaderboard.limits import FILE_BYTES, TEXT_FILE_BYTES


@pytest.mark.parametrize("place", ["inside/link.json", "inside/below/secret.json"])
def test_t5_a_link_is_refused_wherever_it_leads(tmp_path: Path, place: str) -> None:
    """No link is followed, in any part of a path: not to other files, and not within a board."""
    (tmp_path / "inside").mkdir()
    (tmp_path / "secret.json").write_text("[]")
    (tmp_path / "inside" / "link.json").symlink_to("../secret.json")
    (tmp_path / "inside" / "below").symlink_to(tmp_path)
    for root in (tmp_path, tmp_path / "inside"):
        with pytest.raises(FilesError, match="is a link"):
            read_bytes(tmp_path / place, place, root)


def test_a_file_that_the_user_named_may_be_a_link(tmp_path: Path) -> None:
    """Download caches hold links, and a user who names a file means what it leads to."""
    (tmp_path / "data.json").write_text("[]")
    (tmp_path / "link.json").symlink_to(tmp_path / "data.json")
    assert read_named(tmp_path / "link.json", "link.json") == b"[]"


def test_a_pipe_is_not_read(tmp_path: Path) -> None:
    """Reading a named pipe would wait forever."""
    os.mkfifo(tmp_path / "pipe.json")
    with pytest.raises(FilesError, match="is not a regular file"):
        read_bytes(tmp_path / "pipe.json", "pipe.json", tmp_path)


def test_t12_an_archive_of_many_members_is_refused_at_once(tmp_path: Path) -> None:
    """A .gz of 200,000 members is one problem, in well under a second."""
    (tmp_path / "f.json.gz").write_bytes(gzip.compress(b"") * 200_000)
    start = time.monotonic()
    with pytest.raises(FilesError, match="is made of more than 100 gzip files"):
        read_bytes(tmp_path / "f.json.gz", "f.json.gz", tmp_path)
    assert time.monotonic() - start < 5


def test_a_long_text_is_refused(tmp_path: Path) -> None:
    """A README, a page or a prompt has a limit of its own."""
    (tmp_path / "README.md").write_bytes(b"x" * (TEXT_FILE_BYTES + 1))
    with pytest.raises(FilesError, match="is longer than 131,072 bytes"):
        read_text(tmp_path / "README.md", "README.md", tmp_path)


def test_a_byte_order_mark_is_no_part_of_a_text(tmp_path: Path) -> None:
    """In a stylesheet it would be part of the first rule, and in a prompt a judge would get it."""
    (tmp_path / "extra.css").write_text("h1 { color: red; }", encoding="utf-8-sig")
    assert read_text(tmp_path / "extra.css", "extra.css", tmp_path) == "h1 { color: red; }"


def test_a_folder_is_not_a_file(tmp_path: Path) -> None:
    """A folder where a file should be is named as one."""
    (tmp_path / "f.json").mkdir()
    with pytest.raises(FilesError, match="is a folder"):
        read_bytes(tmp_path / "f.json", "f.json", tmp_path)


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    """A file that is not there is a problem, not a traceback."""
    with pytest.raises(FilesError, match="cannot be read: No such file"):
        read_bytes(tmp_path / "f.json", "f.json", tmp_path)


def test_a_file_over_the_limit_is_refused_without_reading_it(tmp_path: Path) -> None:
    """More than 100 MB, which git hosts refuse, is refused here too."""
    with (tmp_path / "f.json").open("wb") as file:
        file.truncate(FILE_BYTES + 1)
    with pytest.raises(FilesError, match="the limit is 100 MB"):
        read_bytes(tmp_path / "f.json", "f.json", tmp_path)


def test_packed_files_are_unpacked(tmp_path: Path) -> None:
    """A .gz is unpacked, even if it has several members."""
    (tmp_path / "f.json.gz").write_bytes(gzip.compress(b"[1,") + gzip.compress(b"2]"))
    assert b"[1,2]" == read_bytes(tmp_path / "f.json.gz", "f.json.gz", tmp_path)


@pytest.mark.parametrize(
    ("data", "what"),
    [(b"no gzip", "is not a gzip file"), (gzip.compress(b"[1, 2, 3]")[:-9], "ends in the middle")],
    ids=["not packed", "cut off"],
)
def test_a_damaged_pack_is_told(tmp_path: Path, data: bytes, what: str) -> None:
    """A file that is not gzip, or is cut off, is a problem."""
    (tmp_path / "f.json.gz").write_bytes(data)
    with pytest.raises(FilesError, match=what):
        read_bytes(tmp_path / "f.json.gz", "f.json.gz", tmp_path)


def test_a_pack_that_fills_the_disk_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A small .gz that unpacks beyond the limit is refused."""
    monkeypatch.setattr("leaderboard.files.file_bytes.UNPACKED_BYTES", 1000)
    (tmp_path / "f.json.gz").write_bytes(gzip.compress(b" " * 100_000))
    with pytest.raises(FilesError, match="unpacks to more than"):
        read_bytes(tmp_path / "f.json.gz", "f.json.gz", tmp_path)
