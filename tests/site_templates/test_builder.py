"""The builder on disk: everything or nothing, and never in a foreign folder."""

from __future__ import annotations

import dataclasses
import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from leaderboard.errors import FilesError
from site_templates import builder, write_tree
from site_templates.board import Board
from site_templates.builder import build
from tests.conftest import PROJECT
from tests.site_templates import site_board
from tests.site_templates.rendered import render

BOARD = site_board.board(baselines_only=True, suites=[site_board.tool_suite()])


def state(folder: Path) -> dict[str, tuple[bytes, int]]:
    """Content and time of change of every file of a folder."""
    return {
        p.relative_to(folder).as_posix(): (p.read_bytes(), p.stat().st_mtime_ns)
        for p in folder.rglob("*")
        if p.is_file()
    }


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of which every test has a copy."""
    made = tmp_path_factory.mktemp("built") / "site"
    build(BOARD, made)
    return made


@pytest.fixture
def site(built: Path, tmp_path: Path) -> Path:
    """A built site."""
    return Path(shutil.copytree(built, tmp_path / "site"))


def retitled(title: str) -> Board:
    return dataclasses.replace(BOARD, title=title)


def test_build_writes_every_file(tmp_path: Path) -> None:
    """The folder holds exactly the rendered files, and nothing is left beside it."""
    report = build(BOARD, tmp_path / "deep" / "site")
    expected = render(BOARD)

    assert {
        path: content for path, (content, _) in state(tmp_path / "deep" / "site").items()
    } == expected
    assert report.written == tuple(sorted(expected))
    assert [p.name for p in (tmp_path / "deep").iterdir()] == ["site"]


@pytest.mark.large
def test_rebuild_after_nothing_changed_writes_nothing(site: Path) -> None:
    """The second build touches no file, and says so."""
    before = state(site)

    report = build(BOARD, site)

    assert state(site) == before
    assert (report.written, report.unchanged, report.removed) == ((), len(before), ())


@pytest.mark.large
def test_rebuild_leaves_unchanged_files_alone(site: Path) -> None:
    """Where pages change, files that do not keep their time of change."""
    before = state(site)

    report = build(retitled("Another"), site)

    after = state(site)
    kept = [path for path in before if path not in report.written]
    assert "data/scores.json" in kept
    assert "index.html" in report.written
    assert all(after[path] == before[path] for path in kept)


@pytest.mark.large
def test_rebuild_removes_what_is_stale(site: Path) -> None:
    """Files that the site no longer has are gone after a build, and named."""
    (site / "old.html").write_text("old")

    report = build(BOARD, site)

    assert report.removed == ("old.html",)
    assert not (site / "old.html").exists()


def test_file_becomes_folder_and_back(tmp_path: Path) -> None:
    """A path that was a file can become a folder, and a folder a file."""
    mark = {write_tree.MARKER: write_tree.marker("1", None, None)}
    write_tree.replace(tmp_path / "s", {**mark, "a": b"1", "b/c": b"2"}.items())

    write_tree.replace(tmp_path / "s", {**mark, "a/x": b"1", "b": b"2"}.items())

    assert (tmp_path / "s" / "a" / "x").read_bytes() == b"1"
    assert (tmp_path / "s" / "b").read_bytes() == b"2"


@pytest.mark.large
def test_failed_render_leaves_the_old_site(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A template that fails on the last page changes nothing on disk."""
    before = state(site)
    monkeypatch.setattr(builder, "frame", lambda *_: None)

    with pytest.raises(AttributeError):
        build(retitled("Another"), site)

    assert state(site) == before
    assert [p.name for p in site.parent.iterdir()] == ["site"]


@pytest.mark.large
def test_failed_write_leaves_the_old_site(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk error leaves the old site whole and nothing beside it. The message says what."""
    before = state(site)
    write = Path.write_bytes

    def fail(path: Path, data: bytes) -> int:
        if path.name == "silent.html":
            raise OSError(28, "No space left on device", str(path))
        return write(path, data)

    monkeypatch.setattr(Path, "write_bytes", fail)
    with pytest.raises(FilesError, match="No space left on device"):
        build(retitled("Another"), site)
    monkeypatch.undo()

    assert state(site) == before
    assert [p.name for p in site.parent.iterdir()] == ["site"]


@pytest.mark.large
def test_failed_swap_puts_the_old_site_back(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the new folder cannot take the old one's place, the old one returns to it."""
    before = state(site)
    rename = Path.rename

    def fail(path: Path, target: Path) -> Path:
        if path.name.endswith(".tmp"):
            raise OSError(16, "Device or resource busy", str(path))
        return rename(path, target)

    monkeypatch.setattr(Path, "rename", fail)
    with pytest.raises(FilesError, match="busy"):
        build(retitled("Another"), site)
    monkeypatch.undo()

    assert state(site) == before


@pytest.mark.large
def test_leftovers_of_a_killed_build_do_no_harm(site: Path) -> None:
    """Folders that an interrupted build left beside the site are cleared away by the next."""
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    for name in (f".site.{dead.pid}-1.tmp", ".site.old"):
        (site.parent / name / "deep").mkdir(parents=True)

    build(retitled("Another"), site)

    assert [p.name for p in site.parent.iterdir()] == ["site"]


@pytest.mark.large
def test_a_killed_swap_is_mended(site: Path) -> None:
    """After a build that was killed during the swap, the next build starts from the old site."""
    before = state(site)
    site.rename(site.with_name(".site.old"))

    report = build(BOARD, site)

    assert report.written == ()
    assert state(site) == before
    assert [p.name for p in site.parent.iterdir()] == ["site"]


def test_foreign_folder_is_refused(tmp_path: Path) -> None:
    """A folder with files and without the marker is not touched."""
    (tmp_path / "thesis.txt").write_text("years of work")

    with pytest.raises(FilesError, match="lb build did not make it"):
        build(BOARD, tmp_path)

    assert [p.name for p in tmp_path.iterdir()] == ["thesis.txt"]


def test_folder_of_another_program_with_the_markers_name_is_refused(tmp_path: Path) -> None:
    """A file of the marker's name that says something else does not make a folder a site."""
    (tmp_path / write_tree.MARKER).write_text('{"site": "other"}')

    with pytest.raises(FilesError, match="lb build did not make it"):
        build(BOARD, tmp_path)


@pytest.mark.parametrize("folder", [True, False])
def test_git_repository_is_refused(site: Path, *, folder: bool) -> None:
    """A checkout of a published site stays as it is. A work tree has a file named .git."""
    git = site / ".git"
    if folder:
        git.mkdir()
        (git / "HEAD").write_text("ref: refs/heads/gh-pages")
    else:
        git.write_text("gitdir: elsewhere")
    before = state(site)

    with pytest.raises(FilesError, match="is a git repository") as caught:
        build(retitled("Another"), site)

    assert "--out" in str(caught.value)
    assert state(site) == before


def test_what_people_add_for_a_host_is_kept(tmp_path: Path) -> None:
    """CNAME and hidden files and folders are still there after a build, which removes others."""
    mark = {write_tree.MARKER: write_tree.marker("1", None, None), ".nojekyll": b""}
    write_tree.replace(tmp_path / "s", {**mark, "a": b"1"}.items())
    added = {"CNAME": "board.example", ".well-known/security.txt": "Contact: x", ".htaccess": "-"}
    for path, text in added.items():
        (tmp_path / "s" / path).parent.mkdir(exist_ok=True)
        (tmp_path / "s" / path).write_text(text)

    report = write_tree.replace(tmp_path / "s", {**mark, "b": b"2"}.items())

    assert {path: (tmp_path / "s" / path).read_text() for path in added} == added
    assert report.removed == ("a",)
    assert not (tmp_path / "s" / "a").exists()


def test_file_in_the_way_is_refused(tmp_path: Path) -> None:
    """Where a file stands, no site is built."""
    (tmp_path / "site").write_text("a file")

    with pytest.raises(FilesError, match="is a file"):
        build(BOARD, tmp_path / "site")


def test_folder_below_a_file_is_an_error_with_advice(tmp_path: Path) -> None:
    """A place that cannot be written names itself and what to do."""
    (tmp_path / "file").write_text("")

    with pytest.raises(FilesError, match="cannot be written") as caught:
        build(BOARD, tmp_path / "file" / "site")

    assert "--out" in str(caught.value)


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is unwritable to root")
def test_unwritable_folder_is_an_error(tmp_path: Path) -> None:
    """A folder without write permission is reported, not raised as a traceback."""
    (tmp_path / "shut").mkdir(mode=0o500)

    with pytest.raises(FilesError, match="cannot be written"):
        build(BOARD, tmp_path / "shut" / "site")


@pytest.mark.large
def test_empty_folder_is_filled(tmp_path: Path) -> None:
    """An empty folder may become a site."""
    (tmp_path / "site").mkdir()

    build(BOARD, tmp_path / "site")

    assert (tmp_path / "site" / "index.html").is_file()


@pytest.mark.large
def test_link_to_a_folder_is_followed(tmp_path: Path) -> None:
    """A site reached through a symbolic link is built where it lies; the link stays."""
    (tmp_path / "real").mkdir()
    (tmp_path / "site").symlink_to(tmp_path / "real")

    build(BOARD, tmp_path / "site")

    assert (tmp_path / "site").is_symlink()
    assert (tmp_path / "real" / "index.html").is_file()


def test_files_are_readable_by_a_server(site: Path) -> None:
    """Folders and files have the permissions of other new files, not of temporary ones."""
    (site.parent / "plain").mkdir()

    assert (site.stat().st_mode & 0o777) == ((site.parent / "plain").stat().st_mode & 0o777)


@pytest.mark.large
def test_shares_of_the_cases_make_up_the_site() -> None:
    """Each file is in one share, with the bytes that it has in the whole site."""
    base = "https://example.org/board/"
    count = sum(len(suite.cases) for suite in BOARD.suites)
    even, odd = range(0, count, 2), range(1, count, 2)
    first = dict(builder.site_files(BOARD, base_url=base, cases=even))
    second = dict(builder.site_files(BOARD, base_url=base, cases=odd, others=False))
    assert {path.partition("/")[0] for path in second} == {"cases"}
    assert (len(second), first.keys() & second.keys()) == (len(odd), set())
    assert {**first, **second} == render(BOARD, base_url=base)


@pytest.mark.large
def test_a_new_digest_of_the_inputs_changes_only_pages_that_cite_it() -> None:
    """Otherwise each submission would change every page, also where nothing shows it."""
    made, before = (
        site_board.changed(BOARD, manifest={**BOARD.results.manifest, "digest": "0" * 64}),
        render(BOARD),
    )
    after = render(made)
    changed = {path for path in before if before[path] != after[path]}
    cites = {f"submissions/{submission.id}.html" for submission in BOARD.submissions}
    assert changed - cites == {"data/croissant.json", "data/manifest.json", "index.html"}


@pytest.mark.large
def test_shares_are_written_by_several_processes(tmp_path: Path) -> None:
    """The site holds the files of all of them. One that fails leaves the old site."""
    mark = {write_tree.MARKER: write_tree.marker("1", None, None)}
    out = tmp_path / "s"

    def process() -> Iterator[tuple[str, bytes]]:
        yield "a/process", str(os.getpid()).encode()

    def broken() -> Iterator[tuple[str, bytes]]:
        yield "b", b"2"
        raise FilesError.about("b", "is broken", "repair it")

    report = write_tree.replace_in_shares(out, [mark.items, process])
    assert report.written == ("a/process", write_tree.MARKER)
    assert (out / "a/process").read_text() != str(os.getpid())
    with pytest.raises(FilesError, match="is broken"):
        write_tree.replace_in_shares(out, [mark.items, broken])
    with pytest.raises(ValueError, match="two files of one path"):
        write_tree.replace_in_shares(out, [mark.items, mark.items])
    assert (out / "a/process").is_file()
    assert [path.name for path in tmp_path.iterdir()] == ["s"]


def test_two_pages_of_one_path_are_a_bug_that_shows() -> None:
    """Pages never overwrite one another silently."""
    twice = dataclasses.replace(BOARD, suites=(BOARD.suites[0], BOARD.suites[0]))

    with pytest.raises(ValueError, match="two pages of one path"):
        render(twice)


# ---------------------------------------------------------------- same bytes

DIGEST = """
import hashlib, sys
sys.path.insert(0, {root!r})
from tests.site_templates import site_board
from tests.site_templates.rendered import render
board = site_board.board()
board = site_board.reordered(board) if {reorder} else board
files = render(board)
total = hashlib.sha256()
for path in sorted(files):
    total.update(path.encode() + b"\\0" + hashlib.sha256(files[path]).digest())
print(total.hexdigest())
"""


def digest(seed: str, zone: str, locale: str, *, reorder: bool) -> str:
    """The digest of the whole site, made in another process."""
    code = DIGEST.format(root=str(PROJECT), reorder=reorder)
    env = {**os.environ, "PYTHONHASHSEED": seed, "TZ": zone, "LC_ALL": locale}
    return subprocess.run(
        [sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True
    ).stdout.strip()


@pytest.mark.large
def test_same_board_gives_the_same_bytes_anywhere() -> None:
    """Hash seed, time zone, locale and input order change no byte."""
    one = digest("1", "UTC", "C", reorder=False)
    other = digest("4242", "Asia/Kathmandu", "tr_TR.UTF-8", reorder=True)

    assert len(one) == len(hashlib.sha256().hexdigest())
    assert one == other


@pytest.mark.large
@pytest.mark.parametrize("limit", ["SITE_BYTES", "SITE_FILES"])
def test_t8_a_site_beyond_its_budget_is_refused_and_the_old_one_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str
) -> None:
    """Hosts would not publish it, so that a board could not be updated any more."""
    build(BOARD, tmp_path / "site")
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "site").rglob("*")}
    monkeypatch.setattr(f"site_templates.write_tree.{limit}", 10)
    with pytest.raises(FilesError, match="accept fewer trials"):
        build(BOARD, tmp_path / "site")
    assert before == {path: path.stat().st_mtime_ns for path in (tmp_path / "site").rglob("*")}
