"""What the files of StableToolBench say: answers of a system, votes on them, preferences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from leaderboard.responses.solved_grades import Status
from leaderboard.types import Json

# The kinds of answer files. The first is the richest: it shows most of what a system did.
AnswerKind = Literal["answers", "votes", "results"]
RICHEST_FIRST: Final[tuple[AnswerKind, ...]] = ("answers", "votes", "results")


@dataclass(frozen=True, slots=True)
class Vote:
    """One judge's vote on one answer.

    `status` is None if the judge failed, or if its word is none of the three. `by` is
    "official", "heuristic" or "judge".
    """

    status: Status | None
    by: str = "judge"
    reason: str = ""
    round: int = 0


@dataclass(frozen=True, slots=True)
class AnswerFile:
    """What one system answered to one test set: records, and votes on them, by query id.

    `notes` are remarks about the file, one line each.
    """

    kind: AnswerKind
    shown: str
    system: str
    test_set: str
    records: Mapping[str, Mapping[str, Json]]
    votes: Mapping[str, tuple[Vote, ...]] = field(default_factory=dict)
    judge: str | None = None
    date: str | None = None
    settings: Mapping[str, Json] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @property
    def limited(self) -> bool:
        """Whether the system was asked only the first queries of the test set."""
        return "max_queries" in self.settings


@dataclass(frozen=True, slots=True)
class PreferenceFile:
    """In how many rounds each of two systems was preferred, by query id."""

    shown: str
    won: Mapping[str, Mapping[str, int]]
