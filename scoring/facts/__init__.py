"""Decisions about texts by the facts of a case.

The facts of a case are compiled once, and an answer is read once.
"""

from __future__ import annotations

from typing import Final

from leaderboard.facts import Facts
from leaderboard.types import Case
from scoring.facts.dumps import copied_words, without
from scoring.facts.findings import FactFinding
from scoring.facts.sentences import read_passage
from scoring.facts.stated import StatedCase, Statements, decide_stated

_compiled: Final[dict[int, tuple[Facts, StatedCase]]] = {}


def decide(case: Case, text: str) -> FactFinding | None:
    """What the facts of a case decide about a text. None if no facts are about it."""
    facts = case.ground_truth.facts
    if facts is None or not facts.items:
        return None
    compiled = _compile(case, facts)
    return decide_stated(compiled, Statements.of(text, compiled))


def own_words(case: Case, text: str) -> str:
    """The text without what it copies from the question, as a judge may read it."""
    query = read_passage(case.query)
    answer = read_passage(text)
    return without(answer, copied_words(query, answer)) or text


def _compile(case: Case, facts: Facts) -> StatedCase:
    known = _compiled.get(id(facts))
    if known is None or known[0] is not facts:
        known = (facts, StatedCase.of(facts, case.query, _reference(case)))
        _compiled[id(facts)] = known
    return known[1]


def _reference(case: Case) -> str:
    truth = case.ground_truth
    if truth.trajectory is not None:
        return str(truth.trajectory.reference)
    return truth.text or ""
