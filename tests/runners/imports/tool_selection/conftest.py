"""Fixtures of the tests of the tester's import."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.runners.imports.tool_selection.tester_folder import OldTester


@pytest.fixture
def tester(tmp_path: Path) -> OldTester:
    """Tools and prompts, without cases."""
    return OldTester(tmp_path)
