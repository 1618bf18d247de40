"""Sites that were built earlier, read from folders and addresses."""

from __future__ import annotations

import os
from http.server import SimpleHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest

from leaderboard.errors import FilesError
from site_templates import published_site
from site_templates.published_site import open_site
from site_templates.write_tree import marker
from tests.served_folder import serving


def write_site(root: Path, **files: bytes) -> Path:
    root.mkdir()
    (root / "toolboard.json").write_bytes(marker("1", "https://example.org/b/", None))
    for name, content in files.items():
        (root / name).write_bytes(content)
    return root


class Failing(SimpleHTTPRequestHandler):
    """Answers every request with 500, or with a redirect to a file of its machine."""

    status = 500

    def do_GET(self) -> None:
        self.send_response(self.status)
        self.send_header("Location", "file:///etc/hostname")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Nothing is printed."""


class Redirecting(Failing):
    status = 302


def test_a_site_says_what_it_was_built_with(tmp_path: Path) -> None:
    """In a folder and at an address."""
    root = write_site(tmp_path / "site")
    with serving(root) as address:
        found = [open_site(str(root)), open_site(f"{address}/")]

    assert [site.base_url for site in found] == ["https://example.org/b/"] * 2
    assert [site.is_remote for site in found] == [False, True]


@pytest.mark.parametrize(
    "content", [b"", b"[]", b"{", b'{"site": "toolboard", "base_url": "javascript:x"}']
)
def test_another_marker_is_no_site(tmp_path: Path, content: bytes) -> None:
    """Its addresses would end up in pages, so they must be addresses."""
    (tmp_path / "toolboard.json").write_bytes(content)

    with pytest.raises(FilesError, match="is not a site of this project"):
        open_site(str(tmp_path))


@pytest.mark.parametrize("rows", ["{}", "[1]", '[{"cases": 99999999999999999999}]'])
def test_a_damaged_table_is_named(tmp_path: Path, rows: str) -> None:
    """Nothing that a site holds is trusted."""
    site = write_site(tmp_path / "site")
    (site / "data").mkdir()
    (site / "data/scores.json").write_text(f'{{"scores": {rows}}}')

    with pytest.raises(FilesError, match=r"data/scores\.json: is damaged"):
        open_site(str(site)).state()


def test_files_are_compared_byte_by_byte(tmp_path: Path) -> None:
    """A longer file differs, and so does a missing one. A folder may hold too much.

    What people add for a host, and a build keeps, is no difference.
    """
    built = write_site(tmp_path / "built", same=b"1", longer=b"2", missing=b"3")
    root = write_site(tmp_path / "site", same=b"1", longer=b"2" * 100_000, more=b"4", CNAME=b"5")
    with serving(root) as address:
        remote = open_site(address).differing(built)

    assert open_site(str(root)).differing(built) == {
        "longer": "differs",
        "missing": "missing",
        "more": "unexpected",
    }
    assert remote == {"longer": "differs", "missing": "missing"}


def test_only_regular_files_are_opened(tmp_path: Path) -> None:
    """A link that leads nowhere or elsewhere, and a pipe, differ from every file."""
    names = {"away.txt": b"a", "lost.txt": b"b", "pipe": b"c"}
    built = write_site(tmp_path / "built", **names)
    site = write_site(tmp_path / "site")
    (site / "away.txt").symlink_to(built / "away.txt")
    (site / "lost.txt").symlink_to("nowhere")
    os.mkfifo(site / "pipe")

    assert open_site(str(site)).differing(built) == dict.fromkeys(names, "differs")


@pytest.mark.parametrize(
    ("handler", "what"), [(Failing, "has the status 500"), (Redirecting, "has the status 302")]
)
def test_a_server_that_fails_is_named(tmp_path: Path, handler: type[Failing], what: str) -> None:
    """A redirect to a file of this machine is not followed."""
    with serving(tmp_path, handler) as address, pytest.raises(FilesError, match=what):
        open_site(address)


def test_nobody_answers(tmp_path: Path) -> None:
    """The address is in the message."""
    with serving(tmp_path) as address:
        pass

    with pytest.raises(FilesError, match=r"127\.0\.0\.1:.*cannot be read"):
        open_site(address)


def test_reads_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In size, and at an address in time."""
    root = write_site(tmp_path / "site")
    with serving(root) as address:
        monkeypatch.setattr(published_site, "_MOST_BYTES", 10)
        for name in (str(root), address):
            with pytest.raises(FilesError, match="is larger than"):
                open_site(name)
        monkeypatch.setattr(published_site, "_MOST_SECONDS", -1)
        with pytest.raises(FilesError, match="was not read within"):
            open_site(address)
