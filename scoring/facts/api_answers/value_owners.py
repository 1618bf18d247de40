"""Whether the values of an answer belong to the things beside them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache
from itertools import chain, combinations
from typing import Final, NamedTuple

from leaderboard.facts.accepted_forms import NumberForm
from leaderboard.facts.fact_shapes import Fact
from scoring.facts.api_answers.answer_values import unit_after, unit_name
from scoring.facts.canonical_text.canonical_words import MEASURES, SMALL_WORDS
from scoring.facts.canonical_text.tokens import base_form
from scoring.facts.form_search import FormSet
from scoring.facts.sentences import Passage, Span, read_passage

# A value before one of these belongs to something else than the name after it.
_COMPARED: Final = frozenset(
    ("than", "compared", "against", "versus", "whereas", "while", "unlike")
)

_UNITS: Final = frozenset((name,) for name in MEASURES)
_WITHIN: Final = 2  # words from a value to its name: "0.1 mm in Velmora"

Pairs = tuple[tuple[str, tuple[str, ...]], ...]


class Named(NamedTuple):
    """A name in an answer, and which of all names it is."""

    span: Span
    owner: int


# ---------------------------------------------------------------- values of records


def beside_other_name(passage: Passage, sentence: Span, pairs: Pairs) -> bool:
    """Whether a sentence gives the values of one record to another one, by the `pairs` of a case.

    One name alone needs one value that is not compared with it.
    """
    names, values = _pair_forms(pairs)
    named = [Named(one.span, one.form) for one in sorted(names.find(passage, sentence))]
    spans = sorted(values.find(passage, sentence))
    if not named or not spans:
        return False
    owned = [_owners(pairs, values.forms[one.form].text) for one in spans]
    if len({name.owner for name in named}) == 1:
        own = [
            owners
            for value, owners in zip(spans, owned, strict=True)
            if _COMPARED.isdisjoint(passage.words[value.end : named[0].span.first])
        ]
        return bool(own) and all(named[0].owner not in owners for owners in own)
    readings = _readings([value.span for value in spans], named)
    return bool(readings) and not any(_agrees(reading, owned) for reading in readings)


def _readings(spans: Sequence[Span], named: Sequence[Named]) -> list[list[int]]:
    """The names that values may belong to, by every reading that has a name for each of them."""
    readings = []
    for reader in _READERS:
        owners = [reader(value, named) for value in spans]
        known = [owner for owner in owners if owner is not None]
        if len(known) == len(spans):
            readings.append(known)
    if len(spans) == len(named):
        readings.append([name.owner for name in named])  # "A and B: 12 and 14"
    return readings


def _agrees(reading: Sequence[int], owned: Sequence[AbstractSet[int]]) -> bool:
    """Whether every value belongs to the name that a reading gives it to."""
    return all(name in owners for name, owners in zip(reading, owned, strict=True))


def _owners(pairs: Pairs, value: str) -> set[int]:
    return {owner for owner, (_, mine) in enumerate(pairs) if value in mine}


@lru_cache(maxsize=1024)
def _pair_forms(pairs: Pairs) -> tuple[FormSet, FormSet]:
    values = dict.fromkeys(value for _, owned in pairs for value in owned)
    return FormSet(name for name, _ in pairs), FormSet(values)


# A value may belong to the last name before it, to the next one after it, to the nearest one, or to
# the one of its own words: "Tarnwick has 1.6 mm, against 0.1 mm in Velmora".
# A reading of a sentence takes the same for all its values.


def _before(value: Span, named: Sequence[Named]) -> int | None:
    earlier = [name for name in named if name.span.end <= value.first]
    return earlier[-1].owner if earlier else None


def _after(value: Span, named: Sequence[Named]) -> int | None:
    return next((name.owner for name in named if name.span.first >= value.end), None)


def _nearest(value: Span, named: Sequence[Named]) -> int | None:
    return min(named, key=lambda name: _distance(name.span, value)).owner


def _distance(one: Span, other: Span) -> int:
    return max(one.first - other.end, other.first - one.end)


def _within(value: Span, named: Sequence[Named]) -> int | None:
    near = (name.owner for name in named if 0 <= name.span.first - value.end <= _WITHIN)
    owner = next(near, None)
    return _before(value, named) if owner is None else owner


_READERS: Final = (_before, _after, _nearest, _within)


# ---------------------------------------------------------------- values of facts


def exchanged(
    passage: Passage, items: Sequence[Fact], stated: Mapping[str, Sequence[Span]]
) -> tuple[Fact, Fact] | None:
    """Two facts whose values an answer exchanges: "deposit 25, tuning 200".

    `stated` has all spans of the value of each fact, by the fact's id. A value belongs to words
    of the fact's label in its sentence, or to words that mean the same. A number belongs to the
    fact whose label or unit directly follows it, if there is one.
    """
    labels = _labels(tuple(items))
    units = [_units_of(item) for item in items]
    named = {sentence: _named(passage, sentence, labels) for sentence in passage.sentences}
    readings = []
    for reader in _READERS:
        owners: list[set[int | None]] = [set() for _ in items]
        for own, item in enumerate(items):
            for span in stated[item.id] if labels[own] else ():
                if names := named[passage.sentence_at(span.first)]:
                    owner = _counted(passage, span, own, labels)
                    if owner is None:
                        owner = _measured(passage, span, own, units)
                    owners[own].add(reader(span, names) if owner is None else owner)
        readings.append(owners)
    for one, other in combinations(range(len(items)), 2):
        swapped = any(
            _is_only(mine[one], other, one) and _is_only(mine[other], one, other)
            for mine in readings
        )
        if swapped and not any(one in mine[one] and other in mine[other] for mine in readings):
            return items[one], items[other]
    return None


def _counted(
    passage: Passage, value: Span, own: int, labels: Sequence[frozenset[str]]
) -> int | None:
    """The fact that says what a number counts: "12 crates", "12 L crates". Its own comes first."""
    at = value.end + (passage.words[value.end : value.end + 1] in _UNITS)
    following = {base_form(word) for word in passage.words[value.end : at + 1]}
    if not labels[own].isdisjoint(following):
        return own
    others = (owner for owner, label in enumerate(labels) if not label.isdisjoint(following))
    return next(others, None)


def _measured(
    passage: Passage, value: Span, own: int, units: Sequence[AbstractSet[str]]
) -> int | None:
    """Another fact that has the unit of a number, if its own has not."""
    unit = unit_after(passage.words, value.end - 1)
    if unit is None or unit in units[own]:
        return None
    return next((owner for owner, theirs in enumerate(units) if unit in theirs), None)


def _units_of(item: Fact) -> AbstractSet[str]:
    units = {
        unit_name(one.unit) for one in item.accepts if isinstance(one, NumberForm) and one.unit
    }
    return units & MEASURES.keys()


def _is_only(owners: set[int | None], other: int, own: int) -> bool:
    return other in owners and own not in owners


def _named(passage: Passage, sentence: Span, labels: Sequence[frozenset[str]]) -> list[Named]:
    """The words of a sentence that are in a label."""
    return [
        Named(Span(at, at + 1), owner)
        for at in sentence.indexes
        for owner, label in enumerate(labels)
        if base_form(passage.words[at]) in label
    ]


@lru_cache(maxsize=1024)
def _labels(items: tuple[Fact, ...]) -> tuple[frozenset[str], ...]:
    """The words for each fact that are words for no other: "the departure" has "leaves", too."""
    words = [_label(item.label.partition(",")[0]) for item in items]
    uses = Counter(chain.from_iterable(words))
    shared = {word for word, number in uses.items() if number > 1}
    return tuple(own - shared for own in words)


# Words that say the same of a value: "the departure, 18:04" is when something leaves.
_SAME_ROLE: Final = (
    "departure departs leaves leaving left goes",
    "arrival arrives arriving reaches",
    "start starts begins beginning opening opens from",
    "end ends until till finishes closing closes over",
    "price prices cost costs pay pays fare total charges sum",
    "admission entry entrance",
    "sunrise rises",
    "sunset sets",
    "high highest maximum up",
    "low lowest minimum",
    "duration takes lasts length",
    "rent rents rental",
)
_ROLES: Final = tuple(frozenset(map(base_form, words.split())) for words in _SAME_ROLE)


def _label(text: str) -> frozenset[str]:
    words = {base_form(word) for word in read_passage(text).words if word.isalpha()}
    content = frozenset(words - SMALL_WORDS)
    own = content - MEASURES.keys() or content  # a unit names "the days, 22"
    return own.union(*(role for role in _ROLES if not own.isdisjoint(role)))
