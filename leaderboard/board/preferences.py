"""Which of two submissions a panel prefers, case by case (the solvable win rate of StableToolBench)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

# What stands in the place of a submission where these judge calls are kept; no submission's id can be that. Nothing but the
# comparison on request rests on them, so they are never counted as unused.
RECORDED_AS: Final = "_preferences"

Preferred = Literal["first", "second", "tie", "open"]


@dataclass(frozen=True, slots=True)
class CasePreference:
    """What became of one case: who is preferred, and why in one sentence. `open` waits for a judge."""

    case_id: str
    preferred: Preferred
    judged: bool
    detail: str


@dataclass(frozen=True, slots=True)
class Preferences:
    """What became of all cases of a suite. Ties stay ties.

    `judged` of a case says that it was left to the judges, whether or not they have answered.
    """

    suite: str
    first: str
    second: str
    cases: tuple[CasePreference, ...]

    def count(self, preferred: Preferred) -> int:
        """In how many cases it came out so."""
        return sum(case.preferred == preferred for case in self.cases)

    @property
    def win_rate(self) -> float | None:
        """The share of the cases, ties among them, in which the first is preferred; None while a judge is waited for."""
        return (
            None if not self.cases or self.count("open") else self.count("first") / len(self.cases)
        )

    @property
    def win_bounds(self) -> tuple[float, float] | None:
        """Between what the win rate will be, whatever the judges still say; None without a case."""
        if not self.cases:
            return None
        won, number = self.count("first"), len(self.cases)
        return won / number, (won + self.count("open")) / number
