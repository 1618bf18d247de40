"""Whether an answer gives a total as the price of one: "78 a night", for three nights."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from leaderboard.types import Json
from scoring.facts.api_answers.json_leaves import objects
from scoring.facts.canonical_text.canonical_words import BOUNDARIES
from scoring.facts.canonical_text.tokens import base_form, is_number
from scoring.facts.sentences import Passage, Span

_TOTAL: Final = "total"
_EACH: Final = frozenset(("each", "apiece"))
_PER: Final = frozenset(("a", "an", "per", "every", "each"))
_PEOPLE: Final = frozenset(map(base_form, ("people", "persons", "adults", "guests", "passengers")))
_ONE_OF_THEM: Final = frozenset(map(base_form, ("person", "head", "adult")))
_REACH: Final = 3  # words from a number to "a night": "78 ARV a night"


class Total(NamedTuple):
    """A total in a reply, and the units of which it covers more than one: "nights"."""

    value: float
    counted: frozenset[str]


def totals(reply: Json) -> Iterator[Total]:
    """The totals of a reply that are about several things."""
    for fields in objects(reply):
        value = fields.get(_TOTAL)
        counts = {name: one for name, one in fields.items() if type(one) is int and name != _TOTAL}
        counted = frozenset(base_form(name) for name, one in counts.items() if one > 1)
        if not counted.isdisjoint(_PEOPLE):
            counted |= _ONE_OF_THEM
        if isinstance(value, int | float) and counted:
            yield Total(float(value), counted)


def given_as_rate(passage: Passage, known: Iterable[Total]) -> Span | None:
    """The words of a passage that give one of the totals as the price of one thing."""
    for total in known:
        for at, word in enumerate(passage.words):
            if is_number(word) and float(word) == total.value:
                end = _end_of_rate(passage, at, total.counted)
                if end is not None:
                    return Span(at, end)
                start = _start_of_rate(passage, at, total.counted)
                if start is not None:
                    return Span(start, at + 1)
    return None


def _start_of_rate(passage: Passage, at: int, counted: frozenset[str]) -> int | None:
    """Where "a seat costs" before a number starts, if it is there."""
    for index in range(at - 1, max(0, at - 1 - _REACH), -1):
        word = passage.words[index]
        if word in BOUNDARIES or is_number(word):
            return None
        if base_form(word) in counted and passage.words[index - 1] in _PER:
            return index - 1
    return None


def _end_of_rate(passage: Passage, at: int, counted: frozenset[str]) -> int | None:
    """Where "a night" or "each" after a number ends, if it is there."""
    for index in range(at + 1, min(at + 1 + _REACH, len(passage.words))):
        word = passage.words[index]
        if word in BOUNDARIES or is_number(word):
            return None
        following = passage.words[index + 1 : index + 2]
        if word in _PER and following and base_form(following[0]) in counted:
            return index + 2
        if word in _EACH:
            return index + 1
    return None
