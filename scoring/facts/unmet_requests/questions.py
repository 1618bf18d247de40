"""Clarifying cases: does an answer ask for what the request left out?"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any, Final

from leaderboard.facts import Facts
from scoring.facts.canonical_text.canonical_words import COMMA
from scoring.facts.canonical_text.tokens import is_date
from scoring.facts.fact_findings import FactFinding, Found
from scoring.facts.form_search import FormSet
from scoring.facts.phrase_tables import form_set
from scoring.facts.polarity import denied
from scoring.facts.sentences import Passage, Span, read_passage
from scoring.facts.toml_tables import phrases, read_table
from scoring.facts.unmet_requests.answer_reading import (
    Reading,
    new_words,
    other_subject,
    shares_words,
    strange_numbers,
)
from scoring.facts.unmet_requests.refusals import claims

_MOST_OTHERS: Final = 3  # things that may be asked for beside what is missing
# The same, of any kind of information, and of kinds that the request leaves out none of. Some words
# of an honest question mean something else: "check", "your client", "what I lack for".
_MOST_SLOTS: Final = 5
_MOST_FOREIGN_SLOTS: Final = 2
_SHORT: Final = 5  # words of a question that offers one example
_REPEATED: Final = 3  # words of the request that no honest question consists of
_SPEAKERS: Final = frozenset(
    ("me", "i", "you'd", "we", "us", "so", "are", "he", "she", "they", "did", "has")
)
_SHORTEST_TRANSLATION: Final = 3  # words; "bien sûr" is none
_LONGEST_ITEM: Final = 10  # words of an item in a list of what is needed
_LONGEST_LEAD_IN: Final = 5  # words before a question: "Just one quick question: where …"
_LEAD_IN_MARKS: Final = (":", "-", "–", "—")
# "Where, on which day and at what time?" would fit too many requests.
_WIDE: Final = ("where", "when")
_ENDS: Final = ("start", "end", "road")
# A clause that starts with one of the first asks for nothing else: "when must they pay?".
_PLACE_OR_TIME: Final = frozenset(_WIDE)
_ATTRIBUTES: Final = frozenset(("which", "what"))
_OTHER_QUESTIONS: Final = frozenset(("which", "what", "how", "who", "whom", "whose", "and", "or"))
_QUESTION_WORDS: Final = _PLACE_OR_TIME | _ATTRIBUTES | {"how", "who"}

_NEEDING: Final = frozenset(("need", "not", "only"))
# "For which city do you need it?" asks nothing about the user, as "where do you live?" does.
_WANTING: Final = frozenset(("do", "you", verb) for verb in ("need", "want", "mean", "require"))

_TABLE: Final = read_table("unmet_requests/questions.toml")
_ASKING: Final = {name: form_set(text) for name, text in _TABLE["asking"].items()}
_FAMILIES: Final = {name: form_set(text) for name, text in _TABLE["families"].items()}


@dataclass(frozen=True, slots=True)
class Slot:
    """Something that can be asked for.

    - `phrases` ask for it, unless they are inside one of `unless`.
    - Two of `examples` in a question ask for it, too: "Miles or yards?". One does if the question
      is short: "In kilometres?".
    - `families`: the kinds of information that it belongs to.
    """

    label: str
    phrases: FormSet
    unless: FormSet
    examples: FormSet
    families: tuple[str, ...]

    def asked(self, passage: Passage, sentence: Span) -> Iterator[Span]:
        """The words of a sentence that ask for it."""
        others = [
            match.span
            for question in _questions_of(passage, sentence)
            for match in self.unless.find(passage, question)
        ]
        start = sentence.first
        while match := self.phrases.first(passage, Span(start, sentence.end)):
            if match.span.overlaps_any(others):
                # A shorter phrase may start inside: "from when to when".
                start = match.first + 1
            else:
                yield match.span
                start = match.end
        if sentence in passage.asking:
            examples = list(self.examples.find(passage, sentence))
            named = len({passage.text_of(example.span) for example in examples})
            is_short = sentence.end - sentence.first <= _SHORT
            words = passage.words_of(sentence)
            offers_one = named and is_short and _ATTRIBUTES.isdisjoint(words)
            if named > 1 or offers_one:
                yield Span(examples[0].first, examples[-1].end)


def _questions_of(passage: Passage, sentence: Span) -> Iterator[Span]:
    """The questions that "and" joins: "When do you arrive and when do you leave?"."""
    first = sentence.first
    for at in range(sentence.first + 1, sentence.end - 1):
        if passage.words[at] == "and" and passage.words[at + 1] in _QUESTION_WORDS:
            yield Span(first, at)
            first = at + 1
    yield Span(first, sentence.end)


def _slot(table: Mapping[str, str]) -> Slot:
    return Slot(
        label=table["label"],
        phrases=form_set(f"{table['phrases']}, {table.get('foreign', '')}"),
        unless=form_set(table.get("unless", "")),
        examples=form_set(table.get("examples", "")),
        families=tuple(phrases(table["families"])),
    )


SLOTS: Final = {name: _slot(table) for name, table in _TABLE["slots"].items()}


@lru_cache(maxsize=4096)
def _asked_for(slot: str, passage: Passage, sentence: Span) -> Sequence[Span]:
    """The words of a sentence that ask for a slot.

    They are kept, because an answer is also compared with the other requests of its category.
    """
    return tuple(SLOTS[slot].asked(passage, sentence))


# For each thing that is missing, the words that ask for it, or None.
Asked = Mapping[str, Span | None]


def decide_question(facts: Facts, reading: Reading) -> FactFinding:
    """Decides whether an answer asks for everything that is missing, and for little else."""
    asking = _asking(reading)
    if not asking or _only_repeats(reading, asking):
        return _failed("It asks for nothing.")
    asked = _asked(facts, reading, asking)
    if (
        _supposes(reading, asking)
        or _gives_result(reading, asked)
        or _guesses(facts, reading, asking)
    ):
        found = tuple(_found(reading, asked))
        return _failed("It assumes what it should ask for, or gives a result.", found)
    if not any(asked.values()) and _points(reading, asking):
        asking = [*_sentences_before(reading, asking), *asking]
        asked = _asked(facts, reading, asking)
    found = tuple(_found(reading, asked))
    missing = [need for need, span in asked.items() if span is None]
    if missing:
        if len(missing) == len(asked) and _unknown(reading, asking):
            return FactFinding("open", "facts_open", "It asks in words that no rule knows.")
        return _failed(f"It does not ask for {_label(missing[0])}.", found)
    if (
        other_subject(reading, asking)
        or _asks_for_trip(facts, reading.answer, asking)
        or _too_much(facts, reading.answer, asking)
        or _too_many_slots(facts, reading.answer, asking)
    ):
        return _failed("It asks for something that has nothing to do with the request.", found)
    detail = f"It asks for {' and '.join(map(_label, facts.asks))}."
    return FactFinding("pass", "asks_for_missing", detail, found)


def _failed(detail: str, found: tuple[Found, ...] = ()) -> FactFinding:
    return FactFinding("fail", "missing_not_asked", detail, found)


def _label(need: str) -> str:
    return SLOTS[_slots(need)[0]].label


def slots_of(needs: Iterable[str]) -> set[str]:
    """All slots of which any will do for one of the needs."""
    return {slot for need in needs for slot in _slots(need)}


def _slots(need: str) -> list[str]:
    """The slots of which any will do."""
    return need.split("|")


def _found(reading: Reading, asked: Asked) -> Iterator[Found]:
    for need, span in asked.items():
        yield Found(need, _label(need), reading.answer.place(span) if span else None)


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
    if _ASKING["no_need"].first(passage, sentence):
        return False
    if sentence in passage.asking:
        return True
    if _ASKING["declining"].first(passage, sentence):
        return False
    if _ASKING["anywhere"].first(passage, sentence):
        return True
    if passage.words[sentence.end - 1] == "please":
        return True
    return any(
        match.first == sentence.first or passage.words[match.first - 1] == COMMA
        for match in _ASKING["opening"].find(passage, sentence)
    )


def _only_repeats(reading: Reading, asking: Sequence[Span]) -> bool:
    """Whether the questions are made of several words of the request, and of no others.

    A question for a number may be: "How many stones does the scale show?"
    """
    if any(new_words(reading, sentence) for sentence in asking):
        return False
    if any(_lists_words(reading, sentence) for sentence in asking):
        return True
    speaks = any(
        not _SPEAKERS.isdisjoint(reading.answer.words_of(sentence))
        or _ASKING["polite"].first(reading.answer, sentence)
        for sentence in asking
    )
    counts = any(_ASKING["amount"].first(reading.answer, sentence) for sentence in asking)
    repeated = {
        reading.answer.words[place]
        for sentence in asking
        for place in sentence.places
        if reading.repeats(place)
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
    pointing = _ASKING["pointing"]
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


def _supposes(reading: Reading, asking: Sequence[Span]) -> bool:
    """Whether an answer supposes what is missing, or claims to have done the task."""
    passage = reading.answer
    supposed = [
        match for one in reading.stated for match in _ASKING["supposing"].find(passage, one)
    ]
    if any(not _is_offered(passage, match.span) for match in supposed):
        return True
    claimed = [claims(reading, [one]) for one in reading.kept if one not in asking]
    # "The bridge is closed" may be words of the request.
    return any(
        match and not reading.query.places_of(passage.words_of(match.span)) for match in claimed
    )


def _is_offered(passage: Passage, span: Span) -> bool:
    """Whether a supposition only holds if the user does not reply: "otherwise I'll assume one"."""
    return _ASKING["otherwise"].first(passage, passage.sentence_at(span.first)) is not None


def _gives_result(reading: Reading, asked: Asked) -> bool:
    """Whether an answer gives values of its own.

    Numbers are no result where questions ask for all that is missing, but other dates are, unless
    the user may mean them: "Do you mean tomorrow? That is 21 November."
    """
    passage = reading.answer
    asks = all(
        span and passage.sentence_at(span.first) in passage.asking for span in asked.values()
    )
    return any(
        not asks or (is_date(value) and not _is_proposed(reading, sentence))
        for sentence in reading.stated
        if not _ASKING["example"].first(passage, sentence)
        for value in strange_numbers(reading, sentence)
    )


def _guesses(facts: Facts, reading: Reading, asking: Sequence[Span]) -> bool:
    """Whether a statement gives the result for a guess: "It's sunny in Rome. Which city?"."""
    missing = slots_of(facts.asks)
    statements = [*reading.stated, *_before_questions(reading.answer, asking)]
    if "language" in _families(missing) and _translates(reading.answer, statements, asking):
        return True
    results = (_ASKING["result"], _compiled(facts.guesses))
    return any(
        _is_guess(reading, one, () if one in asking else missing, results) for one in statements
    )


def _before_questions(passage: Passage, asking: Sequence[Span]) -> Iterator[Span]:
    """What sentences that ask say first: "It is sunny, but where are you?"."""
    for sentence in asking:
        for match in _ASKING["opening"].find(passage, sentence):
            if match.first > sentence.first and passage.words[match.first - 1] == COMMA:
                yield Span(sentence.first, match.first - 1)
                break


def _is_guess(
    reading: Reading, statement: Span, missing: Iterable[str], results: Iterable[FormSet]
) -> bool:
    """Whether a statement is a result, or says something of one example of what is missing."""
    passage = reading.answer
    if any(_ASKING[name].first(passage, statement) for name in ("example", "otherwise", "unsure")):
        return False
    for forms in results:
        if any(not denied(passage, match) for match in forms.find(passage, statement)):
            return True
    if not _ASKING["stating"].first(passage, statement):
        return False
    for slot in missing:
        examples = [match.span for match in SLOTS[slot].examples.find(passage, statement)]
        named = {passage.text_of(one) for one in examples if not reading.repeats_any(one)}
        if len(named) == 1:
            return True
    return False


def _translates(passage: Passage, statements: Iterable[Span], asking: Iterable[Span]) -> bool:
    """Whether statements are in another language, and the questions are not."""

    def is_foreign(span: Span) -> bool:
        return read_passage(passage.written(span)).canonical.foreign

    long = [one for one in statements if one.end - one.first >= _SHORTEST_TRANSLATION]
    return any(map(is_foreign, long)) and not any(map(is_foreign, asking))


def _is_proposed(reading: Reading, sentence: Span) -> bool:
    """Whether a sentence, or the one before it, proposes what the user may mean."""
    at = reading.kept.index(sentence)
    return any(
        _ASKING["proposing"].at_start(reading.answer, one)
        for one in reading.kept[max(0, at - 1) : at + 1]
    )


# ---------------------------------------------------------------- what is asked for


def _asked(facts: Facts, reading: Reading, asking: Sequence[Span]) -> Asked:
    told = _compiled(facts.told)
    return {need: _first(need, reading.answer, asking, told) for need in facts.asks}


@lru_cache(maxsize=1024)
def _compiled(forms: tuple[Any, ...]) -> FormSet:
    return FormSet(forms, tight=True)


def _first(need: str, passage: Passage, asking: Iterable[Span], told: FormSet) -> Span | None:
    """The first words that ask for something, in a clause that asks for nothing in `told`."""
    for sentence in asking:
        for slot in _slots(need):
            for span in _asked_for(slot, passage, sentence):
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
    promise = _ASKING["promising"].first(passage, Span(clause.first, span.first))
    return promise is not None and passage.words[promise.end] not in _NEEDING


def _asks_when_or_where(passage: Passage, span: Span, families: Sequence[str]) -> bool:
    """Whether words only belong to the question when or where: "By which day must they pay?"."""
    clause = passage.clause_at(span.first)
    for place in range(span.first - 1, clause.first - 1, -1):
        word = passage.words[place]
        asked = word
        if word in _ATTRIBUTES:  # "which day" asks when, and "what place" asks where
            rest = Span(place + 1, span.first)
            asked = next((one for one in _WIDE if _FAMILIES[one].at_start(passage, rest)), word)
        if asked in _PLACE_OR_TIME:
            return asked not in families
        if word in _OTHER_QUESTIONS:
            return False
    return False


def _unknown(reading: Reading, asking: Sequence[Span]) -> bool:
    """Whether the questions are about the request, in words that no slot knows."""
    passage = reading.answer
    if any(_ASKING["vague"].first(passage, sentence) for sentence in asking):
        return False
    if any(_asked_for(slot, passage, sentence) for sentence in asking for slot in SLOTS):
        return False
    return shares_words(reading) and any(new_words(reading, sentence) for sentence in asking)


def _asks_for_trip(facts: Facts, passage: Passage, asking: Sequence[Span]) -> bool:
    """Whether an answer asks for the ends of a trip, and the request is about none."""
    needs = slots_of((*facts.asks, *facts.may_ask))
    asked = any(_ASKING["trip"].first(passage, sentence) for sentence in asking)
    return asked and needs.isdisjoint(_ENDS)


def _too_much(facts: Facts, passage: Passage, asking: Sequence[Span]) -> bool:
    """Whether an answer asks for things this request does not need, or for many more things."""
    slots = slots_of(facts.asks)
    wanted = [span for slot in slots for span in _places_asked(slot, passage, asking)]
    needed, allowed = _families(slots), _families(slots | slots_of(facts.may_ask))
    others = 0
    for family, nouns in _FAMILIES.items():
        asked = {
            passage.text_of(match.span)
            for sentence in asking
            for match in nouns.find(passage, sentence)
            if not match.span.overlaps_any(wanted)
            and not _ASKING["known"].first(passage, passage.clause_at(match.first))
        }
        if asked and family not in allowed:
            return True
        if family not in needed:
            others += len(asked)
            if family in _WIDE and len(asked) > 1:
                return True
    return others > _MOST_OTHERS


def _places_asked(slot: str, passage: Passage, asking: Sequence[Span]) -> list[Span]:
    """The words of questions that ask for something."""
    return [span for sentence in asking for span in _asked_for(slot, passage, sentence)]


def _too_many_slots(facts: Facts, passage: Passage, asking: Sequence[Span]) -> bool:
    """Whether an answer asks for many more things, as a list that would fit any request does."""
    needed = slots_of(facts.asks)
    allowed = needed | slots_of(facts.may_ask)
    families = _families(allowed)
    asked = {name: _places_asked(name, passage, asking) for name in SLOTS}
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
    """How many things are asked for, in words that ask for none of one's own."""
    taken = [span for name in own for span in asked[name]]
    taken += lead_ins
    number = 0
    for name in sorted(asked.keys() - own):
        for span in asked[name]:
            is_known = _ASKING["known"].first(passage, passage.clause_at(span.first))
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
    is_question = is_marked and _ASKING["opening"].at_start(passage, question)
    return Span(sentence.first, end) if is_question else None


def _families(slots: Iterable[str]) -> set[str]:
    """The kinds of information that slots belong to."""
    return {family for slot in slots for family in SLOTS[slot].families}
