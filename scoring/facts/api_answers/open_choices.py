"""Whether an answer leaves open which of several values is right: "12, 14 or 20 minutes"."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final

from scoring.facts.canonical_text.canonical_words import COMMA
from scoring.facts.canonical_text.tokens import is_date, is_number, is_time
from scoring.facts.sentences import Passage, Span

# What joins values of which only one is right, besides a slash.
_CHOOSING: Final = frozenset(("or", "alternatively", "possibly", "perhaps", "maybe"))
# What may also stand between the values of one list, and one other word: "71 points or 68".
_SMALL: Final = frozenset(
    (
        *(COMMA, "a", "an", "the", "and", "if", "not", "even", "else", "about", "around"),
        *("it", "is", "at", "on", "in", "by", "for", "with", "to", "from", "roughly"),
    )
)
_SLASH: Final = "/"


def offered_beside(passage: Passage, right: Iterable[Span], others: Iterable[Span]) -> Span | None:
    """The first other value that an answer offers beside a right one without choosing.

    A name is no choice beside a number, nor a time beside a date.
    """
    own = set(right)
    by_kind: dict[str, list[Span]] = defaultdict(list)
    for value in sorted(own.union(others)):
        by_kind[_kind(passage.words[value.first])].append(value)
    for alike in by_kind.values():
        for values in _lists(passage, alike):
            foreign = [value for value in values if value not in own]
            has_choice = any(_is_choice(passage, *pair) for pair in pairwise(values))
            if has_choice and 0 < len(foreign) < len(values):
                return foreign[0]
    return None


def _kind(word: str) -> str:
    kinds = {"date": is_date, "time": is_time, "number": is_number}
    return next((kind for kind, fits in kinds.items() if fits(word)), "name")


def _lists(passage: Passage, values: Sequence[Span]) -> Iterator[list[Span]]:
    """Values with hardly a word between them, list by list."""
    listed: list[Span] = []
    for value in values:
        if listed and value.first < listed[-1].end:
            continue  # a part of the value before it
        if listed and not _are_beside(passage, listed[-1], value):
            yield listed
            listed = []
        listed.append(value)
    yield listed


def _are_beside(passage: Passage, one: Span, other: Span) -> bool:
    if passage.sentence_at(one.first) != passage.sentence_at(other.first):
        return False
    between = passage.words[one.end : other.first]
    return sum(word not in _SMALL and word not in _CHOOSING for word in between) <= 1


def _is_choice(passage: Passage, one: Span, other: Span) -> bool:
    between = passage.words[one.end : other.first]
    written = passage.canonical.original[passage.chars_of(one).end : passage.chars_of(other).start]
    return not _CHOOSING.isdisjoint(between) or written.strip() == _SLASH
