"""Workspaces that the tests of several commands share."""

from __future__ import annotations

import pytest

from tests.cli.records import JUDGED, LISTED, RIGHT, WRONG, WRONG_VALUE, rescore
from tests.conftest import Folder


@pytest.fixture
def scored(folder: Folder) -> Folder:
    """A workspace with one submission whose one judge call is recorded."""
    folder.submission("m1", [RIGHT, LISTED, WRONG_VALUE, JUDGED])
    rescore(folder)
    return folder


@pytest.fixture
def kept(folder: Folder) -> Folder:
    """A workspace with two submissions, scored and saved as a snapshot."""
    folder.submission("m1", [RIGHT, JUDGED])
    folder.submission("m2", [WRONG])
    rescore(folder)
    assert 0 == folder.lb("snapshot", "--label", "start").exit_code
    return folder
