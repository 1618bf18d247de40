"""Faulty requests: does an answer name what is wrong?"""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from leaderboard.facts import Facts, Fault
from scoring.facts.findings import FactFinding, Found
from scoring.facts.forms import FormSet, Match
from scoring.facts.phrase_tables import VOCABULARY, form_set
from scoring.facts.polarity import denied, phrases
from scoring.facts.refusals import claims
from scoring.facts.sentences import Passage, Span
from scoring.facts.tokens import COMMA
from scoring.facts.wording import Reading, other_subject, own_words

_TYPES: Final[Mapping[str, Any]] = VOCABULARY["faults"]
_DENIALS: Final = {name: form_set(VOCABULARY["denials"][name]) for name in ("absent", "invalid")}
_KINDS: Final = {
    word: place
    for place, words in enumerate(VOCABULARY["denials"]["kinds"].split(","))
    for word in words.split()
}
_JOINTS: Final = frozenset((COMMA, "or", "and", "nor", "a", "an", "no", "the"))
_MOST_DENIALS: Final = 3
_MOST_OTHERS: Final = 1
_DENYING: Final = frozenset(VOCABULARY["denials"]["words"].split())
_RESULT: Final = form_set(phrases(VOCABULARY["denials"]["result"]))
_LAST_DAYS: Final = (27, 28, 29, 30, 31)
_WEEKDAYS: Final = [name.lower() for name in calendar.day_name]
_DATE: Final = re.compile(r"d(?:\d{4}|-)-\d\d-\d\d")
_MONTHS: Final = frozenset(calendar.month_name[month].lower() for month in range(1, 13)) - {"may"}

# Reasons that name one type of fault in any case.
_SIGNS: Final = {name: form_set(table.get("signs", ())) for name, table in _TYPES.items()}


@dataclass(frozen=True, slots=True)
class FaultForms:
    """How the fault of a case may be named.

    - `reasons` name it. So does a denial that speaks of `absent` or `invalid`.
    - `wrong` are wrong reasons, and `others` are other faults. A right reason outweighs them.
    - `false` contradicts what the request or the calendar says.
    - `day`: the day at fault, or its month. What is said about another is about another fault.
    """

    label: str
    reasons: FormSet
    about: FormSet
    absent: FormSet
    invalid: FormSet
    wrong: FormSet
    others: FormSet
    false: FormSet
    day: FormSet


def decide_fault(fault: Fault, reading: Reading) -> FactFinding:
    """Decides whether an answer names the fault of the request."""
    forms = _forms(fault.type, _Details(fault))
    passage = reading.answer
    stated = list(_stated(reading, forms))
    if false := _first(passage, forms.false, stated):
        words = passage.text_of(false.span)
        return FactFinding("fail", "contradiction", f"It contradicts that {forms.label}: {words}.")
    reason = _reason(fault.type, forms, reading, stated)
    if reason and _does_it(reading, reason):
        return FactFinding("fail", "fault_not_named", "It does what was asked all the same.")
    if reason:
        found = Found("fault", forms.label, passage.place(reason.span))
        return FactFinding("pass", "fault_named", f"It says that {forms.label}.", (found,))
    if reading.foreign:
        return FactFinding("open", "open", "The answer is in another language.")
    return FactFinding("fail", "fault_not_named", f"It does not say that {forms.label}.")


def _reason(
    type_: str, forms: FaultForms, reading: Reading, stated: Sequence[Span]
) -> Match | None:
    passage = reading.answer
    others = [
        name
        for name, signs in _SIGNS.items()
        if name != type_ and _first(passage, signs, stated) and not signs.first(reading.query)
    ]
    if len(others) > _MOST_OTHERS:
        return None
    if other_subject(reading, stated):
        return None
    named = forms.about
    reason = next(
        (
            match
            for match in _found(passage, forms.reasons, stated)
            if not named or _about(reading, match, named)
        ),
        None,
    )
    wrong = _first(passage, forms.wrong, stated)
    if reason:
        return None if wrong and _overlap(reason.span, wrong.span) else reason
    if wrong or others or _first(passage, forms.others, stated):
        return None
    return _denial(reading, forms, stated)


def _stated(reading: Reading, forms: FaultForms) -> Iterator[Span]:
    """The sentences that state something about the thing at fault."""
    passage = reading.answer
    said = (sentence for sentence in reading.kept if sentence not in passage.asking)
    for sentence in (*said, *_before_questions(reading)):
        if not (forms.day and _other_day(reading, sentence, forms.day)):
            yield sentence


def _other_day(reading: Reading, sentence: Span, day: FormSet) -> bool:
    """Whether a sentence is about another day of the request, or about another month."""
    passage = reading.answer
    if day.first(passage, sentence):
        return False
    words = passage.words[sentence.first : sentence.end]
    return any(
        word in _MONTHS or (_DATE.fullmatch(word) and word in reading.query.words)
        for word in words
    )


def _does_it(reading: Reading, reason: Match) -> bool:
    """Whether an answer does what was asked, and its reason denies nothing."""
    passage = reading.answer
    sentence = passage.sentence_at(reason.first)
    words = passage.words[sentence.first : sentence.end]
    if not _DENYING.isdisjoint(words):
        return False
    starts = [_RESULT.first(passage, one) for one in reading.kept]
    return bool(claims(reading, reading.kept)) or any(
        start and start.first == one.first for start, one in zip(starts, reading.kept, strict=True)
    )


def _found(passage: Passage, forms: FormSet, sentences: Sequence[Span]) -> Iterator[Match]:
    for sentence in sentences:
        yield from forms.find(passage, sentence)


class _Details:
    """What the case gives, hashable for the cache."""

    __slots__ = ("fault", "_key")

    def __init__(self, fault: Fault) -> None:
        self.fault = fault
        self._key = repr(fault)

    def __hash__(self) -> int:
        return hash(self._key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Details) and self._key == other._key


def _overlap(one: Span, other: Span) -> bool:
    return one.first < other.end and other.first < one.end


def _first(passage: Passage, forms: FormSet, sentences: Sequence[Span]) -> Match | None:
    for sentence in sentences:
        for match in forms.find(passage, sentence):
            if not denied(passage, match):
                return match
    return None


def _before_questions(reading: Reading) -> Iterator[Span]:
    """The clauses of a question that come before its last one, as in "June has 30 days, so …?"."""
    passage = reading.answer
    for sentence in reading.kept:
        if sentence in passage.asking:
            inside = [c for c in passage.clauses if sentence.first <= c.first < sentence.end]
            if len(inside) > 1:
                yield Span(sentence.first, inside[-2].end)


def _denial(reading: Reading, forms: FaultForms, sentences: Sequence[Span]) -> Match | None:
    """A denial in a sentence that speaks of the thing at fault."""
    passage, found = reading.answer, []
    for name, subject in (("absent", forms.absent), ("invalid", forms.invalid)):
        for sentence in sentences:
            about = [match.span for match in subject.find(passage, sentence)]
            if about and _precise(reading, sentence, about):
                denials = _DENIALS[name].find(passage, sentence)
                found += [match for match in denials if not denied(passage, match)]
    return found[0] if 0 < len(found) <= _MOST_DENIALS else None


def _precise(reading: Reading, sentence: Span, about: Sequence[Span]) -> bool:
    """Whether a sentence tells what it denies, and does not only repeat some of the request."""
    if _lists_kinds(reading.answer, sentence):
        return False
    if own_words(reading, sentence):
        return True
    named = {place for span in about for place in range(span.first, span.end)}
    return not any(
        place not in named and reading.repeats(place)
        for place in range(sentence.first, sentence.end)
    )


def _about(reading: Reading, match: Match, named: FormSet) -> bool:
    """Whether the sentence of a match names the thing at fault, or nothing else of the request."""
    sentence = reading.answer.sentence_at(match.first)
    return named.first(reading.answer, sentence) is not None or not any(
        map(reading.repeats, range(sentence.first, sentence.end))
    )


def _lists_kinds(passage: Passage, sentence: Span) -> bool:
    """Whether a sentence lists kinds of things, as in "no such date, place or unit"."""
    before: int | None = None
    for word in passage.words[sentence.first : sentence.end]:
        kind = _KINDS.get(word)
        if kind is not None and before is not None and kind != before:
            return True
        if kind is not None or word not in _JOINTS:
            before = kind
    return False


# ---------------------------------------------------------------- forms of a case


@lru_cache(maxsize=1024)
def _forms(type_: str, details: _Details) -> FaultForms:
    fault = details.fault
    table = _TYPES[type_]
    lists = _lists(fault)
    tables = [table, *(table[name] for name in _variants(fault))]

    def joined(name: str, *, tight: bool = True) -> FormSet:
        texts = [text for part in tables for text in part.get(name, ())]
        return form_set(texts, lists, tight=tight)

    reasons, false = joined("reasons", tight=False), joined("false")
    return FaultForms(
        label=_label(table["label"], fault, lists),
        reasons=FormSet([*fault.accepts, *reasons.forms]),
        about=joined("about"),
        absent=joined("absent"),
        invalid=joined("invalid"),
        wrong=joined("wrong"),
        others=joined("others"),
        false=FormSet([*fault.excludes, *false.forms], tight=True),
        day=form_set(_days(lists) if fault.type == "no_such_day" else ()),
    )


def _days(lists: Mapping[str, Sequence[str]]) -> list[str]:
    """The day at fault, and every day of its month."""
    month = lists.get("month", ())
    return [*lists["date"], *month, *(f"{day} {name}" for name in month for day in range(1, 32))]


def _label(text: str, fault: Fault, lists: Mapping[str, Sequence[str]]) -> str:
    shown = {name: values[0].rstrip("*") for name, values in lists.items() if values}
    given = {name: str(v) for name, v in fault.details.items() if not isinstance(v, list)}
    return text.format_map(shown | given)


def _lists(fault: Fault) -> dict[str, list[str]]:
    """What the words in braces stand for: the lists of the case, and what follows from them."""
    lists: dict[str, list[str]] = {}
    for name, value in fault.details.items():
        lists[name] = value if isinstance(value, list) else [str(value)]
    if "day" in fault.details:
        lists |= _day_lists(str(fault.details["day"]))
    if fault.type == "no_such_time":
        hour, minute = str(fault.details["time"]).split(":")
        lists["number"] = [hour if int(hour) > 23 else minute]
    if "count" in fault.details:
        count = f"{fault.details['count']}"
        lists["count"] = [count, count.replace("-", "minus ")]
    if "weekday" in lists:
        lists["other_weekday"] = [day for day in _WEEKDAYS if day not in lists["weekday"] + lists["given"]]
    return lists


def _day_lists(day: str) -> dict[str, list[str]]:
    year, month, number = day.rsplit("-", 2)
    lists = {"date": [day], "year": [year], "number": [number, f"{int(number)}th"]}
    if 1 <= int(month) <= 12:
        name = calendar.month_name[int(month)]
        last = 28 if int(month) == 2 else calendar.monthrange(2027, int(month))[1]
        lists["date"] = [f"{int(number)} {name} {year}"]
        lists["month"] = [name]
        lists["last"] = [str(last), f"{last}th"]
        others = [str(n) for n in _LAST_DAYS if n not in (last, int(number))]
        lists["not_last"] = [*others, *(f"{other}th" for other in others)]
    return lists


def _variants(fault: Fault) -> list[str]:
    """The parts of the type's table that this case is about."""
    details = fault.details
    match fault.type:
        case "no_such_day":
            return [_day_variant(str(details["day"]))]
        case "no_such_time":
            return ["hour" if int(str(details["time"]).split(":")[0]) > 23 else "minute"]
        case "bad_count":
            count = float(details["count"])
            return ["negative" if count < 0 else "fraction" if count % 1 else "zero"]
        case "bad_address":
            return list(details["flaws"])
        case _:
            return [str(details["why"])] if "why" in details else []


def _day_variant(day: str) -> str:
    _, month, number = day.rsplit("-", 2)
    if not 1 <= int(month) <= 12:
        return "wrong_month"
    if int(number) == 0:
        return "day_zero"
    return "leap_day" if (month, number) == ("02", "29") else "short_month"
