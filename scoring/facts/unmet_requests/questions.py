"""Clarifying cases: does an answer ask for what the request left out?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final

from leaderboard.facts.fact_shapes import Facts
from leaderboard.types import FoundFact
from scoring.facts.canonical_text.canonical_words import COMMA
from scoring.facts.fact_findings import FactFinding
from scoring.facts.form_search import FormSet
from scoring.facts.sentences import Passage, Span
from scoring.facts.unmet_requests.answer_reading import (
    Reading,
    new_words,
    other_subject,
    shares_words,
)
from scoring.facts.unmet_requests.excess_questions import asks_too_much
from scoring.facts.unmet_requests.guesses import guesses
from scoring.facts.unmet_requests.slots import (
    ASKING,
    ATTRIBUTES,
    FAMILIES,
    SLOTS,
    WIDE,
    alternatives,
    asked_for,
    compiled,
    label_of,
    question_for,
)

_REPEATED: Final = 3  # words of the request that no honest question consists of
# Words of a question that is more than words of the request.
_CONVERSATIONAL: Final = frozenset(
    ("me", "i", "you'd", "we", "us", "so", "are", "he", "she", "they", "did", "has")
)
_LONGEST_ITEM: Final = 10  # words of an item in a list of what is needed
# A clause that starts with one of the first asks for nothing else: "when must they pay?".
_PLACE_OR_TIME: Final = frozenset(WIDE)
_OTHER_QUESTIONS: Final = frozenset(("which", "what", "how", "who", "whom", "whose", "and", "or"))
_NEEDING: Final = frozenset(("need", "not", "only"))
# "For which city do you need it?" asks nothing about the user, as "where do you live?" does.
_WANTING: Final = frozenset(("do", "you", verb) for verb in ("need", "want", "mean", "require"))

# For each thing that is missing, the words that ask for it, or None.
Asked = Mapping[str, Span | None]


def decide_question(facts: Facts, reading: Reading) -> FactFinding:
    """Decides whether an answer asks for everything that is missing, and for little else."""
    asking = _asking(reading)
    if not asking or _only_repeats(reading, asking):
        return _failed("It asks for nothing.")
    asked = _asked(facts, reading, asking)
    if guesses(facts, reading, asking, [*asked.values()]):
        found = tuple(_found(reading, asked))
        return _failed("It assumes what it should ask for, or gives a result.", found)
    if not any(asked.values()) and _points(reading, asking):
        asking = [*_sentences_before(reading, asking), *asking]
        asked = _asked(facts, reading, asking)
    found = tuple(_found(reading, asked))
    missing = [need for need, span in asked.items() if span is None]
    if missing:
        if len(missing) == len(asked) and _unknown(reading, asking):
            return FactFinding("open", "facts_open", "No rule recognises how it asks.")
        return _failed(f"It does not ask {question_for(missing[0])}.", found)
    if other_subject(reading, asking) or asks_too_much(facts, reading.answer, asking):
        return _failed("It asks for something that has nothing to do with the request.", found)
    questions = dict.fromkeys(map(question_for, facts.asks))
    detail = f"It asks {' and '.join(questions)}."
    return FactFinding("pass", "asks_for_missing", detail, found)


def _failed(detail: str, found: tuple[FoundFact, ...] = ()) -> FactFinding:
    return FactFinding("fail", "missing_not_asked", detail, found)


def _found(reading: Reading, asked: Asked) -> Iterator[FoundFact]:
    for need, span in asked.items():
        yield FoundFact(label_of(need), reading.answer.chars_of(span) if span else None)


# ---------------------------------------------------------------- what asks


def _asking(reading: Reading) -> list[Span]:
    """The sentences that ask, and the items of a list that follow one."""
    asking, in_list = [], False
    for sentence in reading.kept:
        if _asks(reading.answer, sentence):
            asking.append(sentence)
            in_list = sentence not in reading.answer.asking
        elif in_list and sentence.end - sentence.first <= _LONGEST_ITEM:
            asking.append(sentence)
        else:
            in_list = False
    return asking


def _asks(passage: Passage, sentence: Span) -> bool:
    if ASKING["no_need"].first(passage, sentence) or _only_offers(passage, sentence):
        return False
    if sentence in passage.asking:
        return True
    if ASKING["declining"].first(passage, sentence):
        return False
    if ASKING["anywhere"].first(passage, sentence):
        return True
    if passage.words[sentence.end - 1] == "please":
        return True
    return any(
        match.first == sentence.first or passage.words[match.first - 1] == COMMA
        for match in ASKING["opening"].find(passage, sentence)
    )


def _only_offers(passage: Passage, sentence: Span) -> bool:
    """Whether a question offers more help and asks nothing: "Would you like to know more?"."""
    offer = ASKING["offering"].at_start(passage, sentence)
    if offer is None:
        return False
    rest = passage.words_of(Span(offer.end, sentence.end))
    return (ATTRIBUTES | {*WIDE, "how", "who"}).isdisjoint(rest)


def _only_repeats(reading: Reading, asking: Sequence[Span]) -> bool:
    """Whether the questions are made of several words of the request, and of no others.

    A question for a number may be: "How many stones does the scale show?"
    """
    if any(new_words(reading, sentence) for sentence in asking):
        return False
    if any(_lists_words(reading, sentence) for sentence in asking):
        return True
    speaks = any(
        not _CONVERSATIONAL.isdisjoint(reading.answer.words_of(sentence))
        or ASKING["polite"].first(reading.answer, sentence)
        for sentence in asking
    )
    counts = any(ASKING["amount"].first(reading.answer, sentence) for sentence in asking)
    repeated = {
        reading.answer.words[at]
        for sentence in asking
        for at in sentence.indexes
        if reading.repeats(at)
    }
    return len(repeated) >= _REPEATED and not speaks and not counts


def _lists_words(reading: Reading, sentence: Span) -> bool:
    """Whether words of the request follow each other as in a list: "hotel and brother"."""
    inner = range(sentence.first + 1, sentence.end - 1)
    return any(
        reading.answer.words[at] == "and" and reading.repeats(at - 1) and reading.repeats(at + 1)
        for at in inner
    )


def _points(reading: Reading, asking: Iterable[Span]) -> bool:
    """Whether a question means what the sentence before it names: "Which one?"."""
    pointing = ASKING["pointing"]
    return any(
        pointing.first(reading.answer, sentence) or not new_words(reading, sentence)
        for sentence in asking
    )


def _sentences_before(reading: Reading, asking: Sequence[Span]) -> list[Span]:
    return [
        before
        for before, sentence in pairwise(reading.kept)
        if sentence in asking and before not in asking
    ]


# ---------------------------------------------------------------- what is asked for


def _asked(facts: Facts, reading: Reading, asking: Sequence[Span]) -> Asked:
    told = compiled(facts.told)
    return {need: _first(need, reading.answer, asking, told) for need in facts.asks}


def _first(need: str, passage: Passage, asking: Iterable[Span], told: FormSet) -> Span | None:
    """The first words that ask for something, in a clause that asks for nothing in `told`."""
    for sentence in asking:
        for slot in alternatives(need):
            for span in asked_for(slot, passage, sentence):
                is_told = _is_told(told, passage, passage.clause_at(span.first))
                other = _asks_when_or_where(passage, span, SLOTS[slot].families)
                if not (is_told or other or _is_promised(passage, span)):
                    return span
    return None


def _is_told(told: FormSet, passage: Passage, clause: Span) -> bool:
    """Whether a clause asks for what the request has told."""
    return any(
        passage.words_of(Span(match.end - 2, match.end + 1)) not in _WANTING
        for match in told.find(passage, clause)
    )


def _is_promised(passage: Passage, span: Span) -> bool:
    """Whether words belong to what the speaker will do: "and I'll check the route"."""
    clause = passage.clause_at(span.first)
    promise = ASKING["promising"].first(passage, Span(clause.first, span.first))
    return promise is not None and passage.words[promise.end] not in _NEEDING


def _asks_when_or_where(passage: Passage, span: Span, families: Sequence[str]) -> bool:
    """Whether words only belong to the question when or where: "By which day must they pay?"."""
    clause = passage.clause_at(span.first)
    for at in range(span.first - 1, clause.first - 1, -1):
        word = passage.words[at]
        asked = word
        if word in ATTRIBUTES:  # "which day" asks when, and "what place" asks where
            rest = Span(at + 1, span.first)
            asked = next((one for one in WIDE if FAMILIES[one].at_start(passage, rest)), word)
        if asked in _PLACE_OR_TIME:
            return asked not in families
        if word in _OTHER_QUESTIONS:
            return False
    return False


def _unknown(reading: Reading, asking: Sequence[Span]) -> bool:
    """Whether the questions are about the request, in words that no slot knows."""
    passage = reading.answer
    if any(ASKING["vague"].first(passage, sentence) for sentence in asking):
        return False
    if any(asked_for(slot, passage, sentence) for sentence in asking for slot in SLOTS):
        return False
    return shares_words(reading) and any(new_words(reading, sentence) for sentence in asking)
