"""Category qa: an agent's final answer against the right one."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from replay.lexical.judge_vocabulary import pattern
from replay.lexical.normalisation import NormalisedText, is_number, normalise, stem
from replay.lexical.shared_rules import (
    RuleFinding,
    Texts,
    different,
    equivalent,
    has_meaning,
    is_negated,
    listed,
    no_answer,
    quoted,
    same_day,
    sentences,
)

_UNSURE: Final = pattern("no_final_answer")
# "Temperature: 61°F" means the same as "61°F".
_LABEL: Final = re.compile(r"(?<![\w ]) *\w[\w ]*:(?=\s)")
_ITEM: Final = re.compile(r"[,;]\s+(?:(?:and|or|&)\s)?|\s(?:and|or|&)\s|\s[-–—]\s")
_SCALES: Final = frozenset({"fahrenheit", "celsius", "kelvin"})
_OPENINGS: Final = frozenset({"yes", "no", "ok", "okay"})
_UNLIKE: Final = frozenset({"different", "differ", "unlike"})


def same_answer(texts: Texts) -> RuleFinding:
    """Judges whether a text holds all words and numbers of the right answer, and retracts none."""
    expected, got = normalise(texts.expected), normalise(texts.got)
    if why := no_answer(texts, _UNSURE):
        return different(why)
    if expected.words in (("yes",), ("no",)):
        return _yes_or_no(texts, expected.words[0])
    if why := _other_numbers(expected, got):
        return different(why)
    wanted = _wanted(texts.expected)
    missing = wanted - got.stems
    if missing:
        return different(f"Missing from the given answer: {quoted(missing, texts.expected)}.")
    if why := _retracted(texts, wanted, got):
        return different(why)
    return equivalent("The given answer has all words and numbers of the right answer.")


def _yes_or_no(texts: Texts, wanted: str) -> RuleFinding:
    got = normalise(texts.got)
    repeated = got.key_stems & normalise(texts.question).key_stems
    if got.words[0] in ("yes", "no"):
        said = got.words[0]
    elif "yes" in got.words:
        said = "yes"
    elif got.negations % 2 or _UNLIKE.intersection(got.words):
        said = "no"
    elif 3 * len(repeated) >= 2 * len(got.key_stems):
        # The answer repeats the question as a statement.
        said = "yes"
    else:
        return different("The given answer says neither yes nor no.")
    if said == wanted:
        return equivalent(f'Both answers say "{wanted}".')
    return different(f'The given answer says "{said}", not "{wanted}".')


def _is_among(number: str, others: Iterable[str]) -> bool:
    return any(same_day(number, other) for other in others)


def _other_numbers(expected: NormalisedText, got: NormalisedText) -> str | None:
    """What is wrong with the numbers, dates, times, addresses and units of an answer, or None."""
    missing = [number for number in expected.numbers if not _is_among(number, got.numbers)]
    if missing:
        return f"Missing from the given answer: {listed(missing)}."
    if expected.addresses and expected.addresses != got.addresses:
        return "The e-mail addresses differ."
    for kind in ("@d", "@t"):
        right = [number for number in expected.numbers if number.startswith(kind)]
        given = [number for number in got.numbers if number.startswith(kind)]
        foreign = [number for number in given if not _is_among(number, right)]
        if right and foreign:
            return f"The given answer has another date or time: {listed(foreign)}."
    scales, given_scales = _SCALES.intersection(expected.words), _SCALES.intersection(got.words)
    if scales and given_scales and not scales & given_scales:
        return "The units differ."
    return None


def _wanted(text: str) -> frozenset[str]:
    """The stems of the words, without numbers, that an answer must hold."""
    read = normalise(_LABEL.sub(" ", text))
    left_out = _SCALES | {"degree"} | read.addresses
    wanted = frozenset(
        stem(word)
        for word in read.words
        if has_meaning(word) and not is_number(word) and word not in left_out
    )
    return wanted if wanted or read.numbers or read.addresses else read.stems


def _retracted(texts: Texts, wanted: frozenset[str], got: NormalisedText) -> str | None:
    """Why an answer that holds every word is still wrong, or None."""
    stems = [stem(word) for word in got.words]
    places = [place for place, word in enumerate(stems) if word in wanted]
    if is_negated(got.words, places):
        return "The given answer negates the right answer."
    other = _other_option(texts, wanted)
    if other:
        if other.intersection(stems[: min(places, default=0)]):
            return "The given answer names the wrong option first."
        return None
    if items := _foreign_items(texts, wanted):
        return f"The given answer also lists {quoted(items, texts.got)}."
    return None


def _other_option(texts: Texts, wanted: frozenset[str]) -> frozenset[str]:
    """The words of the wrong side of a question "this or that?"; empty for any other question."""
    before, found, after = texts.question.rpartition(" or ")
    first, second = normalise(before.split(",")[-1]).stems, normalise(after).stems
    if not found or not wanted or not (wanted <= first or wanted <= second):
        return frozenset()
    wrong = second if wanted <= first else first
    return frozenset(filter(has_meaning, wrong)) - wanted


def _foreign_items(texts: Texts, wanted: frozenset[str]) -> list[str]:
    """The items listed beside right ones that neither the question nor the reference has."""
    known = wanted | normalise(texts.question).stems | normalise(texts.expected).stems | _OPENINGS
    found: list[str] = []
    for sentence in sentences(texts.got):
        items = [normalise(item) for item in _ITEM.split(f"{sentence} ")]
        if all(wanted.isdisjoint(item.stems) for item in items):
            continue
        for item in items:
            short = 0 < len(item.words) <= 3
            plain = all(has_meaning(word) and word.isalpha() for word in item.words)
            if short and plain and known.isdisjoint(item.stems):
                found.append(" ".join(item.words))
    return found
