"""The cases of a category in the order of their difficulty."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from leaderboard.types import Case, Category, Submission, Suite
from site_templates.board_index import BoardIndex
from site_templates.indexed_rows import Answer


class RatedCase(NamedTuple):
    """A case, how many answers pass, how many there are, and the answers in the order given."""

    case: Case
    passed: int
    of: int
    answers: tuple[Answer, ...]

    @property
    def share(self) -> float:
        """The share of its answers that pass; 0 without any."""
        return self.passed / self.of if self.of else 0.0


def hardest_first(
    index: BoardIndex, suite: Suite, category: Category, field: Sequence[Submission]
) -> list[RatedCase]:
    """The cases with the answers of these submissions, by the share of answers that pass.

    The lowest share is first. Equal shares: most answers first. Cases without answers are last.
    """
    places = {submission.id: place for place, submission in enumerate(field)}
    cases = []
    for case in category.cases:
        answers = [a for a in index.answered(suite.id, case.id) if a.submission.id in places]
        answers.sort(key=lambda answer: places[answer.submission.id])  # trials stay in order
        passed = sum(answer.outcome == "pass" for answer in answers)
        cases.append(RatedCase(case, passed, len(answers), tuple(answers)))
    cases.sort(key=lambda rated: (rated.of == 0, rated.share, -rated.of))
    return cases
