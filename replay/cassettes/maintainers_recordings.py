"""`recordings.json`: the judge calls that maintainers recorded, each with the digest of its reply.

    {"recorded": {
    "<key of the call>": "<sha256 of the reply's text>",
    ...
    }, "schema": 1}

Recording adds to it. It is outside `submissions/` and `cassettes/`, the two folders that a
submission may change: a reply that somebody merged with a submission is not in it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from leaderboard.digest import digest_bytes
from leaderboard.errors import FilesError
from leaderboard.files.cassette_paths import RECORDINGS
from leaderboard.files.file_bytes import read_bytes
from leaderboard.files.json_files import parse
from leaderboard.machine.atomic_files import write_atomic
from leaderboard.types import Json

_DIGEST: Final = re.compile(r"[0-9a-f]{64}")
_FIX: Final = "restore it from version control"


def digest_of_reply(text: str) -> str:
    """Returns the sha256 of a reply's text."""
    return digest_bytes(text.encode("utf-8", "surrogatepass"))


def read_recordings(root: Path) -> dict[str, str]:
    """Reads which calls maintainers recorded, by key; none without the file. Raises FilesError."""
    path = root / RECORDINGS
    if not path.exists():
        return {}
    document = parse(read_bytes(path, RECORDINGS, root), RECORDINGS)
    recorded = document.get("recorded") if isinstance(document, dict) else None
    if not isinstance(recorded, dict) or document.get("schema") != 1 or len(document) != 2:
        what = 'is not a list of recordings: it needs "schema": 1 and the object "recorded"'
        raise FilesError.about(RECORDINGS, what, _FIX)
    for key, digest in recorded.items():
        if not _is_digest(key) or not _is_digest(digest):
            what = "holds an entry that is not a key with a digest"
            raise FilesError.about(RECORDINGS, what, _FIX, at=f"$.recorded[{json.dumps(key)}]")
    return recorded


def add_recordings(root: Path, replies: Mapping[str, str]) -> None:
    """Adds the replies that a maintainer recorded, by key. Raises FilesError for a broken file."""
    recorded = read_recordings(root)
    recorded.update((key, digest_of_reply(text)) for key, text in replies.items())
    lines = ",\n".join(f'"{key}": "{digest}"' for key, digest in sorted(recorded.items()))
    text = '{"recorded": {\n' + lines + '\n}, "schema": 1}\n'
    write_atomic(root / RECORDINGS, text.encode("ascii"), durable=True)


def _is_digest(value: Json) -> bool:
    return isinstance(value, str) and _DIGEST.fullmatch(value) is not None
