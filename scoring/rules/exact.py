"""The rule of suites with answers that code can compare (kind `exact`).

A response may explain itself. What counts is its final answer. Always exactly one answer is taken
from a response, so listing several gains nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Final

from leaderboard.exact_answers import MATCHED_LENGTH, ExactAnswer, matches
from leaderboard.files.cases.exact import CASES, exact_of_row, read_exact
from leaderboard.kinds import CORRECT, Kind
from leaderboard.texts.short_text import cut
from leaderboard.texts.shown_values import show
from leaderboard.types import Case, Response, Suite, Verdict
from scoring.rules.final_answers import (
    FinalAnswer,
    Readings,
    accepted_forms,
    normal_form,
    read_final_answer,
)
from scoring.rules.json_equality import distance
from scoring.rules.option_answers import decide_option
from scoring.rules.rule_verdicts import alternatives, failed, no_answer, passed, system_failed
from scoring.rules.stated_number import StatedNumber, last_stated
from scoring.rules.text_numbers import first_number

# 3/4, 1 3/4 or 1 and 3/4, perhaps with a unit: "3/4 cup"
_FRACTION: Final = re.compile(
    r"\$?\s*(?P<sign>[+\-\u2212\u2013]|(?i:minus|negative)\s)?"
    r"(?:(?P<whole>[0-9]{1,20})\s+(?:and\s+)?)?(?P<part>[0-9]{1,20})\s*/\s*(?P<divisor>[0-9]{1,20})[\s$.]*"
    r"(?:\s[^\W\d_][^\d=]*)?"
)


def decide(suite: Suite, case: Case, response: Response) -> tuple[Verdict]:  # noqa: ARG001 (the shape of every rule)
    """Whether the final answer of the response is one of the accepted ones."""
    expected = case.ground_truth.exact
    if expected is None:
        raise ValueError(f"case {case.id} has no exact answer in its ground truth")
    if response.error:
        return (system_failed(CORRECT.id, response.error),)
    text = response.text or ""
    if not text.strip():
        return (no_answer(CORRECT.id),)
    if expected.option is not None:
        return (decide_option(expected, expected.option, text),)
    findings = list(_findings(expected, read_final_answer(text)))
    return (next((finding for finding in findings if finding.outcome == "pass"), findings[0]),)


def _findings(expected: ExactAnswer, answer: FinalAnswer) -> Iterator[Verdict]:
    """A finding for each form in which the ground truth accepts an answer."""
    if expected.texts:
        yield _text(expected.texts, answer)
    if expected.number is not None:
        got = _given_number(answer)
        yield _number(expected.number, expected.tolerance, got, answer.final.unstyled)
    if expected.pattern is not None:
        yield _pattern(expected.pattern, answer.final)


def _given_number(answer: FinalAnswer) -> StatedNumber | None:
    if not answer.marked:
        return last_stated(answer.whole.written)
    value = _marked_number(answer.final.unstyled)
    return None if value is None else StatedNumber(value, rounded=False)


def _marked_number(marked: str) -> Decimal | None:
    """The first number of a marked answer, or of what it works out. 3/4 alone is 0.75."""
    before_brackets = re.split(r"\s[(\[]", marked, maxsplit=1)[0]
    if first_number(before_brackets) is not None:
        marked = before_brackets  # "8 (check: 3 · 8 - 4 = 20)"
    result = marked.rpartition("=")[2]
    fraction = _FRACTION.fullmatch(result.strip())
    if fraction is None:
        return first_number(result)
    whole, part, divisor = (Decimal(fraction[name] or 0) for name in ("whole", "part", "divisor"))
    if not divisor:
        return None
    value = whole + part / divisor
    return value if fraction["sign"] in (None, "+") else -value


def _text(texts: tuple[str, ...], answer: FinalAnswer) -> Verdict:
    final = answer.final.unstyled
    given = set(map(normal_form, answer.final + answer.whole))
    if any(given & accepted_forms(accepted) for accepted in texts):
        return passed(CORRECT.id, "accepted_text", f"The answer is {show(final)}, as accepted.")
    detail = f"Expected {alternatives(texts)}, got {show(final)}."
    return failed(CORRECT.id, "wrong_text", detail)


def _number(expected: Decimal, tolerance: Decimal, got: StatedNumber | None, final: str) -> Verdict:
    within = f" ± {tolerance.normalize():f}" if tolerance else ""
    wanted = f"{expected}{within}"
    if got is None:
        return failed(CORRECT.id, "no_number", f"Expected {wanted}, got no number: {show(final)}.")
    shown = cut(str(got.value))
    if got.value != expected and distance(expected, got.value) > tolerance:
        return failed(CORRECT.id, "wrong_number", f"Expected {wanted}, got {shown}.")
    if got.choice:
        detail = f"Expected {wanted}, got no decision on a number: {show(got.choice)}."
        return failed(CORRECT.id, "wrong_number", detail)
    return passed(CORRECT.id, "same_number", f"The answer is {shown}, expected {wanted}.")


def _pattern(pattern: str, final: Readings) -> Verdict:
    if len(final.unstyled) > MATCHED_LENGTH:
        most = f"a pattern can match at most {MATCHED_LENGTH:,}"
        detail = f"The answer has {len(final.unstyled):,} characters; {most}."
        return failed(CORRECT.id, "pattern_not_matched", detail)
    for text in final:
        if len(text) <= MATCHED_LENGTH and matches(pattern, text):
            detail = f"The answer {show(text)} has the expected form."
            return passed(CORRECT.id, "pattern_matched", detail)
    detail = f"The answer {show(final.unstyled)} does not match {show(pattern)}."
    return failed(CORRECT.id, "pattern_not_matched", detail)


KIND: Final = Kind(
    name="exact",
    summary="questions with answers that code can compare: texts, numbers, patterns, options",
    interaction="message",
    placeholders=(),
    read_cases=read_exact,
    case_shape=CASES,
    decide=decide,
    metrics=(CORRECT,),
    system_text=(
        'Answer the question. End with a line that begins with "Answer:" and holds nothing but the '
        "answer. If the question has lettered options, that is the letter of one of them."
    ),
    about_truth=(
        "What the answer marks with “Answer:”, “The answer is” or a LaTeX box is compared, or else "
        "the whole text. Of texts, letter case, white space, quotation marks around them, a full "
        "stop at the end and emphasis in the answer do not matter. Of numbers, the first one that "
        "is marked counts, or else the last one that the text gives as its result. A pattern must "
        "match the whole answer."
    ),
    case_of_row=exact_of_row,
)
