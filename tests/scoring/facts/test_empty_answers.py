"""Answers without understanding pass few cases, even after the judge decides what is open."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from leaderboard.types import Case
from replay.lexical.clarifying_questions import same_question
from replay.lexical.faulty_requests import same_fault
from replay.lexical.rule_parts import RuleFinding, Texts
from scoring.facts import decide, own_words
from tests.conftest import shipped
from tests.scoring.facts.empty_answers import Strategy, faults, questions
from tests.scoring.facts.made_up_answers import cases

shipped("datasets/tool_selection")

MOST = 0.15  # of a category

Judge = Callable[[Texts], RuleFinding]
CATEGORIES = [("clarifying", questions, same_question), ("error", faults, same_fault)]


def passes(case: Case, answer: str, judge: Judge) -> bool:
    finding = decide(case, answer)
    assert finding is not None, case.id
    if finding.decided != "open":
        return finding.decided == "pass"
    texts = Texts(case.query, "", case.ground_truth.text or "", own_words(case, answer))
    return judge(texts).word == "equivalent"


@pytest.mark.large
@pytest.mark.parametrize(("category", "strategies", "judge"), CATEGORIES)
def test_no_empty_strategy_passes_much(
    category: str, strategies: Callable[[], Iterator[tuple[str, Strategy]]], judge: Judge
) -> None:
    """Constants, echoes, lists and templates pass at most 15 % of a category."""
    all_cases = cases("tool_selection", category)
    shares = {
        name: sum(passes(case, answer(case.query), judge) for case in all_cases) / len(all_cases)
        for name, answer in strategies()
    }
    assert len(shares) > 50
    assert {name: share for name, share in shares.items() if share > MOST} == {}


@pytest.mark.large
@pytest.mark.parametrize(("category", "strategies", "judge"), CATEGORIES)
def test_references_of_other_cases_pass_little(
    category: str, strategies: object, judge: Judge
) -> None:
    """A right answer to one case is right for few others."""
    del strategies
    all_cases = cases("tool_selection", category)
    for other in all_cases:
        answer = other.ground_truth.text or ""
        passed = sum(passes(case, answer, judge) for case in all_cases if case is not other)
        assert passed <= MOST * len(all_cases), answer
