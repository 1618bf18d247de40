"""Decides the final answer of an agent by what simulated APIs replied to it.

Each fact must be in the answer, and also in the replies, unless it is general knowledge. Every
other time, date and number of the answer must come from the replies or from the query.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

from leaderboard.facts.accepted_forms import DateForm, NumberForm, TimeForm
from leaderboard.facts.fact_shapes import Fact, Facts
from leaderboard.texts.markdown_marks import blank_struck_out
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
from scoring.facts.canonical_text.canonical import CharRange
from scoring.facts.canonical_text.canonical_words import SMALL_WORDS
from scoring.facts.canonical_text.tokens import is_date, is_number, is_time
from scoring.facts.fact_findings import Doubt, FactFinding, fails, is_too_long, too_long
from scoring.facts.form_search import FormSet
from scoring.facts.misspelled_names import long_words, misspelled
from scoring.facts.polarity import TAKEN_BACK, denied, dropped_sentences
from scoring.facts.retractions import called_wrong
from scoring.facts.sentences import Passage, Span, read_passage

# An answer with more than this pastes what it got, and leaves the reader to choose.
MOST_WORDS: Final = 250
# So does one with more values and names that no fact needs. Every second fact allows one more, and
# so do a few values after new words of the answer's own.
UNASKED: Final = 4
_MOST_INTRODUCED: Final = 3
_SHORTEST_NAME: Final = 4  # letters of a text in a reply

_DENIALS: Final = frozenset(("not", "never", "instead", "rather"))
_PASTED: Final = fails(
    "pasted", "The answer lists more than was asked for, and leaves the choice open."
)


class _Replies(NamedTuple):
    """What the simulated APIs replied.

    - `given`: the replies themselves, and `read`: as passages.
    - `support`: the replies without what only repeats an argument.
    - `errors` repeat arguments, so they support a fact only by what its `source` names.
    - `names`: the texts in replies that start with no number. `numbered`: those with numbers that
      the query has, too.
    """

    given: Sequence[Json]
    read: tuple[Passage, ...]
    support: tuple[Passage, ...]
    errors: tuple[Passage, ...]
    names: frozenset[str]
    numbered: frozenset[Name]
    totals: tuple[Total, ...]

    @classmethod
    def of(
        cls,
        question: Passage,
        replies: Sequence[Json],
        errors: Sequence[Json],
        support: Sequence[Json],
    ) -> _Replies:
        texts = [
            read_passage(str(value)).canonical.text
            for reply in replies
            for value in leaves(reply)
            if isinstance(value, str | bool)
        ]
        names = (name for name in texts if len(name) >= _SHORTEST_NAME)
        return cls(
            given=replies,
            read=_read_replies(replies),
            support=_read_replies(support),
            errors=_read_replies(errors),
            names=frozenset(name for name in names if not name[0].isdigit()),
            numbered=names_with_numbers(texts, f" {question.canonical.text} "),
            totals=tuple(total for reply in replies for total in totals(reply)),
        )


class _Answer(NamedTuple):
    """An answer, the replies behind it, and where it states each fact, by the fact's id.

    `dropped` sentences state nothing, for example because they are corrected.
    """

    facts: Facts
    items: tuple[Fact, ...]
    question: Passage
    replies: _Replies
    passage: Passage
    dropped: tuple[Span, ...]
    stated: Mapping[str, tuple[Span, ...]]

    @classmethod
    def of(cls, facts: Facts, question: Passage, replies: _Replies, answer: str) -> _Answer:
        passage = read_passage(blank_struck_out(answer))
        items = tuple(item for item in facts.items if isinstance(item, Fact))
        corrected = dropped_sentences(passage, label_words=question.words)
        dropped = (*corrected, *called_wrong(passage))
        stated = {item.id: _stated(item, passage, dropped, replies.numbered) for item in items}
        return cls(facts, items, question, replies, passage, dropped, stated)

    def counts(self, span: Span) -> bool:
        """Whether a span is not in a dropped sentence."""
        return _counts(self.dropped, span)

    def chars_of(self, fact: Fact) -> CharRange | None:
        """Where the answer states a fact first."""
        spans = self.stated[fact.id]
        return self.passage.chars_of(spans[0]) if spans else None


def decide_replied(
    facts: Facts,
    query: str,
    answer: str,
    replies: Sequence[Json],
    *,
    errors: Sequence[Json],
    support: Sequence[Json],
) -> FactFinding:
    """Decides an answer by the facts of its query.

    `replies` are those that the suite gives, and `errors` those of calls that failed. Facts must
    be in `support`: in the replies without what only repeats an argument.
    Nothing is left open. Otherwise replies pasted into foreign sentences would reach a judge.
    """
    if is_too_long(answer):
        return too_long()
    question = read_passage(query)
    known = _Replies.of(question, replies, errors, support)
    text = _Answer.of(facts, question, known, answer)
    found = tuple(FoundFact(item.label, text.chars_of(item)) for item in text.items)
    for check in _CHECKS:
        if doubt := check(text):
            return FactFinding(doubt.decided, doubt.reason, doubt.detail, found)
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


def _one_word(passage: Passage, indexes: Iterator[int]) -> Iterator[Span]:
    for at in indexes:
        if not _denied_value(passage, Span(at, at + 1)):
            yield Span(at, at + 1)


def _denied_value(passage: Passage, span: Span) -> bool:
    """Whether the words directly before a value deny it. "No fee, and begins at 9" does not."""
    return not _DENIALS.isdisjoint(passage.words[max(0, span.first - 2) : span.first])


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


def _stated(
    fact: Fact, passage: Passage, dropped: Sequence[Span], names: Collection[Name]
) -> tuple[Span, ...]:
    """Where a passage states a fact. A long proper name may have a wrong letter or two."""
    compiled = _compiled(fact)
    spans = [*_find(compiled.accepts, passage, names)]
    if not spans:
        alike = misspelled(passage, compiled.names)
        spans = [match.span for match in alike if not denied(passage, match)]
    return tuple(span for span in spans if _counts(dropped, span))


def _counts(dropped: Sequence[Span], span: Span) -> bool:
    return not any(one.first <= span.first < one.end for one in dropped)


# ---------------------------------------------------------------- checks


def _withdrawn(text: _Answer) -> Doubt | None:
    if TAKEN_BACK.first(text.passage):
        return fails("withdrawn", "The answer takes back what it says.")
    return None


def _missing(text: _Answer) -> Doubt | None:
    labels = [item.label for item in text.items if not text.stated[item.id]]
    return fails("fact_missing", missing_words(labels)) if labels else None


def missing_words(labels: Sequence[str]) -> str:
    """A sentence about the facts that are missing."""
    if len(labels) > 1:
        return f"Missing: {'; '.join(labels)}."
    if labels[0].startswith("that "):
        return f"The answer does not say {labels[0]}."
    return f"{labels[0][:1].upper()}{labels[0][1:]} is missing."


def _unsupported(text: _Answer) -> Doubt | None:
    for fact in text.items:
        if not fact.known and not _supported(fact, text):
            return fails("fact_unsupported", f"No reply gives {fact.label}.")
    return None


def _supported(fact: Fact, text: _Answer) -> bool:
    compiled, support = _compiled(fact), text.replies.support
    if compiled.source:
        return any(compiled.source.first(reply) for reply in (*support, *text.replies.errors))
    if any(next(_find(compiled.accepts, reply), None) for reply in support):
        return True
    if not compiled.accepts.numbers or not support:
        return False
    values = _values((*support, text.question))
    return any(
        is_derived(abs(one.number), values, one.unit and unit_name(one.unit))
        for one in compiled.accepts.numbers
    )


def _contradicted(text: _Answer) -> Doubt | None:
    for fact in text.items:
        for match in _compiled(fact).excludes.find(text.passage):
            asked = text.passage.sentence_at(match.first) in text.passage.asking
            if text.counts(match.span) and not asked and not denied(text.passage, match):
                detail = f"“{text.passage.written(match.span)}” contradicts {fact.label}."
                return fails("contradiction", detail)
    return None


def _too_long(text: _Answer) -> Doubt | None:
    return _PASTED if len(text.passage.words) > MOST_WORDS else None


def _dumped(text: _Answer) -> Doubt | None:
    unasked = _unasked(text)
    most = UNASKED + len(text.items) // 2 + _introduced(text, unasked)
    return _PASTED if len(unasked) > most else None


def _introduced(text: _Answer, unasked: Collection[str]) -> int:
    """How many unasked values follow new words that are neither in the replies nor in the query.

    Each word counts once, and only a few values count, so that no filler introduces a whole reply.
    """
    sources = (*text.replies.read, text.question)
    known_words = {word for passage in sources for word in passage.words}
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
    return {text.passage.text_of(span) for span in _unasked_spans(text)}


def _unasked_spans(text: _Answer) -> list[Span]:
    passage = text.passage
    needed = [span for fact in text.items for span in _find(_compiled(fact).accepts, passage)]
    indexes = {at for span in needed for at in span.indexes}
    facts = f" {' '.join(passage.words[at] for at in sorted(indexes))} "
    values = [
        Span(at, at + 1)
        for at, word in enumerate(passage.words)
        if at not in indexes and (is_number(word) or is_time(word) or is_date(word))
    ]
    names = [
        span
        for name in text.replies.names
        if f" {name} " not in facts
        for span in passage.spans_of(tuple(name.split()))
    ]
    asked = f" {text.question.canonical.text} "
    return [span for span in values + names if f" {passage.text_of(span)} " not in asked]


def _invented(text: _Answer) -> Doubt | None:
    """The values of the answer that neither the replies nor the query support."""
    known = _values((*text.replies.read, *text.replies.errors, text.question))
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
            return fails("invented", f"No reply gives “{text.passage.written(span)}”.")
    return None


def _mixed_up(text: _Answer) -> Doubt | None:
    """A value beside another record's name, or two exchanged values."""
    records = groups(text.replies.given)
    for sentence in text.passage.sentences:
        if text.counts(sentence) and _has_foreign_value(text, sentence, records):
            words = text.passage.written(sentence)
            return fails("mixed_up", f"“{words}” gives values to the wrong names.")
    values = [item for item in text.items if _compiled(item).accepts.is_value]
    if found := exchanged(text.passage, values, text.stated):
        one, other = found
        return fails("mixed_up", f"The answer swaps {one.label} and {other.label}.")
    return None


def _has_foreign_value(text: _Answer, sentence: Span, records: Sequence[Group]) -> bool:
    """Whether a value is beside another name, by the `pairs` of the case or by the replies."""
    return beside_other_name(text.passage, sentence, text.facts.pairs) or given_to_other(
        text.passage, sentence, records
    )


def _undecided(text: _Answer) -> Doubt | None:
    """Another value of the replies beside a right one, as in "12 or 14 minutes"."""
    right = [span for spans in text.stated.values() for span in spans]
    reply_words = {word for reply in text.replies.read for word in reply.words}
    others = [
        span
        for span in _unasked_spans(text)
        if reply_words.issuperset(text.passage.words_of(span))
        and text.counts(span)
        and not span.overlaps_any(right)
    ]
    if found := offered_beside(text.passage, right, others):
        written = text.passage.written(found)
        return fails("contradiction", f"“{written}” is offered as well as a right value.")
    return None


def _total_as_rate(text: _Answer) -> Doubt | None:
    if found := given_as_rate(text.passage, text.replies.totals):
        written = text.passage.written(found)
        return fails("contradiction", f"“{written}” gives the total as the price of one item.")
    return None


def _out_of_order(text: _Answer) -> Doubt | None:
    order = text.facts.order
    firsts = [text.stated[fact_id][0].first for fact_id in order if text.stated.get(fact_id)]
    if firsts != sorted(firsts):
        return fails("wrong_order", "The answer states the right things in the wrong order.")
    return None


def _values(passages: Sequence[Passage]) -> Values:
    values = Values()
    for passage in passages:
        values.add(passage)
    return values


_CHECKS: Final[tuple[Callable[[_Answer], Doubt | None], ...]] = (
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
