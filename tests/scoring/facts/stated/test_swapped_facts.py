"""Answers that would be right about a rival, too, count for the candidate they say more about."""

from __future__ import annotations

import pytest

from tests.each_row import each_row
from tests.scoring.facts.facts_of_texts import finding_of

QUERY = "Which city is the coldest right now?"
CITIES = ["oslo", "rome", "lima", "cairo"]


def decided(answer: str, right: str) -> str:
    city = {
        "id": "city",
        "label": "the city",
        "accepts": [right],
        "rivals": [one for one in CITIES if one != right],
    }
    return finding_of(QUERY, answer, facts=[city]).decided


@pytest.mark.parametrize(
    "hedge",
    [
        "Others: {}. So: {}.",
        "{} counts too. {} is one answer.",
        "{} has its merits. {} is one answer.",
        "{} is equally correct. {} is one answer.",
    ],
)
def test_one_of_two_names_passes(hedge: str) -> None:
    """The same text is accepted for one of its names only, and not left open for the other."""
    answer = hedge.format("Oslo", "Rome")
    assert sorted((decided(answer, "oslo"), decided(answer, "rome"))) == ["fail", "pass"]


@pytest.mark.parametrize("order", [("Yes", "no"), ("No", "yes")])
def test_one_of_yes_and_no_passes(order: tuple[str, str]) -> None:
    """The last one is the answer, because it follows "so"."""
    facts = {
        right: [{"id": "a", "label": right, "accepts": [right], "rivals": [rival]}]
        for right, rival in (("yes", "no"), ("no", "yes"))
    }
    answer = f"Others: {order[0]}. So: {order[1]}."
    passed = [
        right
        for right, one in facts.items()
        if finding_of("Is Oslo cold?", answer, facts=one).decided == "pass"
    ]
    assert passed == [order[1]]


@each_row(
    "answer",
    [
        "Oslo. It is in Norway. Rome has 15 degrees.",
        "Oslo is the coldest. In fact, Rome is only large.",
        "Rome has 15 degrees. Lima has 20. So the coldest is Oslo.",
        "Rome, Oslo and Lima are cities. Of these, Oslo is the coldest.",
        "Rome is old. The coldest city is Oslo.",
        "Not Rome, as many think, but Oslo.",
        "Many say Rome. It is Oslo.",
    ],
)
def test_honest_answers_about_rivals(answer: str) -> None:
    """Explanations and working harm no answer that settles on one name."""
    assert decided(answer, "oslo") == "pass"
