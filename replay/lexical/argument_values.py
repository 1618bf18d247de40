"""tool_selection: one argument value against the accepted one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from replay.lexical.normalised_words import OPERATORS, Reading, is_number, reading, stem
from replay.lexical.quoted_texts import Finding, Texts, different, equivalent, listed
from replay.lexical.wordlists import (
    CHOICES,
    FILLER,
    FREE_ARGUMENTS,
    LANDS,
    LANGUAGE_CODES,
    SHORT_UNITS,
)

# An added word must stand in the question as near as this to an accepted one: "Portland, Oregon", not a city named elsewhere.
_REACH: Final = 3
_MOST_MORE: Final = 4  # words beyond those of the accepted value


def same_value(texts: Texts) -> Finding:
    """Whether two argument values mean the same."""
    expected, got = reading(texts.expected), reading(texts.got)
    if _one_form(texts.expected) == _one_form(texts.got):
        return equivalent("Both values come down to the same words.")
    free = _is_free(texts)
    refusal = _hard_difference(expected, got, free=free)
    if refusal:
        return different(refusal)
    return _free_text(texts, expected, got) if free else _short_value(texts, expected, got)


def _is_free(texts: Texts) -> bool:
    """Whether the argument holds free text; told by its name, or by the length of the accepted value where it has none."""
    name = re.search(r"[A-Za-z_]\w*", texts.subject.removeprefix("argument"))
    return (
        name[0].casefold() in FREE_ARGUMENTS if name else len(reading(texts.expected).content) > 3
    )


def _one_form(text: str) -> tuple[str, ...]:
    """The whole value in its one form: a choice, a unit's letter, a language's code, or its words."""
    plain = " ".join(reading(text).words)
    bare = re.sub(r"[^\w\s]", " ", text.casefold()).strip()
    for table in (CHOICES, SHORT_UNITS, LANGUAGE_CODES):
        for written in (plain, bare):
            if written in table:
                return (table[written],)
    return tuple("1" if word == "one" else word for word in plain.split())


def _hard_difference(expected: Reading, got: Reading, *, free: bool) -> str | None:
    """What no other likeness makes up for, or None."""
    if expected.addresses != got.addresses and (expected.addresses or not free):
        return "The addresses differ."
    if expected.negations % 2 != got.negations % 2:
        return "One of the two is negated, the other is not."
    if not free and not _same_numbers(expected.numbers, got.numbers):
        return _numbers_differ(expected, got)
    if _formula(expected) != _formula(got):
        return "The formulas differ in their numbers or operators."
    if _swapped(expected, got):
        return "The two sides of the value have changed places."
    return None


def _numbers_differ(expected: Reading, got: Reading) -> str:
    return f"The numbers, dates or times differ: {listed(expected.numbers)} against {listed(got.numbers)}."


def _same_numbers(expected: Sequence[str], got: Sequence[str]) -> bool:
    return len(expected) == len(got) and all(
        _same_number(one, other) for one, other in zip(expected, got, strict=True)
    )


def _same_number(expected: str, got: str) -> bool:
    """Equal, or a date that says the year where the accepted one leaves it open."""
    return expected == got or (
        expected.startswith("@d-") and got.startswith("@d") and got.endswith(expected[2:])
    )


def same_day(one: str, other: str) -> bool:
    """Equal, or the same day and month where one of the two has no year."""
    if one == other or not (one.startswith("@d") and other.startswith("@d")):
        return one == other
    return one[-6:] == other[-6:] and "" in (one[2:-6], other[2:-6])


def _formula(text: Reading) -> tuple[str, ...]:
    """Numbers, operators and brackets in order; nothing where the text has no operator. A function's brackets are left out."""
    if not OPERATORS.intersection(text.words):
        return ()
    kept: list[str] = []
    of_function: list[bool] = []
    before = ""
    for word in text.words:
        if word == "(":
            of_function.append(before.isalpha())
        bracket = (word == "(" and not of_function[-1]) or (
            word == ")" and bool(of_function) and not of_function.pop()
        )
        if bracket or word in OPERATORS or is_number(word):
            kept.append(word)
        before = word
    return tuple(kept)


def _swapped(expected: Reading, got: Reading) -> bool:
    """Whether `Leeds to York` became `York to Leeds`."""
    one, other = _sides(expected), _sides(got)
    return bool(one and other) and one[0] <= other[1] and one[1] <= other[0] and one[0] != one[1]


def _sides(text: Reading) -> tuple[frozenset[str], ...]:
    """What stands before and behind the "to" of a value; nothing where it has none, or one side is empty."""
    if "to" not in text.words:
        return ()
    at = text.words.index("to")
    sides = (frozenset(text.words[:at]) - FILLER, frozenset(text.words[at + 1 :]) - FILLER)
    return sides if all(sides) else ()


# ---------------------------------------------------------------- values that name one thing


def _short_value(texts: Texts, expected: Reading, got: Reading) -> Finding:
    if "or" in got.words and "or" not in expected.words:
        return different("The given value holds several answers.")
    accepted, given = _landless(expected), _landless(got)
    missing, added = accepted - given, given - accepted
    if len(got.words) > len(expected.words) + _MOST_MORE:
        return different("The given value holds far more words than the accepted one.")
    if missing:
        return different(f"Accepted but not given: {listed(sorted(missing))}.")
    if not added:
        return equivalent("Both values hold the same words.")
    if len(added) > max(2, len(accepted)) or not _stand_beside(
        reading(texts.question), accepted, added
    ):
        return different(f"Given but not accepted: {listed(sorted(added))}.")
    return equivalent(
        f"All accepted words are there; {listed(sorted(added))} stands beside them in the question."
    )


def _landless(text: Reading) -> frozenset[str]:
    """The stems of a value, without a country or state that its city implies."""
    telling = text.telling
    plain = f" {' '.join(text.words)} "
    for city, lands in LANDS.items():
        if f" {city} " not in plain:
            continue
        for land in lands:
            rest = telling - {stem(word) for word in land.split()}
            telling = rest if rest and f" {land} " in plain else telling
    return telling or frozenset(map(stem, text.content)) or frozenset(text.words)


def _stand_beside(question: Reading, accepted: frozenset[str], added: frozenset[str]) -> bool:
    """Whether every added word stands in the question near an accepted one."""
    asked = [stem(word) for word in question.words]
    near = {
        word
        for at, place in enumerate(asked)
        if place in accepted
        for word in asked[max(0, at - _REACH) : at + _REACH + 1]
    }
    return added <= near


# ---------------------------------------------------------------- values that hold free text


def _free_text(texts: Texts, expected: Reading, got: Reading) -> Finding:
    question = reading(texts.question)
    if not _numbers_kept(expected.numbers, got.numbers, question.numbers):
        return different(_numbers_differ(expected, got))
    if not _same_order(expected, got):
        return different("The names stand in another order.")
    accepted, given = _wording(expected), _wording(got)
    missing, added = accepted - given, given - accepted
    foreign = added - frozenset(map(stem, question.words))
    if not missing and not foreign and len(added) <= max(3, len(accepted)):
        beside = f"; {listed(sorted(added))} stands in the question" if added else ""
        return equivalent(f"All accepted words are there{beside}.")
    if (
        len(accepted) >= 4
        and 4 * len(missing) <= len(accepted)
        and 4 * len(foreign) <= len(accepted) >= len(added)
    ):
        return equivalent("Most of the accepted words are there, and nothing contradicts them.")
    if missing:
        return different(f"Accepted but not given: {listed(sorted(missing))}.")
    return different(f"Given but not accepted: {listed(sorted(added))}.")


def _wording(text: Reading) -> frozenset[str]:
    """The stems of a text's words, without numbers; all its words where none of them tells anything."""
    telling = frozenset(word for word in text.telling if not is_number(word))
    return telling or frozenset(
        stem(word) for word in text.words if not is_number(word) and word not in OPERATORS
    )


def _numbers_kept(expected: Sequence[str], got: Sequence[str], asked: Sequence[str]) -> bool:
    """Whether every accepted number is given, in order, and whatever else is given stands in the question."""
    wanted = list(expected)
    for number in got:
        if wanted and _same_number(wanted[0], number):
            wanted.pop(0)
        elif not any(same_day(number, other) for other in asked):
            return False
    return not wanted


def _same_order(expected: Reading, got: Reading) -> bool:
    """Whether the names that both hold stand in the same order."""
    shared = (expected.names | got.names) & frozenset(expected.words) & frozenset(got.words)
    return [word for word in expected.words if word in shared] == [
        word for word in got.words if word in shared
    ]
