"""Fixtures of the tests of the StableToolBench import."""

from __future__ import annotations

import pytest

from tests.conftest import Folder
from tests.runners.imports.stabletoolbench.bench import (
    Bench,
)


@pytest.fixture
def bench(folder: Folder) -> Bench:
    return Bench(folder)
