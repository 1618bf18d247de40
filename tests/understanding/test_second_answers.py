"""Answers that are given twice: corrected, offered beside another, or in a list of candidates.

The answers beside this file were labelled by docs/labelling.md before any rule read them.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest

from leaderboard.facts.accepted_forms import Accepted, NumberForm
from leaderboard.facts.fact_shapes import Fact
from leaderboard.facts.text_forms import Form
from leaderboard.types import Case
from tests.conftest import shipped
from tests.understanding.shipped_scores import Answer, CategoryScores, Strategy

shipped("datasets/tool_selection")
shipped("datasets/tool_usage")

ANSWERS = Path(__file__).parent / "second_answers.jsonl"
MOST = 0.05  # of either, that may be decided wrong
MOST_OF_HEDGES = 0.1  # of the cases with one answer, that may accept either order
MOST_OF_LISTS = 0.05  # of a category, that a list of candidates may pass
CATEGORIES = [("tool_selection", "no_tool"), ("tool_usage", "relational_data")]
LISTS = [
    ("Answer: ", ". Other answer: "),
    ("My answer is ", ". My other answer is "),
    ("My answers are: ", ". Another: "),
    ("", ". Other option: "),
    ("One candidate: ", ". Other candidate: "),
    ("Choice: ", ". Next choice: "),
    ("Answer: ", ". Answer: "),
    ("", ". If that is wrong, it is "),
]

HEDGES = [
    "Others: {}. So: {}.",
    "{} counts too. {} is one answer.",
    "{} has its merits. {} is one answer.",
    "{} is equally correct. {} is one answer.",
    "Lower: {}. Upper: {}.",
    "{} by any method. By another it is {}.",
    "Taken one way, {}. Taken another way, {}.",
]


@cache
def scores(suite_id: str, category: str) -> CategoryScores:
    return CategoryScores(suite_id, category)


def passed(*, right: bool) -> tuple[list[str], int]:
    """The answers with a label that pass, and how many there are."""
    by_query: dict[str, tuple[CategoryScores, Case]] = {
        case.query: (scores(*names), case)
        for names in CATEGORIES
        for case in scores(*names).category.cases
    }
    records = [json.loads(line) for line in ANSWERS.read_text(encoding="utf-8").splitlines()]
    labelled = [one for one in records if one["right"] is right]
    accepted = []
    for one in labelled:
        of, case = by_query[one["query"]]
        if of.score(case, ((), one["answer"])):
            accepted.append(one["answer"])
    return accepted, len(labelled)


@pytest.mark.large
def test_honest_answers_that_name_rivals_pass() -> None:
    """Corrections, working, explanations of rivals, and text that is struck out do no harm."""
    accepted, number = passed(right=True)
    assert number == 118
    assert number - len(accepted) <= MOST * number


@pytest.mark.large
def test_second_answers_that_are_wrong_fail() -> None:
    """Corrections to a rival, and answers that leave a choice, are not rescued by the right one."""
    accepted, number = passed(right=False)
    assert number == 86
    assert len(accepted) <= MOST * number, accepted


@pytest.mark.large
@pytest.mark.parametrize(("suite_id", "category"), CATEGORIES)
@pytest.mark.parametrize("number", [2, 3, 5, 21])
def test_labelled_lists_of_candidates(suite_id: str, category: str, number: int) -> None:
    """A list of a case's own candidates passes little, with the right one first or last."""
    strategies = [
        (f"{opening}…{joint}…", listing(opening, joint, number, right_is_first=first))
        for opening, joint in LISTS
        for first in (True, False)
    ]
    best, *_ = scores(suite_id, category).best(strategies)
    assert best.share <= MOST_OF_LISTS, best


@pytest.mark.large
@pytest.mark.parametrize("hedge", HEDGES)
@pytest.mark.parametrize(("suite_id", "category"), CATEGORIES)
def test_two_answers_whichever_is_right(suite_id: str, category: str, hedge: str) -> None:
    """Hardly any case accepts the same text with its right answer in either place."""
    of = scores(suite_id, category)
    pairs = [(case, pair) for case in of.category.cases if (pair := two_answers(case))]
    assert len(pairs) >= 30
    both = [
        case.id
        for case, (right, rival) in pairs
        if of.score(case, ((), hedge.format(right, rival)))
        and of.score(case, ((), hedge.format(rival, right)))
    ]
    assert len(both) <= MOST_OF_HEDGES * len(pairs), both


def two_answers(case: Case) -> tuple[str, str] | None:
    """The right answer and another one, if there is one name or number to give."""
    facts = case.ground_truth.facts
    if facts is None or len(facts.items) != 1 or not isinstance(facts.items[0], Fact):
        return None
    accepts = facts.items[0].accepts
    if numbers := [one.number for one in accepts if isinstance(one, NumberForm)]:
        return f"{numbers[0]:g}", f"{numbers[0] + 7:g}"
    right, rivals = names(accepts), names(facts.items[0].rivals)
    return (right[0], rivals[0]) if right and rivals else None


def listing(opening: str, joint: str, number: int, *, right_is_first: bool) -> Strategy:
    def answer(case: Case) -> Answer:
        facts = case.ground_truth.facts
        if facts is None or len(facts.items) != 1 or not isinstance(facts.items[0], Fact):
            return (), ""
        right, rivals = names(facts.items[0].accepts), names(facts.items[0].rivals)
        if not right or not rivals:
            return (), ""
        others = rivals[: number - 1]
        listed = [right[0], *others] if right_is_first else [*others, right[0]]
        return (), f"{opening}{joint.join(listed)}."

    return answer


def names(accepted: Sequence[Accepted]) -> list[str]:
    """The accepted forms that are plain words."""
    texts = [one.text for one in accepted if isinstance(one, Form)]
    return [text.title() for text in texts if text.replace(" ", "").isalpha()]
