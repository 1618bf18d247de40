"""Clarifying cases: does an answer ask for what the request left out?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from leaderboard.facts import Facts
from scoring.facts.findings import FactFinding, Found
from scoring.facts.forms import FormSet
from scoring.facts.phrase_tables import VOCABULARY, form_set, phrases_of
from scoring.facts.polarity import phrases
from scoring.facts.refusals import claims
from scoring.facts.sentences import Passage, Span
from scoring.facts.tokens import COMMA
from scoring.facts.wording import Reading, other_subject, own_words, shares_words, strange_numbers

_MOST_OTHERS: Final = 3  # things that may be asked for beside what is missing
_WIDE: Final = ("where", "when")  # "where, on which day and at what time?" fits every request
_LONGEST_ITEM: Final = 10  # words of an item in a list of what is needed


@dataclass(frozen=True, slots=True)
class Slot:
    """Something that can be asked for.

    - `phrases` ask for it, unless they are inside one of `unless`.
    - Two of `examples` in a question ask for it, too: "Miles or yards?".
    - `families`: see the vocabulary.
    """

    label: str
    phrases: FormSet
    unless: FormSet
    examples: FormSet
    families: tuple[str, ...]

    def asked(self, passage: Passage, sentence: Span) -> Iterator[Span]:
        """The words of a sentence that ask for it."""
        others = [match.span for match in self.unless.find(passage, sentence)]
        for match in self.phrases.find(passage, sentence):
            if not any(_overlap(match.span, other) for other in others):
                yield match.span
        if sentence in passage.asking:
            examples = list(self.examples.find(passage, sentence))
            if len({passage.text_of(example.span) for example in examples}) > 1:
                yield Span(examples[0].first, examples[-1].end)


def _slot(table: Mapping[str, Any]) -> Slot:
    return Slot(
        label=table["label"],
        phrases=form_set([*table["phrases"], *phrases(table.get("foreign", ""))]),
        unless=form_set(table.get("unless", ())),
        examples=form_set(phrases(table.get("examples", ""))),
        families=tuple(phrases(table["families"])),
    )


SLOTS: Final = {name: _slot(table) for name, table in VOCABULARY["slots"].items()}

_OPENING: Final = phrases_of("asking", "opening")
_ANYWHERE: Final = phrases_of("asking", "anywhere")
_NO_NEED: Final = phrases_of("asking", "no_need")
_SUPPOSING: Final = phrases_of("asking", "supposing")
_EXAMPLE: Final = phrases_of("asking", "example")
_VAGUE: Final = phrases_of("asking", "vague")
_POINTING: Final = phrases_of("asking", "pointing")
_FAMILIES: Final = {
    name: form_set(phrases(text)) for name, text in VOCABULARY["families"].items()
}


def decide_question(facts: Facts, reading: Reading) -> FactFinding:
    """Decides whether an answer asks for everything that is missing, and not for everything."""
    passage = reading.answer
    asking = _asking(reading)
    if not asking:
        if reading.foreign:
            return FactFinding("open", "open", "The answer is in another language.")
        return _failed(facts, "It asks for nothing.", {})
    if _supposes(reading, asking):
        return _failed(facts, "It supposes what it should ask for, or gives a result.", {})

    told = form_set(facts.told)
    asked = {name: tuple(_places(slot, passage, asking, told)) for name, slot in SLOTS.items()}
    found = {need: _first(need, asked) for need in facts.asks}
    if not any(found.values()) and _points(reading, asking):
        asking = [*_sentences_before(reading, asking), *asking]
        asked = {name: tuple(_places(slot, passage, asking, told)) for name, slot in SLOTS.items()}
        found = {need: _first(need, asked) for need in facts.asks}
    missing = [need for need, place in found.items() if place is None]
    if missing:
        if len(missing) == len(facts.asks) and _unheard(reading, asking, asked):
            return FactFinding("open", "open", "It asks for something in words that no rule knows.")
        return _failed(facts, f"It does not ask for {_label(missing[0])}.", found)
    if other_subject(reading, asking) and not shares_words(reading):
        return _failed(facts, "It asks about another subject.", found)
    if _too_much(facts, passage, asking):
        return _failed(facts, "It also asks for what nobody needs here.", found)
    return FactFinding("pass", "asks_for_missing", _good(facts), tuple(_found(reading, found)))


def _overlap(one: Span, other: Span) -> bool:
    return one.first < other.end and other.first < one.end


def _label(need: str) -> str:
    return SLOTS[need.split("|")[0]].label


def _good(facts: Facts) -> str:
    return f"It asks for {' and '.join(map(_label, facts.asks))}."


def _failed(facts: Facts, detail: str, found: Mapping[str, Span | None]) -> FactFinding:
    return FactFinding("fail", "asks_not", detail)


def _found(reading: Reading, found: Mapping[str, Span | None]) -> Iterator[Found]:
    for need, stretch in found.items():
        yield Found(need, _label(need), reading.answer.place(stretch) if stretch else None)


def _asking(reading: Reading) -> list[Span]:
    """The sentences that ask, and the items of a list that follow one."""
    passage, found = reading.answer, []
    listing = False
    for sentence in reading.kept:
        if _asks(passage, sentence):
            found.append(sentence)
            listing = sentence not in passage.asking
        elif listing and sentence.end - sentence.first <= _LONGEST_ITEM:
            found.append(sentence)
        else:
            listing = False
    return found


def _asks(passage: Passage, sentence: Span) -> bool:
    if _NO_NEED.first(passage, sentence):
        return False
    if sentence in passage.asking or _ANYWHERE.first(passage, sentence):
        return True
    if passage.words[sentence.end - 1] == "please":
        return True
    return any(
        match.first == sentence.first or passage.words[match.first - 1] == COMMA
        for match in _OPENING.find(passage, sentence)
    )


def _points(reading: Reading, asking: Sequence[Span]) -> bool:
    """Whether a question means what the sentence before it names: "Which one?"."""
    passage = reading.answer
    return any(
        _POINTING.first(passage, sentence) or not own_words(reading, sentence)
        for sentence in asking
    )


def _places(
    slot: Slot, passage: Passage, asking: Iterable[Span], told: FormSet
) -> Iterator[Span]:
    for sentence in asking:
        for stretch in slot.asked(passage, sentence):
            if not (told and told.first(passage, passage.clause_at(stretch.first))):
                yield stretch


def _first(need: str, asked: Mapping[str, Sequence[Span]]) -> Span | None:
    return next((asked[name][0] for name in need.split("|") if asked[name]), None)


def _sentences_before(reading: Reading, asking: Sequence[Span]) -> list[Span]:
    """The sentence before each of these, which says what "it" or "which one" means."""
    return [
        before
        for before, sentence in zip(reading.kept, reading.kept[1:], strict=False)
        if sentence in asking and before not in asking
    ]


def _supposes(reading: Reading, asking: Sequence[Span]) -> bool:
    passage = reading.answer
    for sentence in reading.kept:
        if sentence in passage.asking:
            continue
        if _SUPPOSING.first(passage, sentence):
            return True
        if strange_numbers(reading, sentence) and not _EXAMPLE.first(passage, sentence):
            return True
    return bool(claims(reading, [one for one in reading.kept if one not in asking]))


def _too_much(facts: Facts, passage: Passage, asking: Sequence[Span]) -> bool:
    """Whether the answer asks for things that this request does not need, or for many others."""
    wanted = {name for need in facts.asks for name in need.split("|")}
    needed = {family for name in wanted for family in SLOTS[name].families}
    allowed = needed.union(*(SLOTS[name].families for name in facts.may_ask))
    others = 0
    for family, nouns in _FAMILIES.items():
        found = {
            passage.text_of(match.span)
            for sentence in asking
            for match in nouns.find(passage, sentence)
        }
        if found and family not in allowed:
            return True
        if family not in needed:
            others += len(found)
            if family in _WIDE and len(found) > 1:
                return True
    return others > _MOST_OTHERS


def _unheard(
    reading: Reading, asking: Sequence[Span], asked: Mapping[str, Sequence[Span]]
) -> bool:
    """Whether the questions hold words of their own that no slot knows."""
    if any(asked.values()) or any(_VAGUE.first(reading.answer, part) for part in asking):
        return False
    if reading.foreign:
        return True
    return shares_words(reading) and any(own_words(reading, sentence) for sentence in asking)
