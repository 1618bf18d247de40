"""What nothing has changed is not made again; anything else is."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from leaderboard.digest import packages_digest
from leaderboard.machine import unchanged_output as module
from leaderboard.machine.unchanged_output import Inputs, remember_output, unchanged_output
from leaderboard.workspace import Workspace

SETTINGS = 'title = "Board"\n[site]\nlogo = "pictures/logo.svg"\n'
INPUTS = (
    "CITATION.cff",
    "Makefile",
    "audits/judge/2026-01-01.json",
    "cassettes/judge/suite/one.json",
    "datasets/suite/cases.json",
    "docs/about.md",
    "history/2026-01-01/scores.json",
    "leaderboard.toml",
    "pictures/logo.svg",
    "prompts/suite/texts.md",
    "recordings.journal",
    "recordings.json",
    "results/scores.json",
    "rules/own.py",
    "submissions/one/suite.json",
    "theme/extra.css",
)


@pytest.fixture
def board(tmp_path: Path) -> Workspace:
    for name in INPUTS:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(SETTINGS if name == "leaderboard.toml" else "old")
    return Workspace(tmp_path)


def digest(board: Workspace, *options: str | None) -> str | None:
    return Inputs(board, options, board.root / "results").digest


@pytest.mark.large
@pytest.mark.parametrize("name", INPUTS)
def test_every_input_counts(board: Workspace, name: str) -> None:
    """Changing, removing or renaming it makes other inputs; setting it back makes the same."""
    path, before = board.root / name, digest(board)
    content = path.read_text()
    path.write_text(f"{content}\n# new")
    changed = digest(board)
    path.unlink()
    removed = digest(board)
    path.write_text(content)

    assert len({before, changed, removed}) == 3
    assert digest(board) == before


def test_options_code_and_libraries_count(
    board: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another base address, another template and another version make other inputs."""
    before = digest(board, None)
    assert digest(board, "https://example.org/") != before

    monkeypatch.setattr(module, "_library_versions", lambda: ["0"])
    library = digest(board, None)
    (tmp_path / "code").mkdir()
    monkeypatch.setattr(module, "_PROJECT", tmp_path / "code")
    assert len({before, library, digest(board, None)}) == 3


def test_code_is_read_once(
    board: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process runs the code that it loaded, whatever is written afterwards."""
    monkeypatch.setattr(module, "_PROJECT", tmp_path)
    before = digest(board)
    (tmp_path / "cli").mkdir()
    (tmp_path / "cli/main.py").write_text("new")

    assert digest(board) == before
    packages_digest.cache_clear()
    assert digest(board) != before


@pytest.mark.large
def test_scores_do_not_depend_on_pages(board: Workspace) -> None:
    """Documents, a theme and earlier results are inputs of the site alone."""
    before = Inputs(board, ()).digest
    for name in ("docs/about.md", "results/scores.json", "theme/extra.css"):
        (board.root / name).write_text("new")
    assert Inputs(board, ()).digest == before
    (board.root / "submissions/one/suite.json").write_text("new")
    assert Inputs(board, ()).digest != before


@pytest.mark.large
def test_an_empty_folder_counts(board: Workspace) -> None:
    """A submission without files is a problem."""
    before = digest(board)
    (board.root / "submissions/two").mkdir()
    assert digest(board) != before


@pytest.mark.parametrize("target", ["../one/suite.json", "../../datasets", "nowhere"])
def test_nothing_is_known_of_what_a_link_leads_to(board: Workspace, target: str) -> None:
    """A submission with a link is a problem, and the files behind one can change unseen."""
    (board.root / "submissions/one/link").symlink_to(target)
    assert digest(board) is None


@pytest.fixture
def inputs(board: Workspace) -> Inputs:
    return Inputs(board, (), board.root / "results")


@pytest.fixture
def site(tmp_path: Path, inputs: Inputs) -> Path:
    folder = tmp_path / "site"
    (folder / "cases").mkdir(parents=True)
    for name in ("index.html", "cases/one.html"):
        (folder / name).write_text("page")
    remember_output(tmp_path / "cache", folder, inputs, [("a line", True)])
    return folder


def test_a_site_as_it_was_left_is_unchanged(site: Path, tmp_path: Path, inputs: Inputs) -> None:
    """It is so for the inputs that made it, and for this site alone."""
    cache, mine = tmp_path / "cache", inputs.digest
    assert unchanged_output(cache, site, mine) == module.UnchangedOutput(2, (("a line", True),))
    assert unchanged_output(cache, site, "others") is None
    assert unchanged_output(cache, site, None) is None
    assert unchanged_output(cache, tmp_path / "other", mine) is None
    assert unchanged_output(tmp_path / "nowhere", site, mine) is None


def test_paths_need_not_be_utf_8(tmp_path: Path, board: Workspace) -> None:
    """Older file systems have such names, and every name is one if the locale is C."""
    out, cache = tmp_path / "caf\udce9", tmp_path / "cache"
    out.mkdir()
    (out / "gr\udcfcn.html").write_text("page")
    inputs = Inputs(board, (str(out),), None)
    remember_output(cache, out, inputs, [])
    assert unchanged_output(cache, out, inputs.digest) == module.UnchangedOutput(1, ())


def test_inputs_that_change_during_a_run_are_not_remembered(
    tmp_path: Path, board: Workspace, inputs: Inputs
) -> None:
    """What was read may be either version."""
    out = tmp_path / "out"
    out.mkdir()
    (out / "file").write_text("made")
    (board.root / "submissions/one/suite.json").write_text("newer")
    remember_output(tmp_path / "cache", out, inputs, [])
    assert unchanged_output(tmp_path / "cache", out, inputs.digest) is None


def test_a_file_may_vanish_while_the_inputs_are_read(
    board: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A recording beside this run renames its temporary files."""
    walk = os.walk

    def with_renamed_file(folder: Path) -> Iterator[tuple[str, list[str], list[str]]]:
        for path, folders, names in walk(folder):
            yield str(path), folders, [*names, ".a.json.1-1.tmp"]

    monkeypatch.setattr(os, "walk", with_renamed_file)
    inputs = Inputs(board, ())
    assert (inputs.digest, inputs.have_changed()) == (None, False)


def _edited(site: Path) -> None:
    (site / "index.html").write_text("PAGE")


def _linked(site: Path) -> None:
    (site / "index.html").unlink()
    (site / "index.html").symlink_to("cases/one.html")


def _added(site: Path) -> None:
    (site / "more.html").write_text("page")


def _removed(site: Path) -> None:
    (site / "cases/one.html").unlink()


@pytest.mark.parametrize("change", [_edited, _linked, _added, _removed])
def test_a_touched_site_is_built_again(
    site: Path, tmp_path: Path, inputs: Inputs, change: object
) -> None:
    """So is one that misses a file, or has one too many."""
    assert callable(change)
    change(site)
    if change is _edited:
        os.utime(site / "index.html", ns=(1, 1))
    assert unchanged_output(tmp_path / "cache", site, inputs.digest) is None


def test_damage_of_what_is_kept_is_no_harm(site: Path, tmp_path: Path, inputs: Inputs) -> None:
    """The site is then built again."""
    for path in (tmp_path / "cache").iterdir():
        path.write_text("{")
    assert unchanged_output(tmp_path / "cache", site, inputs.digest) is None
