"""The rule of kind exact: which part of a response is its answer, and what is accepted."""

from __future__ import annotations

import time
from decimal import Decimal

import pytest

from leaderboard.exact_answers import LETTERS, ExactAnswer
from leaderboard.reasons import REASONS
from leaderboard.types import Case, GroundTruth, Response, Suite, Verdict
from scoring.rules import KINDS
from scoring.rules.exact import decide
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
    ("Answer: Paris\n\nI hope this answer is helpful!", "accepted_text"),
    ("Answer: Rome\n\nI hope this answer is Paris", "wrong_text"),
    ("The most likely answer is Paris.", "accepted_text"),
    ("Final answer is Paris", "accepted_text"),
    ("Answer is **Paris**", "accepted_text"),
    ("It has a tower. Therefore, answer is Paris", "accepted_text"),
    ("What you gave as your answer is Paris", "wrong_text"),
    ("**Answer: `Paris`**", "accepted_text"),
    ("Answer: A\nThe **answer** is Paris", "accepted_text"),
    ("Answer: Paris\nThe **answer** is Rome", "wrong_text"),
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


WRITTEN = [
    # LaTeX: letter for letter, in another style, and another value
    (r"\frac{1}{2}", r"\boxed{\frac{1}{2}}", True),
    (r"\frac{1}{2}", r"$\boxed{\dfrac{1}{2}}$", True),
    (r"\frac{1}{2}", r"Answer: $\frac{1}{2}$", True),
    (r"\frac{1}{2}", "Answer: 1/2", True),
    (r"\frac{1}{2}", r"\boxed{\frac{1}{3}}", False),
    (r"\text{Evelyn}", r"\boxed{\text{Evelyn}}", True),
    (r"\text{Evelyn}", "Answer: Evelyn", True),
    (r"\text{Evelyn}", r"\boxed{\text{Eve}}", False),
    (r"10\%", r"\boxed{10\%}", True),
    (r"10\%", "Answer: 10%", True),
    (r"10\%", r"\boxed{10}", False),
    (r"\$32,348", r"Answer: $\$32,348$.", True),
    (r"x \in [-2,7]", r"Answer: $x \in [-2,7]$", True),
    (r"x \in [-2,7]", r"Answer: \(x \in [-2,7]\)", True),
    (r"x \in [-2,7]", r"Answer: $x \in [-2,8]$", False),
    ("$HOME", "Answer: HOME", False),
    # texts of signs that are marks elsewhere
    (">", "Answer: >", True),
    (">", ">", True),
    (">=", "Answer: >=", True),
    ("=", "Answer: >=", False),
    ("__init__", "Answer: __init__", True),
    ("__init__", "**Answer:** __init__", True),
    ("__init__", "Answer: `__init__`", True),
    ("__init__", "Answer: init", False),
    ("**kwargs", "Answer: **kwargs", True),
    ("init", "Answer: **init**", True),
]


@each_row(("accepted", "text", "passes"), WRITTEN)
def test_signs_that_are_part_of_an_answer(accepted: str, text: str, passes: bool) -> None:
    """What is letter for letter an accepted text passes, and only the answer's emphasis is none."""
    found = decided(ExactAnswer(texts=(accepted,)), text)

    assert passes is (found.outcome == "pass")


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
    ("Answer: 42\n\nThis answer is rounded to 2 digits.", "same_number"),
    ("Answer: $\\frac{84}{2}$", "same_number"),
    ("Answer: $\\frac{42}{2}$", "wrong_number"),
    ("Answer: –42", "wrong_number"),
    ("Answer: -$42", "wrong_number"),
    ("Answer: minus 42", "wrong_number"),
    ("Answer: 42 000", "same_number"),
    ("Answer: 42/1/2025", "same_number"),
    ("Answer: 42/0", "no_number"),
    ("Das sind 3,42", "wrong_number"),
    ("Es waren 7,42, nicht mehr", "wrong_number"),
    ("$$\\boxed{42}$$", "same_number"),
    ("Answer: 41 or 42", "wrong_number"),
    ("It is 41 or 42.", "wrong_number"),
    ("It's about 20, not 42.", "wrong_number"),
    ("It is 42, not the usual 20.", "same_number"),
    ("Answer: 84/2 cups", "same_number"),
    ("Answer: 42/2 of a cup", "wrong_number"),
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


@each_row("text", ["Answer: -$1,200", "Answer: minus 1200", "\u2212\u20ac1,200", "Answer: $-1200$"])
def test_a_negative_amount_keeps_its_sign(text: str) -> None:
    """A currency may be between the sign and the digits."""
    assert decided(ExactAnswer(number=Decimal(-1200)), text).outcome == "pass"
    assert decided(ExactAnswer(number=Decimal(1200)), text).outcome == "fail"


MIXED = [
    ("Answer: $1\\frac{1}{2}$", "1.5"),
    ("Answer: 1 1/2", "1.5"),
    ("Answer: 1 and 1/2", "1.5"),
    ("\\boxed{-2\\dfrac{3}{4}}", "-2.75"),
    ("Answer: 2 3/0", None),
    ("Answer: $2\\cdot\\frac{3}{4}$", "2"),
    ("Answer: negative 5", "-5"),
    ("Answer: it is negative $5", "-5"),
    ("Answer: negative 1/2", "-0.5"),
    ("Answer: minus 1 1/2", "-1.5"),
    ("The smallest non-negative 5", "5"),
]


@each_row(("text", "number"), MIXED)
def test_mixed_numbers_and_the_word_negative(text: str, number: str | None) -> None:
    """A whole number before a fraction is added to it, and "negative 5" is -5."""
    found = decided(ExactAnswer(number=Decimal(number or 0)), text)

    assert found.reason == ("same_number" if number else "no_number")


LETTERED = [
    ("Answer: C. Both A and B", "right_option"),
    ("The correct answer is C: both A and B.", "right_option"),
    ("C) Both A and B", "right_option"),
    ("Answer: C. Both A and B are primes.", "right_option"),
    ("Answer: C. Both A and B, or D", "several_options"),
    ("Answer: A. Both A and B", "several_options"),
    ("Answer: A and B", "several_options"),
    ("Answer: D. Both A and B", "several_options"),
]


@each_row(("text", "reason"), LETTERED)
def test_an_option_whose_text_has_letters(text: str, reason: str) -> None:
    """The letters in an option's own text name no other option."""
    expected = ExactAnswer(options=("2", "3", "Both A and B", "None"), option=2)

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
    ("It has a tower. Therefore, B is the correct answer.", "right_option"),
    ("So option (B) is the best choice.", "right_option"),
    ("I first thought:\nA is the right answer. No: B is the right answer", "right_option"),
    ("So B is the correct answer.\nIs there anything else?", "right_option"),
    ("At first, A is the best choice. But it has no tower.\n\n**B**", "right_option"),
    ("Therefore, A is the correct answer.", "wrong_option"),
    ("I do not know why B is the correct answer.", "no_option"),
    ("Answer: A. So B is the correct answer.", "wrong_option"),
    ("The answer is Paris (B).", "right_option"),
    ("Option B is correct.", "right_option"),
    ("**B) Paris**. A and C are incorrect.", "right_option"),
    ("Answer: B (not A or C)", "right_option"),
    ("$\\boxed{\\textbf{B}}$", "right_option"),
    ("B) Paris. The first option is wrong.", "right_option"),
    ("Answer: B\n\nShall I show why the answer is A in older books?", "right_option"),
    ("Answer: B\n\nI hope this answer is clear.", "right_option"),
    ("Answer: B is correct, A and C are incorrect", "right_option"),
    ("Answer: B \u2014 more than A, C and D.", "right_option"),
    ("Answer: B, A", "several_options"),
    ("Answer: B A", "several_options"),
    ("Answer: A B C D", "several_options"),
    ("Answer: B; A", "several_options"),
    ("Answer: B | A", "several_options"),
    ("Answer: B + A", "several_options"),
    ("Answer: B; A, perhaps", "several_options"),
    ("Answer: B and **A** are correct", "several_options"),
    ("Answer: A is correct, B and C are incorrect", "wrong_option"),
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


SIGNS = ("=", "<=", ">", ">=", "__init__", "init", r"\frac{1}{2}")


@each_row(
    ("text", "letter"),
    [
        ("Answer: >=", "D"),
        (">=", "D"),
        ("Answer: >", "C"),
        ("Answer: C) >", "C"),
        ("Answer: =", "A"),
        ("Answer: __init__", "E"),
        ("Answer: E) __init__", "E"),
        ("Answer: `__init__`", "E"),
        ("Answer: init", "F"),
        ("Answer: **init**", "F"),
        ("Answer: F) init", "F"),
        (r"\boxed{\frac{1}{2}}", "G"),
        ("Answer: 1/2", "G"),
    ],
)
def test_options_that_are_signs_are_named_as_they_are_written(text: str, letter: str) -> None:
    """They are no quotation and no emphasis. Each text names one option and no other."""
    right = LETTERS.index(letter)
    for option in range(len(SIGNS)):
        found = decided(ExactAnswer(options=SIGNS, option=option), text)
        assert found.reason == ("right_option" if option == right else "wrong_option")


@each_row(
    ("pattern", "text", "passes"),
    [
        ("__init__", "Answer: __init__", True),
        ("__init__", "__init__", True),
        ("__[a-z]+__", "Answer: `__init__`", True),
        ("__init__", "Answer: init", False),
        (r"\*\*hello\*\*", "**hello**", True),
        (r"\*\*hello\*\*", "hello", False),
        ("hello", "**hello**", True),
        ("> ?5", "Answer: >5", True),
        ("> ?5", "Answer: 5", False),
        (r"\\frac\{1\}\{\d\}", r"\boxed{\frac{1}{2}}", True),
        (r"\d/\d", r"\boxed{\frac{1}{2}}", True),
    ],
)
def test_a_pattern_may_ask_for_marks(pattern: str, text: str, passes: bool) -> None:
    """It is tried on the answer as it is written, and without emphasis and LaTeX."""
    assert passes is (decided(ExactAnswer(pattern=pattern), text).outcome == "pass")


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
        *("the " + " " * 90_000, "the " * 9_000, "the " + "word" * 9_000, "\n" * 90_000),
        *("$" + "x" * 60_000, "\\(" * 20_000, "B" + ", A and" * 6_000, "B" + " A" * 20_000),
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
