"""Fixtures of the tests of the LangSmith import."""

from __future__ import annotations

import pytest

from tests.conftest import Folder
from tests.judge_prompts import judge_prompt


@pytest.fixture
def board(folder: Folder) -> Folder:
    """A workspace with the judge prompt for answers."""
    folder.write("prompts/tool_usage/qa.md", judge_prompt("qa"))
    return folder
