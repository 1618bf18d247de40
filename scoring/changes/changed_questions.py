"""Which answers stay on a board although their question is no longer the one that was asked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from leaderboard.load import Contents
from leaderboard.types import Category, Suite


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
        kept = {
            submission.id: {response.case_id for response in records.responses} & changed
            for submission in new.submissions
            if (path := submission.files.get(suite.id)) in base.digests
            and base.digests[path] == new.digests[path]
            and (records := new.records.get((submission.id, suite.id)))
        }
        names = tuple(name for name, cases in kept.items() if cases)
        if names:
            yield ChangedQuestions(suite.id, len(set().union(*kept.values())), names)


def _changed(old: Suite, new: Suite) -> set[str]:
    """The ids of cases that both suites have, with another question."""
    same_day = old.date == new.date
    before = {case.id: category for category in old.categories for case in category.cases}
    changed = set()
    for category in new.categories:
        for case in category.cases:
            known = old.case(case.id)
            if known is None:
                continue
            asked, asks = (known.query, known.earlier), (case.query, case.earlier)
            same = asked == asks and _same_world(before[case.id], category)
            if not (same and same_day and known.tools == case.tools):
                changed.add(case.id)
    return changed


def _same_world(old: Category, new: Category) -> bool:
    return (old.environment, old.tables) == (new.environment, new.tables)
