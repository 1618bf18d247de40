"""Verdicts that are cached between two runs, in the user's cache folder.

Verdicts on a responses file are used again if their basis is the same (`verdict_basis.py`) and if
every judge call behind them still has the same reply. Anything else is decided again.

This module reads them. Nothing here imports Polars, because processes fork before it is imported.
`scoring.cached.cached_verdict_tables` writes them, and decides what is cached.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

import orjson

from leaderboard.digest import digest_bytes
from leaderboard.errors import Problem
from leaderboard.types import Json, Submission, Suite

if TYPE_CHECKING:
    from leaderboard.load import Known
    from scoring.cached.verdict_basis import Basis
    from scoring.verdict_parts import ResponsesFile

FRAMES: Final = ("files", "verdict_rows", "distinct", "given", "replies")
INDEX: Final = "index.json"
SHARD_FILES: Final = frozenset({INDEX, *(f"{name}.parquet" for name in FRAMES)})

# Returns the reply that counts now for a judge's name and a key, or None.
ReplyNow = Callable[[str, str], str | None]


@dataclass(frozen=True, slots=True)
class CachedFile:
    """The basis of the verdicts on a file, and the warnings about it."""

    basis: str
    warnings: tuple[Problem, ...]


@dataclass(slots=True)
class CachedVerdicts:
    """What another run decided. `replies` has the judge, key and text of each judge call.

    `frames` are tables of Parquet, and `missing_calls` those without a reply, which shards have.
    """

    files: dict[ResponsesFile, CachedFile] = field(default_factory=dict)
    replies: Sequence[tuple[str, str, str]] = ()
    missing_calls: Sequence[Mapping[str, Json]] = ()
    frames: Mapping[str, bytes] = field(default_factory=dict)

    def changed_calls(self, reply_now: ReplyNow) -> list[str]:
        """The keys of the judge calls whose reply has changed."""
        return [key for judge, key, text in self.replies if reply_now(judge, key) != text]

    def forget(self, files: Iterable[ResponsesFile], calls: Iterable[str] = ()) -> None:
        """Forgets the verdicts on these files, and the replies to these judge calls."""
        for file in files:
            self.files.pop(file, None)
        changed = frozenset(calls)
        self.replies = [reply for reply in self.replies if reply[1] not in changed]


def known_files(basis: Basis, cached: Sequence[Mapping[ResponsesFile, CachedFile]]) -> Known:
    """The warnings about a file that one of these runs decided from the same basis."""
    by_file: dict[ResponsesFile, list[CachedFile]] = {}
    for files in cached:
        for name, file in files.items():
            by_file.setdefault(name, []).append(file)

    def find(submission: Submission, suite: Suite, responses: str) -> Sequence[Problem] | None:
        candidates = by_file.get((submission.id, suite.id), ())
        now = basis.of(submission, suite, responses) if candidates else ""
        return next((file.warnings for file in candidates if file.basis == now), None)

    return find


def read_verdicts(folder: Path) -> CachedVerdicts:
    """Reads what was cached: nothing if a file is missing or damaged."""
    try:
        return read_decided(folder)
    except (OSError, ValueError, KeyError, TypeError):
        return CachedVerdicts()


def read_decided(folder: Path) -> CachedVerdicts:
    """Reads the verdicts in a folder.

    Raises OSError, or ValueError, KeyError or TypeError if a file is damaged.
    """
    index = orjson.loads((folder / INDEX).read_bytes())
    frames = {name: (folder / f"{name}.parquet").read_bytes() for name in FRAMES}
    if {name: digest_bytes(data) for name, data in frames.items()} != index["digests"]:
        raise ValueError("another digest")
    files = {}
    for submission, suite, basis, records in index["files"]:
        warnings = tuple(Problem(**record) for record in records)
        files[submission, suite] = CachedFile(basis, warnings)
    replies = [(judge, key, text) for judge, key, text in index["replies"]]
    return CachedVerdicts(files, replies, index["missing_calls"], frames)
