"""What cassettes hold, cached between two runs in the user's cache folder.

Computing the keys of a hundred megabytes of judge calls takes seconds. A cassette with the same
digest holds the same calls, as long as the code that reads it is the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple

from leaderboard.machine.cache_folder import read_document, write_document

FILE: Final = "calls.json"


class CachedCalls(NamedTuple):
    """The digest of a cassette, and the key and the reply of each of its calls, in order."""

    digest: str
    calls: list[tuple[str, str]]


CachedCassettes = Mapping[str, CachedCalls]  # by the path of the cassette


def read_calls(folder: Path, code: str) -> dict[str, CachedCalls]:
    """Reads what code with this digest cached: nothing if the file is missing or damaged."""
    try:
        document = read_document(folder / FILE)
        if document["code"] != code:
            return {}
        return {file: CachedCalls(*found) for file, found in document["cassettes"].items()}
    except (OSError, ValueError, KeyError, TypeError):
        return {}


def write_calls(folder: Path, code: str, cached: CachedCassettes) -> None:
    """Keeps the calls of cassettes for the next run. Raises OSError."""
    cassettes = {file: list(found) for file, found in cached.items()}
    write_document(folder / FILE, {"code": code, "cassettes": cassettes})
