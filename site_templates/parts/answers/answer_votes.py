"""Votes of other judges that were imported with an answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from leaderboard.files.imported_votes import IMPORTED_FROM, PREFERENCE
from leaderboard.types import ImportedVote
from site_templates import formatting
from site_templates.indexed_rows import Answer
from site_templates.links import Link

_SHOWN: Final = 40  # votes of one answer


@dataclass(frozen=True, slots=True)
class VoteFact:
    """One imported vote: its grade, who cast it in which round, its file and its reason."""

    status: str
    cast: str
    file: str
    reason: str


@dataclass(frozen=True, slots=True)
class AnswerVotes:
    """Votes of other judges that were imported with one submission's answer."""

    who: Link
    source: str
    facts: tuple[VoteFact, ...]
    more: int


def answer_votes(answer: Answer, who: Link) -> AnswerVotes:
    """The votes that came with an answer, of which the first are shown."""
    source = formatting.clip(str(answer.submission.card.settings.get(IMPORTED_FROM) or ""), 40)
    facts = tuple(map(_vote, answer.votes[:_SHOWN]))
    return AnswerVotes(who, source, facts, len(answer.votes) - len(facts))


def _vote(vote: ImportedVote) -> VoteFact:
    judge = formatting.clip(vote.judge, 80) if vote.judge else "a judge that the file does not name"
    how = f", {formatting.clip(vote.by, 40)}" if vote.by not in ("", "judge", PREFERENCE) else ""
    when = "" if vote.by == PREFERENCE else f"round {vote.round + 1}, "
    return VoteFact(
        status=formatting.clip(vote.status, 40) if vote.status else "unreadable",
        cast=f"{when}by {judge}{how}",
        file=formatting.clip(vote.file, 120),
        reason=formatting.clip(vote.reason, 400),
    )
