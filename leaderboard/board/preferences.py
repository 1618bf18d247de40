"""Which of two submissions a panel prefers, case by case. `scoring.judging.win_rate` asks it."""

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
    `win_rate` is that of the first submission, 0..1, None while a judge is missing. `win_bounds`
    are the lowest and the highest that it can be, None without a case.
    """

    suite: str
    first: str
    second: str
    cases: tuple[CasePreference, ...]
    win_rate: float | None = None
    win_bounds: tuple[float, float] | None = None

    def count(self, preferred: Preferred) -> int:
        """The number of cases with this preference."""
        return sum(case.preferred == preferred for case in self.cases)

    @property
    def decided(self) -> int:
        """The number of cases that the judges decided."""
        return sum(case.judged and case.preferred != "open" for case in self.cases)
