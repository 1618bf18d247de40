"""Runs git on folders that strangers wrote, so that it starts no program and asks no network."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Final

# A folder of a proposal may look like a bare repository. Its settings are not those of a `.git`.
_SETTINGS: Final = (
    "safe.bareRepository=explicit",
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "protocol.allow=never",
)
# Hooks of another repository set these, which would make git list that one.
_OF_ANOTHER: Final = frozenset(
    {"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY"}
)
_OPTIONS: Final = [word for setting in _SETTINGS for word in ("-c", setting)]


def run_git(folder: Path, *arguments: str) -> bytes | None:
    """What a git command prints in a folder; None if it fails."""
    command = ["git", "--literal-pathspecs", *_OPTIONS, *arguments]
    inherited = {name: value for name, value in os.environ.items() if name not in _OF_ANOTHER}
    env = {**inherited, "GIT_NO_LAZY_FETCH": "1"}
    try:
        done = subprocess.run(command, cwd=folder, env=env, capture_output=True, check=True)  # noqa: S603
    except (OSError, subprocess.CalledProcessError):
        return None
    return done.stdout
