"""The names and encodings of responses files. A new encoding is added here, and nowhere else."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from leaderboard.files.document import Findings
from leaderboard.files.validation import read_document
from leaderboard.types import Json

# `read_document` unpacks a .gz.
ENDINGS: Final = (".json", ".json.gz")


def response_file_names(suite_id: str) -> tuple[str, ...]:
    """Returns the names that a file with responses to a suite may have, the usual one first."""
    return tuple(f"{suite_id}{ending}" for ending in ENDINGS)


def suite_of_file(name: str) -> str | None:
    """Returns the suite that a file of a submission answers; None for other files."""
    for ending in ENDINGS:
        if name.endswith(ending):
            return name.removesuffix(ending) or None
    return None


def ending_of(path: Path) -> str:
    """Returns the ending that a copy of a responses file needs."""
    return next((ending for ending in ENDINGS[::-1] if path.name.endswith(ending)), ENDINGS[0])


def read_responses_document(path: Path, shown: str, root: Path) -> tuple[Json, Findings]:
    """Parses a responses file below `root`. `shown` is its path in messages. Raises FilesError."""
    return read_document(path, shown, root)
