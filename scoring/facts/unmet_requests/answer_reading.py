"""What an answer says in words of its own, beside the words of the request."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from leaderboard.texts.markdown_marks import blank_struck_out
from scoring.facts.canonical_text.canonical import canonical
from scoring.facts.canonical_text.canonical_words import BOUNDARIES
from scoring.facts.canonical_text.tokens import is_date, stem
from scoring.facts.copied_text import parts_without_copies
from scoring.facts.phrase_tables import form_set
from scoring.facts.polarity import dropped_sentences
from scoring.facts.sentences import Passage, Span, read_passage
from scoring.facts.toml_tables import read_table

_TABLE: Final = read_table("unmet_requests/answer_reading.toml")
_PLAIN: Final = frozenset(_TABLE["plain_words"].split())
_GENERAL: Final = frozenset(_TABLE["general_words"].split())
_COUNTED: Final = frozenset(_TABLE["counted_words"].split())
_POINTERS: Final = frozenset(("these", "those"))
_SUBJECTS: Final = {name: form_set(text) for name, text in _TABLE["subjects"].items()}
_LONGEST_SENTENCE: Final = 60  # words; a longer one is a list
_VALUE: Final = re.compile(r"-?\d[\d.]*|[dth](?:\d\d|-)[\d:-]+")


@dataclass(frozen=True, slots=True)
class Reading:
    """An answer beside the request.

    - `kept`: the sentences of the answer that neither speak about grading nor are lists.
    - `stems`: the words of the request without their endings.
    - `foreign`: the answer is probably not in English.
    - `today`: the day that models are told, as a word of canonical text.
    """

    query: Passage
    answer: Passage
    kept: tuple[Span, ...]
    stems: frozenset[str]
    foreign: bool
    today: frozenset[str]

    @property
    def stated(self) -> tuple[Span, ...]:
        """The sentences that are kept and ask nothing."""
        return tuple(one for one in self.kept if one not in self.answer.asking)

    def without(self, dropped: Iterable[Span]) -> Reading:
        """The answer without some of its sentences."""
        unkept = frozenset(dropped)
        return replace(self, kept=tuple(one for one in self.kept if one not in unkept))

    def repeats_any(self, span: Span) -> bool:
        """Whether `repeats` is true of a word of the span."""
        return any(map(self.repeats, span.indexes))

    def repeats(self, word: int) -> bool:
        """Whether a word of the answer carries meaning and is one of the request."""
        text = self.answer.words[word]
        return text not in BOUNDARIES and text not in _PLAIN and stem(text) in self.stems


def read_answer(query: str, text: str, date: str | None = None) -> Reading:
    """Reads an answer, without what it strikes out, copies from the request or says about grading.

    `date` is the day that models are told.
    """
    asked = read_passage(query)
    answer = read_passage(_blank_copies(asked, blank_struck_out(text)))
    stems = frozenset(map(stem, asked.words))
    today = frozenset(canonical(date or "").words)
    return Reading(asked, answer, _kept(answer), stems, answer.canonical.foreign, today)


@lru_cache(maxsize=1024)
def _kept(answer: Passage) -> tuple[Span, ...]:
    dropped = set(dropped_sentences(answer))
    return tuple(
        sentence
        for sentence in answer.sentences
        if sentence not in dropped and sentence.end - sentence.first <= _LONGEST_SENTENCE
    )


def _blank_copies(query: Passage, text: str) -> str:
    """The text with blanks in place of what it copies from the request."""
    kept = [" "] * len(text)
    for start, end in parts_without_copies(query, text):
        kept[start:end] = text[start:end]
    return "".join(kept)


def meaningful(passage: Passage, span: Span) -> list[str]:
    """The words of a span that carry meaning."""
    words = passage.words_of(span)
    return [word for word in words if word not in BOUNDARIES and word not in _PLAIN]


def new_words(reading: Reading, sentence: Span) -> list[str]:
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


def other_subject(reading: Reading, sentences: Iterable[Span]) -> bool:
    """Whether sentences speak of a subject of other requests, and never of this one's."""
    named = {
        name
        for name, forms in _SUBJECTS.items()
        if any(forms.first(reading.answer, sentence) for sentence in sentences)
    }
    own = _subjects(reading.query.canonical.original)
    return bool(own and named) and not own & named


@lru_cache(maxsize=1024)
def _subjects(query: str) -> frozenset[str]:
    passage = read_passage(query)
    return frozenset(name for name, forms in _SUBJECTS.items() if forms.first(passage))


def strange_numbers(reading: Reading, sentence: Span) -> list[str]:
    """The values that neither the request nor the day of today has, such as 14 or t18:04."""
    words = reading.answer.words_of(sentence)
    asked = set(re.findall(r"\d+", reading.query.canonical.text)) | set(reading.query.words)
    asked |= reading.today
    # A date may be repeated without its year.
    asked |= {f"d-{word[5:]}" for word in asked if is_date(word)}
    strange = []
    for at, word in enumerate(words):
        following = words[at + 1] if at + 1 < len(words) else ""
        # "Those two" and "the two clubs" are no results.
        spelled = reading.answer.canonical.tokens[sentence.first + at].spelled
        before = words[at - 1] if at else ""
        pointed = before in _POINTERS or (before == "the" and spelled)
        counts = pointed or following in _COUNTED
        if _VALUE.fullmatch(word) and word not in asked and not counts:
            strange.append(word)
    return strange
