"""Category tool_selection: one argument value against the accepted one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from replay.lexical.judge_vocabulary import (
    CHOICES,
    FILLER,
    FREE_ARGUMENTS,
    LANDS,
    LANGUAGE_CODES,
    SHORT_UNITS,
)
from replay.lexical.normalisation import OPERATORS, NormalisedText, is_number, normalise, stem
from replay.lexical.shared_rules import (
    RuleFinding,
    Texts,
    different,
    equivalent,
    listed,
    quoted,
    same_day,
)

# An added word must be this near to an accepted one in the question: "Portland, Oregon" is near,
# a city that the question names elsewhere is not.
_REACH: Final = 3
_MOST_MORE: Final = 4  # words beyond those of the accepted value
_PRICE_LEVEL: Final = re.compile(r"[$€£¥]+(?![$€£¥]|\s*\d)")  # $$$, and not $30


def same_value(texts: Texts) -> RuleFinding:
    """Judges whether two argument values mean the same."""
    expected, got = normalise(texts.expected), normalise(texts.got)
    levels = [_PRICE_LEVEL.findall(text) for text in (texts.expected, texts.got)]
    if all(levels) and levels[0] != levels[1]:
        return different("The price levels differ.")
    if _canonical(texts.expected) == _canonical(texts.got):
        return equivalent("The values are equal, apart from spelling, format and synonyms.")
    free = _is_free_text(texts)
    if why := _hard_difference(expected, got, free=free):
        return different(why)
    return _free_text(texts, expected, got) if free else _short_value(texts, expected, got)


def _is_free_text(texts: Texts) -> bool:
    """Whether the argument holds free text, by its name or else by the value's length."""
    name = re.search(r"[A-Za-z_]\w*", texts.subject.removeprefix("argument"))
    if name is None:
        return len(normalise(texts.expected).content) > 3
    return name[0].casefold() in FREE_ARGUMENTS


def _canonical(text: str) -> tuple[str, ...]:
    """The whole value as a choice, a unit, a language, or its words."""
    words = normalise(text).words
    bare = re.sub(r"[^\w\s#+]", " ", text.casefold()).strip()  # C# and C++ are not C
    for table in (CHOICES, SHORT_UNITS, LANGUAGE_CODES):
        for written in (" ".join(words), bare):
            if written in table:
                return (table[written],)
    return tuple("1" if word == "one" else word for word in words)


def _hard_difference(expected: NormalisedText, got: NormalisedText, *, free: bool) -> str | None:
    """A difference that makes the values different whatever else they share, or None."""
    if expected.addresses != got.addresses and (expected.addresses or not free):
        return "The e-mail addresses differ."
    if expected.negations % 2 != got.negations % 2:
        return "One value is negated, and the other is not."
    as_many = len(expected.numbers) == len(got.numbers)
    if not free and not (as_many and all(map(_same_number, expected.numbers, got.numbers))):
        return _numbers_differ(expected, got)
    if _formula(expected) != _formula(got):
        return "The formulas have different numbers or operators."
    if _swapped(expected, got):
        return 'The words before and after "to" are swapped.'
    return None


def _numbers_differ(expected: NormalisedText, got: NormalisedText) -> str:
    wanted, given = listed(expected.numbers), listed(got.numbers)
    return f"The numbers, dates or times differ: expected {wanted}, got {given}."


def _same_number(expected: str, got: str) -> bool:
    """Whether tokens are equal, or a date adds the year that the accepted one lacks."""
    if expected.startswith("@d-") and got.startswith("@d"):
        return got.endswith(expected[2:])
    return expected == got


def _formula(text: NormalisedText) -> list[str]:
    """Numbers, operators and brackets in order, without a function's brackets.

    Empty if the text has no operator.
    """
    if OPERATORS.isdisjoint(text.words):
        return []
    kept: list[str] = []
    open_brackets: list[bool] = []  # True for a function's bracket
    before = ""
    for word in text.words:
        if word == "(":
            open_brackets.append(before.isalpha())
            if not open_brackets[-1]:
                kept.append(word)
        elif word == ")":
            if open_brackets and not open_brackets.pop():
                kept.append(word)
        elif word in OPERATORS or is_number(word):
            kept.append(word)
        before = word
    return kept


def _swapped(expected: NormalisedText, got: NormalisedText) -> bool:
    """Whether `Leeds to York` became `York to Leeds`."""
    start, end = _sides(expected)
    given_start, given_end = _sides(got)
    if not (start and end and given_start and given_end):
        return False
    return start <= given_end and end <= given_start and start != end


def _sides(text: NormalisedText) -> tuple[frozenset[str], frozenset[str]]:
    """The words before and after the "to" of a value; both empty if there is none."""
    if "to" not in text.words:
        return frozenset(), frozenset()
    at = text.words.index("to")
    return frozenset(text.words[:at]) - FILLER, frozenset(text.words[at + 1 :]) - FILLER


# ---------------------------------------------------------------- values that name one thing


def _short_value(texts: Texts, expected: NormalisedText, got: NormalisedText) -> RuleFinding:
    if "or" in got.words and "or" not in expected.words:
        return different('The given value offers a choice with "or".')
    accepted, given = _without_lands(expected), _without_lands(got)
    missing, added = accepted - given, given - accepted
    if len(got.words) > len(expected.words) + _MOST_MORE:
        return different("The given value has far more words than the accepted one.")
    if missing:
        return different(_lacks(texts, missing))
    if not added:
        return equivalent("Both values have the same words.")
    near = _words_near(normalise(texts.question), accepted)
    if len(added) > max(2, len(accepted)) or not added <= near:
        return different(_adds(texts, added))
    return equivalent(_all_given(texts, added))


def _lacks(texts: Texts, missing: frozenset[str]) -> str:
    return f"Missing from the given value: {quoted(missing, texts.expected)}."


def _adds(texts: Texts, added: frozenset[str]) -> str:
    return f"Not in the accepted value: {quoted(added, texts.got)}."


def _all_given(texts: Texts, added: frozenset[str]) -> str:
    """The sentence on a value that has all accepted words. The question has those added."""
    if not added:
        return "All accepted words are given."
    rest = quoted(added, texts.got)
    return f"All accepted words are given, and the question has the rest: {rest}."


def _without_lands(text: NormalisedText) -> frozenset[str]:
    """The stems of a value, without a country or state that its city implies."""
    stems = text.key_stems
    plain = f" {' '.join(text.words)} "
    for city, lands in LANDS.items():
        if f" {city} " not in plain:
            continue
        for land in lands:
            rest = stems.difference(map(stem, land.split()))
            if rest and f" {land} " in plain:
                stems = rest
    return stems or frozenset(map(stem, text.content)) or frozenset(text.words)


def _words_near(question: NormalisedText, accepted: frozenset[str]) -> frozenset[str]:
    """The stems of the question's words that are near an accepted word."""
    asked = [stem(word) for word in question.words]
    near: set[str] = set()
    for at, word in enumerate(asked):
        if word in accepted:
            near.update(asked[max(0, at - _REACH) : at + _REACH + 1])
    return frozenset(near)


# ---------------------------------------------------------------- values that hold free text


def _free_text(texts: Texts, expected: NormalisedText, got: NormalisedText) -> RuleFinding:
    question = normalise(texts.question)
    if not _numbers_kept(expected.numbers, got.numbers, question.numbers):
        return different(_numbers_differ(expected, got))
    if not _same_name_order(expected, got):
        return different("The names are in a different order.")
    accepted, given = _wording(expected), _wording(got)
    missing, added = accepted - given, given - accepted
    foreign = added - question.stems
    if not missing and not foreign and len(added) <= max(3, len(accepted)):
        return equivalent(_all_given(texts, added))
    few = 4 * max(len(missing), len(foreign)) <= len(accepted)
    if len(accepted) >= 4 and few and len(added) <= len(accepted):
        return equivalent("Most of the accepted words are given, and few words are new.")
    if missing:
        return different(_lacks(texts, missing))
    return different(_adds(texts, added))


def _wording(text: NormalisedText) -> frozenset[str]:
    """The stems of a text's words without numbers, of generic words only if there are no others."""
    with_meaning = frozenset(word for word in text.key_stems if not is_number(word))
    return with_meaning or frozenset(
        stem(word) for word in text.words if not is_number(word) and word not in OPERATORS
    )


def _numbers_kept(expected: Sequence[str], got: Sequence[str], asked: Sequence[str]) -> bool:
    """Whether all accepted numbers are given in order, and others are in the question."""
    wanted = list(expected)
    for number in got:
        if wanted and _same_number(wanted[0], number):
            wanted.pop(0)
        elif not any(same_day(number, other) for other in asked):
            return False
    return not wanted


def _same_name_order(expected: NormalisedText, got: NormalisedText) -> bool:
    """Whether the names that both texts hold have the same order."""
    shared = (expected.names | got.names).intersection(expected.words).intersection(got.words)
    first = [word for word in expected.words if word in shared]
    return first == [word for word in got.words if word in shared]
