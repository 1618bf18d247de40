"""The judge prompts of imported suites."""

from __future__ import annotations

from pathlib import Path

import pytest

from leaderboard.workspace import Workspace
from runners.imports import judge_prompts
from tests.conftest import shipped

FOLDER = Path(judge_prompts.__file__).parent / "prompts"
NAMES = sorted(path.relative_to(FOLDER) for path in FOLDER.glob("*/*.md"))


@pytest.mark.parametrize("name", NAMES, ids=str)
def test_the_package_has_the_prompts_of_this_board(name: Path) -> None:
    """An import with the installed package gives the same prompts as one in the checkout."""
    assert (FOLDER / name).read_bytes() == (shipped("prompts") / name).read_bytes()


def test_the_prompts_of_the_workspace_come_first(tmp_path: Path) -> None:
    """A prompt that neither has is named at its place in the workspace."""
    workspace = Workspace(tmp_path)
    own = tmp_path / "prompts" / "tool_usage" / "qa.md"

    assert judge_prompts.model_prompt(workspace, "tool_usage", "qa") == FOLDER / "tool_usage/qa.md"
    own.parent.mkdir(parents=True)
    own.write_text("x", encoding="utf-8")
    assert judge_prompts.model_prompt(workspace, "tool_usage", "qa") == own
    assert judge_prompts.model_prompt(workspace, "none", "qa") == tmp_path / "prompts/none/qa.md"
