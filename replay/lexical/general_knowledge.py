"""Category no_tool: an answer against a fact of general knowledge."""

from __future__ import annotations

import re
from typing import Final

from replay.lexical.clarifying_questions import same_question
from replay.lexical.judge_vocabulary import JOINERS, pattern
from replay.lexical.normalisation import NormalisedText, is_number, normalise, stem
from replay.lexical.shared_rules import (
    RuleFinding,
    Texts,
    different,
    equivalent,
    has_meaning,
    is_negated,
    no_answer,
    only_asks,
    quoted,
    same_day,
)

_UNSURE: Final = pattern("unsure")
_OTHER_NAME: Final = pattern("other_name")
_NUMBER_QUESTION: Final = pattern("number_question")
_PERSON_QUESTION: Final = pattern("person_question")
_WHY_QUESTION: Final = pattern("why_question")
_BRACKETS: Final = re.compile(r"\([^()]*\)")
_SEGMENT: Final = re.compile(r"[,;:]\s+|(?<!\s)\s+(?=or\b)|\balso (?:called|known as)\b")
_MOST_NAMES: Final = 10
_MOST_NUMBERS: Final = 6


def same_fact(texts: Texts) -> RuleFinding:
    """Judges whether an answer holds the key words of the accepted one, and retracts none."""
    if only_asks(texts.expected):
        return same_question(texts)
    got = normalise(texts.got)
    if why := no_answer(texts, _UNSURE):
        return different(why)
    if _WHY_QUESTION.search(texts.question.casefold()):
        return _explanation(texts, got)
    return _key_words(texts, got)


def _explanation(texts: Texts, got: NormalisedText) -> RuleFinding:
    wanted = normalise(texts.expected).key_stems - normalise(texts.question).key_stems
    shared = wanted & got.key_stems
    if len(shared) >= max(2, round(0.35 * len(wanted))):
        return equivalent(f"It explains with the same words: {quoted(shared, texts.expected)}.")
    return different("It shares too few words with the accepted explanation.")


def _key_words(texts: Texts, got: NormalisedText) -> RuleFinding:
    groups = _key_groups(texts)
    if not groups:
        return _whole_answer(texts, got)
    person = bool(_PERSON_QUESTION.search(texts.question.casefold()))
    for keys in groups:
        if not _holds(got, keys, person=person):
            continue
        if why := _retracted(texts, got, keys):
            return different(why)
        shared = quoted(_given_keys(got, keys), texts.expected)
        return equivalent(f"It has these key words of the accepted answer: {shared}.")
    missing = quoted(groups[0] - _given_keys(got, groups[0]), texts.expected)
    return different(f"Missing from the given answer: {missing}.")


def _key_groups(texts: Texts) -> list[frozenset[str]]:
    """The key words of the accepted answer, and further groups of them if it names things twice.

    They come from its first part that has any, then from the parts that give another name.
    """
    plain = _BRACKETS.sub(" ", texts.expected)
    asked = normalise(texts.question)
    names = normalise(plain).names | _first_name(plain)
    counted = bool(_NUMBER_QUESTION.search(texts.question.casefold()))
    groups = []
    for segment in _SEGMENT.split(plain):
        keys = _keys_of(normalise(segment), asked, names, counted=counted)
        if keys:
            groups.append(keys)
    return groups if _OTHER_NAME.search(plain.casefold()) else groups[:1]


def _first_name(text: str) -> frozenset[str]:
    """The first word of a text if another capital follows it at once, as in a person's name."""
    found = re.match(r"([^\W\d_]+) (?:d[aei] |van |von |of |the )?([^\W\d_])", text)
    if found is None or not (found[1][0].isupper() and found[2].isupper()):
        return frozenset()
    return frozenset(normalise(found[1]).words)


def _keys_of(
    segment: NormalisedText, asked: NormalisedText, names: frozenset[str], *, counted: bool
) -> frozenset[str]:
    """The key words of a part of the accepted answer, without those of the question.

    These are its numbers if a number was asked for, else its names, else its words with meaning.
    """
    new = [
        word
        for word in segment.words
        if word not in asked.words and stem(word) not in asked.key_stems
    ]
    numbers = frozenset(filter(is_number, new))
    if counted and numbers:
        return numbers
    if named := names.intersection(new):
        return named
    return frozenset(filter(has_meaning, new)) - numbers or numbers


def _holds(got: NormalisedText, keys: frozenset[str], *, person: bool) -> bool:
    """Whether a text holds the numbers and most words of `keys` (half of a name)."""
    given = _given_keys(got, keys)
    if any(map(is_number, keys - given)):
        return False
    return len(given) >= len(keys) * (0.5 if person else 0.6)


def _given_keys(got: NormalisedText, keys: frozenset[str]) -> frozenset[str]:
    """The words and numbers of `keys` that a text holds."""
    present = got.stems.union(got.words)

    def is_given(key: str) -> bool:
        return stem(key) in present or any(_same_number(key, word) for word in present)

    return frozenset(filter(is_given, keys))


def _same_number(key: str, word: str) -> bool:
    """Whether a word says a number of the accepted answer. A date also says its year."""
    return same_day(key, word) or (len(key) == 4 and word.startswith(f"@d{key}"))


def _retracted(texts: Texts, got: NormalisedText, keys: frozenset[str]) -> str | None:
    """Why an answer that holds the key words is still wrong, or None."""
    expected, question = normalise(texts.expected), normalise(texts.question)
    known = expected.names.union(question.names, expected.words, question.words)
    if _negates(got, keys) and not _negates(expected, keys):
        return "The given answer negates the key words."
    if _one_of_several(got, keys, expected):
        return "The given answer names several candidates."
    if len(got.names - known) > _MOST_NAMES:
        return "The given answer lists too many other names."
    if len(set(got.numbers).difference(expected.numbers, question.numbers)) > _MOST_NUMBERS:
        return "The given answer lists too many other numbers."
    if _renamed(texts.got, keys, known):
        return "A name in the given answer is not the accepted one."
    return None


def _negates(text: NormalisedText, keys: frozenset[str]) -> bool:
    """Whether one of the key words is negated wherever it occurs."""
    places = ([at for at, word in enumerate(text.words) if word == key] for key in keys)
    return any(is_negated(text.words, of_key) for of_key in places)


def _one_of_several(got: NormalisedText, keys: frozenset[str], expected: NormalisedText) -> bool:
    """Whether an "or" joins a key word with a name foreign to the accepted answer."""
    foreign = got.names.difference(expected.words)
    for at, word in enumerate(got.words):
        if word not in JOINERS or word in expected.words:
            continue
        around = set(
            filter(has_meaning, got.words[max(0, at - 2) : at] + got.words[at + 1 : at + 4])
        )
        if foreign & around and keys & around:
            return True
    return False


def _renamed(text: str, keys: frozenset[str], known: frozenset[str]) -> bool:
    """Whether a key name follows a first name that is foreign to question and reference."""
    words = normalise(text).words
    if all(key in words for key in keys if key.isalpha()):
        return False
    for first, last in re.findall(r"\b([A-Z][\w'’]{1,60})\s+([A-Z][\w'’]+)", text):
        foreign = known.isdisjoint(normalise(first).words) and has_meaning(first.casefold())
        if foreign and keys.intersection(normalise(last).words):
            return True
    return False


def _whole_answer(texts: Texts, got: NormalisedText) -> RuleFinding:
    """Compares nearly all words, if the accepted answer says nothing that the question does not."""
    expected = normalise(texts.expected)
    wanted = expected.key_stems
    if not wanted or len(wanted & got.key_stems) < 0.7 * len(wanted):
        return different("It has too few words of the accepted answer.")
    if expected.negations % 2 != got.negations % 2:
        return different("One answer is negated, and the other is not.")
    return equivalent("It has nearly all words of the accepted answer.")
