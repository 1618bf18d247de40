"""no_tool: an answer against a fact of general knowledge."""

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
from replay.lexical.wordlists import JOINERS, NEGATIONS

_UNSURE: Final = pattern(
    "i (?:do|did) not know",
    "not sure",
    "no idea",
    "unable to (?:answer|say|tell)",
    "can not (?:answer|say|tell|help|provide)",
    "hard to say",
    "unknown to me",
)
_BRACKETS: Final = re.compile(r"\([^()]*\)")
_SEGMENT: Final = re.compile(r"[,;:]\s+|\s+(?=or\b)|\balso (?:called|known as)\b")
_OTHERWISE: Final = pattern("also", "or", "born", "called", "known")
_NUMBER_QUESTION: Final = pattern(
    "how (?:many|much|old|long|far|tall|high|deep|big)", "(?:which|what) year", "when"
)
_PERSON_QUESTION: Final = pattern(
    "who", "whose", "whom", "author", "composer", "painter", "inventor"
)
_WHY_QUESTION: Final = pattern("why", "how (?:do|does|did|is|are|come|can)")
_MOST_NAMES: Final = 10
_MOST_NUMBERS: Final = 6


def same_fact(texts: Texts) -> Finding:
    """Whether an answer holds the key words of the accepted answer, and nothing that takes them back."""
    got = reading(texts.got)
    asked = [part for part in sentences(texts.got) if reading(part).content]
    if _UNSURE.search(" ".join(got.words)):
        return different("The given answer does not commit itself.")
    if all(map(is_question, asked)):
        return different("The given text asks instead of answering.")
    if len(got.telling) > 60 + 6 * len(reading(texts.expected).telling):
        return different("The given answer holds far more words than an answer needs.")
    if _WHY_QUESTION.search(texts.question.casefold()):
        return _explanation(texts, got)
    return _key_words(texts, got)


def _explanation(texts: Texts, got: Reading) -> Finding:
    wanted = reading(texts.expected).telling - reading(texts.question).telling
    shared = wanted & got.telling
    if len(shared) >= max(2, round(0.35 * len(wanted))):
        return equivalent(f"It explains with the same words: {listed(sorted(shared))}.")
    return different("It shares too few words with the accepted explanation.")


def _key_words(texts: Texts, got: Reading) -> Finding:
    groups = _keys(texts)
    if not groups:
        return _whole(texts, got)
    person = bool(_PERSON_QUESTION.search(texts.question.casefold()))
    held = next((keys for keys in groups if _holds(got, keys, person=person)), None)
    if held is None:
        return different(
            f"The given answer lacks the key words of the accepted one: {listed(sorted(groups[0]))}."
        )
    if why := _taken_back(texts, got, held):
        return different(why)
    return equivalent(f"The key words of the accepted answer are there: {listed(sorted(held))}.")


def _keys(texts: Texts) -> list[frozenset[str]]:
    """The key words of the accepted answer: those of its first telling part, then of the parts that name it otherwise."""
    plain = _BRACKETS.sub(" ", texts.expected)
    names = reading(plain).names | _first_name(plain)
    counted = bool(_NUMBER_QUESTION.search(texts.question.casefold()))
    named_twice = bool(_OTHERWISE.search(plain.casefold()))
    groups: list[frozenset[str]] = []
    for segment in _SEGMENT.split(plain):
        keys = _keys_of(reading(segment), reading(texts.question), names, counted=counted)
        if keys and (not groups or named_twice):
            groups.append(keys)
    return groups


def _first_name(text: str) -> frozenset[str]:
    """The first word of a text where another capital follows it at once, as in a person's name."""
    found = re.match(r"([^\W\d_]+) (?:d[aei] |van |von |of |the )?([^\W\d_])", text)
    is_name = found is not None and found[1][0].isupper() and found[2].isupper()
    return frozenset(reading(found[1]).words) if found and is_name else frozenset()


def _keys_of(
    segment: Reading, asked: Reading, names: frozenset[str], *, counted: bool
) -> frozenset[str]:
    """Of a part of the accepted answer: its numbers where a number was asked for, else its names, else its telling words."""
    new = [
        word
        for word in segment.words
        if word not in asked.words and stem(word) not in asked.telling
    ]
    numbers = frozenset(filter(is_number, new))
    if counted and numbers:
        return numbers
    named = frozenset(word for word in new if word in names)
    return (
        named or frozenset(word for word in new if tells(word) and word not in numbers) or numbers
    )


def _holds(got: Reading, keys: frozenset[str], *, person: bool) -> bool:
    """Whether a text holds every number and most words of `keys`; of a person's name, half of it will do."""
    present = frozenset(got.words) | frozenset(map(stem, got.words))
    held = {
        key
        for key in keys
        if stem(key) in present or any(_same_number(key, word) for word in present)
    }
    if any(is_number(key) for key in keys - held):
        return False
    return len(held) >= len(keys) * (0.5 if person else 0.6)


def _same_number(key: str, word: str) -> bool:
    """Whether a word says a number of the accepted answer; a date says its year too."""
    return same_day(key, word) or (len(key) == 4 and word.startswith(f"@d{key}"))


def _taken_back(texts: Texts, got: Reading, keys: frozenset[str]) -> str | None:
    """Why an answer that holds the key words still does not stand by them, or None."""
    expected, question = reading(texts.expected), reading(texts.question)
    known = expected.names | question.names | frozenset(expected.words) | frozenset(question.words)
    if _negated(got.words, keys) and not _negated(expected.words, keys):
        return "The given answer negates the key words."
    if _one_of_several(got, keys, expected):
        return "The given answer names several candidates."
    if len(got.names - known) > _MOST_NAMES:
        return "The given answer lists too many names."
    if len(set(got.numbers) - set(expected.numbers) - set(question.numbers)) > _MOST_NUMBERS:
        return "The given answer lists too many numbers."
    if _renamed(texts.got, keys, known):
        return "A name in the given answer is another one."
    return None


def _negated(words: Sequence[str], keys: frozenset[str]) -> bool:
    """Whether every key word stands close behind a "not"."""
    places = [at for at, word in enumerate(words) if word in keys]
    return bool(places) and all(NEGATIONS.intersection(words[max(0, at - 3) : at]) for at in places)


def _one_of_several(got: Reading, keys: frozenset[str], expected: Reading) -> bool:
    """Whether a key word stands on one side of an "or" and a name foreign to the accepted answer on the other."""
    for at, word in enumerate(got.words):
        if word not in JOINERS or word in expected.words:
            continue
        around = [
            near
            for near in got.words[max(0, at - 2) : at] + got.words[at + 1 : at + 4]
            if tells(near)
        ]
        foreign = [near for near in around if near in got.names and near not in expected.words]
        if foreign and keys.intersection(around):
            return True
    return False


def _renamed(text: str, keys: frozenset[str], known: frozenset[str]) -> bool:
    """Whether a first name was exchanged: a key name stands behind a name that neither question nor accepted answer has."""
    if all(key in reading(text).words for key in keys if key.isalpha()):
        return False
    pairs = re.findall(r"\b([A-Z][\w'’]+)\s+([A-Z][\w'’]+)", text)
    return any(
        keys.intersection(reading(last).words)
        and not known.intersection(reading(first).words)
        and tells(first.casefold())
        for first, last in pairs
    )


def _whole(texts: Texts, got: Reading) -> Finding:
    """For an accepted answer that says nothing the question does not: nearly all its words must be there."""
    expected = reading(texts.expected)
    wanted = expected.telling
    if (
        wanted
        and len(wanted & got.telling) >= 0.7 * len(wanted)
        and expected.negations % 2 == got.negations % 2
    ):
        return equivalent("It says the accepted answer in nearly the same words.")
    return different("It lacks the words of the accepted answer.")
