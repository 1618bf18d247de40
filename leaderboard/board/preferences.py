"""Which of two submissions a panel prefers, case by case (StableToolBench's win rate)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Preferred = Literal["first", "second", "tie", "open"]


@dataclass(frozen=True, slots=True)
class CasePreference:
    """One case: who is preferred, and why in one sentence. `open` waits for a judge."""

    case_id: str
    preferred: Preferred
    judged: bool
    detail: str


@dataclass(frozen=True, slots=True)
class Preferences:
    """The preferences of all cases of a suite. Ties stay ties.

    `judged` of a case: it was left to the judges, even if they have not answered yet.
    """

    suite: str
    first: str
    second: str
    cases: tuple[CasePreference, ...]

    def count(self, preferred: Preferred) -> int:
        """Returns the number of cases with this preference."""
        return sum(case.preferred == preferred for case in self.cases)

    @property
    def win_rate(self) -> float | None:
        """The share of all cases in which the first is preferred; None while a judge is missing."""
        return (
            None if not self.cases or self.count("open") else self.count("first") / len(self.cases)
        )

    @property
    def win_bounds(self) -> tuple[float, float] | None:
        """The lowest and the highest possible win rate; None without a case."""
        if not self.cases:
            return None
        won, number = self.count("first"), len(self.cases)
        return won / number, (won + self.count("open")) / number
