"""Workspaces that the tests of several commands share."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.records import JUDGED, LISTED, RIGHT, WRONG, WRONG_VALUE, rescore
from tests.conftest import Folder, small_board


@pytest.fixture(scope="session")
def first_scored(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    """The workspace of which every test of `scored` has a copy."""
    made = small_board(tmp_path_factory.mktemp("scored") / "board")
    made.submission("m1", [RIGHT, LISTED, WRONG_VALUE, JUDGED])
    rescore(made)
    return made


@pytest.fixture
def scored(first_scored: Folder, tmp_path: Path) -> Folder:
    """A workspace with one submission whose one judge call is recorded."""
    return first_scored.copied_to(tmp_path / "board")


@pytest.fixture(scope="session")
def first_kept(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    """The workspace of which every test of `kept` has a copy."""
    made = small_board(tmp_path_factory.mktemp("kept") / "board")
    made.submission("m1", [RIGHT, JUDGED])
    made.submission("m2", [WRONG])
    rescore(made)
    assert 0 == made.lb("snapshot", "--label", "start").exit_code
    return made


@pytest.fixture
def kept(first_kept: Folder, tmp_path: Path) -> Folder:
    """A workspace with two submissions, scored and saved as a snapshot."""
    return first_kept.copied_to(tmp_path / "board")
