"""Which ids submissions, suites and categories can have, and what is written instead of one."""

from __future__ import annotations

import re
from typing import Final

from leaderboard.errors import Problem

# All suites, categories or submissions in one row, and the judge of rows about the whole panel.
WHOLE: Final = "*"
PANEL: Final = "*"

SUBMISSION_ID: Final = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")
# Windows has no files of these names, with or without an ending, and none that end in a dot.
_DEVICE: Final = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)
RESERVED: Final = "is a name that Windows reserves"


def is_reserved(name: str) -> bool:
    """Whether Windows can have no file of this name, with any ending."""
    return _DEVICE.fullmatch(name) is not None


def id_problem(name: str, folder: str = "submissions") -> Problem | None:
    """The problem of an id that nothing in this folder can have; None for a good one."""
    shown = f"{folder}/{name}"
    if not SUBMISSION_ID.fullmatch(name):
        fix = "lower-case letters, digits, dot, dash, underscore; at most 64"
        return Problem(shown, "is not a valid id", fix)
    if is_reserved(name):
        return Problem(shown, RESERVED, "choose another id")
    if name.endswith("."):
        return Problem(shown, "ends in a dot", "choose another id")
    if folder == "datasets" and name == "submission":
        what = "is the name of a submission's card: responses would be in submission.json, too"
        return Problem(shown, what, "choose another id")
    return None
