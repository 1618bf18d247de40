"""The rule of kind exact: which part of a response is its answer, and what is accepted."""

from __future__ import annotations

import time
from decimal import Decimal

import pytest

from leaderboard.exact_answers import ExactAnswer
from leaderboard.reasons import REASONS
from leaderboard.types import Case, GroundTruth, Response, Suite, Verdict
from scoring.rules import KINDS
from scoring.rules.exact import decide, final_answer, normal_form
from tests.each_row import each_row

SUITE = Suite("s", "S", "", KINDS["exact"], (), {}, "", {})
CITIES = ("Lyon", "Paris", "Rome", "A dog")


def decided(expected: ExactAnswer, text: str | None, error: str | None = None) -> Verdict:
    case = Case("1", "c", "?", GroundTruth(exact=expected), (), {}, "")
    (finding,) = decide(SUITE, case, Response("1", b"", (), text, error))
    assert finding.reason in REASONS
    return finding


TEXTS = [
    ("Paris", "accepted_text"),
    ("  paris.\n", "accepted_text"),
    ("**Paris**", "accepted_text"),
    ("“Paris”", "accepted_text"),
    ("It has a tower.\n\nAnswer: Paris", "accepted_text"),
    ("**Final answer:** Paris.", "accepted_text"),
    ("The answer is\nParis", "accepted_text"),
    ("So it is \\boxed{\\text{Paris}}.", "accepted_text"),
    ("The answer is Rome. No, the answer is Paris.", "accepted_text"),
    ("rock 'n' roll", "accepted_text"),
    ("Answer: Paris\nNo other choice is right.", "accepted_text"),
    ("My choice is Paris.", "accepted_text"),
    ("Answer：Paris", "accepted_text"),
    ("Answer:\n\n> Paris", "accepted_text"),
    ("Answer:\n```text\nParis\n```", "accepted_text"),
    ("```\nParis\n```", "accepted_text"),
    ("It is $\\boxed{\\mathrm{Paris}}$.", "accepted_text"),
    ("Answer: Paris\n\nI can explain why the answer is not Rome.", "accepted_text"),
    ("Answer: Rome\n\nAsk me whether the answer is Paris", "wrong_text"),
    ("Answer: Paris\nAnswer: Rome", "wrong_text"),
    ("Paris, or Rome", "wrong_text"),
    ("Answer: not Paris", "wrong_text"),
    ("Paris is what others would say.", "wrong_text"),
    ("Answer:", "wrong_text"),
    ("   ", "empty_response"),
    (None, "empty_response"),
]


@each_row(("text", "reason"), TEXTS)
def test_a_text(text: str | None, reason: str) -> None:
    """The whole text or the last marked answer must be an accepted text, as it is compared."""
    found = decided(ExactAnswer(texts=("Paris", "Rock ‘n’ Roll")), text)

    assert found.reason == reason
    assert found.outcome == ("pass" if reason == "accepted_text" else "fail")


NUMBERS = [
    ("42", "same_number"),
    ("42.04 km²", "same_number"),
    ("I walk 17 km, then 25 km. Together 42", "same_number"),
    ("Answer: 17 + 25 = 42", "same_number"),
    ("Answer: 42 (rounded to 2 digits)", "same_number"),
    ("Answer: 4.2e1", "same_number"),
    ("Antwort: 42,04 km²", "same_number"),
    ("$\\boxed{42 \\text{ km}^2}$", "same_number"),
    ("$\\boxed{0{,}042 \\times 10^3}$", "wrong_number"),
    ("Answer: 0.42 × 10²", "same_number"),
    ("Answer: 84/2", "same_number"),
    ("\\boxed{\\frac{84}{2}}", "same_number"),
    ("Answer: x = 42 (check: 2 · 42 = 84)", "same_number"),
    ("Answer: 42\n\nShall I show how the answer is found in 3 steps?", "same_number"),
    ("Answer: –42", "wrong_number"),
    ("Answer: 42/1/2025", "same_number"),
    ("Answer: 42/0", "no_number"),
    ("Das sind 3,42", "wrong_number"),
    ("Es waren 7,42, nicht mehr", "wrong_number"),
    ("$$\\boxed{42}$$", "same_number"),
    ("Answer: 41 or 42", "wrong_number"),
    ("Answer: 42.06", "wrong_number"),
    ("Answer: -42", "wrong_number"),
    ("Answer: 1e999999999", "wrong_number"),
    ("Answer: forty-two", "no_number"),
]


@each_row(("text", "reason"), NUMBERS)
def test_a_number(text: str, reason: str) -> None:
    """The first number of a marked answer counts, or else the last number of the text."""
    expected = ExactAnswer(number=Decimal(42), tolerance=Decimal("0.05"))

    assert decided(expected, text).reason == reason


def test_a_difference_of_exactly_the_tolerance_is_accepted() -> None:
    """Numbers are compared as they are written, so that binary fractions change nothing."""
    expected = ExactAnswer(number=Decimal("0.3"), tolerance=Decimal("0.1"))

    assert [decided(expected, text).outcome for text in ("0.2", "0.4", "0.40000001")] == [
        "pass",
        "pass",
        "fail",
    ]


OPTIONS = [
    ("B", "right_option"),
    ("b", "right_option"),
    ("(B)", "right_option"),
    ("B) Paris", "right_option"),
    ("**B.** Paris", "right_option"),
    ("Paris", "right_option"),
    ("Option B", "right_option"),
    ("The answer is (B).", "right_option"),
    ("The correct option is B: Paris", "right_option"),
    ("The answer is B because A is in the south.", "right_option"),
    ("$\\boxed{B}$", "right_option"),
    ("B) Paris\n\nIt has been the capital for long.", "right_option"),
    ("A) and C) are wrong.\n\nAnswer: B", "right_option"),
    ("Answer: B. Every other option is wrong.", "right_option"),
    ("Answer: B\nThe first option is A dog.", "right_option"),
    ("$\\boxed{B}$. The first option is wrong.", "right_option"),
    ("B) Paris. Every other option is wrong.", "right_option"),
    ("The answer is Paris (B).", "right_option"),
    ("Option B is correct.", "right_option"),
    ("**B) Paris**. A and C are incorrect.", "right_option"),
    ("Answer: B (not A or C)", "right_option"),
    ("$\\boxed{\\textbf{B}}$", "right_option"),
    ("B) Paris. The first option is wrong.", "right_option"),
    ("Answer: B\n\nShall I show why the answer is A in older books?", "right_option"),
    ("The answer is Paris (A).", "no_option"),
    ("The answer is B, or possibly A.", "several_options"),
    ("B... wait, so it's A", "several_options"),
    ("Answer: A", "wrong_option"),
    ("Answer: A. The right option is B.", "wrong_option"),
    ("A dog", "wrong_option"),
    ("The answer is B or C", "several_options"),
    ("Answer: A/B", "several_options"),
    ("Answer: B) Lyon", "several_options"),
    ("A dog barks.", "no_option"),
    ("The answer is not B", "no_option"),
    ("Answer: E", "no_option"),
    ("Answer: E) Paris", "no_option"),
    ("I'd say that nobody knows.", "no_option"),
    ("B is wrong, so is C", "no_option"),
    ("Answer: \u0130", "no_option"),  # I with a dot
    ("Answer: \u212a", "no_option"),  # the sign of Kelvin
    ("The option is   wrong.", "no_option"),
    ("The option is : B", "right_option"),
]


@each_row(("text", "reason"), OPTIONS)
def test_an_option(text: str, reason: str) -> None:
    """An option is named by its letter or its text. Two options are no answer."""
    found = decided(ExactAnswer(options=CITIES, option=1), text)

    assert found.reason == reason
    assert found.outcome == ("pass" if reason == "right_option" else "fail")


def test_options_that_are_letters_or_numbers_are_named_by_their_text() -> None:
    """A whole text that is an option comes before a letter."""
    numbers = ExactAnswer(options=("4", "2", "3"), option=1)

    assert decided(numbers, "The answer is 2.").outcome == "pass"
    assert decided(numbers, "Answer: B").outcome == "pass"


def test_a_pattern_matches_the_whole_answer() -> None:
    """A pattern that matches a part of the answer is not enough."""
    expected = ExactAnswer(pattern=r"(?i)[a-z]{2}-\d{3}")

    assert decided(expected, "The code follows.\nAnswer: ab-123").reason == "pattern_matched"
    assert decided(expected, "Answer: ab-1234").reason == "pattern_not_matched"
    assert decided(expected, "ab-123\nab-124").reason == "pattern_not_matched"


def test_a_pattern_cannot_hang() -> None:
    """A pattern that backtracks without end in other engines is decided at once."""
    expected = ExactAnswer(pattern=r"(a+)+b")
    started = time.process_time()

    assert decided(expected, "a" * 999).outcome == "fail"
    assert decided(expected, "a" * 150_000).outcome == "fail"
    assert time.process_time() - started < 1


def test_each_form_of_a_ground_truth_is_enough() -> None:
    """With a text and a number, either passes; the first form explains a fail."""
    expected = ExactAnswer(texts=("a dozen",), number=Decimal(12))

    assert decided(expected, "Answer: a dozen").reason == "accepted_text"
    assert decided(expected, "Answer: 12").reason == "same_number"
    assert decided(expected, "Answer: 13").reason == "wrong_text"


def test_a_failed_system_fails() -> None:
    """An error is a fail, whatever text comes with it."""
    assert decided(ExactAnswer(texts=("x",)), "x", "timed out").reason == "response_error"


@pytest.mark.parametrize(
    "text",
    [
        *("answer is " * 9_000, "\\boxed{" * 9_000, "(" * 90_000, "or B " * 9_000, "*a " * 9_000),
        *("how " + " " * 90_000, "\\boxed{" + "{a}" * 30_000, "\n> " * 30_000),
        *("The option is" + " " * 90_000 + "wrong", "B. or" + "maybe " * 20_000 + "so"),
    ],
)
@pytest.mark.large
def test_long_answers_take_no_time(text: str) -> None:
    """Reading an answer takes time in proportion to its length."""
    started = time.process_time()
    for expected in (
        ExactAnswer(texts=("x",), number=Decimal(1)),
        ExactAnswer(options=CITIES, option=0),
    ):
        decided(expected, text)
        decided(expected, f"Answer: {text}")

    assert time.process_time() - started < 2


def test_the_last_mark_counts() -> None:
    """An answer that corrects itself is read at its end; without a mark there is none."""
    assert final_answer("Answer: 1\nThe answer is: 2\n(3)") == "2"
    assert final_answer("No mark") is None


def test_a_text_of_marks_alone_is_kept() -> None:
    """A text that would vanish is compared as it is."""
    assert normal_form('"') == '"'
    assert normal_form(" U.S. ") == normal_form("u.s")
