"""The rows of the table HEALTH by suite, and what is remarkable about a case."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from leaderboard.frames import SEVERAL
from site_templates.board_index import BoardIndex

# The p-value of a trend that is listed. Suspects need a smaller one.
LISTED_TREND: Final = 0.05


class CaseHealth(NamedTuple):
    """One row of HEALTH."""

    suite: str
    category: str
    case_id: str
    submissions: int
    score: float | None
    solved: int
    solved_by: str | None
    tau: float | None
    tau_p: float | None
    same_answer: int
    same_answer_of: str | None
    suspect: bool
    reason: str | None
    detail: str | None

    @property
    def failed_by_all(self) -> bool:
        return self.submissions > 0 and self.solved == 0

    @property
    def passed_by_one(self) -> bool:
        return self.solved == 1 and self.submissions > 1

    @property
    def against_trend(self) -> bool:
        """Whether weaker submissions pass the case more often than stronger ones."""
        if self.tau is None or self.tau_p is None:
            return False
        return self.tau < 0 and self.tau_p <= LISTED_TREND

    @property
    def same_wrong_answer(self) -> bool:
        return self.same_answer >= SEVERAL


HealthRows = Mapping[str, Sequence[CaseHealth]]


def rows_of_health(index: BoardIndex) -> HealthRows:
    """The rows of HEALTH by suite, in the order of the suite's cases."""
    by_case = {}
    for row in index.board.results.health.select(CaseHealth._fields).iter_rows():
        by_case[row[0], row[2]] = CaseHealth(*row)
    rows = {}
    for suite in index.board.suites:
        keys = [(suite.id, case.id) for case in suite.cases]
        rows[suite.id] = [by_case[key] for key in keys if key in by_case]
    return rows


def entrants(rows: Sequence[CaseHealth]) -> int:
    """How many models and agents have a score at a case of a suite."""
    return max((row.submissions for row in rows), default=0)
