"""Whether results were made from the files as they are now, by the judges of the board."""

from __future__ import annotations

from typing import Final

from leaderboard.board.manifest_shape import Manifest
from leaderboard.errors import FilesError
from leaderboard.files.cassette_paths import PREFERENCES, SIMULATIONS
from leaderboard.load import Contents
from leaderboard.texts.short_text import and_more
from leaderboard.workspace import Workspace
from scoring.changes.board_difference import input_changes
from scoring.manifest import build_manifest, cassette_digests

_NAMED: Final = 5
_FIX: Final = "run lb rescore again"


def refuse_stale(workspace: Workspace, contents: Contents, manifest: Manifest, shown: str) -> None:
    """Raises FilesError if an input of the scores has changed since `manifest` was written.

    `shown` is the folder of the results. Calls that no score uses, such as preferences, may change.
    """
    judges = contents.leaderboard.judges
    panel = [judges[name] for name in manifest["judges"] if name in judges]
    here = build_manifest(contents, panel, cassette_digests(workspace))
    if here["digest"] == manifest["digest"]:
        return
    causes = list(input_changes(manifest, here))
    changed = [
        f"{cause.kind} {cause.name}"
        for cause in causes
        if cause.kind != "cassettes" or cause.submission not in {PREFERENCES, SIMULATIONS}
    ]
    if not causes:
        what = "was made from other files, or by another version of lb"
        raise FilesError.about(shown, what, _FIX)
    if not changed:
        return
    named = ", ".join(changed[:_NAMED]) + and_more(len(changed) - _NAMED)
    what = f"was made from other files; changed since: {named}"
    raise FilesError.about(shown, what, _FIX)
