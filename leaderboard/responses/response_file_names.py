"""The names and encodings of responses files. `files/file_bytes.py` unpacks what was packed."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Final

from leaderboard.files.document import Findings, parse
from leaderboard.files.file_bytes import read_bytes
from leaderboard.limits import FILE_BYTES
from leaderboard.types import Json

# `read_bytes` unpacks a .gz.
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


def responses_file(suite_id: str, data: bytes) -> tuple[str, bytes]:
    """Returns the name and content of a new responses file. One too large for plain JSON is packed.

    `data` is JSON. Equal data give equal bytes.
    """
    names = response_file_names(suite_id)
    if len(data) <= FILE_BYTES:
        return names[0], data
    return names[1], gzip.compress(data, mtime=0)


def parse_responses(data: bytes, shown: str) -> tuple[Json, Findings]:
    """Parses a responses file. `shown` is its path in messages. Raises FilesError."""
    return parse(data, shown), Findings(shown, data)


def read_responses_document(path: Path, shown: str, root: Path) -> tuple[Json, Findings]:
    """Reads and parses a responses file below `root`. Raises FilesError."""
    return parse_responses(read_bytes(path, shown, root), shown)
