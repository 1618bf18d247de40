"""Small numbers that are no value of their own: in a name, a range, or "the two"."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from scoring.facts.canonical_text.canonical_words import BOUNDARIES
from scoring.facts.canonical_text.tokens import is_number
from scoring.facts.number_closeness import SMALL_NUMBER
from scoring.facts.sentences import Passage, Span

_POINTING: Final = frozenset(("the", "these", "those", "both"))
_PAIR: Final = "2"  # "the two" names what was named before
_OF: Final = "of"
_TO: Final = "to"

Name = tuple[str, ...]


def names_with_numbers(texts: Iterable[str], query: str) -> frozenset[Name]:
    """The texts of replies that are a number and other words, and that the query has, too."""
    words = (tuple(text.split()) for text in texts if f" {text} " in query)
    return frozenset(
        name for name in words if any(map(is_number, name)) and any(map(str.isalpha, name))
    )


def is_own_value(
    passage: Passage, span: Span, names: Iterable[Name], *, has_unit: bool = False
) -> bool:
    """Whether words state a value. All do but a single small number that belongs to others.

    With `has_unit` the value is one of a measure, and may be the end of a range.
    """
    word = passage.words[span.first]
    if span.end - span.first > 1 or not is_number(word) or abs(float(word)) > SMALL_NUMBER:
        return True
    return not (
        (not has_unit and _is_in_range(passage, span.first))
        or _points_back(passage, span.first)
        or any(_is_in_name(passage, span.first, name) for name in names)
    )


def _is_in_range(passage: Passage, at: int) -> bool:
    """Whether a number is an end of a range: "6 to 14 °C"."""
    words = passage.words
    return any(
        words[joint] == _TO and is_number(words[other])
        for joint, other in ((at - 1, at - 2), (at + 1, at + 2))
        if 0 <= other < len(words)
    )


def _points_back(passage: Passage, at: int) -> bool:
    """Whether a number stands for what was named before: "between the two, skyr has more"."""
    words = passage.words
    ends = at + 1 == len(words) or words[at + 1] == _OF or words[at + 1] in BOUNDARIES
    return words[at] == _PAIR and at > 0 and words[at - 1] in _POINTING and ends


def _is_in_name(passage: Passage, at: int, name: Name) -> bool:
    return any(
        passage.words[start : start + len(name)] == name
        for start in range(max(0, at - len(name) + 1), at + 1)
    )
