"""What an answer copies: the words of the question, and the answers of other cases."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Final

from leaderboard.facts.fact_shapes import Fact
from leaderboard.facts.text_forms import Form
from leaderboard.types import Case
from scoring.facts.canonical_text.canonical import CharRange
from scoring.facts.canonical_text.canonical_words import BOUNDARIES, SMALL_WORDS
from scoring.facts.canonical_text.tokens import is_date, is_time
from scoring.facts.form_search import FormSet, Match
from scoring.facts.number_closeness import SMALL_NUMBER
from scoring.facts.sentences import Passage, Span, read_passage

_LONG_RUN = 7  # words copied from the question one after the other
_SHORT_RUN = 4
_SHARE = 0.7  # of a short question


@dataclass(frozen=True, slots=True)
class QueryRuns:
    """Every run of words of a question that is long enough to be a copy, and no coincidence."""

    length: int
    runs: frozenset[tuple[str, ...]]

    @classmethod
    def of(cls, query: Passage) -> QueryRuns:
        words = query.words
        length = min(_LONG_RUN, max(_SHORT_RUN, ceil(_SHARE * len(words))))
        starts = range(len(words) - length + 1)
        return cls(length, frozenset(words[at : at + length] for at in starts))

    def copied(self, answer: Passage) -> frozenset[int]:
        """The indexes of the words that an answer copies from the question."""
        words, length = answer.words, self.length
        starts = [
            at for at in range(len(words) - length + 1) if words[at : at + length] in self.runs
        ]
        return frozenset(at for start in starts for at in range(start, start + length))


def parts_without_copies(query: Passage, text: str) -> Iterator[CharRange]:
    """The parts of a text that it does not copy from a question."""
    answer = read_passage(text)
    done = 0
    for word in sorted(QueryRuns.of(query).copied(answer)):
        start, end = answer.chars_of(Span(word, word + 1))
        if start > done:
            yield CharRange(done, start)
        done = max(done, end)
    yield CharRange(done, len(text))


def without_copies(case: Case, text: str) -> str:
    """The text without what it copies from the question, as a judge may read it."""
    kept = parts_without_copies(read_passage(case.query), text)
    parts = (text[start:end].strip() for start, end in kept)
    return " ".join(part for part in parts if part) or text


# Answers to this many other cases are a list of all answers. In a closed world, a suite whose
# cases are about one small set of names, more of them may occur in one answer.
_LISTED_CASES: Final = 3
_LISTED_CASES_OF_A_WORLD: Final = 8
_UNASKED: Final = 3  # names and values of a world in an answer that says nothing about them
_BARE_NAMES: Final = 2  # names that nobody asked for, in an answer without a verb
_VERBS: Final = frozenset(
    ("is", "are", "was", "were", "be", "has", "have", "had", "do", "does", "did", "will", "can")
) | {"share", "contain", "contains", "include", "includes", "lack", "lacks"}
_LONGEST_ITEM: Final = 2  # words of an item of a list
_ITEM_JOINTS: Final = BOUNDARIES | {"and", "or"}
_SHORTEST: Final = 3  # letters of a form that says whose answer it is


@dataclass(frozen=True, slots=True)
class OtherAnswers:
    """The accepted names of all cases of a category, with the cases that they belong to."""

    forms: FormSet
    owners: tuple[str, ...]

    @classmethod
    def of(cls, cases: Sequence[Case]) -> OtherAnswers:
        pairs = [(form, case.id) for case in cases for form in _texts(case)]
        return cls(FormSet(form for form, _ in pairs), tuple(owner for _, owner in pairs))

    def listed(
        self,
        case: Case,
        ours: str,
        query: Passage,
        answer: Passage,
        numbers: Collection[float],
        *,
        excused: Collection[Span] = (),
        counts: Collection[float] = (),
    ) -> bool:
        """Whether a text lists answers to other cases.

        `ours` is what the case itself names. Names in `excused` are ignored. Only closed worlds
        have the other rules: `numbers` are those that the answer does not need, and all names are
        ignored if the number of items is one of `counts`.
        """
        others = self._others(case, ours, answer, excused)
        owners = {self.owners[match.form] for match in others} - {case.id}
        if not case.ground_truth.trajectory:
            return len(owners) >= _LISTED_CASES
        if len(owners) >= _LISTED_CASES_OF_A_WORLD:
            return True
        is_count = _count_items(answer) in counts
        names = set() if is_count else {answer.text_of(match.span) for match in others}
        if _names_only(case, answer, names):
            return True
        unasked = len(names) + _count_values(query, answer, numbers)
        said = self._said(answer).difference(query.words)
        return unasked > _UNASKED + len(said)

    def _others(
        self, case: Case, ours: str, answer: Passage, excused: Collection[Span]
    ) -> list[Match]:
        """The names of other cases in a text, without those that the case itself has."""
        own = {form.text for form in _texts(case)}
        return [
            match
            for match in self.forms.find(answer)
            if self.forms.forms[match.form].text not in own
            and answer.text_of(match.span) not in ours
            and not match.span.overlaps_any(excused)
        ]

    def _said(self, answer: Passage) -> set[str]:
        """The words that a text says about names: no small words, and no items of a list."""
        spans = [*self.forms.spans(answer), *_items(answer)]
        silent = {at for span in spans for at in span.indexes}
        return {
            word
            for at, word in enumerate(answer.words)
            if at not in silent and word.isalpha() and word not in SMALL_WORDS
        }


def _names_only(case: Case, answer: Passage, names: Collection[str]) -> bool:
    """Whether a text has two names beside the right one, and no verb."""
    has_name = any(True for _ in _texts(case))
    return len(names) >= _BARE_NAMES and has_name and _VERBS.isdisjoint(answer.words)


def _count_values(query: Passage, answer: Passage, numbers: Collection[float]) -> int:
    """How many values a text has that nobody asked for: times, dates and large numbers."""
    times = {word for word in answer.words if is_time(word) or is_date(word)}
    large = [number for number in numbers if number > SMALL_NUMBER]
    return len(times.difference(query.words)) + len(large)


def _count_items(answer: Passage) -> int:
    """How many items of a list start with a word."""
    return sum(answer.words[item.first].isalpha() for item in _items(answer))


def _items(answer: Passage) -> Iterator[Span]:
    """The items of a list: few words between commas, without a verb."""
    joints = (at for at, word in enumerate(answer.words) if word in _ITEM_JOINTS)
    for item in Span(0, len(answer.words)).split_at(joints):
        is_short = len(item.indexes) <= _LONGEST_ITEM
        if is_short and SMALL_WORDS.isdisjoint(answer.words_of(item)):
            yield item


def _texts(case: Case) -> Iterator[Form]:
    facts = case.ground_truth.facts
    for item in facts.items if facts else ():
        for fact in (item,) if isinstance(item, Fact) else item.any:
            for form in fact.accepts:
                if isinstance(form, Form) and _is_name(form):
                    yield form


def _is_name(form: Form) -> bool:
    """Whether a form is a plain name, and no pattern of a whole statement."""
    letters = form.text.replace("*", "").replace(" ", "")
    return form.scope == "phrase" and len(letters) >= _SHORTEST and letters.isalpha()
