"""`recordings.json`: the judge calls that maintainers recorded, each with the digest of its reply.

    {"recorded": {
    "<key of the call>": "<sha256 of the reply's text>",
    ...
    }, "schema": 1}

Recording adds to it. It is outside `submissions/` and `cassettes/`, the two folders that a
submission may change: a reply that somebody merged with a submission is not in it, and is pending
until a maintainer records it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Final

from leaderboard.digest import digest_bytes
from leaderboard.errors import FilesError
from leaderboard.files.cassette_paths import RECORDINGS
from leaderboard.files.file_bytes import read_bytes
from leaderboard.files.json_files import parse
from leaderboard.machine.atomic_files import write_atomic
from leaderboard.types import Json, JudgeSettings
from leaderboard.workspace import Workspace
from replay.cassettes.cassette_file import Recorded

_DIGEST: Final = re.compile(r"[0-9a-f]{64}")
_FIX: Final = "restore it from version control"


def digest_of_reply(text: str) -> str:
    """The sha256 of a reply's text."""
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


class CountedRecordings:
    """Decides whether a recorded reply counts, by the list of recordings of a workspace.

    Replies of a judge that can be recomputed count, and so do all others if submitters may record.
    Otherwise the list of recordings by maintainers has to hold the reply. Files are read when first
    needed.
    """

    def __init__(self, root: Path) -> None:
        self._root = root

    @cached_property
    def _listed(self) -> Mapping[str, str]:
        return read_recordings(self._root)

    @cached_property
    def _judges(self) -> Mapping[str, JudgeSettings]:
        # Imported late, because pydantic is slow to import and nearly no board needs this.
        from leaderboard.files.board_settings import load_leaderboard  # noqa: PLC0415

        return load_leaderboard(Workspace(self._root)).judges

    def counts_by_path(self, recorded: Recorded) -> bool:
        """Whether a reply counts as one of the judge that its cassette's path names.

        A reply of an unknown judge does. Raises FilesError for a broken list or leaderboard.toml.
        """
        judge = self._judges.get(recorded.judge)
        return judge is None or self.counts(recorded, judge)

    def counts(self, recorded: Recorded, judge: JudgeSettings) -> bool:
        """Whether a reply counts. Raises FilesError for a broken list."""
        if not judge.needs_maintainer or recorded.is_new:
            return True
        return self._listed.get(recorded.key) == digest_of_reply(recorded.text)
