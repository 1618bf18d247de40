"""What an answer copies: the words of the question, and the answers of other cases."""

from __future__ import annotations

from collections.abc import Iterable
from math import ceil

from scoring.facts.sentences import Passage, Span

_LONG_RUN = 7  # words copied from the question one after the other
_SHORT_RUN = 4
_SHARE = 0.7  # of a short question


def run_length(query: Passage) -> int:
    """How many words in a row are a copy of the question, and no coincidence."""
    return min(_LONG_RUN, max(_SHORT_RUN, ceil(_SHARE * len(query.words))))


def runs(query: Passage) -> frozenset[tuple[str, ...]]:
    """Every run of words of the question that is long enough to be a copy."""
    words, length = query.words, run_length(query)
    return frozenset(words[at : at + length] for at in range(len(words) - length + 1))


def copied_words(query: Passage, answer: Passage) -> frozenset[int]:
    """The places of the words that an answer copies from the question."""
    known = runs(query)
    length = run_length(query)
    words = answer.words
    copied: set[int] = set()
    if known:
        for at in range(len(words) - length + 1):
            if words[at : at + length] in known:
                copied.update(range(at, at + length))
    return frozenset(copied)


def without(answer: Passage, hidden: Iterable[int]) -> str:
    """The original text without the words at these places: what a judge may read."""
    parts: list[str] = []
    end = 0
    for at in sorted(hidden):
        place = answer.place(Span(at, at + 1))
        if place.start > end:
            parts.append(answer.canonical.original[end : place.start])
        end = max(end, place.end)
    parts.append(answer.canonical.original[end:])
    return " ".join(part.strip() for part in parts if part.strip())
