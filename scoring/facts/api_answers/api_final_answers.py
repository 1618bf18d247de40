"""Decides the final answer of an agent by what simulated APIs replied to it.

Each fact must be in the answer, and also in the replies, unless it is general knowledge. Every
other time, date and number of the answer must come from the replies or from the query.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from leaderboard.facts import DateForm, Fact, Facts, NumberForm, TimeForm
from leaderboard.types import FoundFact, Json
from scoring.facts.api_answers.accepted_values import AcceptedValues
from scoring.facts.api_answers.answer_values import Values, unit_name
from scoring.facts.api_answers.invented_values import is_sourced
from scoring.facts.api_answers.json_leaves import leaves
from scoring.facts.api_answers.open_choices import offered_beside
from scoring.facts.api_answers.reply_records import Group, given_to_other, groups
from scoring.facts.api_answers.small_numbers import Name, is_own_value, names_with_numbers
from scoring.facts.api_answers.totals import Total, given_as_rate, totals
from scoring.facts.api_answers.value_closeness import is_derived
from scoring.facts.api_answers.value_owners import beside_other_name, exchanged
from scoring.facts.api_answers.value_search import find_number, find_time
from scoring.facts.canonical_text.canonical import Place
from scoring.facts.canonical_text.canonical_words import SMALL_WORDS
from scoring.facts.canonical_text.tokens import is_date, is_number, is_time
from scoring.facts.fact_findings import FactFinding, is_too_long, too_long
from scoring.facts.form_search import FormSet
from scoring.facts.misspelled_names import long_words, misspelled
from scoring.facts.polarity import TAKEN_BACK, denied, dropped_sentences
from scoring.facts.sentences import Passage, Span, read_passage

# An answer with more than this pastes what it got, and leaves the reader to choose.
MOST_WORDS: Final = 250
# So does one with more values and names that no fact needs. Every second fact allows one more, and
# so do a few values after new words of the answer's own.
UNASKED: Final = 4
_MOST_INTRODUCED: Final = 3
_SHORTEST_NAME: Final = 4  # letters of a text in a reply

_DENIALS: Final = frozenset(("not", "never", "instead", "rather"))
_Problem = tuple[str, str]
_PASTED: Final = (
    "pasted",
    "The answer lists more than was asked for, and leaves the choice open.",
)


@dataclass(frozen=True, slots=True)
class _Answer:
    """An answer, the replies behind it, and where it states each fact, by the fact's id.

    `names` are texts in the replies that start with no number. `numbered` are those with numbers
    that the query has, too.
    `given` are the replies themselves, `support` those without what only repeats an argument.
    `dropped` sentences state nothing, for example because they are corrected. `errors` repeat
    arguments, so they support a fact only by what its `source` names.
    """

    facts: Facts
    items: tuple[Fact, ...]
    passage: Passage
    dropped: tuple[Span, ...]
    stated: Mapping[str, tuple[Span, ...]]
    question: Passage
    replies: tuple[Passage, ...]
    support: tuple[Passage, ...]
    names: frozenset[str]
    numbered: frozenset[Name]
    totals: tuple[Total, ...]
    given: tuple[Json, ...]
    errors: tuple[Passage, ...]

    def counts(self, place: Span) -> bool:
        """Whether the words at a place are not in a dropped sentence."""
        return _counts(self.dropped, place)

    def place_of(self, fact: Fact) -> Place | None:
        """Where the answer states a fact first."""
        spans = self.stated[fact.id]
        return self.passage.place(spans[0]) if spans else None


def decide_replied(
    facts: Facts,
    query: str,
    answer: str,
    replies: Sequence[Json],
    errors: Sequence[Json] = (),
    *,
    support: Sequence[Json] | None = None,
) -> FactFinding:
    """Decides an answer by the facts of its query.

    `replies` are those that the suite gives, and `errors` those of calls that failed. Facts must
    be in `support`, if that is given: in the replies without what only repeats an argument.
    Nothing is left open. Otherwise replies pasted into foreign sentences would reach a judge.
    """
    if is_too_long(answer):
        return too_long()
    passage = read_passage(answer)
    items = tuple(item for item in facts.items if isinstance(item, Fact))
    question = read_passage(query)
    dropped = tuple(dropped_sentences(passage, question.words))
    texts = [
        read_passage(str(value)).canonical.text
        for reply in replies
        for value in leaves(reply)
        if isinstance(value, str | bool)
    ]
    numbered = names_with_numbers(texts, f" {question.canonical.text} ")
    text = _Answer(
        facts=facts,
        items=items,
        passage=passage,
        dropped=dropped,
        stated={item.id: _places(item, passage, dropped, numbered) for item in items},
        question=question,
        replies=_read_replies(replies),
        support=_read_replies(replies if support is None else support),
        errors=_read_replies(errors),
        names=frozenset(
            name for name in texts if len(name) >= _SHORTEST_NAME and not name[0].isdigit()
        ),
        numbered=numbered,
        totals=tuple(total for reply in replies for total in totals(reply)),
        given=tuple(replies),
    )
    found = tuple(FoundFact(item.label, text.place_of(item)) for item in items)
    for check in _CHECKS:
        if problem := check(text):
            reason, detail = problem
            return FactFinding("fail", reason, detail, found)
    return FactFinding("pass", "facts_stated", "The answer states every fact.", found)


def lines_of(reply: Json, key: str = "") -> Iterator[str]:
    """A reply as lines of a key and a value."""
    if isinstance(reply, Mapping):
        for name, value in reply.items():
            yield from lines_of(value, str(name))
    elif isinstance(reply, list | tuple):
        for value in reply:
            yield from lines_of(value, key)
    elif reply is not None:
        value = str(reply)
        yield f"{key} {value.lower() if isinstance(reply, bool) else value}".strip()


def _read_replies(replies: Sequence[Json]) -> tuple[Passage, ...]:
    return tuple(read_passage("\n".join(lines_of(reply))) for reply in replies)


# ---------------------------------------------------------------- facts


def _find(
    accepted: AcceptedValues, passage: Passage, names: Collection[Name] = ()
) -> Iterator[Span]:
    """Where a passage states a fact, except in what it denies and in numbers inside `names`."""
    for match in accepted.forms.find(passage):
        value = passage.words[match.first][-1].isdigit()
        if _denied_value(passage, match.span) if value else denied(passage, match):
            continue
        if is_own_value(passage, match.span, names):
            yield match.span
    for number in accepted.numbers:
        for span in _one_word(passage, find_number(number, passage)):
            if is_own_value(passage, span, names, has_unit=number.unit is not None):
                yield span
    for time in accepted.times:
        yield from _one_word(passage, find_time(time, passage))


def _one_word(passage: Passage, places: Iterator[int]) -> Iterator[Span]:
    for place in places:
        if not _denied_value(passage, Span(place, place + 1)):
            yield Span(place, place + 1)


def _denied_value(passage: Passage, place: Span) -> bool:
    """Whether the words directly before a value deny it. "No fee, and begins at 9" does not."""
    return not _DENIALS.isdisjoint(passage.words[max(0, place.first - 2) : place.first])


@dataclass(frozen=True, slots=True)
class _Compiled:
    accepts: AcceptedValues
    excludes: FormSet
    source: FormSet
    names: tuple[str, ...]


@lru_cache(maxsize=4096)
def _compiled(fact: Fact) -> _Compiled:
    accepts = AcceptedValues.of(fact.accepts)
    return _Compiled(
        accepts,
        FormSet(fact.excludes, tight=True),
        FormSet(fact.source),
        tuple(
            word
            for word in long_words(fact.label, accepts.forms)
            if word.capitalize() in fact.label
        ),
    )


def _places(
    fact: Fact, passage: Passage, dropped: Sequence[Span], names: Collection[Name]
) -> tuple[Span, ...]:
    """Where a passage states a fact. A long proper name may have a wrong letter or two."""
    compiled = _compiled(fact)
    spans = [*_find(compiled.accepts, passage, names)]
    if not spans:
        alike = misspelled(passage, compiled.names)
        spans = [match.span for match in alike if not denied(passage, match)]
    return tuple(place for place in spans if _counts(dropped, place))


def _counts(dropped: Sequence[Span], place: Span) -> bool:
    return not any(span.first <= place.first < span.end for span in dropped)


# ---------------------------------------------------------------- checks


def _withdrawn(text: _Answer) -> _Problem | None:
    if TAKEN_BACK.first(text.passage):
        return "withdrawn", "The answer takes back what it says."
    return None


def _missing(text: _Answer) -> _Problem | None:
    labels = [item.label for item in text.items if not text.stated[item.id]]
    return ("fact_missing", missing_words(labels)) if labels else None


def missing_words(labels: Sequence[str]) -> str:
    """A sentence about the facts that are missing."""
    if len(labels) > 1:
        return f"Missing: {'; '.join(labels)}."
    if labels[0].startswith("that "):
        return f"The answer does not say {labels[0]}."
    return f"{labels[0][:1].upper()}{labels[0][1:]} is missing."


def _unsupported(text: _Answer) -> _Problem | None:
    for fact in text.items:
        if not fact.known and not _supported(fact, text):
            return "fact_unsupported", f"No reply gives {fact.label}."
    return None


def _supported(fact: Fact, text: _Answer) -> bool:
    compiled = _compiled(fact)
    if compiled.source:
        return any(compiled.source.first(reply) for reply in (*text.support, *text.errors))
    if any(next(_find(compiled.accepts, reply), None) for reply in text.support):
        return True
    if not compiled.accepts.numbers or not text.support:
        return False
    values = _values((*text.support, text.question))
    return any(
        is_derived(abs(one.number), values, one.unit and unit_name(one.unit))
        for one in compiled.accepts.numbers
    )


def _contradicted(text: _Answer) -> _Problem | None:
    for fact in text.items:
        for match in _compiled(fact).excludes.find(text.passage):
            asked = text.passage.sentence_at(match.first) in text.passage.asking
            if text.counts(match.span) and not asked and not denied(text.passage, match):
                detail = f"“{text.passage.written(match.span)}” contradicts {fact.label}."
                return "contradiction", detail
    return None


def _too_long(text: _Answer) -> _Problem | None:
    return _PASTED if len(text.passage.words) > MOST_WORDS else None


def _dumped(text: _Answer) -> _Problem | None:
    unasked = _unasked(text)
    most = UNASKED + len(text.items) // 2 + _introduced(text, unasked)
    return _PASTED if len(unasked) > most else None


def _introduced(text: _Answer, unasked: Collection[str]) -> int:
    """How many unasked values follow new words that are neither in the replies nor in the query.

    Each word counts once, and only a few values count, so that no filler introduces a whole reply.
    """
    known_words = {word for passage in (*text.replies, text.question) for word in passage.words}
    values = {word for value in unasked for word in value.split()}
    number, has_own = 0, False
    for word in text.passage.words:
        if word in values:
            number, has_own = number + has_own, False
        elif word.isalpha() and word not in SMALL_WORDS and word not in known_words:
            known_words.add(word)
            has_own = True
    return min(number, _MOST_INTRODUCED)


def _unasked(text: _Answer) -> set[str]:
    """The values and names in an answer that no fact needs and the query does not have."""
    return {text.passage.text_of(span) for span in _unasked_places(text)}


def _unasked_places(text: _Answer) -> list[Span]:
    passage = text.passage
    needed = [span for fact in text.items for span in _find(_compiled(fact).accepts, passage)]
    places = {place for span in needed for place in span.places}
    facts = f" {' '.join(passage.words[place] for place in sorted(places))} "
    values = [
        Span(at, at + 1)
        for at, word in enumerate(passage.words)
        if at not in places and (is_number(word) or is_time(word) or is_date(word))
    ]
    names = [
        span
        for name in text.names
        if f" {name} " not in facts
        for span in passage.places_of(tuple(name.split()))
    ]
    asked = f" {text.question.canonical.text} "
    return [span for span in values + names if f" {passage.text_of(span)} " not in asked]


def _invented(text: _Answer) -> _Problem | None:
    """The values of the answer that neither the replies nor the query support."""
    known = _values((*text.replies, *text.errors, text.question))
    for fact in text.items:
        for one in fact.accepts:
            if isinstance(one, NumberForm):
                known.add_number(one.number, one.unit and unit_name(one.unit))
            elif isinstance(one, TimeForm):
                known.times.add(one.time)
            elif isinstance(one, DateForm):
                known.add_date(f"d{one.date}")
    for at in range(len(text.passage.words)):
        span = Span(at, at + 1)
        if text.counts(span) and not is_sourced(text.passage, at, known):
            return "invented", f"No reply gives “{text.passage.written(span)}”."
    return None


def _mixed_up(text: _Answer) -> _Problem | None:
    """A value beside another record's name, or two exchanged values."""
    records = groups(text.given)
    for sentence in text.passage.sentences:
        if text.counts(sentence) and _has_foreign_value(text, sentence, records):
            words = text.passage.written(sentence)
            return "mixed_up", f"“{words}” gives values to the wrong names."
    values = [item for item in text.items if _compiled(item).accepts.is_value]
    if found := exchanged(text.passage, values, text.stated):
        one, other = found
        return "mixed_up", f"The answer swaps {one.label} and {other.label}."
    return None


def _has_foreign_value(text: _Answer, sentence: Span, records: Sequence[Group]) -> bool:
    """Whether a value is beside another name, by the `pairs` of the case or by the replies."""
    return beside_other_name(text.passage, sentence, text.facts.pairs) or given_to_other(
        text.passage, sentence, records
    )


def _undecided(text: _Answer) -> _Problem | None:
    """Another value of the replies beside a right one, as in "12 or 14 minutes"."""
    right = [span for spans in text.stated.values() for span in spans]
    reply_words = {word for reply in text.replies for word in reply.words}
    others = [
        span
        for span in _unasked_places(text)
        if reply_words.issuperset(text.passage.words_of(span))
        and text.counts(span)
        and not span.overlaps_any(right)
    ]
    if found := offered_beside(text.passage, right, others):
        written = text.passage.written(found)
        return "contradiction", f"“{written}” is offered as well as a right value."
    return None


def _total_as_rate(text: _Answer) -> _Problem | None:
    if found := given_as_rate(text.passage, text.totals):
        return (
            "contradiction",
            f"“{text.passage.written(found)}” gives the total as the price of one item.",
        )
    return None


def _out_of_order(text: _Answer) -> _Problem | None:
    order = text.facts.order
    places = [text.stated[fact_id][0].first for fact_id in order if text.stated.get(fact_id)]
    if places != sorted(places):
        return "wrong_order", "The answer states the right things in the wrong order."
    return None


def _values(passages: Sequence[Passage]) -> Values:
    values = Values()
    for passage in passages:
        values.add(passage)
    return values


_CHECKS: Final[tuple[Callable[[_Answer], _Problem | None], ...]] = (
    _withdrawn,
    _missing,
    _unsupported,
    _contradicted,
    _too_long,  # the checks below compare every value with every other
    _mixed_up,
    _undecided,
    _total_as_rate,
    _out_of_order,
    _invented,
    _dumped,
)
