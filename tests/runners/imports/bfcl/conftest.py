"""Fixtures of the tests of the BFCL import."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.runners.imports.bfcl.bfcl_source import Source


@pytest.fixture
def source(tmp_path: Path) -> Source:
    """One simple case and one model that answers it."""
    return Source(tmp_path)
