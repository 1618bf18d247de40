"""The judge prompts of imported suites."""

from __future__ import annotations

import tomllib
from pathlib import Path

from leaderboard.workspace import Workspace
from runners.imports.judge_prompts import model_prompt
from tests.conftest import PROJECT, shipped


def test_the_wheel_gets_the_prompts_of_this_board() -> None:
    """An import with the installed package finds the same files as one in the checkout."""
    settings = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))
    packed = settings["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    imports = ["stable_toolbench/answer_status", "stable_toolbench/execution_status"]
    for name in (*imports, "stable_toolbench/preference", "tool_usage/qa"):
        assert packed[f"prompts/{name}.md"] == f"runners/imports/prompts/{name}.md"
        assert (PROJECT / f"prompts/{name}.md").is_file()


def test_the_prompts_of_the_workspace_come_first(tmp_path: Path) -> None:
    """A prompt that neither has is named at its place in the workspace."""
    workspace = Workspace(tmp_path)
    own = tmp_path / "prompts" / "tool_usage" / "qa.md"

    found = model_prompt(workspace, "tool_usage", "qa")
    assert found.read_bytes() == (shipped("prompts") / "tool_usage/qa.md").read_bytes()
    own.parent.mkdir(parents=True)
    own.write_text("x", encoding="utf-8")
    assert model_prompt(workspace, "tool_usage", "qa") == own
    assert model_prompt(workspace, "none", "qa") == tmp_path / "prompts/none/qa.md"
