"""Whether an answer asks for too much: for what the request does not need, or for a list of all."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final

from leaderboard.facts.fact_shapes import Facts
from scoring.facts.canonical_text.canonical_words import COMMA
from scoring.facts.sentences import Passage, Span
from scoring.facts.unmet_requests.slots import (
    ASKING,
    FAMILIES,
    SLOTS,
    WIDE,
    asked_for,
    families_of,
    slots_of,
)

_MOST_OTHER_THINGS: Final = 3  # things that may be asked for beside what is missing
# The same limit over all kinds of information, and over the kinds of which the request lacks
# nothing. Some words of an honest question mean something else: "check", "your client", "what I
# lack for".
_MOST_SLOTS: Final = 5
_MOST_FOREIGN_SLOTS: Final = 2
_LONGEST_LEAD_IN: Final = 5  # words before a question: "Just one quick question: where …"
_LEAD_IN_MARKS: Final = (":", "-", "–", "—")
_TRIP_ENDS: Final = ("start", "end", "road")


def asks_too_much(facts: Facts, passage: Passage, asking: Sequence[Span]) -> bool:
    """Whether the sentences `asking` ask for something that has nothing to do with the request."""
    return (
        _asks_for_trip(facts, passage, asking)
        or _too_much(facts, passage, asking)
        or _too_many_slots(facts, passage, asking)
    )


def _asks_for_trip(facts: Facts, passage: Passage, asking: Sequence[Span]) -> bool:
    """Whether an answer asks for the ends of a trip, and the request is about none."""
    needs = slots_of((*facts.asks, *facts.may_ask))
    asked = any(ASKING["trip"].first(passage, sentence) for sentence in asking)
    return asked and needs.isdisjoint(_TRIP_ENDS)


def _too_much(facts: Facts, passage: Passage, asking: Sequence[Span]) -> bool:
    """Whether an answer asks for things this request does not need, or for many more things."""
    slots = slots_of(facts.asks)
    wanted = [span for slot in slots for span in _spans_asked(slot, passage, asking)]
    needed, allowed = families_of(slots), families_of(slots | slots_of(facts.may_ask))
    others = 0
    for family, nouns in FAMILIES.items():
        asked = {
            passage.text_of(span)
            for sentence in asking
            for span in nouns.spans(passage, sentence)
            if not span.overlaps_any(wanted)
            and not ASKING["known"].first(passage, passage.clause_at(span.first))
        }
        if asked and family not in allowed:
            return True
        if family not in needed:
            others += len(asked)
            if family in WIDE and len(asked) > 1:
                return True
    return others > _MOST_OTHER_THINGS


def _spans_asked(slot: str, passage: Passage, asking: Sequence[Span]) -> list[Span]:
    """The words of questions that ask for something."""
    return [span for sentence in asking for span in asked_for(slot, passage, sentence)]


def _too_many_slots(facts: Facts, passage: Passage, asking: Sequence[Span]) -> bool:
    """Whether an answer asks for many more things, as a list that would fit any request does."""
    needed = slots_of(facts.asks)
    allowed = needed | slots_of(facts.may_ask)
    families = families_of(allowed)
    asked = {name: _spans_asked(name, passage, asking) for name in SLOTS}
    own = allowed.union(name for name in SLOTS if not families.isdisjoint(SLOTS[name].families))
    lead_ins = [lead_in for one in asking if (lead_in := _lead_in(passage, one))]
    return (
        _distinct(asked, needed, passage, lead_ins) > _MOST_SLOTS
        or _distinct(asked, own, passage, lead_ins) > _MOST_FOREIGN_SLOTS
    )


def _distinct(
    asked: Mapping[str, Sequence[Span]],
    own: Collection[str],
    passage: Passage,
    lead_ins: Iterable[Span],
) -> int:
    """How many things are asked for, apart from those in `own` and the lead-ins."""
    taken = [span for name in own for span in asked[name]]
    taken += lead_ins
    number = 0
    for name in sorted(asked.keys() - own):
        for span in asked[name]:
            is_known = ASKING["known"].first(passage, passage.clause_at(span.first))
            if not is_known and not span.overlaps_any(taken):
                taken.append(span)
                number += 1
    return number


def _lead_in(passage: Passage, sentence: Span) -> Span | None:
    """The words before a question that belong to no question: "Quick question: where …"."""
    start = passage.words_of(Span(sentence.first, sentence.end - 1))[: _LONGEST_LEAD_IN + 1]
    if COMMA not in start:
        return None
    end = sentence.first + start.index(COMMA)
    question = Span(end + 1, sentence.end)
    is_marked = any(passage.follows_mark(question, mark) for mark in _LEAD_IN_MARKS)
    is_question = is_marked and ASKING["opening"].at_start(passage, question)
    return Span(sentence.first, end) if is_question else None
