"""clarifying: a question back to the user against the expected one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Final

from replay.lexical.normalised_words import reading
from replay.lexical.quoted_texts import (
    Finding,
    Texts,
    different,
    equivalent,
    is_question,
    listed,
    one_of,
    pattern,
    repeats,
    sentences,
    spoken,
)
from replay.lexical.wordlists import STANDS_FOR, TOPICS, word_set

_ASKS: Final = pattern(
    "(?:could|can|would|will) you",
    "please "
    + one_of(
        "tell provide specify share give let state name clarify enter indicate confirm send supply mention include"
    ),
    "(?:i|we) (?:will |would |also |still )?(?:need|require)",
    "let me know",
    "tell me",
    "provide",
    "specify",
    "may i (?:ask|know|have)",
    "i am missing",
    "without knowing",
)
_ASKING: Final = word_set("which what whose where when who whom how")
_REQUESTING: Final = word_set(
    "tell provide specify share give need require know clarify have state enter indicate supply missing mention include confirm"
)
_REACH: Final = 9  # words behind a question word or a request that can say what is asked for
_MOST_EXTRAS: Final = 3
_ENDS: Final = frozenset({"start", "end"})
_STAY: Final = frozenset({"check in", "check out"})


def same_question(texts: Texts) -> Finding:
    """Whether a reply asks the user for what the accepted question asks for."""
    asking = [
        part for part in sentences(texts.got) if _asks(part) and not repeats(part, texts.question)
    ]
    if not asking:
        return different("The given text does not ask for anything.")
    wanted = _wanted(texts.expected)
    if not wanted:
        return _shared_words(texts, asking)
    given = frozenset(topic for part in asking for topic in _topics(part))
    needed = frozenset(topic for choices in wanted if len(choices) == 1 for topic in choices[0])
    if needed >= _ENDS and not _ENDS & given:
        return different("It does not ask for both ends of the way.")
    lacking = [
        choices for choices in wanted if not any(_covers(topics, given) for topics in choices)
    ]
    if lacking:
        return different(f"It does not ask for: {listed(sorted(lacking[0][0]))}.")
    named = frozenset(topic for choices in wanted for topics in choices for topic in topics)
    related = named.union(*(STANDS_FOR.get(topic, ()) for topic in named))
    if len(given - related) > _MOST_EXTRAS:
        return different("It asks for everything imaginable instead of what is missing.")
    return equivalent(f"It asks for the same information: {listed(sorted(named))}.")


def _asks(sentence: str) -> bool:
    return is_question(sentence) or bool(_ASKS.search(spoken(sentence)))


def _covers(topics: frozenset[str], given: frozenset[str]) -> bool:
    if topics >= _ENDS and not _ENDS & given:
        return False  # one place does not tell both ends of a way
    if len(_STAY & given) == 1 and _STAY & topics - given:
        return False  # one end of the stay was asked for, and it is the other one that is missing
    return all(topic in given or given.intersection(STANDS_FOR.get(topic, ())) for topic in topics)


def _wanted(expected: str) -> list[tuple[frozenset[str], ...]]:
    """What the accepted question asks for: an entry per part that must be asked, each with its choices (city or time zone)."""
    found: list[tuple[frozenset[str], ...]] = []
    for sentence in sentences(expected):
        for part in _parts(sentence.replace(", or ", " or ")):
            choices = tuple(topics for option in part.split(" or ") if (topics := _topics(option)))
            if choices:
                found.append(choices)
    return found


def _parts(sentence: str) -> list[str]:
    """The parts of a sentence that ask on their own; what asks for nothing belongs to the part before it."""
    parts: list[str] = []
    for part in re.split(r"(?<!,) and |, and |,(?! or) |;", sentence):
        if parts and not (_ASKING | _REQUESTING).intersection(reading(part).words):
            parts[-1] += f" and {part}"
        else:
            parts.append(part)
    return parts


def _topics(text: str) -> frozenset[str]:
    """The kinds of information a sentence asks for: told by the words within reach of a question word or a request."""
    words = reading(text).words
    found: set[str] = set()
    for at, word in enumerate(words):
        if word in _ASKING or word in _REQUESTING:
            found |= _asked_by(word, words[max(0, at - 1) : at + _REACH + 1])
    return frozenset(found)


def _asked_by(word: str, words: Sequence[str]) -> set[str]:
    near = f" {' '.join(words)} "
    found = {topic for topic, phrases in _phrases() if any(phrase in near for phrase in phrases)}
    if (
        "translated" in found
    ):  # "what should I translate" asks for the text, "which language should I translate into" does not
        found = found - {"translated"} | ({"text"} if "language" not in found else set())
    return (found & _ENDS) or {"place"} if word == "where" else found


@cache
def _phrases() -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The phrases of every topic in the form that words have in a reading, with a blank on both sides."""
    return tuple(
        (topic, tuple(f" {spoken(phrase)} " for phrase in phrases))
        for topic, phrases in TOPICS.items()
    )


def _shared_words(texts: Texts, asking: Sequence[str]) -> Finding:
    """For an accepted question about something that no topic names: half of its own words must be asked for."""
    expected = reading(texts.expected).telling
    wanted = expected - reading(texts.question).telling or expected
    shared = wanted.intersection(reading(" ".join(asking)).telling)
    if wanted and 2 * len(shared) >= len(wanted):
        return equivalent(f"It asks with the same words: {listed(sorted(shared))}.")
    return different("It asks for something else.")
