"""How many verdicts each judge decided: the same counts on every page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from leaderboard.reasons import WAITING
from site_templates.board_index import BoardIndex

Places = Counter[tuple[str, str]]  # verdicts by suite and category


@dataclass(frozen=True, slots=True)
class JudgeCounts:
    """The verdicts of the board, and for each judge those that it decided and those that passed.

    A verdict of a panel counts for each of its judges, and once in `judged`. `scored` and `judged`
    count by suite and category. `waiting` counts verdicts that wait for a judge's reply.
    """

    verdicts: int
    waiting: int
    scored: Places
    judged: Places
    decided: Mapping[str, Places]
    passed: Mapping[str, Places]

    def total(self, judge: str) -> int:
        """How many verdicts a judge decided."""
        return self.decided[judge].total()

    def share(self, judge: str) -> float | None:
        scored = self.scored.total()
        return self.total(judge) / scored if scored else None


def count_verdicts(index: BoardIndex) -> JudgeCounts:
    """Counts the verdicts of the board by who decided them."""
    verdicts, waiting, scored, judged = 0, 0, Places(), Places()
    decided = {judge.name: Places() for judge in index.board.judges}
    passed = {judge.name: Places() for judge in index.board.judges}
    for suite in index.board.suites:
        for case in suite.cases:
            place = (suite.id, case.category)
            answers = index.answered(suite.id, case.id)
            verdicts += len(answers)
            waiting += sum(answer.reason in WAITING for answer in answers)
            # Many answers have the same verdict.
            counts = Counter(
                (a.outcome, a.judge_calls if a.decided_by == "judge" else ()) for a in answers
            )
            for (outcome, calls), count in counts.items():
                if outcome == "unscored":
                    continue
                scored[place] += count
                names = {name for name in map(index.board.judge_of, calls) if name is not None}
                if names:
                    judged[place] += count
                for name in names:
                    decided.setdefault(name, Places())[place] += count
                    passed.setdefault(name, Places())[place] += count * (outcome == "pass")
    return JudgeCounts(verdicts, waiting, scored, judged, decided, passed)
