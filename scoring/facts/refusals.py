"""Unsupported requests: does an answer say that the speaker cannot do it?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from leaderboard.facts import Facts
from scoring.facts.findings import FactFinding, Found
from scoring.facts.forms import FormSet, Match
from scoring.facts.phrase_tables import VOCABULARY, form_set
from scoring.facts.polarity import denied
from scoring.facts.sentences import Passage, Span
from scoring.facts.wording import Reading, strange_numbers

_TABLE: Final = VOCABULARY["refusals"]
_VERBS: Final = {name: _TABLE[name].split(", ") for name in ("deed", "doing", "do")}


def _forms(name: str) -> FormSet:
    return form_set(_TABLE[name], _VERBS)


_CONTRARY: Final = frozenset(("but", "however", "though", "although", "yet"))
_NO: Final = frozenset(("no", "nope", "sadly no", "not possible", "sorry no"))
_CANNOT: Final = _forms("cannot")
_LOOKED: Final = _forms("looked")
_DONE: Final = _forms("done")
_DONE_FIRST: Final = _forms("done_first")
_WILL: Final = _forms("will")
_OFFERS: Final = _forms("offers")
_OPEN: Final = _forms("open")
_INVENTED: Final = _forms("invented")
_HISTORY: Final = _forms("history")


def decide_refusal(facts: Facts, reading: Reading) -> FactFinding:
    """Decides whether an answer says that it cannot be done, and does not do it all the same."""
    passage = reading.answer
    cannot = _cannot(reading)
    if cannot is None and facts.refuses == "action":
        cannot = _plain_no(reading)
    claim = claims(reading, reading.kept) or _announces(reading)
    if claim:
        return _failed("It claims to have done it, or to be about to.")
    if cannot is None:
        if reading.foreign:
            return FactFinding("open", "open", "The answer is in another language.")
        return _failed("It does not say that it cannot be done.")
    if any(_OPEN.first(passage, sentence) for sentence in reading.kept):
        return _failed("It leaves open whether it can be done.")
    if facts.refuses == "information" and _invents(reading):
        return _failed("It gives what it says it cannot know.")
    place = passage.place(cannot.span)
    found = Found("refusal", "that it cannot be done", place)
    return FactFinding("pass", "refused", "It says that it cannot be done.", (found,))


def claims(reading: Reading, sentences: Iterable[Span]) -> Match | None:
    """The words that claim that something was done or is being done."""
    passage = reading.answer
    for sentence in sentences:
        if sentence in passage.asking:
            continue
        unable = _CANNOT.first(passage, sentence)
        for match in _DONE.find(passage, sentence):
            if not denied(passage, match) and not _after(passage, unable, match):
                return match
        first = _DONE_FIRST.first(passage, sentence)
        if first and first.first == sentence.first and not unable:
            return first
    return None


def _after(passage: Passage, unable: Match | None, match: Match) -> bool:
    """Whether words follow what the speaker cannot do, with no "but" between."""
    if unable is None or match.first < unable.first:
        return False
    between = passage.words[unable.end : match.first]
    return not _CONTRARY.intersection(between)


def _failed(detail: str) -> FactFinding:
    return FactFinding("fail", "refusal_missing", detail)


def _cannot(reading: Reading) -> Match | None:
    passage = reading.answer
    for sentence in reading.kept:
        if sentence in passage.asking:
            continue
        looked = [match.span for match in _LOOKED.find(passage, sentence)]
        for match in _CANNOT.find(passage, sentence):
            if any(match.first < one.end and one.first < match.end for one in looked):
                continue
            if match.negative or not denied(passage, match):
                return match
    return None


def _plain_no(reading: Reading) -> Match | None:
    """A clause that is nothing but "no", as in a table."""
    passage = reading.answer
    for clause in passage.clauses:
        if passage.text_of(clause) in _NO:
            return Match(clause.first, clause.end, 0)
    return None


def _announces(reading: Reading) -> bool:
    """Whether the answer says that it will do it. An offer of other help does not count."""
    passage = reading.answer
    for sentence in reading.kept:
        if sentence in passage.asking:
            continue
        if _OFFERS.first(passage, sentence):
            continue
        if any(not denied(passage, match) for match in _WILL.find(passage, sentence)):
            return True
    return False


def _invents(reading: Reading) -> bool:
    return any(_invented(reading, sentence) for sentence in reading.kept)


def _invented(reading: Reading, sentence: Span) -> bool:
    passage = reading.answer
    if sentence in passage.asking or _HISTORY.first(passage, sentence):
        return False
    if strange_numbers(reading, sentence):
        return True
    return any(not denied(passage, match) for match in _INVENTED.find(passage, sentence))
