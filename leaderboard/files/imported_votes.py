"""Votes of other judges on an answer, kept by importers. They decide no score."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from leaderboard.types import ImportedVote, Json

_ROUNDS: Final = range(1000)

# The key of a card's settings that names the system a submission was imported from.
IMPORTED_FROM: Final = "imported_from"
# The `by` of a vote that compares two answers. It sums up all rounds.
PREFERENCE: Final = "preference"


def read_votes(record: Mapping[str, Json]) -> tuple[ImportedVote, ...]:
    """Reads the votes under `origin` of a record. Malformed votes are skipped."""
    origin = record.get("origin")
    votes = origin.get("votes") if isinstance(origin, dict) else None
    if not isinstance(votes, list):
        return ()
    return tuple(_read_vote(vote) for vote in votes if isinstance(vote, dict))


def _read_vote(vote: Mapping[str, Json]) -> ImportedVote:
    texts = {key: value for key, value in vote.items() if isinstance(value, str)}
    number = vote.get("round")
    if not isinstance(number, int) or isinstance(number, bool) or number not in _ROUNDS:
        number = 0
    return ImportedVote(
        status=texts.get("status"),
        by=texts.get("by", ""),
        round=number,
        judge=texts.get("judge"),
        reason=texts.get("reason", ""),
        file=texts.get("file", ""),
    )
