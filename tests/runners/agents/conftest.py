"""Fixtures of the tests of agents."""

from __future__ import annotations

import pytest

from runners.apis.catalogue import Catalogue, load_catalogue
from tests.conftest import Folder
from tests.runners.agents.agents_board import add_suite


@pytest.fixture
def board(folder: Folder) -> Folder:
    add_suite(folder)
    return folder


@pytest.fixture
def catalogue(board: Folder) -> Catalogue:
    return load_catalogue(board.root / "datasets/apis/tools")
