"""Votes that an importer found beside an answer: what other judges said of it before it came here. They decide no score."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from leaderboard.types import ImportedVote, Json

_ROUNDS = 1000

# The key of a card's settings that names whose files a submission was imported from.
IMPORTED_FROM = "imported_from"


def read_votes(record: Mapping[str, Json]) -> tuple[ImportedVote, ...]:
    """The votes that stand under `origin` of a record; what has not their form is passed over, since nothing rests on them."""
    origin = record.get("origin")
    votes = origin.get("votes") if isinstance(origin, dict) else None
    return tuple(_read(votes)) if isinstance(votes, list) else ()


def _read(votes: Sequence[Json]) -> Iterator[ImportedVote]:
    for vote in votes:
        if isinstance(vote, dict):
            yield ImportedVote(
                status=_text(vote, "status"),
                by=_text(vote, "by") or "",
                round=_round(vote.get("round")),
                judge=_text(vote, "judge"),
                reason=_text(vote, "reason") or "",
                file=_text(vote, "file") or "",
            )


def _round(value: Json) -> int:
    """A round as it is counted, from 0; 0 where that cannot be."""
    return (
        value
        if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < _ROUNDS
        else 0
    )


def _text(vote: Mapping[str, Json], key: str) -> str | None:
    value = vote.get(key)
    return value if isinstance(value, str) else None
