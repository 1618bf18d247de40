"""Recorded judge calls for pages: nothing is asked, and the network is not needed."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

from leaderboard.judge_providers import PERSONAL_FIELDS
from leaderboard.network.secret_keys import redact, redact_json
from leaderboard.types import Ask, RecordedCall
from replay.asker import Asker
from replay.cassettes.cached_calls import CachedCassettes
from replay.cassettes.cassette_file import Recorded
from replay.cassettes.cassette_index import Index


def replay_only(root: Path) -> Ask:
    """Answers from the cassettes alone, without looking for the nearest call of a missing one."""
    return Asker(Index.load(root))


def as_recorded(root: Path) -> Asker:
    """Answers from the cassettes alone, also with replies that are not genuine: for an audit."""
    return Asker(Index.load(root), recompute=False)


class RecordedCalls:
    """Finds recorded judge calls by their keys. Nothing is read before the first one is needed.

    A cassette with the digest of one in `cached` is only parsed if one of its calls is shown.
    """

    def __init__(self, root: Path, cached: CachedCassettes | None = None) -> None:
        self._root = root
        self._cached = cached
        self._found: dict[str, RecordedCall | None] = {}

    @cached_property
    def _index(self) -> Index:
        return Index.load(self._root, cached=self._cached)

    def read(self) -> None:
        """Reads the cassettes now: processes that are forked later have them already."""
        _ = self._index

    def judge_of(self, key: str) -> str | None:
        """The name of the judge that was asked; None without a recording."""
        call = self._index.find(key)
        return None if call is None else call.judge

    def find(self, key: str) -> RecordedCall | None:
        """What was asked and what came back; None without a recording."""
        if key not in self._found:  # an answer can be on several pages
            call = self._index.find(key)
            self._found[key] = None if call is None else self._read(call)
        return self._found[key]

    def _read(self, call: Recorded) -> RecordedCall:
        asked = self._index.exchange(call)
        settings = {
            name: value
            for name, value in asked.body.items()
            if name not in ("messages", "contents", *PERSONAL_FIELDS)
        }
        return RecordedCall(
            redact(asked.prompt), call.text, call.judge, redact_json(settings), call.file
        )
