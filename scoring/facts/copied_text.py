"""What an answer copies: the words of the question, and the answers of other cases."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Final

from leaderboard.fact_forms import Form
from leaderboard.facts import Fact
from leaderboard.types import Case
from scoring.facts.canonical_text.canonical import Place
from scoring.facts.canonical_text.canonical_words import BOUNDARIES, SMALL_WORDS
from scoring.facts.canonical_text.tokens import is_date, is_time
from scoring.facts.form_search import FormSet
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
        """The places of the words that an answer copies from the question."""
        words, length = answer.words, self.length
        starts = [
            at for at in range(len(words) - length + 1) if words[at : at + length] in self.runs
        ]
        return frozenset(place for at in starts for place in range(at, at + length))


def kept_parts(answer: Passage, hidden: Iterable[int]) -> Iterator[Place]:
    """What is left of the original text without the words at these places."""
    done = 0
    for word in sorted(hidden):
        start, end = answer.place(Span(word, word + 1))
        if start > done:
            yield Place(done, start)
        done = max(done, end)
    yield Place(done, len(answer.canonical.original))


# Answers to this many other cases are a list of all answers. In a closed world, a suite whose
# cases are about one small set of names, more of them may occur in one answer.
_MOST_OTHERS: Final = 3
_MOST_OTHERS_OF_A_WORLD: Final = 8
_UNASKED: Final = 3  # names and values of a world in an answer that says nothing about them
_BARE_NAMES: Final = 2  # names that nobody asked for, in an answer without a verb
_VERBS: Final = frozenset(
    ("is", "are", "was", "were", "be", "has", "have", "had", "do", "does", "did", "will", "can")
) | {"share", "contain", "contains", "include", "includes", "lack", "lacks"}
_LONGEST_ITEM: Final = 2  # words of an item of a list
_JOINTS: Final = frozenset(("and", "or"))
_SHORTEST: Final = 3  # letters of a form that says whose answer it is


@dataclass(frozen=True, slots=True)
class OtherAnswers:
    """The accepted texts of all cases of a category, with the cases that they belong to.

    `faults`: the words of the reference answers that name a fault, by type of fault.
    """

    forms: FormSet
    owners: tuple[str, ...]
    faults: Mapping[str, Sequence[frozenset[str]]]

    @classmethod
    def of(cls, cases: Sequence[Case]) -> OtherAnswers:
        pairs = [(form, case.id) for case in cases for form in _texts(case)]
        faults: dict[str, list[frozenset[str]]] = {}
        for case in cases:
            truth = case.ground_truth
            if truth.facts and truth.facts.fault:
                words = frozenset(read_passage(truth.text or "").words)
                faults.setdefault(truth.facts.fault.type, []).append(words)
        return cls(FormSet(form for form, _ in pairs), tuple(owner for _, owner in pairs), faults)

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

        `ours` is what the case itself names. `numbers` are those that the answer does not need. In
        a closed world, names and values with few other words are such a list, too. So are two names
        beside the right one without a verb. Names in `excused` are ignored, and all names if the
        number of items is one of `counts`.
        """
        own = {form.text for form in _texts(case)}
        matches = list(self.forms.find(answer))
        others = [
            match
            for match in matches
            if self.forms.forms[match.form].text not in own
            and answer.text_of(match.span) not in ours
            and not match.span.overlaps_any(excused)
        ]
        owners = {self.owners[match.form] for match in others} - {case.id}
        if not case.ground_truth.trajectory:
            return len(owners) >= _MOST_OTHERS
        named = {place for match in matches for place in match.span.places}
        items = list(_items(answer))
        fragments = {place for item in items for place in item.places}
        said = {
            word
            for place, word in enumerate(answer.words)
            if place not in named | fragments and word.isalpha() and word not in SMALL_WORDS
        }
        times = {word for word in answer.words if is_time(word) or is_date(word)}
        names = {answer.text_of(match.span) for match in others}
        if sum(answer.words[item.first].isalpha() for item in items) in counts:
            names.clear()
        large = [number for number in numbers if number > SMALL_NUMBER]
        unasked = len(names) + len(times.difference(query.words)) + len(large)
        if len(names) >= _BARE_NAMES and own and _VERBS.isdisjoint(answer.words):
            return True
        most = _UNASKED + len(said.difference(query.words))
        return len(owners) >= _MOST_OTHERS_OF_A_WORLD or unasked > most


def _items(answer: Passage) -> Iterator[Span]:
    """The items of a list: few words between commas, without a verb."""
    joints = (at for at, word in enumerate(answer.words) if word in BOUNDARIES or word in _JOINTS)
    for item in Span(0, len(answer.words)).split_at(joints):
        is_short = len(item.places) <= _LONGEST_ITEM
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
