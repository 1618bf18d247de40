"""The names of responses files, and when they are packed. `files/file_bytes.py` unpacks them."""

from __future__ import annotations

import gzip
from typing import Final

from leaderboard.limits import FILE_BYTES

ENDINGS: Final = (".json", ".json.gz")


def response_file_names(suite_id: str) -> tuple[str, ...]:
    """The names that a file with responses to a suite may have, the usual one first."""
    return tuple(f"{suite_id}{ending}" for ending in ENDINGS)


def suite_of_file(name: str) -> str | None:
    """The suite that a file of a submission answers; None for other files."""
    for ending in ENDINGS:
        if name.endswith(ending):
            return name.removesuffix(ending) or None
    return None


def responses_file(suite_id: str, data: bytes) -> tuple[str, bytes]:
    """The name and content of a new responses file. One too large for plain JSON is packed.

    `data` is JSON. Equal data give equal bytes.
    """
    names = response_file_names(suite_id)
    if len(data) <= FILE_BYTES:
        return names[0], data
    return names[1], gzip.compress(data, mtime=0)
