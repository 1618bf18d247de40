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
    """What became of all cases of a suite. Ties stay ties."""

    suite: str
    first: str
    second: str
    cases: tuple[CasePreference, ...]

    def count(self, preferred: Preferred) -> int:
        """In how many cases it came out so."""
        return sum(case.preferred == preferred for case in self.cases)

    @property
    def win_rate(self) -> float | None:
        """The share of the decided cases, ties among them, in which the first is preferred; None without any."""
        decided = len(self.cases) - self.count("open")
        return self.count("first") / decided if decided else None
