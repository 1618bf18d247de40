"""Keys that a submitter left in a file, where everybody can read them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from leaderboard.errors import Problem
    from leaderboard.types import Submission
    from leaderboard.workspace import Workspace

_FIX: Final = "revoke it, and take it out of the file and its history"


def exposed_keys(workspace: Workspace, submissions: Iterable[Submission]) -> Iterator[Problem]:
    """A warning for every file of a submission that seems to hold a key, with the first line."""
    from leaderboard.errors import Problem
    from leaderboard.files.file_bytes import read_bytes
    from leaderboard.secret_keys import kinds_of_keys_in_json

    for submission in submissions:
        card = f"{workspace.shown(workspace.submissions)}/{submission.id}/submission.json"
        for file in dict.fromkeys((card, *submission.files.values())):
            data = read_bytes(workspace.root / file, file, workspace.root)
            text = data.decode("utf-8", "replace")
            for kind in kinds_of_keys_in_json(text):
                lines = enumerate(text.split("\n"), start=1)
                line = next((n for n, one in lines if kind in kinds_of_keys_in_json(one)), None)
                what = f"holds what looks like {kind}"
                yield Problem(file, what, _FIX, line=line, severity="warning")
