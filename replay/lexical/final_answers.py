"""qa: an agent's final answer against the right one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from replay.lexical.argument_values import same_day
from replay.lexical.normalised_words import Reading, is_number, reading, stem
from replay.lexical.quoted_texts import (
    Finding,
    Texts,
    different,
    equivalent,
    is_question,
    listed,
    pattern,
    sentences,
    tells,
)
from replay.lexical.wordlists import NEGATIONS

_FAILED: Final = pattern(
    "i (?:do|did) not know",
    "not (?:sure|certain|available|possible)",
    "(?:can|could) not (?:find|determine|tell|answer|say|get|retrieve|look)",
    "(?:unable|failed) to",
    "no (?:idea|information|data|result)",
    "iteration limit",
)
_LABEL: Final = re.compile(r"\b[\w ]+:(?=\s)")  # "Temperature: 61°F" says no more than "61°F"
_ITEM: Final = re.compile(r"[,;]\s+(?:(?:and|or|&)\s)?|\s(?:and|or|&)\s|\s[-–—]\s")
_UNITS: Final = frozenset(("fahrenheit", "celsius", "degree", "kelvin"))
_OPENINGS: Final = frozenset(("yes", "no", "ok", "okay"))
_APART: Final = frozenset(("different", "differ", "unlike"))


def same_answer(texts: Texts) -> Finding:
    """Whether a text holds every word, number and name of the right answer, and nothing beside them that takes them back."""
    expected, got = reading(texts.expected), reading(texts.got)
    if why := _no_answer(texts, expected, got):
        return different(why)
    if expected.words in (("yes",), ("no",)):
        return _yes_or_no(texts, expected.words[0])
    if why := _other_numbers(expected, got):
        return different(why)
    wanted = _wanted(texts.expected)
    missing = wanted - _stems(got)
    if missing:
        return different(f"Not in the given answer: {listed(sorted(missing))}.")
    if why := _taken_back(texts, wanted, got):
        return different(why)
    return equivalent("The given answer holds all that the right answer says.")


def _no_answer(texts: Texts, expected: Reading, got: Reading) -> str | None:
    """Why a text is no answer at all, or None."""
    told = [part for part in sentences(texts.got) if reading(part).content]
    if _FAILED.search(" ".join(got.words)):
        return "The given answer does not commit itself."
    if told and all(map(is_question, told)):
        return "The given text asks instead of answering."
    if len(got.telling) > 60 + 6 * len(expected.telling):
        return "The given answer holds far more words than an answer needs."
    return None


def _yes_or_no(texts: Texts, wanted: str) -> Finding:
    got = reading(texts.got)
    if got.words[0] in ("yes", "no"):
        said = got.words[0]
    elif "yes" in got.words:
        said = "yes"
    elif got.negations % 2 or _APART & set(got.words):
        said = "no"
    elif 3 * len(got.telling & reading(texts.question).telling) >= 2 * len(got.telling):
        said = "yes"  # it says the question again as a statement
    else:
        return different("The given answer says neither yes nor no.")
    return equivalent(f"Both say {wanted}.") if said == wanted else different(f"It says {said}.")


def _other_numbers(expected: Reading, got: Reading) -> str | None:
    """What is wrong with the numbers, dates, times and addresses of an answer, or None."""
    missing = [
        number
        for number in expected.numbers
        if not any(same_day(number, other) for other in got.numbers)
    ]
    if missing:
        return f"The numbers, dates or times differ: {listed(missing)} is not given."
    if expected.addresses - got.addresses or (
        expected.addresses and got.addresses - expected.addresses
    ):
        return "The addresses differ."
    for kind in ("@d", "@t"):
        right = [number for number in expected.numbers if number.startswith(kind)]
        foreign = [
            n
            for n in got.numbers
            if n.startswith(kind) and not any(same_day(n, other) for other in right)
        ]
        if right and foreign:
            return f"Another date or time is given, too: {listed(foreign)}."
    units = _UNITS.intersection(expected.words) - {"degree"}
    if (
        units
        and (_UNITS.intersection(got.words) - {"degree"}) - units
        and not units.intersection(got.words)
    ):
        return "The units differ."
    return None


def _wanted(text: str) -> frozenset[str]:
    """The stems of the words that an answer must hold; numbers apart."""
    read = reading(_LABEL.sub(" ", text))
    wanted = frozenset(
        stem(w)
        for w in read.words
        if tells(w) and not is_number(w) and w not in _UNITS and w not in read.addresses
    )
    if wanted or read.numbers or read.addresses:
        return wanted
    return frozenset(map(stem, read.words))


def _stems(text: Reading) -> frozenset[str]:
    return frozenset(map(stem, text.words))


def _taken_back(texts: Texts, wanted: frozenset[str], got: Reading) -> str | None:
    """Why an answer that holds every word still does not stand by them, or None."""
    places = [at for at, word in enumerate(got.words) if stem(word) in wanted]
    if places and all(NEGATIONS.intersection(got.words[max(0, at - 3) : at]) for at in places):
        return "The given answer negates the right one."
    if other := _other_option(texts, wanted):
        stems = [stem(word) for word in got.words]
        if any(word in other for word in stems[: min(places, default=0)]):
            return "The given answer names the other possibility first."
        return None
    if items := _foreign_items(texts, wanted):
        return f"Given but not right: {listed(items)}."
    return None


def _other_option(texts: Texts, wanted: frozenset[str]) -> frozenset[str]:
    """Of a question "this or that?", the words of the side that is not right; none where the question offers no two sides."""
    before, found, after = texts.question.rpartition(" or ")
    sides = [_stems(reading(part)) for part in (before.split(",")[-1], after)]
    if not found or not wanted or not any(wanted <= side for side in sides):
        return frozenset()
    wrong = sides[1] if wanted <= sides[0] else sides[0]
    return frozenset(word for word in wrong if tells(word)) - wanted


def _foreign_items(texts: Texts, wanted: frozenset[str]) -> Sequence[str]:
    """What stands in a row with right items, as an item of its own, and is neither right nor known from the question."""
    known = wanted | _stems(reading(texts.question)) | _stems(reading(texts.expected)) | _OPENINGS
    found: list[str] = []
    for sentence in sentences(texts.got):
        items = [reading(item) for item in _ITEM.split(f"{sentence} ")]
        if not any(wanted & _stems(item) for item in items):
            continue
        for item in items:
            plain = (
                bool(item.words)
                and len(item.words) <= 3
                and all(tells(word) and word.isalpha() for word in item.words)
            )
            if plain and not _stems(item) & known:
                found.append(" ".join(item.words))
    return found
