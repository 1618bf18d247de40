"""The figures of a comparison: who passes a case, identical answers, costs."""

from __future__ import annotations

from typing import Final, get_args

from leaderboard.board.comparison import Standing, standing
from leaderboard.types import Case, Submission, Suite
from site_templates import formatting
from site_templates.board_index import BoardIndex
from site_templates.parts.pairs.pair_pages import Pair

QUERY: Final = 100  # characters of a case's question


def cases_by_standing(index: BoardIndex, suite: Suite, pair: Pair) -> dict[Standing, list[Case]]:
    """The cases of a suite by who of the two passes them, in the suite's order."""
    passes = index.board.comparisons[suite.id].passes
    first, second = (passes[submission.id] for submission in pair)
    cases: dict[Standing, list[Case]] = {name: [] for name in get_args(Standing)}
    for case, a, b in zip(suite.cases, first, second, strict=True):
        cases[standing(a, b)].append(case)
    return cases


def cost(index: BoardIndex, suite: Suite, submission: Submission) -> str:
    """The cost of 1,000 cases, as "$0.92"; "" if it is not reported."""
    usage = index.usage(submission.id, suite.id)
    if usage is None or usage.cost_per_1000 is None:
        return ""
    return f"${formatting.number(usage.cost_per_1000)}"


def same_answers(index: BoardIndex, suite: Suite, pair: Pair) -> tuple[int, int]:
    """How many answers of the two are identical, and how many cases and trials both answered."""
    first, second = (index.sent(submission.id, suite.id) for submission in pair)
    keys = {(case.id, answer.trial): answer.key for case, answer in first}
    both = same = 0
    for case, answer in second:
        other = keys.get((case.id, answer.trial))
        if answer.key is not None and other is not None:
            both += 1
            same += answer.key == other
    return same, both
