"""What an answer says in words of its own, beside the words of the request."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from scoring.facts.phrase_tables import VOCABULARY
from scoring.facts.polarity import dropped_sentences
from scoring.facts.sentences import Passage, Span, read_passage
from scoring.facts.tokens import BOUNDARIES

_RUN: Final = 4  # words one after the other, as in the request
_ECHO: Final = 0.7  # share of a sentence

_PLAIN: Final = frozenset(VOCABULARY["plain_words"].split())
_GENERAL: Final = frozenset(VOCABULARY["general_words"].split())
_ENGLISH: Final = frozenset(VOCABULARY["english_words"].split())
_FOREIGN: Final = frozenset(VOCABULARY["foreign_words"].split())
_COUNTED: Final = frozenset(VOCABULARY["counted_words"].split())
_NUMBER: Final = re.compile(r"-?\d+(?:\.\d+)?")
_VALUE: Final = re.compile(r"-?\d[\d.]*|[dth](?:\d\d|-)[\d:-]+")


@dataclass(frozen=True, slots=True)
class Reading:
    """An answer beside the request.

    - `kept`: the sentences of the answer that do not speak about grading.
    - `own`: those of them that do not only repeat the request.
    - `stems`: the words of the request without their endings.
    - `foreign`: the answer is probably not in English.
    """

    query: Passage
    answer: Passage
    kept: tuple[Span, ...]
    own: tuple[Span, ...]
    stems: frozenset[str]
    foreign: bool


def read_answer(query: str, text: str) -> Reading:
    """Reads an answer, without echoes of the request and sentences about grading."""
    asked, answer = _query(query), read_passage(text)
    stems = frozenset(map(stem, asked.words))
    dropped = set(dropped_sentences(answer))
    kept = tuple(sentence for sentence in answer.sentences if sentence not in dropped)
    own = tuple(sentence for sentence in kept if not _echo(asked, answer, sentence))
    return Reading(asked, answer, kept, own, stems, _foreign(answer))


def _foreign(answer: Passage) -> bool:
    """Whether the text has more small words of other languages than of English."""
    if any(word[0] > "\u0370" and word[0].isalpha() for word in answer.words):
        return True
    english = sum(word in _ENGLISH for word in answer.words)
    return sum(word in _FOREIGN for word in answer.words) > english


@lru_cache(maxsize=1024)
def _query(text: str) -> Passage:
    return read_passage(text)


def stem(word: str) -> str:
    """A word without the most common endings."""
    for ending in ("ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word.removesuffix(ending)
    return word


def meaningful(passage: Passage, stretch: Span) -> list[str]:
    """The words of a stretch that carry meaning."""
    words = passage.words[stretch.first : stretch.end]
    return [word for word in words if word not in BOUNDARIES and word not in _PLAIN]


def _echo(query: Passage, answer: Passage, sentence: Span) -> bool:
    """Whether most of a sentence is copied from the request, in runs of some words."""
    words = answer.words[sentence.first : sentence.end]
    asked = f" {query.canonical.text} "
    copied: set[int] = set()
    for at in range(len(words) - _RUN + 1):
        if f" {' '.join(words[at : at + _RUN])} " in asked:
            copied.update(range(at, at + _RUN))
    return len(copied) >= _ECHO * len(words)


def own_words(reading: Reading, sentence: Span) -> list[str]:
    """The words of a sentence that say something, and that the request does not have."""
    return [
        word
        for word in meaningful(reading.answer, sentence)
        if word not in _GENERAL and stem(word) not in reading.stems
    ]


def shares_words(reading: Reading) -> bool:
    """Whether an answer has a meaningful word of the request."""
    return any(
        stem(word) in reading.stems
        for sentence in reading.kept
        for word in meaningful(reading.answer, sentence)
        if word not in _GENERAL
    )


def strange_numbers(reading: Reading, sentence: Span) -> list[str]:
    """The values of a sentence that the request does not have, such as 14 or t18:04."""
    words = reading.answer.words[sentence.first : sentence.end]
    asked = set(re.findall(r"\d+", reading.query.canonical.text)) | set(reading.query.words)
    found = []
    for at, word in enumerate(words):
        following = words[at + 1] if at + 1 < len(words) else ""
        if _VALUE.fullmatch(word) and word not in asked and following not in _COUNTED:
            found.append(word)
    return found
