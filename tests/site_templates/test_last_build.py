"""A site that nothing has changed is not built again; anything else is."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from leaderboard.workspace import Workspace
from site_templates import last_build
from site_templates.last_build import inputs_digest, remember, unchanged_files

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


def digest(board: Workspace, *options: str | None) -> str:
    return inputs_digest(board, board.root / "results", *options)


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

    monkeypatch.setattr(last_build, "version", lambda _: "0")
    library = digest(board, None)
    (tmp_path / "code").mkdir()
    monkeypatch.setattr(last_build, "_PROJECT", tmp_path / "code")
    assert len({before, library, digest(board, None)}) == 3


@pytest.fixture
def site(tmp_path: Path) -> Path:
    folder = tmp_path / "site"
    (folder / "cases").mkdir(parents=True)
    for name in ("index.html", "cases/one.html"):
        (folder / name).write_text("page")
    remember(tmp_path / "cache", folder, "inputs")
    return folder


def test_a_site_as_it_was_left_is_unchanged(site: Path, tmp_path: Path) -> None:
    """It is so for the inputs that made it, and for this site alone."""
    cache = tmp_path / "cache"
    assert unchanged_files(cache, site, "inputs") == 2
    assert unchanged_files(cache, site, "others") == 0
    assert unchanged_files(cache, tmp_path / "other", "inputs") == 0
    assert unchanged_files(tmp_path / "nowhere", site, "inputs") == 0


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
def test_a_touched_site_is_built_again(site: Path, tmp_path: Path, change: object) -> None:
    """So is one that misses a file, or has one too many."""
    assert callable(change)
    change(site)
    if change is _edited:
        os.utime(site / "index.html", ns=(1, 1))
    assert unchanged_files(tmp_path / "cache", site, "inputs") == 0


def test_damage_of_what_is_kept_is_no_harm(site: Path, tmp_path: Path) -> None:
    """The site is then built again."""
    for path in (tmp_path / "cache").iterdir():
        path.write_text("{")
    assert unchanged_files(tmp_path / "cache", site, "inputs") == 0
