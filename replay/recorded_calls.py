"""Recorded judge calls for pages: nothing is asked, and the network is not needed."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

from leaderboard.judge_providers import PERSONAL_FIELDS
from leaderboard.redacted import redact, redact_json
from leaderboard.types import Ask, RecordedCall
from replay.asker import Asker
from replay.cassettes.cassette_index import Index


def replay_only(root: Path) -> Ask:
    """Answers from the cassettes alone, without looking for the nearest call of a missing one."""
    return Asker(root, Index.load(root), explain_misses=False)


def as_recorded(root: Path) -> Asker:
    """Answers from the cassettes alone, also with replies that are not genuine: for an audit."""
    return Asker(root, Index.load(root), explain_misses=False, recompute=False)


def recorded_calls(root: Path) -> Callable[[str], RecordedCall | None]:
    """Finds a recorded judge call by its key. Nothing is read before the first one is needed."""

    @cache
    def index() -> Index:
        return Index.load(root)

    @cache  # pages of cases and judges show the same call
    def find(key: str) -> RecordedCall | None:
        call = index().find(key)
        if call is None:
            return None
        asked = index().exchange(call)
        settings = {
            name: value
            for name, value in asked.body.items()
            if name not in ("messages", "contents", *PERSONAL_FIELDS)
        }
        judge = call.file.split("/")[1]
        return RecordedCall(
            redact(asked.prompt), call.text, judge, redact_json(settings), call.file
        )

    return find
