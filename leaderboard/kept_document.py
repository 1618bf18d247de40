"""A JSON file in the user's cache folder, with a digest that shows whether it is whole."""

from __future__ import annotations

from pathlib import Path

import orjson

from leaderboard.digest import digest_bytes
from leaderboard.store import write_atomic
from leaderboard.types import Json


def read_kept_document(path: Path) -> Json:
    """Returns what `keep_document` wrote. Raises OSError, or ValueError if it is damaged."""
    digest, _, data = path.read_bytes().partition(b"\n")
    if digest.decode() != digest_bytes(data):
        raise ValueError("another digest")
    return orjson.loads(data)


def keep_document(path: Path, document: object) -> None:
    """Writes a document for the next run. Raises OSError."""
    data = orjson.dumps(document)
    write_atomic(path, digest_bytes(data).encode() + b"\n" + data)
