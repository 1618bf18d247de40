"""The question of a case, compiled once: its words, numbers, and what it compares."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from scoring.facts.canonical_text.canonical_words import BOUNDARIES, SMALL_WORDS
from scoring.facts.canonical_text.tokens import base_form
from scoring.facts.copied_text import QueryRuns
from scoring.facts.polarity import OPPOSITES
from scoring.facts.sentences import Passage, read_passage
from scoring.facts.stated.quantities import quantities

COMPARING: Final = frozenset(("more", "most", "less", "least", "fewer", "fewest", "same"))
WITHOUT: Final = frozenset(("no", "without"))
_QUESTION_NEGATIONS: Final = frozenset(("no", "not", "none", "without"))


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """A question, and what it asks for.

    `runs` are those of its words that are no coincidence in an answer. `asked` are the base forms
    of the words that it is about, and `asked_or_negations` has words such as "not" of it, too.
    `alike` are its comparing words and those that mean the same, and `opposite` those that mean the
    opposite. Both are empty if it has words of both sides. `lacking` is what it wants lacking.
    """

    passage: Passage
    runs: QueryRuns
    asked: frozenset[str]
    asked_or_negations: frozenset[str]
    numbers: frozenset[float]
    alike: frozenset[str]
    opposite: frozenset[str]
    lacking: frozenset[str]

    @classmethod
    def of(cls, query: str) -> AskedQuestion:
        passage = read_passage(query)
        words = passage.words
        content = [word for word in words if word not in SMALL_WORDS or word in COMPARING]
        asked = frozenset(map(base_form, content)) - BOUNDARIES
        alike, opposite = _compared(words)
        return cls(
            passage=passage,
            runs=QueryRuns.of(passage),
            asked=asked,
            asked_or_negations=asked | _QUESTION_NEGATIONS.intersection(words),
            numbers=frozenset(number.value for number in quantities(passage)),
            alike=alike,
            opposite=opposite,
            lacking=_lacking(words),
        )

    @property
    def words(self) -> tuple[str, ...]:
        return self.passage.words

    @property
    def explains(self) -> bool:
        """Whether it asks for a reason, which can be given in many words."""
        return "why" in self.words

    def is_about(self, word: str) -> bool:
        """Whether it asks about what a word says, in any of its forms."""
        return base_form(word) in self.asked


def _compared(words: tuple[str, ...]) -> tuple[frozenset[str], frozenset[str]]:
    """What means the same as the comparing words of a question, and what the opposite."""
    pairs = [pair for pair in OPPOSITES if not pair[0].isdisjoint(words)]
    alike = frozenset(word for pair in pairs for word in pair[0])
    opposite = frozenset(word for pair in pairs for word in pair[1])
    if alike & opposite:
        return frozenset(), frozenset()
    return alike, opposite


def _lacking(words: tuple[str, ...]) -> frozenset[str]:
    """What a question wants lacking: "Which food contains no milk?"."""
    return frozenset(
        base_form(word) for before, word in pairwise(words) if before in WITHOUT and word.isalpha()
    )
