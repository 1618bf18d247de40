"""Which of its lettered options an answer chooses (kind `exact`)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from leaderboard.exact_answers import LETTERS, ExactAnswer
from leaderboard.kinds import CORRECT
from leaderboard.texts.shown_values import show
from leaderboard.types import Verdict
from scoring.rules.final_answers import (
    FinalAnswer,
    Readings,
    accepted_forms,
    normal_form,
    read_final_answer,
)
from scoring.rules.rule_verdicts import failed, passed

# "So B is the correct answer."
_IS_ANSWER: Final = re.compile(
    r"(?:(?:^|[.,;:!?])[ \t]{0,9}|\b(?:so|therefore|thus|hence)[ \t])"
    r"(?:(?:option|choice)[ \t])?\(?(?P<letter>(?-i:[A-Z]))\)?"
    r"[ \t]is[ \t]the[ \t](?:correct|right|best)[ \t](?:answer|option|choice)\b",
    re.IGNORECASE | re.MULTILINE,
)
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


def decide_option(expected: ExactAnswer, right: int, text: str) -> Verdict:
    """Whether the only option that a response chooses is the right one."""
    chosen = _chosen(read_final_answer(text), expected.options)
    wanted = _lettered(expected, right)
    if not chosen:
        return failed(CORRECT.id, "no_option", f"Expected {wanted}, got {show(text.strip())}.")
    named = " and ".join(_lettered(expected, option) for option in sorted(chosen))
    if len(chosen) > 1:
        return failed(CORRECT.id, "several_options", f"Expected only {wanted}, got {named}.")
    if chosen == {right}:
        return passed(CORRECT.id, "right_option", f"The answer is {wanted}.")
    return failed(CORRECT.id, "wrong_option", f"Expected {wanted}, got {named}.")


def _chosen(answer: FinalAnswer, options: tuple[str, ...]) -> set[int]:
    """The options of the marked answer, or else of the last line or the first one."""
    if answer.marked:
        return _named(answer.final, options, marked=True)
    last = Readings(*(_lines(reading)[-1] for reading in answer.whole))
    first = Readings(*(_lines(reading)[0] for reading in answer.whole))
    return (
        _called_right(last.unstyled, options)
        or _named(last, options, marked=False)
        or _called_right(first.unstyled, options)
        or _named(first, options, marked=False)
        or _called_right(answer.whole.unstyled, options)
    )


def _called_right(text: str, options: tuple[str, ...]) -> set[int]:
    """The option that a text calls right last: "Therefore, B is the correct answer."."""
    letters = _IS_ANSWER.findall(text)[-1:]
    return {place for place, letter in enumerate(LETTERS[: len(options)]) if letter in letters}


def _lines(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.strip()] or [text]


def _named(line: Readings, options: tuple[str, ...], *, marked: bool) -> set[int]:
    """The options that a line names by letter or by their whole text."""
    if whole := _with_text(line, options):
        return whole if len(whole) == 1 else set()
    starts = [match for reading in line if (match := _LETTER.match(reading))]
    if not starts or not _is_choice(starts[-1], marked=marked):
        return set()
    letter = starts[-1]["letter"].upper()
    offered = LETTERS[: len(options)]
    if letter not in offered:
        return set()
    said = [match["words"] or match["rest"] or "" for match in starts]
    letters = [letter, *_letters_beside(said[-1], options[LETTERS.index(letter)])]
    by_letter = {LETTERS.index(one) for one in letters if one in offered}
    return by_letter | _with_text([_NOT.split(one)[0] for one in said], options)


def _is_choice(start: re.Match[str], *, marked: bool) -> bool:
    """Whether the letter at the start of a line names an option.

    With words behind it, only a capital does, and only if the answer is marked or the words call
    it correct. The first word of "A dog barks" is no option.
    """
    words = start["words"]
    if words is None:
        return True
    return start["letter"].isupper() and (marked or _CORRECT.match(words) is not None)


def _letters_beside(said: str, own_text: str) -> list[str]:
    """The further letters that a text names behind the letter of an option."""
    # "C) Both A and B" names C alone if this is its text.
    without_own = re.sub(rf"\A\W*{re.escape(own_text)}(?!\w)", "", said, flags=re.IGNORECASE)
    beside = _NOT.split(without_own)[0]
    if _LETTERS_ALONE.fullmatch(beside):
        return re.findall("[A-Z]", beside)
    return _SECOND.findall(beside)


def _with_text(readings: Iterable[str], options: tuple[str, ...]) -> set[int]:
    """The options whose whole text a line is, perhaps with the letter, in its first such reading.

    So `__init__` names the option with these underscores, if there is one.
    """
    for reading in map(normal_form, readings):
        named = set()
        for place, option in enumerate(options):
            alone = reading.removesuffix(f" ({LETTERS[place].lower()})")
            if not accepted_forms(option).isdisjoint((reading, alone)):
                named.add(place)
        if named:
            return named
    return set()


def _lettered(expected: ExactAnswer, option: int) -> str:
    return f"{LETTERS[option]} ({show(expected.options[option])})"
