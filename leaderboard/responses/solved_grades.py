"""Whether a query is solved: the three grades, and what each counts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

from leaderboard.texts.short_text import single_spaced

Status = Literal["solved", "unsure", "unsolved"]

UNSURE: Final = "unsure"  # a grade of judges; no pair is labelled so
POINTS: Final[Mapping[str, float]] = {"solved": 1.0, "unsure": 0.5, "unsolved": 0.0}

_STATUSES: Final[Mapping[str, Status]] = {
    "solved": "solved",
    "unsure": "unsure",
    "unsolved": "unsolved",
    "not solved": "unsolved",
    "not sure": "unsure",
}


def status_of(words: str) -> Status | None:
    """Reads a status in any letter case: `Solved`, `AnswerStatus.Solved`, `not solved`."""
    return _STATUSES.get(single_spaced(words.lower().removeprefix("answerstatus.")))
