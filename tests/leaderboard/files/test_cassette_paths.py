"""The one list of cassettes, and what else is found below their folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from leaderboard.files.cassette_paths import (
    CassettePath,
    cassette_files,
    cassette_path,
    leftovers,
    stray_files,
)
from tests.conftest import Folder

GOOD = "cassettes/j/s/a.json"


def put(root: Path, file: str) -> None:
    path = root / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b'{"interactions": []}')


def strays(root: Path) -> list[str]:
    return [problem.file for problem in stray_files(root, ["j"], ["s"], ["a", "b"])]


def test_cassettes_are_listed_by_path(tmp_path: Path) -> None:
    """Submissions, labels, preferences and played APIs have cassettes. The list is sorted."""
    names = ["_labels", "_preferences", "_virtual-apis", "a", "b"]
    for name in reversed(names):
        put(tmp_path, f"cassettes/j/s/{name}.json")
    files = cassette_files(tmp_path)
    assert tuple(f"cassettes/j/s/{name}.json" for name in names) == files
    assert [CassettePath("j", "s", name) for name in names] == [*map(CassettePath.of, files)]
    assert [CassettePath("j", "s", name) for name in names] == [*map(cassette_path, files)]
    assert [] == strays(tmp_path)
    assert () == cassette_files(tmp_path / "nowhere")


@pytest.mark.parametrize(
    "file",
    [
        "cassettes/x.json",
        "cassettes/j/a.json",
        "cassettes/j/s/deep/a.json",
        "cassettes/j/s/a.JSON",
        "cassettes/j/s/a.json.gz",
        "cassettes/j/s/_other.json",
        "cassettes/j/s/Upper.json",
        "cassettes/j/s/.a.json",
        "cassettes/j/s/a\n::notice.json",
        "cassettes/j/s/.gitattributes",
        "cassettes/.gitattributes",
        "cassettes/.hidden/s/a.json",
        "cassettes/README.md",
        "cassettes/.journal",
    ],
)
def test_t2_anything_else_below_cassettes_is_a_problem(tmp_path: Path, file: str) -> None:
    """Files of other names and at other depths are problems, and are never replayed."""
    put(tmp_path, GOOD)
    put(tmp_path, file)
    assert ([file], (GOOD,)) == (strays(tmp_path), cassette_files(tmp_path))


@pytest.mark.parametrize(
    "file", ["cassettes/k/s/a.json", "cassettes/j/t/a.json", "cassettes/j/s/unknown.json"]
)
def test_t2_cassettes_of_nobody_are_problems(tmp_path: Path, file: str) -> None:
    """A judge, suite or submission that the board does not have has no cassettes."""
    put(tmp_path, file)
    assert [file] == strays(tmp_path)


def test_t2_links_are_problems(tmp_path: Path) -> None:
    """A link to a file or folder is a problem, and so is a link in place of the whole folder."""
    put(tmp_path / "real", GOOD)
    put(tmp_path / "board", GOOD)
    here = tmp_path / "board/cassettes/j"
    (here / "s/b.json").symlink_to(tmp_path / "real" / GOOD)
    (here / "t").symlink_to(tmp_path / "real/cassettes/j/s")
    found = strays(tmp_path / "board")
    assert ["cassettes/j/s/b.json", "cassettes/j/t"] == found
    assert (GOOD,) == cassette_files(tmp_path / "board")

    (tmp_path / "linked").mkdir()
    (tmp_path / "linked/cassettes").symlink_to(tmp_path / "real/cassettes")
    assert ["cassettes"] == strays(tmp_path / "linked")
    assert () == cassette_files(tmp_path / "linked")


def test_what_an_interruption_left_is_no_stray(tmp_path: Path) -> None:
    """Journals and temporary files are told apart from foreign files."""
    left = ("cassettes/j/s/.a.json.12-34.tmp", "recordings.journal")
    for file in left:
        put(tmp_path, file)
    assert (left, [], ()) == (leftovers(tmp_path), strays(tmp_path), cassette_files(tmp_path))


@pytest.mark.large
def test_t2_every_command_that_reads_a_board_refuses_strays(scored_board: Folder) -> None:
    """Validating, scoring and checking fail, and name the file on one line."""
    scored_board.write("cassettes/x\n::notice title=hi::.json", '{"interactions": []}')
    for command in (["validate"], ["rescore", "--offline"], ["cassettes", "check"]):
        result = scored_board.lb(*command)
        assert 1 == result.exit_code, command
        assert "cassettes/x\\n::notice title=hi::.json" in result.output
        assert not any(line.startswith("::") for line in result.output.splitlines())


@pytest.mark.large
def test_t2_the_manifest_lists_every_cassette_that_is_read(scored_board: Folder) -> None:
    """Preferences are read too, so the manifest has their digest."""
    scored_board.write("cassettes/embedded-1/small/_preferences.json", '{"interactions": []}')
    assert 0 == scored_board.lb("rescore", "--offline").exit_code
    manifest = (scored_board.root / "results/manifest.json").read_text()
    for file in cassette_files(scored_board.root):
        assert f'"{file}"' in manifest


@pytest.fixture
def scored_board(folder: Folder) -> Folder:
    """A board with one submission, scored with a recorded call."""
    folder.submission("m1", [{"id": "B001", "model_text": "The answer is Paris."}])
    assert 0 == folder.lb("rescore").exit_code
    return folder
