"""Category clarifying: a clarifying question against the expected one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from replay.lexical.judge_vocabulary import ACCEPTED_TOPICS, ASKING, REQUESTING, TOPICS, pattern
from replay.lexical.normalisation import normalise
from replay.lexical.shared_rules import (
    RuleFinding,
    Texts,
    different,
    equivalent,
    is_question,
    listed,
    normalised_line,
    quoted,
    sentences,
)

_ASKS: Final = pattern("asks")
_REACH: Final = 9  # words after a question word or a request that can name what is asked for
_MOST_EXTRAS: Final = 3
_ENDS: Final = frozenset({"start", "end"})
_STAY: Final = frozenset({"check in", "check out"})


def _between_blanks(phrase: str) -> str:
    return f" {normalised_line(phrase)} "


# The phrases of every topic, normalised, with a blank on both sides.
_PHRASES: Final = {topic: list(map(_between_blanks, phrases)) for topic, phrases in TOPICS.items()}

# A part of a question with its choices, each a set of topics: "which city or time zone?".
Part = tuple[frozenset[str], ...]


def same_question(texts: Texts) -> RuleFinding:
    """Judges whether a reply asks the user for what the accepted question asks for."""
    asking = [part for part in sentences(texts.got) if _asks(part, texts.question)]
    if not asking:
        return different("The given text does not ask for anything.")
    wanted = _wanted(texts.expected)
    if not wanted:
        return _shared_words(texts, asking)
    given = frozenset[str]().union(*map(_topics, asking))
    needed = frozenset[str]().union(*(choices[0] for choices in wanted if len(choices) == 1))
    if needed >= _ENDS and not _ENDS & given:
        return different("It asks for neither the start nor the end of the route.")
    for choices in wanted:
        if not any(_covers(topics, given) for topics in choices):
            return different(f"It does not ask for: {listed(sorted(choices[0]))}.")
    named = frozenset[str]().union(*(topics for choices in wanted for topics in choices))
    related = named.union(*(ACCEPTED_TOPICS.get(topic, ()) for topic in named))
    if len(given - related) > _MOST_EXTRAS:
        return different("It asks for too many other things.")
    return equivalent(f"It asks for the same information: {listed(sorted(named))}.")


def _asks(sentence: str, question: str) -> bool:
    """Whether a sentence asks for something and does not just repeat the request."""
    said = normalised_line(sentence)
    repeats = f" {said} " in f" {normalised_line(question)} "
    return not repeats and (is_question(sentence) or bool(_ASKS.search(said)))


def _covers(topics: frozenset[str], given: frozenset[str]) -> bool:
    if topics >= _ENDS and not _ENDS & given:
        return False  # one place is not enough for both ends of a way
    if len(_STAY & given) == 1 and _STAY & topics - given:
        return False  # the reply asks for one end of the stay, and the other one is missing
    return all(not given.isdisjoint({topic, *ACCEPTED_TOPICS.get(topic, ())}) for topic in topics)


def _wanted(expected: str) -> list[Part]:
    """The parts of the accepted question that must each be asked."""
    found: list[Part] = []
    for sentence in sentences(expected):
        for part in _parts(sentence.replace(", or ", " or ")):
            choices = tuple(filter(None, map(_topics, part.split(" or "))))
            if choices:
                found.append(choices)
    return found


def _parts(sentence: str) -> list[str]:
    """Splits a sentence into parts that ask. A part that does not ask joins the one before."""
    parts: list[str] = []
    for part in re.split(r"(?<!,) and |, and |,(?! or) |;", sentence):
        if parts and (ASKING | REQUESTING).isdisjoint(normalise(part).words):
            parts[-1] += f" and {part}"
        else:
            parts.append(part)
    return parts


def _topics(text: str) -> frozenset[str]:
    """The topics that a text names within reach of a question word or a request."""
    words = normalise(text).words
    found: set[str] = set()
    for at, word in enumerate(words):
        if word in ASKING or word in REQUESTING:
            found |= _topics_near(word, words[max(0, at - 1) : at + _REACH + 1])
    return frozenset(found)


def _topics_near(word: str, words: Sequence[str]) -> set[str]:
    near = f" {' '.join(words)} "
    found = set()
    for topic, phrases in _PHRASES.items():
        if any(phrase in near for phrase in phrases):
            found.add(topic)
    if "translated" in found:
        # "What should I translate" asks for the text. "Which language should I translate into"
        # does not.
        found.remove("translated")
        if "language" not in found:
            found.add("text")
    if word == "where":
        return (found & _ENDS) or {"place"}
    return found


def _shared_words(texts: Texts, asking: Sequence[str]) -> RuleFinding:
    """Compares words if the accepted question names no topic: half of them must be asked for."""
    expected = normalise(texts.expected).key_stems
    wanted = expected - normalise(texts.question).key_stems or expected
    shared = wanted.intersection(normalise(" ".join(asking)).key_stems)
    if wanted and 2 * len(shared) >= len(wanted):
        return equivalent(f"It asks with the same words: {quoted(shared, texts.expected)}.")
    return different("It asks for something else.")
