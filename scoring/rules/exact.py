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
from functools import lru_cache
from typing import Final, NamedTuple

from leaderboard.exact_answers import LETTERS, MATCHED_LENGTH, ExactAnswer, matches
from leaderboard.files.cases.exact import CASES, exact_of_row, read_exact
from leaderboard.kinds import CORRECT, Kind
from leaderboard.texts.short_text import cut
from leaderboard.types import Case, Response, Suite, Verdict
from scoring.facts.canonical_text.latex import without_latex
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

# The blanks are possessive: three runs of them would share a long run in very many ways.
_IS: Final = r"[ \t]*+(?:is|are)\b[ \t]*+:?[ \t]*+"
_COLON: Final = r"\**+[ \t]*+[:=：]\**+[ \t]*+"  # "**Answer:** Paris"
# "Shall I show why the answer is 3?" marks no answer.
_ABOUT: Final = r"(?P<about>\b(?:how|why|whether|what|where|when|if)[ \t]+(?:\w+[ \t]+){0,3})?"
# "I hope this answer is helpful" marks none either.
_ARTICLE: Final = (
    r"(?:\b(?:the|my|final|correct)[ \t]++(?:\w++[ \t]++){0,2}?|(?:^|[.,;:!?])[ \t*_]{0,9})"
)
_ANSWER: Final = re.compile(
    rf"{_ABOUT}(?:\banswer{_COLON}|{_ARTICLE}answer{_IS})", re.IGNORECASE | re.MULTILINE
)
# Neither does "Every other option is wrong".
_REJECTED: Final = r"[ \t]*+(?:wrong|incorrect|false|not)\b"
_OPTION: Final = re.compile(
    rf"{_ABOUT}\b(?<!other )(?:option|choice)(?:{_IS}|{_COLON})(?!{_REJECTED})", re.IGNORECASE
)
_IS_ANSWER: Final = re.compile(
    r"(?:(?:^|[.,;:!?])[ \t]{0,9}|\b(?:so|therefore|thus|hence)[ \t])"
    r"(?:(?:option|choice)[ \t])?\(?(?P<letter>(?-i:[A-Z]))\)?"
    r"[ \t]is[ \t]the[ \t](?:correct|right|best)[ \t](?:answer|option|choice)\b",
    re.IGNORECASE | re.MULTILINE,
)
_BOX: Final = re.compile(r"\\boxed\{((?:[^{}\n]|\{[^{}\n]{0,200}\}){0,200})\}")
# 3/4, 1 3/4 or 1 and 3/4
_FRACTION: Final = re.compile(
    r"\$?\s*(?P<sign>[+\-\u2212\u2013]|(?i:minus|negative)\s)?"
    r"(?:(?P<whole>[0-9]{1,20})\s+(?:and\s+)?)?(?P<part>[0-9]{1,20})\s*/\s*(?P<divisor>[0-9]{1,20})[\s$.]*"
)
# A formula that is all of a text.
_FORMULA: Final = re.compile(r"(?:\$\$?|\\[(\[])((?:\\\$|[^$])+)(?:\$\$?|\\[)\]])\.?")
_MARKS: Final = str.maketrans({"\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"'})
_NO_EMPHASIS: Final = str.maketrans("", "", "*_`")
# The marks of Markdown for a block of code and for a quotation.
_QUOTED: Final = re.compile(r"(?m)^[ \t]*(?:```.*|>[ \t]?)")

# A letter before a bracket, a full stop, a colon or the end, perhaps in brackets itself.
_LETTER: Final = re.compile(
    r"[\s\"'$(\[]*(?:(?i:option|choice|answer)\s+)?[(\[]?(?P<letter>[A-Za-z])"
    r"(?:[\s\"'$]*$|[)\].:]+(?P<rest>.*)|(?![A-Za-z0-9'])(?P<words>.*))",
    re.DOTALL,
)
# "Option B is correct", and "B, not A", "B, rather than A".
_CORRECT: Final = re.compile(r"\s+(?:is|would be)\s+(?:the\s+)?(?:correct|right)\b", re.IGNORECASE)
_NOT: Final = re.compile(r"\b(?:not|than)\b")
# A second letter behind the first one: "B or C", "B/C", "B, (C)". But not "A and C are wrong".
_SECOND: Final = re.compile(
    r"(?:\b(?:or|and|maybe|perhaps|possibly|wait|actually)\b|[/,;|+&])\s*"
    r"(?:(?:so|maybe|perhaps|possibly|it's|it is)\s+){0,5}"
    r"[(\[]?([A-Z])(?![\w']|(?:\W{1,3}(?:and\s)?[A-Z]\b){0,5}"
    r"\W{0,3}\s*(?:is|are)\s+(?:wrong|incorrect|false|not)\b)"
)
# Nothing but letters behind the first one: "B A".
_LETTERS_ALONE: Final = re.compile(r"(?:\W+[A-Z])+\W*")


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
        return (_option(expected, expected.option, text),)
    findings = list(_findings(expected, _answer(text)))
    return (next((finding for finding in findings if finding.outcome == "pass"), findings[0]),)


class _Answer(NamedTuple):
    """The final answer of a response: as it is written, without emphasis, and without LaTeX.

    `marked`: the response marks it. `whole` is all of the response, in the same three readings.
    """

    marked: bool
    final: tuple[str, ...]
    whole: tuple[str, ...]


def _answer(text: str) -> _Answer:
    plain = strip_emphasis(text)
    marked = final_answer(plain)
    final = marked or _unquoted(plain)
    written = final
    if plain != text:
        written = final_answer(text) or _unquoted(text)
    if written.translate(_NO_EMPHASIS).split() != final.translate(_NO_EMPHASIS).split():
        written = final  # emphasis hides a mark, so that this is another part of the response
    return _Answer(
        marked=marked is not None,
        final=(written, final, _unstyled(final)),
        whole=(text, plain, _unstyled(plain)),
    )


def _unstyled(text: str) -> str:
    """The text without the LaTeX that only styles it."""
    formula = _FORMULA.fullmatch(text.strip())
    return without_latex(formula[1] if formula else text).strip()


def final_answer(text: str) -> str | None:
    """What a response marks as its answer, in one line; None if it marks nothing."""
    text = _unquoted(text)
    marked = _after_last(_ANSWER, text)
    boxes: list[str] = _BOX.findall(text if marked is None else marked)
    if boxes:
        return boxes[-1].strip()
    if marked is None:
        marked = _after_last(_OPTION, text)
    return marked.partition("\n")[0].strip() if marked else None


def _unquoted(text: str) -> str:
    """The text without the marks of quotations and blocks of code."""
    return _QUOTED.sub("", text).strip()


def _after_last(mark: re.Pattern[str], text: str) -> str | None:
    """What follows the last of these marks; None without one."""
    place = None
    for found in mark.finditer(text):
        if found["about"] is None:
            place = found.end()
    return None if place is None else text[place:].strip()


# ---------------------------------------------------------------- texts, numbers, patterns


def _findings(expected: ExactAnswer, answer: _Answer) -> Iterator[Verdict]:
    """A finding for each form in which the ground truth accepts an answer."""
    if expected.texts:
        yield _text(expected.texts, answer)
    if expected.number is not None:
        got = _marked_number(answer.final[-1]) if answer.marked else last_number(answer.whole[0])
        yield _number(expected.number, expected.tolerance, got, answer.final[-1])
    if expected.pattern is not None:
        yield _pattern(expected.pattern, answer.final)


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


def _text(texts: tuple[str, ...], answer: _Answer) -> Verdict:
    final = answer.final[-1]
    given = set(map(normal_form, answer.final + answer.whole))
    if any(given & _forms(accepted) for accepted in texts):
        return passed(CORRECT.id, "accepted_text", f"The answer is {show(final)}, as accepted.")
    detail = f"Expected {alternatives(texts)}, got {show(final)}."
    return failed(CORRECT.id, "wrong_text", detail)


@lru_cache(maxsize=1024)
def _forms(accepted: str) -> frozenset[str]:
    """An accepted text as it is compared. LaTeX may style it in other ways than an answer."""
    return frozenset((normal_form(accepted), normal_form(_unstyled(accepted))))


def normal_form(text: str) -> str:
    """The text as it is compared.

    Letter case, white space, the kind of quotation marks, quotation marks around the text and a
    full stop at its end do not matter.
    """
    plain = caseless(text.translate(_MARKS))
    return plain.strip("\"'").removesuffix(".").strip("\"' ") or plain


def _number(expected: Decimal, tolerance: Decimal, got: Decimal | None, final: str) -> Verdict:
    within = f" ± {tolerance.normalize():f}" if tolerance else ""
    wanted = f"{expected}{within}"
    if got is None:
        return failed(CORRECT.id, "no_number", f"Expected {wanted}, got no number: {show(final)}.")
    if got == expected or distance(expected, got) <= tolerance:
        detail = f"The answer is {cut(str(got))}, expected {wanted}."
        return passed(CORRECT.id, "same_number", detail)
    return failed(CORRECT.id, "wrong_number", f"Expected {wanted}, got {cut(str(got))}.")


def _pattern(pattern: str, final: tuple[str, ...]) -> Verdict:
    *_, plain = final
    if len(plain) > MATCHED_LENGTH:
        most = f"a pattern can match at most {MATCHED_LENGTH:,}"
        detail = f"The answer has {len(plain):,} characters; {most}."
        return failed(CORRECT.id, "pattern_not_matched", detail)
    for text in final:
        if len(text) <= MATCHED_LENGTH and matches(pattern, text):
            detail = f"The answer {show(text)} has the expected form."
            return passed(CORRECT.id, "pattern_matched", detail)
    detail = f"The answer {show(plain)} does not match {show(pattern)}."
    return failed(CORRECT.id, "pattern_not_matched", detail)


# ---------------------------------------------------------------- options


def _option(expected: ExactAnswer, right: int, text: str) -> Verdict:
    answer = _answer(text)
    chosen: set[int] = set()
    if answer.marked:
        chosen = _named(answer.final, expected.options, marked=True)
    else:
        for place in (-1, 0):
            line = tuple(_lines(reading)[place] for reading in answer.whole)
            chosen = chosen or _called_right(line[-1], expected.options)
            chosen = chosen or _named(line, expected.options, marked=False)
        chosen = chosen or _called_right(answer.whole[-1], expected.options)
    wanted = _lettered(expected, right)
    if not chosen:
        return failed(CORRECT.id, "no_option", f"Expected {wanted}, got {show(text.strip())}.")
    named = " and ".join(_lettered(expected, option) for option in sorted(chosen))
    if len(chosen) > 1:
        return failed(CORRECT.id, "several_options", f"Expected only {wanted}, got {named}.")
    if chosen == {right}:
        return passed(CORRECT.id, "right_option", f"The answer is {wanted}.")
    return failed(CORRECT.id, "wrong_option", f"Expected {wanted}, got {named}.")


def _called_right(text: str, options: tuple[str, ...]) -> set[int]:
    """The option that a text calls right last: "Therefore, B is the correct answer."."""
    letters = _IS_ANSWER.findall(text)[-1:]
    return {place for place, letter in enumerate(LETTERS[: len(options)]) if letter in letters}


def _lines(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.strip()] or [text]


def _named(line: tuple[str, ...], options: tuple[str, ...], *, marked: bool) -> set[int]:
    """The options that a line, in all its readings, names by letter or by their whole text.

    In a line that is not marked as the answer, a letter counts only if punctuation or nothing
    follows it: the first word of "A dog barks" is no option.
    """
    if whole := _with_text(line, options):
        return whole if len(whole) == 1 else set()
    starts = [match for reading in line if (match := _LETTER.match(reading))]
    if not starts:
        return set()
    letter, words = starts[-1]["letter"], starts[-1]["words"]
    is_chosen = marked or (words and _CORRECT.match(words))
    if words is not None and not (is_chosen and letter.isupper()):
        return set()
    if LETTERS.find(letter.upper()) not in range(len(options)):
        return set()
    said = [match["words"] or match["rest"] or "" for match in starts]
    # "C) Both A and B" names C alone if this is its text.
    own = options[LETTERS.index(letter.upper())]
    without_own = re.sub(rf"\A\W*{re.escape(own)}(?!\w)", "", said[-1], flags=re.IGNORECASE)
    beside = _NOT.split(without_own)[0]
    rests = tuple(_NOT.split(one)[0] for one in said)
    seconds = re.compile("[A-Z]") if _LETTERS_ALONE.fullmatch(beside) else _SECOND
    letters = {letter.upper(), *seconds.findall(beside)}
    chosen = {LETTERS.index(one) for one in letters if one in LETTERS[: len(options)]}
    return chosen | _with_text(rests, options)


def _with_text(line: tuple[str, ...], options: tuple[str, ...]) -> set[int]:
    """The options whose whole text a line is, perhaps with the letter, in its first such reading.

    So `__init__` names the option with these underscores, if there is one.
    """
    for reading in map(normal_form, line):
        named = set()
        for place, option in enumerate(options):
            alone = reading.removesuffix(f" ({LETTERS[place].lower()})")
            if not _forms(option).isdisjoint((reading, alone)):
                named.add(place)
        if named:
            return named
    return set()


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
        "the whole text. Of texts, letter case, white space, quotation marks around them, a full "
        "stop at the end and emphasis in the answer do not matter. Of numbers, the first one that "
        "is marked counts, or else the last one of the text. A pattern must match the whole answer."
    ),
    case_of_row=exact_of_row,
)
