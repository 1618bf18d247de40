"""The user's own cache folder: what one run leaves for the next, never part of a workspace.

Nobody but the user writes there. A folder in the workspace could come with a pull request, and
would then have to be believed.

It holds, for each workspace:

- `output-*.json`: that results or a site need not be made again (`unchanged_output`, beside this)
- `index.json` and tables: verdicts by responses file (`scoring.cached.cached_verdicts`, which
  reads the index, and `cached_verdict_tables` beside it, which reads and writes the tables)
- `labels.json`: what was found about labelled pairs (`scoring.cached.cached_labels`)
- `calls.json`: the judge calls that cassettes hold (`replay.cassettes.cached_calls`)
"""

from __future__ import annotations

import os
import re
import shutil
from hashlib import sha256
from pathlib import Path
from typing import Final

import orjson

from leaderboard.digest import digest_bytes
from leaderboard.machine.atomic_files import write_atomic
from leaderboard.types import Json

VARIABLE: Final = "TOOLBOARD_CACHE"
_MOST_WORKSPACES: Final = 20
# Other programs and the user may have folders beside these: `TOOLBOARD_CACHE` may be the home.
_OWN_NAME: Final = re.compile(r"toolboard-[0-9a-f]{32}")


def cache_of(workspace_root: Path) -> Path | None:
    """The cache folder of a workspace, which may not exist.

    It is below `$TOOLBOARD_CACHE`, or else below `toolboard` in `$XDG_CACHE_HOME` or `~/.cache`.
    Returns None if that is in the workspace itself, belongs to somebody else or cannot be read.
    """
    root = workspace_root.resolve()
    try:
        top = _top().resolve()
        folder = top / f"toolboard-{sha256(os.fsencode(root)).hexdigest()[:32]}"
        foreign = _is_foreign(top) or _is_foreign(folder)
    except (OSError, RuntimeError):  # there is no home, or nobody may look into it
        return None
    return None if foreign or top.is_relative_to(root) else folder


def _is_foreign(place: Path) -> bool:
    """Whether a folder belongs to another user. Raises OSError if that cannot be read."""
    try:
        return hasattr(os, "getuid") and place.stat().st_uid != os.getuid()
    except FileNotFoundError:
        return False


def _top() -> Path:
    if own := os.environ.get(VARIABLE):
        return Path(own)
    users = os.environ.get("XDG_CACHE_HOME")
    return (Path(users) if users else Path.home() / ".cache") / "toolboard"


def forget_old(folder: Path) -> None:
    """Removes the folders of all but the workspaces that were scored last; `folder` stays."""
    caches = (path for path in folder.parent.iterdir() if _OWN_NAME.fullmatch(path.name))
    others = [path for path in caches if path != folder and path.is_dir()]
    others.sort(key=lambda path: path.stat().st_mtime, reverse=True)
    for path in others[_MOST_WORKSPACES - 1 :]:
        shutil.rmtree(path, ignore_errors=True)


def read_document(path: Path) -> Json:
    """What `write_document` wrote. Raises OSError, or ValueError if it is damaged."""
    digest, _, data = path.read_bytes().partition(b"\n")
    if digest.decode() != digest_bytes(data):
        raise ValueError("another digest")
    return orjson.loads(data)


def write_document(path: Path, document: object) -> None:
    """Writes JSON with its digest, which shows whether the file is whole. Raises OSError."""
    data = orjson.dumps(document)
    write_atomic(path, digest_bytes(data).encode() + b"\n" + data)
