"""The facts of shipped suites: made-up answers, and references put to every other case."""

from __future__ import annotations

import pytest

from leaderboard.types import Case
from scoring.facts.decisions import decide
from tests.conftest import shipped
from tests.each_row import each_row
from tests.scoring.facts.made_up_answers import agreement, cases, made_up, share_open, suite

shipped("datasets/tool_selection")
shipped("datasets/tool_usage")

CATEGORIES = [
    *(("tool_selection", name) for name in ("clarifying", "error", "no_tool", "not_supported")),
    ("tool_usage", "relational_data"),
]
# The least agreement where facts decide, and the largest share that they leave open.
LIMITS = {
    "clarifying": (0.97, 0.06),
    "error": (0.97, 0.04),
    "no_tool": (0.97, 0.06),
    "not_supported": (0.97, 0.04),
    "relational_data": (0.97, 0.06),
}
# The share of references that may pass a case that is not their own.
FOREIGN_REFERENCES = {
    "clarifying": 0.05,
    "error": 0.03,
    "no_tool": 0.002,
    "not_supported": 1.0,  # a refusal is right everywhere
    "relational_data": 0.01,
}


def reference(case: Case) -> str:
    truth = case.ground_truth
    return str(truth.trajectory.reference) if truth.trajectory else truth.text or ""


def decided(case: Case, text: str) -> str:
    finding = decide(case, text)
    assert finding is not None, f"{case.id} has no facts"
    return finding.decided


@pytest.mark.large
@pytest.mark.parametrize(("suite_id", "category"), CATEGORIES)
def test_made_up_answers_are_decided_as_labelled(suite_id: str, category: str) -> None:
    """Agreement and the share left open stay within their limits."""
    answers = list(made_up(suite_id, category))
    least, most_open = LIMITS[category]
    assert len(answers) > 100
    assert agreement(answers) >= least
    assert share_open(answers) <= most_open


@each_row(
    ("answer", "expected"),
    [
        ("There is no largest prime. The largest known prime is 2^136,279,841 − 1.", "pass"),
        ("There are infinitely many primes. The largest even prime is 2.", "pass"),
        ("There are infinitely many numbers, and the largest prime is 7.", "fail"),
        ("Numbers are endless. The largest prime number there is is 7.", "fail"),
        ("Numbers are endless. The largest of all primes is 7.", "fail"),
    ],
)
def test_the_largest_known_prime_is_not_the_largest(answer: str, expected: str) -> None:
    """A number of the largest known, or even, prime contradicts nothing."""
    (case,) = (one for one in cases("tool_selection", "error") if one.id == "ts-650")
    assert decided(case, answer) == expected


@pytest.mark.large
@pytest.mark.parametrize(("suite_id", "category"), CATEGORIES)
def test_every_reference_passes_its_own_case(suite_id: str, category: str) -> None:
    """The facts of a case hold in its reference."""
    wrong = [
        case.id for case in cases(suite_id, category) if decided(case, reference(case)) != "pass"
    ]
    assert wrong == []


@pytest.mark.large
@pytest.mark.parametrize(("suite_id", "category"), CATEGORIES)
def test_references_do_not_pass_other_cases(suite_id: str, category: str) -> None:
    """An answer to another question passes only where the answer is the same."""
    pairs = [
        (case.id, other.id)
        for case in cases(suite_id, category)
        for other in cases(suite_id, category)
        if reference(case) != reference(other)
    ]
    by_id = {case.id: case for case in cases(suite_id, category)}
    passed = [
        (case_id, other_id)
        for case_id, other_id in pairs
        if decided(by_id[case_id], reference(by_id[other_id])) == "pass"
    ]
    assert len(passed) <= FOREIGN_REFERENCES[category] * len(pairs), passed


@pytest.mark.large
@pytest.mark.parametrize(
    ("case_id", "answer", "expected"),
    [
        ("tu-160", "There are 7: Brimlo, Zuvia, Ottka, Wexelle, Fanno, Yuriba and Plimmo.", "pass"),
        ("tu-914", "Plum Sorbet (130), followed by Lentil Soup (240), Shrimp Dumplings.", "pass"),
        ("tu-835", "Mushroom Risotto, 380 against 240 for Lentil Soup and 290 for Toast.", "fail"),
        (
            "tu-256",
            "380 + 240 + 290 = 910; 330 + 210 = 540; difference: 910 - 540 = 370.",
            "pass",
        ),
        ("tu-837", "Cheese Toast (290) + Walnut Brownie (410) = 700 calories.", "pass"),
        ("tu-384", "Milk, wheat, walnuts, eggs (Cheese Toast: milk; Walnut Brownie: eggs)", "fail"),
        ("tu-318", "Snowmere, Lentil Soup, Plum Sorbet, crimson, Fanno, Ottka", "fail"),
        ("tu-914", "Plum Sorbet 130, Shrimp Dumplings 330, Mushroom Risotto 380.", "fail"),
    ],
)
def test_other_names_in_an_answer_of_the_world(case_id: str, answer: str, expected: str) -> None:
    """They may explain the answer, or make it a list."""
    category = suite("tool_usage").category("relational_data")
    case = next(case for case in category.cases if case.id == case_id)
    finding = decide(case, answer, category)
    assert finding is not None
    assert finding.decided == expected
