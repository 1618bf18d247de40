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
from leaderboard.types import Json
from scoring.facts.answer_values import (
    Values,
    currency_near,
    dotted_time,
    find_number,
    find_time,
    is_converted,
    is_date,
    is_derived,
    is_time,
    month_of,
    rounds_to,
    unit_after,
    written_number,
)
from scoring.facts.candidates import Candidates
from scoring.facts.canonical import Place
from scoring.facts.findings import FactFinding, Found
from scoring.facts.forms import FormSet, Match
from scoring.facts.polarity import denied, dropped_sentences, taken_back
from scoring.facts.sentences import Passage, Span, read_passage
from scoring.facts.tokens import is_number
from scoring.facts.word_tables import MEASURES, SMALL_WORDS, WORKED_OUT

# An answer with more than this pastes what it got, and leaves the reader to choose.
MOST_WORDS: Final = 250
# So does one with more values and names that no fact needs. Every second fact allows one more, and
# so does every value after words of the answer's own.
UNASKED: Final = 4
_SHORTEST_NAME: Final = 4  # letters of a text in a reply

_SMALL: Final = 12  # numbers up to this one need no source
_COMMON: Final = frozenset((24, 60, 100, 365))
_ABOUT: Final = frozenset(
    (
        *("about", "around", "roughly", "approximately", "almost", "nearly", "near", "some"),
        *("over", "under", "short", "circa", "approx"),
    )
)
_NEAR: Final = 5  # minutes from a time that is given as "about"
_DENIALS: Final = frozenset(("not", "never", "instead", "rather", "other"))
_EACH: Final = frozenset(("a", "an"))  # "36 a month" is worked out
# A value before one of these belongs to something else than the name after it.
_COMPARED: Final = frozenset(
    ("than", "compared", "against", "versus", "whereas", "while", "unlike")
)

_Problem = tuple[str, str]


@dataclass(frozen=True, slots=True)
class _Answer:
    """An answer, the replies behind it, and where it states each fact, by the fact's id.

    `names` are the texts in the replies. `dropped` sentences state nothing, for example because
    they are corrected. `errors` repeat arguments, so they support a fact only by what its `source`
    names.
    """

    facts: Facts
    items: tuple[Fact, ...]
    passage: Passage
    dropped: tuple[Span, ...]
    stated: Mapping[str, Span]
    question: Passage
    replies: tuple[Passage, ...]
    names: frozenset[str]
    errors: tuple[Passage, ...]

    def counts(self, place: Span) -> bool:
        """Whether the words at a place are not in a dropped sentence."""
        return _counts(self.dropped, place)

    def place_of(self, fact: Fact) -> Place | None:
        """Where the answer states a fact."""
        span = self.stated.get(fact.id)
        return self.passage.place(span) if span else None

    def original(self, span: Span) -> str:
        """Words as the answer writes them."""
        start, end = self.passage.place(span)
        return " ".join(self.passage.canonical.original[start:end].split())


def decide_replied(
    facts: Facts,
    query: str,
    answer: str,
    replies: Sequence[Json],
    errors: Sequence[Json] = (),
) -> FactFinding:
    """Decides an answer by the facts of its query.

    `replies` are those that the suite gives, and `errors` those of calls that failed.
    Nothing is left open. Otherwise replies pasted into foreign sentences would reach a judge.
    """
    passage = read_passage(answer)
    dropped = tuple(dropped_sentences(passage))
    items = tuple(item for item in facts.items if isinstance(item, Fact))
    text = _Answer(
        facts=facts,
        items=items,
        passage=passage,
        dropped=dropped,
        stated=_stated(items, passage, dropped),
        question=_read_reply(query),
        replies=_read_replies(replies),
        errors=_read_replies(errors),
        names=frozenset(name for reply in replies for name in _names(reply)),
    )
    found = tuple(Found(item.id, item.label, text.place_of(item)) for item in items)
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


def _names(reply: Json) -> Iterator[str]:
    """The texts in a reply, in canonical words."""
    if isinstance(reply, Mapping):
        reply = list(reply.values())
    if isinstance(reply, list | tuple):
        for value in reply:
            yield from _names(value)
    elif isinstance(reply, str | bool):
        text = " ".join(_read_reply(str(reply)).words)
        if len(text) >= _SHORTEST_NAME and not text[0].isdigit():
            yield text


def _read_replies(replies: Sequence[Json]) -> tuple[Passage, ...]:
    return tuple(_read_reply("\n".join(lines_of(reply))) for reply in replies)


@lru_cache(maxsize=4096)
def _read_reply(text: str) -> Passage:
    return read_passage(text)


# ---------------------------------------------------------------- facts


def _find(accepted: Candidates, passage: Passage) -> Iterator[Span]:
    """Where a passage states a fact. What is denied does not."""
    for match in accepted.forms.find(passage):
        value = passage.words[match.first][-1].isdigit()
        if not (_denied_value(passage, match.span) if value else denied(passage, match)):
            yield match.span
    for number in accepted.numbers:
        yield from _one_word(passage, find_number(number, passage))
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
    accepts: Candidates
    excludes: FormSet
    source: FormSet


@lru_cache(maxsize=4096)
def _compiled(fact: Fact) -> _Compiled:
    return _Compiled(
        Candidates.of(fact.accepts, short_dates=True),
        FormSet(fact.excludes, tight=True),
        FormSet(fact.source),
    )


def _stated(items: Sequence[Fact], passage: Passage, dropped: Sequence[Span]) -> Mapping[str, Span]:
    """Where a passage states each fact first, by the fact's id."""
    stated = {}
    for fact in items:
        found = _find(_compiled(fact).accepts, passage)
        places = (place for place in found if _counts(dropped, place))
        if place := next(places, None):
            stated[fact.id] = place
    return stated


def _counts(dropped: Sequence[Span], place: Span) -> bool:
    return not any(span.first <= place.first < span.end for span in dropped)


# ---------------------------------------------------------------- checks


def _withdrawn(text: _Answer) -> _Problem | None:
    if taken_back(text.passage):
        return "withdrawn", "The answer takes back what it says."
    return None


def _missing(text: _Answer) -> _Problem | None:
    labels = [item.label for item in text.items if item.id not in text.stated]
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
        return any(compiled.source.first(reply) for reply in (*text.replies, *text.errors))
    if any(next(_find(compiled.accepts, reply), None) for reply in text.replies):
        return True
    if not compiled.accepts.numbers or not text.replies:
        return False
    values = _values((*text.replies, text.question))
    return any(is_derived(abs(one.number), values.numbers) for one in compiled.accepts.numbers)


def _contradicted(text: _Answer) -> _Problem | None:
    for fact in text.items:
        for match in _compiled(fact).excludes.find(text.passage):
            asked = text.passage.sentence_at(match.first) in text.passage.asking
            if text.counts(match.span) and not asked and not denied(text.passage, match):
                detail = f"“{text.original(match.span)}” contradicts {fact.label}."
                return "contradiction", detail
    return None


def _dumped(text: _Answer) -> _Problem | None:
    unasked = _unasked(text)
    most = UNASKED + len(text.items) // 2 + _introduced(text, unasked)
    if len(text.passage.words) > MOST_WORDS or len(unasked) > most:
        return "pasted", "The answer lists more than was asked for, and leaves the choice open."
    return None


def _introduced(text: _Answer, unasked: Collection[str]) -> int:
    """How many unasked values follow words that are neither in the replies nor in the query."""
    given = {word for passage in (*text.replies, text.question) for word in passage.words}
    values = {word for value in unasked for word in value.split()}
    number, has_own = 0, False
    for word in text.passage.words:
        if word in values:
            number, has_own = number + has_own, False
        elif word.isalpha() and word not in SMALL_WORDS and word not in given:
            has_own = True
    return number


def _unasked(text: _Answer) -> set[str]:
    """The values and names in an answer that no fact needs and the query does not have."""
    words = text.passage.words
    needed = {
        place
        for fact in text.items
        for span in _find(_compiled(fact).accepts, text.passage)
        for place in range(span.first, span.end)
    }
    values = {
        word
        for place, word in enumerate(words)
        if place not in needed and (is_number(word) or is_time(word) or is_date(word))
    }
    answer, asked = f" {' '.join(words)} ", f" {' '.join(text.question.words)} "
    facts = f" {' '.join(words[place] for place in sorted(needed))} "
    names = {name for name in text.names if f" {name} " in answer and f" {name} " not in facts}
    return {value for value in values | names if f" {value} " not in asked}


def _invented(text: _Answer) -> _Problem | None:
    """The values of the answer that neither the replies nor the query bear out."""
    known = _values((*text.replies, *text.errors, text.question))
    for fact in text.items:
        for one in fact.accepts:
            if isinstance(one, NumberForm):
                known.numbers.add(abs(one.number))
            elif isinstance(one, TimeForm):
                known.times.add(one.time)
            elif isinstance(one, DateForm):
                known.add_date(f"d{one.date}")
    for at, word in enumerate(text.passage.words):
        span = Span(at, at + 1)
        if text.counts(span) and not _known(text.passage, at, word, known):
            return "invented", f"No reply gives “{text.original(span)}”."
    return None


def _known(passage: Passage, at: int, word: str, known: Values) -> bool:
    if is_time(word):
        return _known_time(passage, at, word, known)
    if is_date(word):
        return word[-5:] in known.days or float(word[-2:]) in known.numbers
    if is_number(word):
        return _known_number(passage, at, abs(float(word)), known)
    month = month_of(word)
    return month is None or month in known.months or not known.months


def _known_number(passage: Passage, at: int, value: float, known: Values) -> bool:
    """Whether a number is given, rounded, converted or worked out from two others."""
    if value in _COMMON or _needs_no_source(passage, at, value):
        return True
    dotted = dotted_time(passage, at)
    if dotted is not None and f"{dotted[0]:02}:{dotted[1]:02}" in known.times:
        return True
    unit = unit_after(passage.words, at)
    given = unit or currency_near(passage, at)
    if value in known.clock and (given is None or _has_unit(passage, at, "duration")):
        return True
    if any(
        rounds_to(value, number) and not _has_other_unit(number, given, known)
        for number in known.numbers
    ):
        return True
    if unit and (_is_span(value, unit, known) or _is_known_unit(value, unit, known)):
        return True
    about = not _ABOUT.isdisjoint(passage.words[max(0, at - 3) : at])
    sentence = passage.sentence_at(at)
    cued = not WORKED_OUT.isdisjoint(passage.words[sentence.first : sentence.end])
    cued = cued or not _EACH.isdisjoint(passage.words[at + 1 : at + 3])
    return (about and is_derived(value, known.numbers, about=True)) or (
        cued and is_derived(value, known.numbers)
    )


def _needs_no_source(passage: Passage, at: int, value: float) -> bool:
    """Whether a number is small and whole, or "two and a half days"."""
    halves = value if _has_unit(passage, at, "duration") else value / 2
    return value <= _SMALL and (2 * halves).is_integer()


def _has_unit(passage: Passage, at: int, dimension: str) -> bool:
    unit = unit_after(passage.words, at)
    return unit is not None and MEASURES[unit].dimension == dimension


def _has_other_unit(number: float, unit: str | None, known: Values) -> bool:
    """Whether a number is known with other units only: "14 hours" for 14 minutes."""
    units = known.units.get(number, {None})
    if unit not in MEASURES:  # a currency
        return unit is not None and units == {"percent"}
    return None not in units and unit not in units


def _is_span(value: float, unit: str, known: Values) -> bool:
    """Whether a number of minutes lies between two known times."""
    return unit == "minute" and value in known.spans


def _is_known_unit(value: float, unit: str, known: Values) -> bool:
    """Whether a number is a known one in another unit."""
    return any(
        is_converted(value, unit, number, other)
        for other in MEASURES
        if other != unit and MEASURES[other].dimension == MEASURES[unit].dimension
        for number in known.numbers
        if not _has_other_unit(number, other, known)
    )


def _known_time(passage: Passage, at: int, word: str, known: Values) -> bool:
    minutes = minutes_of(word[1:6])
    if minutes in known.numbers:
        return True  # a duration, such as 2:25 h
    number = written_number(passage, at)
    if number is not None and any(rounds_to(number, other) for other in known.numbers):
        return True
    times = {minutes_of(time) for time in known.times}
    if word[0] == "h":
        times = {time % 720 for time in times}
    if minutes in times:
        return True
    about = not _ABOUT.isdisjoint(passage.words[max(0, at - 3) : at])
    return about and any(abs(minutes - time) <= _NEAR for time in times)


def minutes_of(time: str) -> int:
    """The minutes from midnight to a time HH:MM."""
    return 60 * int(time[:2]) + int(time[3:5])


def _mixed_up(text: _Answer) -> _Problem | None:
    """A value beside another record's name, by the `pairs` of the case."""
    pairs = text.facts.pairs
    if not pairs:
        return None
    names, values = _pair_forms(pairs)
    for sentence in text.passage.sentences:
        named = sorted(names.find(text.passage, sentence))
        given = sorted(values.find(text.passage, sentence))
        if named and given and text.counts(sentence):
            owned = [
                {
                    place
                    for place, (_, mine) in enumerate(pairs)
                    if values.forms[one.form].text in mine
                }
                for one in given
            ]
            if _is_mixed_up(text.passage, named, given, owned):
                return "mixed_up", f"In “{text.original(sentence)}”, values are beside other names."
    return None


def _is_mixed_up(
    passage: Passage, named: Sequence[Match], given: Sequence[Match], owned: Sequence[set[int]]
) -> bool:
    """Whether no reading of a sentence gives each value to a name that owns it.

    A value may belong to the last name before it, to the next one after it, or to the nearest one.
    A reading that leaves a value without a name does not count. One name alone needs one
    value that is not compared with it.
    """
    if len({name.form for name in named}) == 1:
        own = [
            owners
            for value, owners in zip(given, owned, strict=True)
            if _COMPARED.isdisjoint(passage.words[value.end : named[0].first])
        ]
        return bool(own) and all(named[0].form not in owners for owners in own)
    readings = [[reader(value, named) for value in given] for reader in (_before, _after, _nearest)]
    complete = [reading for reading in readings if None not in reading]
    return bool(complete) and not any(
        all(name in owners for name, owners in zip(reading, owned, strict=True))
        for reading in complete
    )


def _before(value: Match, named: Sequence[Match]) -> int | None:
    found = [name for name in named if name.end <= value.first]
    return found[-1].form if found else None


def _after(value: Match, named: Sequence[Match]) -> int | None:
    return next((name.form for name in named if name.first >= value.end), None)


def _nearest(value: Match, named: Sequence[Match]) -> int | None:
    return min(named, key=lambda name: max(name.first - value.end, value.first - name.end)).form


@lru_cache(maxsize=1024)
def _pair_forms(pairs: tuple[tuple[str, tuple[str, ...]], ...]) -> tuple[FormSet, FormSet]:
    values = dict.fromkeys(value for _, owned in pairs for value in owned)
    return FormSet(name for name, _ in pairs), FormSet(values)


def _out_of_order(text: _Answer) -> _Problem | None:
    order = text.facts.order
    places = [text.stated[fact_id].first for fact_id in order if fact_id in text.stated]
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
    _mixed_up,
    _out_of_order,
    _invented,
    _dumped,
)
