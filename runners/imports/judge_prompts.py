"""The judge prompts of imported suites: the workspace's own, or those that the package ships."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from leaderboard.workspace import Workspace

_HERE: Final = Path(__file__).parent


def model_prompt(workspace: Workspace, kind: str, name: str) -> Path:
    """The prompt that an imported suite copies. A checkout of the project has it in prompts/."""
    folders = (workspace.prompts, _HERE / "prompts", _HERE.parent.parent / "prompts")
    places = [folder / kind / f"{name}.md" for folder in folders]
    return next((path for path in places if path.is_file()), places[0])
