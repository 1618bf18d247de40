"""Which answers stay on a board although their question is no longer the one that was asked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from leaderboard.load import Contents
from leaderboard.types import Case, Suite


@dataclass(frozen=True, slots=True)
class ChangedQuestions:
    """How many questions of a suite change, and the submissions that keep their answers to them."""

    suite: str
    questions: int
    submissions: tuple[str, ...]


def changed_questions(base: Contents, new: Contents) -> Iterator[ChangedQuestions]:
    """Yields the suites in which questions change under answers, in order.

    A question changes with everything that a model gets: also with its tools, the environment and
    the date. A responses file that changes too is taken for answers to the new questions.
    """
    for suite in new.suites:
        old = base.suite(suite.id)
        if old is None or old.digest == suite.digest:
            continue
        changed = _changed(old, suite)
        answered: dict[str, set[str]] = {}  # of these cases, by submission
        for submission in new.submissions:
            path = submission.files.get(suite.id)
            records = new.records.get((submission.id, suite.id))
            if path is None or records is None or base.digests.get(path) != new.digests[path]:
                continue
            if cases := changed.intersection(one.case_id for one in records.responses):
                answered[submission.id] = cases
        if answered:
            questions = set().union(*answered.values())
            yield ChangedQuestions(suite.id, len(questions), tuple(answered))


def _changed(old: Suite, new: Suite) -> set[str]:
    """The ids of cases that both suites have, with another question."""
    changed = set()
    for case in new.cases:
        old_case = old.case(case.id)
        if old_case is not None and _asked(old, old_case) != _asked(new, case):
            changed.add(case.id)
    return changed


def _asked(suite: Suite, case: Case) -> tuple[object, ...]:
    """Everything that a model gets with a case."""
    category = suite.category(case.category)
    world = (category.environment, category.tables)
    return (case.query, case.earlier, case.tools, suite.date, world)
