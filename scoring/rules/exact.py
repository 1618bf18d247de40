"""The rule of suites with answers that code can compare (kind `exact`).

A response may explain itself. What counts is its final answer: what follows the last "Answer:" or
"The answer is", or what is in the last LaTeX box. Without one of these, it is what follows the last
"option is" or "choice is". Always exactly one answer is taken from a response, so listing several
gains nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Final

from leaderboard.exact_answers import LETTERS, MATCHED_LENGTH, ExactAnswer, matches
from leaderboard.files.cases.exact import CASES, exact_of_row, read_exact
from leaderboard.kinds import Kind
from leaderboard.texts.short_text import cut
from leaderboard.types import Case, Response, Suite, Verdict
from scoring.facts.canonical_text.latex import without_latex
from scoring.rules.correct_metric import CORRECT
from scoring.rules.json_equality import caseless, distance
from scoring.rules.text_numbers import first_number, last_number
from scoring.rules.text_rule import strip_emphasis
from scoring.rules.verdict_sentences import (
    alternatives,
    failed,
    no_answer,
    passed,
    show,
    system_failed,
)

METRIC: Final = CORRECT.id

# The blanks are possessive: three runs of them would share a long run in very many ways.
_VERB: Final = r"[ \t]*+(?:(?:is|are)\b[ \t]*+:?|[:=：])[ \t]*+"
# "Shall I show why the answer is 3?" marks no answer.
_ABOUT: Final = r"(?P<about>\b(?:how|why|whether|what|where|when|if)[ \t]+(?:\w+[ \t]+){0,3})?"
_ANSWER: Final = re.compile(rf"{_ABOUT}\banswer{_VERB}", re.IGNORECASE)
# Neither does "Every other option is wrong".
_REJECTED: Final = r"[ \t]*+(?:wrong|incorrect|false|not)\b"
_OPTION: Final = re.compile(
    rf"{_ABOUT}\b(?<!other )(?:option|choice){_VERB}(?!{_REJECTED})", re.IGNORECASE
)
_BOX: Final = re.compile(r"\\boxed\{((?:[^{}\n]|\{[^{}\n]{0,200}\}){0,200})\}")
_FRACTION: Final = re.compile(r"\$?\s*([+\-\u2212\u2013]?[0-9]{1,20})\s*/\s*([0-9]{1,20})[\s$.]*")
_MARKS: Final = str.maketrans({"\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"'})
# The marks of Markdown for a block of code and for a quotation.
_QUOTED: Final = re.compile(r"(?m)^[ \t]*(?:```.*|>[ \t]?)")

# A letter before a bracket, a full stop, a colon or the end, perhaps in brackets itself.
_LETTER: Final = re.compile(
    r"[\s\"'$(\[]*(?:(?i:option|choice|answer)\s+)?[(\[]?(?P<letter>[A-Za-z])"
    r"(?:[\s\"'$]*$|[)\].:]+(?P<rest>.*)|(?![A-Za-z0-9'])(?P<words>.*))",
    re.DOTALL,
)
# "Option B is correct", and "B, not A".
_CORRECT: Final = re.compile(r"\s+(?:is|would be)\s+(?:the\s+)?(?:correct|right)\b", re.IGNORECASE)
_NOT: Final = re.compile(r"\bnot\b")
# A second letter behind the first one: "B or C", "B/C", "B, (C)".
_SECOND: Final = re.compile(
    r"(?:\b(?:or|and|maybe|perhaps|possibly|wait|actually)\b|[/,&])\s*"
    r"(?:(?:so|maybe|perhaps|possibly|it's|it is)\s+){0,5}"
    r"[(\[]?([A-Z])(?![\w']|\W{0,3}\s*(?:is|are)\s+(?:wrong|incorrect|false|not)\b)"
)


def decide(suite: Suite, case: Case, response: Response) -> tuple[Verdict]:  # noqa: ARG001 (the shape of every rule)
    """Whether the final answer of the response is one of the accepted ones."""
    expected = case.ground_truth.exact
    if expected is None:
        raise ValueError(f"case {case.id} has no exact answer in its ground truth")
    if response.error:
        return (system_failed(METRIC, response.error),)
    text = response.text or ""
    if not text.strip():
        return (no_answer(METRIC),)
    if expected.option is not None:
        return (_option(expected, expected.option, text),)
    findings = list(_findings(expected, text))
    return (next((finding for finding in findings if finding.outcome == "pass"), findings[0]),)


def final_answer(text: str) -> str | None:
    """What a response marks as its answer, in one line; None if it marks nothing."""
    marked = _after_last(_ANSWER, text)
    boxes = _BOX.findall(text if marked is None else marked)
    if boxes:
        return without_latex(boxes[-1]).strip()
    if marked is None:
        marked = _after_last(_OPTION, text)
    return _unquoted(marked).partition("\n")[0].strip() if marked else None


def _unquoted(text: str) -> str:
    """The text without the marks of a quotation or a block of code around it."""
    return _QUOTED.sub("", text).strip()


def _after_last(mark: re.Pattern[str], text: str) -> str | None:
    """What follows the last of these marks; None without one."""
    place = None
    for found in mark.finditer(text):
        if found["about"] is None:
            place = found.end()
    return None if place is None else text[place:].strip()


# ---------------------------------------------------------------- texts, numbers, patterns


def _findings(expected: ExactAnswer, text: str) -> Iterator[Verdict]:
    """A finding for each form in which the ground truth accepts an answer."""
    plain = strip_emphasis(text)
    marked = final_answer(plain)
    final = _unquoted(plain) if marked is None else marked
    if expected.texts:
        yield _text(expected.texts, plain, final)
    if expected.number is not None:
        got = last_number(plain) if marked is None else _marked_number(marked)
        yield _number(expected.number, expected.tolerance, got, final)
    if expected.pattern is not None:
        yield _pattern(expected.pattern, final)


def _marked_number(marked: str) -> Decimal | None:
    """The first number of a marked answer, or of what it works out. 3/4 alone is 0.75."""
    before_brackets = re.split(r"\s[(\[]", marked, maxsplit=1)[0]
    if first_number(before_brackets) is not None:
        marked = before_brackets  # "8 (check: 3 · 8 - 4 = 20)"
    result = marked.rpartition("=")[2]
    fraction = _FRACTION.fullmatch(result.strip())
    if fraction is None:
        return first_number(result)
    whole, parts = (first_number(part) for part in fraction.groups())
    return whole / parts if whole is not None and parts else None


def _text(texts: tuple[str, ...], whole: str, final: str) -> Verdict:
    accepted = {normal_form(accepted) for accepted in texts}
    if accepted & {normal_form(whole), normal_form(final)}:
        return passed(METRIC, "accepted_text", f"The answer is {show(final)}, as accepted.")
    detail = f"Expected {alternatives(texts)}, got {show(final)}."
    return failed(METRIC, "wrong_text", detail)


def normal_form(text: str) -> str:
    """The text as it is compared.

    Letter case, white space, Markdown emphasis, the kind of quotation marks, quotation marks around
    the text and a full stop at its end do not matter.
    """
    plain = caseless(strip_emphasis(text).translate(_MARKS))
    return plain.strip("\"'").removesuffix(".").strip("\"' ") or plain


def _number(expected: Decimal, tolerance: Decimal, got: Decimal | None, final: str) -> Verdict:
    within = f" ± {tolerance.normalize():f}" if tolerance else ""
    wanted = f"{expected}{within}"
    if got is None:
        return failed(METRIC, "no_number", f"Expected {wanted}, got no number: {show(final)}.")
    if got == expected or distance(expected, got) <= tolerance:
        return passed(METRIC, "same_number", f"The answer is {cut(str(got))}, expected {wanted}.")
    return failed(METRIC, "wrong_number", f"Expected {wanted}, got {cut(str(got))}.")


def _pattern(pattern: str, final: str) -> Verdict:
    if len(final) > MATCHED_LENGTH:
        detail = f"The answer has {len(final):,} characters; patterns read {MATCHED_LENGTH:,}."
        return failed(METRIC, "pattern_not_matched", detail)
    if matches(pattern, final):
        return passed(METRIC, "pattern_matched", f"The answer {show(final)} has the expected form.")
    detail = f"The answer {show(final)} does not match {show(pattern)}."
    return failed(METRIC, "pattern_not_matched", detail)


# ---------------------------------------------------------------- options


def _option(expected: ExactAnswer, right: int, text: str) -> Verdict:
    plain = strip_emphasis(text)
    marked = final_answer(plain)
    chosen: set[int] = set()
    if marked is not None:
        chosen = _named(marked, expected.options, marked=True)
    else:
        lines = [line for line in plain.splitlines() if line.strip()]
        for line in (lines[-1], lines[0]) if lines else ():
            chosen = chosen or _named(line, expected.options, marked=False)
    wanted = _lettered(expected, right)
    if not chosen:
        return failed(METRIC, "no_option", f"Expected {wanted}, got {show(text.strip())}.")
    named = " and ".join(_lettered(expected, option) for option in sorted(chosen))
    if len(chosen) > 1:
        return failed(METRIC, "several_options", f"Expected {wanted} alone, got {named}.")
    if chosen == {right}:
        return passed(METRIC, "right_option", f"The answer is {wanted}.")
    return failed(METRIC, "wrong_option", f"Expected {wanted}, got {named}.")


def _named(line: str, options: tuple[str, ...], *, marked: bool) -> set[int]:
    """The options that a line names, by letter or by their whole text.

    In a line that is not marked as the answer, a letter counts only if punctuation or nothing
    follows it: the first word of "A dog barks" is no option.
    """
    texts = [normal_form(option) for option in options]
    whole = {
        place
        for place, text in enumerate(texts)
        if normal_form(line) in (text, f"{text} ({LETTERS[place].lower()})")
    }
    found = _LETTER.match(line)
    if whole or found is None:
        return whole if len(whole) == 1 else set()
    letter, words = found["letter"], found["words"]
    is_chosen = marked or (words and _CORRECT.match(words))
    if words is not None and not (is_chosen and letter.isupper()):
        return set()
    rest = _NOT.split(words or found["rest"] or "", maxsplit=1)[0]
    letters = {letter.upper(), *_SECOND.findall(rest)}
    chosen = {LETTERS.index(one) for one in letters if one in LETTERS[: len(options)]}
    if LETTERS.index(letter.upper()) >= len(options):
        return set()
    return chosen | {place for place, text in enumerate(texts) if text == normal_form(rest)}


def _lettered(expected: ExactAnswer, option: int) -> str:
    return f"{LETTERS[option]} ({show(expected.options[option])})"


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
        "the whole text. Of texts, letter case, white space, emphasis, quotation marks around them "
        "and a full stop at the end do not matter. Of numbers, the first one that is marked "
        "counts, or else the last one of the text. A pattern must match the whole answer."
    ),
    case_of_row=exact_of_row,
)
