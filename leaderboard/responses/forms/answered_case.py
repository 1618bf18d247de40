"""Which case a foreign record answers, and the ids of cases in the requests of batch APIs.

Batch APIs allow fewer characters than ids of cases have.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from typing import Final

from leaderboard.responses.forms.model_reply import UnreadableRecordError
from leaderboard.types import Case, Suite

# The strictest rule among the batch APIs is Anthropic's.
_ALLOWED: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")
_OTHERS: Final = re.compile(r"[^A-Za-z0-9_-]+")


def batch_id(case_id: str) -> str:
    """A case's id for batch APIs: itself where they allow it, else one with a digest."""
    if _ALLOWED.fullmatch(case_id):
        return case_id
    digest = hashlib.sha256(case_id.encode()).hexdigest()[:12]
    return f"{_OTHERS.sub('-', case_id)[:50]}-{digest}"


def cases_by_batch_id(suite: Suite) -> Mapping[str, Case]:
    """The cases by the ids that their requests have."""
    return {batch_id(case.id): case for case in suite.cases}


class CaseFinder:
    """Finds the case of a suite that a record answers."""

    def __init__(self, suite: Suite) -> None:
        self._by_id = suite.by_id
        self._by_batch_id = cases_by_batch_id(suite)
        self._by_question = _cases_by_question(suite)

    def find(self, ids: Sequence[str], questions: Sequence[str]) -> Case | None:
        """The case that the first known id names, else the one that a question asks.

        Raises UnreadableRecordError if the id is that of one case, and the question of another.
        """
        asked = next(iter(_known(self._by_question, questions)), None)
        named = [*_known(self._by_id, ids), *_known(self._by_batch_id, ids)]
        if not named:
            return asked
        if asked and _asked_by(named[0]).isdisjoint(questions):
            what = "names a case by its id, and asks the question of another one"
            fix = "give each record the id of the case whose question it answers"
            raise UnreadableRecordError(what, fix, f"{named[0].id} and {asked.id}")
        return named[0]


def _known(cases: Mapping[str, Case], names: Sequence[str]) -> list[Case]:
    return [cases[name] for name in names if name in cases]


def _asked_by(case: Case) -> set[str]:
    return {question.strip() for question in case.questions}


def _cases_by_question(suite: Suite) -> Mapping[str, Case]:
    """The cases by their questions, without those that several cases ask."""
    asked: dict[str, list[Case]] = {}
    for case in suite.cases:
        for question in _asked_by(case):
            asked.setdefault(question, []).append(case)
    return {question: cases[0] for question, cases in asked.items() if len(cases) == 1}
