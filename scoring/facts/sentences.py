"""Sentences and clauses of canonical text."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from operator import attrgetter
from typing import Final, NamedTuple

from leaderboard.texts.short_text import single_spaced
from scoring.facts.canonical_text.canonical import Canonical, CharRange, canonical
from scoring.facts.canonical_text.canonical_words import ASKED, BOUNDARIES, COMMA, STOP
from scoring.facts.toml_tables import phrases, read_table

_TABLE: Final = read_table("sentences.toml")
_CLAUSE_STARTS: Final = frozenset(_TABLE["clause_starts"].split())
_OFFERS: Final = [tuple(offer.split()) for offer in phrases(_TABLE["closing_offers"])]
_OFFER_JOINTS: Final = frozenset(_TABLE["offer_joints"].split())
_ASKS: Final = frozenset(_TABLE["question_starts"].split())

KEY: Final = 2  # letters by which the words of a passage are found

# Words. What is found in a sentence is compared with all of it, so one without end takes minutes.
LONGEST_SENTENCE: Final = 200


class Span(NamedTuple):
    """The words from `first` up to `end`, without it."""

    first: int
    end: int

    @property
    def indexes(self) -> range:
        """The indexes of its words."""
        return range(self.first, self.end)

    def overlaps(self, other: Span) -> bool:
        """Whether two spans share a word."""
        return self.first < other.end and other.first < self.end

    def inside(self, other: Span) -> bool:
        """Whether every word is one of another span."""
        return other.first <= self.first and self.end <= other.end

    def overlaps_any(self, others: Iterable[Span]) -> bool:
        """Whether it shares a word with one of the other spans."""
        return any(map(self.overlaps, others))

    def inside_any(self, others: Iterable[Span]) -> bool:
        """Whether one of the other spans has every word."""
        return any(map(self.inside, others))

    def split_at(self, indexes: Iterable[int]) -> Iterator[Span]:
        """What is before, between and after the words at sorted indexes, where it has any."""
        first = self.first
        for at in (*indexes, self.end):
            if first < at:
                yield Span(first, at)
            first = at + 1

    def is_part_of(self, other: Span) -> bool:
        """Whether another span has every word, and more."""
        return self != other and self.inside(other)


_FIRST: Final = attrgetter("first")


@dataclass(frozen=True, slots=True, eq=False)
class Passage:
    """A canonical text with its sentences and clauses. None of these holds its last boundary.

    `starts` has the indexes of the words by their first letters, so that forms are found fast.
    Each passage equals only itself, so that what is found in it can be kept.
    """

    canonical: Canonical
    sentences: tuple[Span, ...]
    asking: frozenset[Span]
    clauses: tuple[Span, ...]
    starts: Mapping[str, list[int]] = field(repr=False)

    @property
    def words(self) -> tuple[str, ...]:
        return self.canonical.words

    def clause_at(self, word: int) -> Span:
        """The clause that a word is in."""
        return self.clauses[bisect_right(self.clauses, word, key=_FIRST) - 1]

    def sentence_at(self, word: int) -> Span:
        """The sentence that a word is in."""
        return self.sentences[bisect_right(self.sentences, word, key=_FIRST) - 1]

    def words_of(self, span: Span) -> tuple[str, ...]:
        """The words of a span."""
        return self.words[span.first : span.end]

    def text_of(self, span: Span) -> str:
        """The canonical text of a span."""
        return " ".join(self.words_of(span))

    def spans_of(self, words: tuple[str, ...]) -> list[Span]:
        """Every span that has exactly these words."""
        size = len(words)
        firsts = self.starts.get(words[0][:KEY], ()) if words else ()
        return [Span(at, at + size) for at in firsts if self.words[at : at + size] == words]

    def chars_of(self, span: Span) -> CharRange:
        """The characters of a span in the original text."""
        return self.canonical.chars_of(span.first, span.end)

    def written(self, span: Span) -> str:
        """A span as the original text writes it, on one line."""
        start, end = self.chars_of(span)
        return single_spaced(self.canonical.original[start:end])

    def follows_mark(self, span: Span, mark: str) -> bool:
        """Whether the original text has a mark before a span. Emphasis may be between them."""
        before = self.canonical.original[: self.chars_of(span).start]
        return before.rstrip(" *_").endswith(mark)


@lru_cache(maxsize=4096)
def read_passage(text: str) -> Passage:
    """Reads a text: its canonical form, its sentences and its clauses."""
    read = canonical(text)
    sentences, asking, clauses = [], [], []
    starts: dict[str, list[int]] = {}
    sentence = clause = first_clause = 0
    for at, word in enumerate(read.words):
        starts.setdefault(word[:KEY], []).append(at)
        ends_sentence = word in (STOP, ASKED) or at - sentence == LONGEST_SENTENCE
        if ends_sentence or word == COMMA or word in _CLAUSE_STARTS:
            if at > clause:
                clauses.append(Span(clause, at))
            clause = at + 1 if word in BOUNDARIES else at
        if ends_sentence:
            inside = clauses[first_clause:] if word == ASKED else []
            if offer := _offer_after_answer(read.words, inside):
                sentences.append(Span(sentence, inside[offer - 1].end))
                sentence = inside[offer].first
            sentences.append(Span(sentence, at))
            if word == ASKED:
                asking.append(sentences[-1])
            sentence, first_clause = clause, len(clauses)
    size = len(read.words)
    if size > sentence:
        sentences.append(Span(sentence, size))
    if size > clause:
        clauses.append(Span(clause, size))
    return Passage(read, tuple(sentences), frozenset(asking), tuple(clauses), starts)


def _offer_after_answer(words: tuple[str, ...], clauses: Sequence[Span]) -> int:
    """Which clause of a question offers more after an answer, or 0: "Paris, shall I go on?"."""
    for number, clause in enumerate(clauses):
        start = clause.first
        if words[start] in _OFFER_JOINTS:
            start += 1
        if number and any(words[start : start + len(offer)] == offer for offer in _OFFERS):
            return number
        if words[start] in _ASKS:
            return 0
    return 0
