"""The judge prompts of imported suites: the workspace's own, or those that the package brings.

The wheel has a copy of prompts/; a checkout has the folder itself.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from leaderboard.workspace import Workspace

_HERE: Final = Path(__file__).parent


def model_prompt(workspace: Workspace, kind: str, name: str) -> Path:
    """The prompt that an imported suite copies."""
    own = workspace.prompts / kind / f"{name}.md"
    installed = _HERE / "prompts"
    folder = installed if installed.is_dir() else _HERE.parent.parent / "prompts"
    shipped = folder / kind / f"{name}.md"
    return shipped if shipped.is_file() and not own.is_file() else own
