"""What a judge prompt quotes, what a rule finds, and what several rules look at in the same way."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from replay.lexical.normalised_words import OPERATORS, reading, stem
from replay.lexical.wordlists import FILLER, GENERIC, NEGATIONS, word_set


@dataclass(frozen=True, slots=True)
class Texts:
    """What a judge prompt quotes: the question, the accepted text, the given text, and the argument (or nothing)."""

    question: str
    subject: str
    expected: str
    got: str


@dataclass(frozen=True, slots=True)
class Finding:
    """Whether the given text is equivalent, and why, in one sentence."""

    equivalent: bool
    why: str


def different(why: str) -> Finding:
    return Finding(False, why)


def equivalent(why: str) -> Finding:
    return Finding(True, why)


def pattern(*alternatives: str) -> re.Pattern[str]:
    """One pattern of whole words out of several: `pattern("can not", "unable")` finds either."""
    return re.compile(r"\b(?:" + "|".join(alternatives) + r")\b")


def one_of(words: str) -> str:
    """`"lit dark"` as `(?:lit|dark)`, to build patterns from."""
    return "(?:" + "|".join(words.split()) + ")"


def listed(tokens: Iterable[str]) -> str:
    """Words, numbers and dates as a sentence shows them."""
    return ", ".join(re.sub(r"^@[dt]", "", token) for token in tokens) or "none"


def sentences(text: str) -> list[str]:
    """The sentences of a text, each with its full stop or question mark."""
    return [part.strip() for part in re.split(r"(?<=[.?!])\s+|\n+", text) if part.strip()]


def spoken(text: str) -> str:
    """The words of a text in their one form, in a line."""
    return " ".join(reading(text).words)


def is_question(sentence: str) -> bool:
    return sentence.rstrip("\"'»”’)] ").endswith("?")


def repeats(sentence: str, question: str) -> bool:
    """Whether a sentence only says a part of the user's request again, word for word."""
    return f" {spoken(sentence)} " in f" {spoken(question)} "


# Verbs that so many facts share that they tell nothing of one.
_PLAIN_VERBS: Final = word_set(
    "write make build paint compose discover invent create develop produce contain consist mean become stand lie show "
    "introduce painted composed discovered invented created developed produced introduced"
)
_MUTE: Final = FILLER | GENERIC | NEGATIONS | _PLAIN_VERBS | OPERATORS | {"(", ")"}


def tells(word: str) -> bool:
    """Whether a word tells something: no filler, no negation, no operator, no word that is generic."""
    return word not in _MUTE


def leading_name(text: str, question: str) -> frozenset[str]:
    """The first word of a text where it looks like a name: a capital, no filler, and not a small word of the question."""
    first = re.match(r"[^\W\d_]+", text)
    if (
        first is None
        or not first[0][0].isupper()
        or re.search(rf"\b{re.escape(first[0].casefold())}\b", question)
    ):
        return frozenset()
    return frozenset(word for word in reading(first[0]).words if tells(word))


def stems(text: str) -> frozenset[str]:
    """The stems of all words of a text."""
    return frozenset(stem(word) for word in reading(text).words)
