"""Whether an answer states the facts of a case: names, numbers, dates, times and sets."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise, takewhile
from typing import Final, Literal

from leaderboard.types import FoundFact
from scoring.facts.canonical_text.canonical_words import BOUNDARIES, COMMA, SMALL_WORDS, STOP
from scoring.facts.fact_findings import Doubt, FactFinding, fails, leaves_open
from scoring.facts.form_search import FormSet, Match
from scoring.facts.polarity import CONCLUDING, TAKEN_BACK, granted, related
from scoring.facts.sentences import Span
from scoring.facts.stated.asked_question import COMPARING
from scoring.facts.stated.case_facts import StatedCase, StatedFact, StatedGroup
from scoring.facts.stated.conflicting_numbers import (
    CONCLUSIONS,
    details,
    many_numbers,
    other_counts,
)
from scoring.facts.stated.given_number import given_numbers
from scoring.facts.stated.second_answers import changes_to, replaces, second_numbers
from scoring.facts.stated.statements import Statements

_LONGEST: Final = 150  # words of a plain answer
_MOST_RIVALS: Final = 4
_REACH: Final = 4  # words beside "or"
COMPARES: Final = 3  # a comparison, against words of the question
WEIGHT: Final = 10  # of a conclusion, against words of the question
_LIST_JOINTS: Final = frozenset(("and", "or", "plus"))
_HEADING: Final = frozenset(("final", "possible", "answers", "candidates", "options"))  # of a list
_SILENT: Final = SMALL_WORDS | BOUNDARIES | CONCLUSIONS | _HEADING
_BEFORE_VALUE: Final = frozenset(("the", "a", "an", "in", "maybe", "perhaps", "rather", COMMA))


def found_in(case: StatedCase, answer: Statements) -> tuple[FoundFact, ...]:
    """Each fact, with the characters that first state it in the answer."""
    found = []
    for fact in case.facts():
        matches = answer.states(fact)
        chars = answer.passage.chars_of(matches[0].span) if matches else None
        found.append(FoundFact(fact.label, chars))
    return tuple(found)


# ---------------------------------------------------------------- the decision


def decide_stated(case: StatedCase, answer: Statements) -> FactFinding:
    """Whether an answer states every fact and contradicts none. A fail outweighs what is open."""
    doubts: list[Doubt] = []
    for check in _CHECKS:
        for doubt in check(case, answer):
            if doubt.decided == "fail":
                return FactFinding("fail", doubt.reason, doubt.detail, found_in(case, answer))
            doubts.append(doubt)
    found = found_in(case, answer)
    if doubts:
        return FactFinding("open", doubts[0].reason, doubts[0].detail, found)
    labels = [fact.label for fact in found if fact.chars]
    return FactFinding("pass", "facts_stated", f"States {_listed(labels)}.", found)


def _excluded(case: StatedCase, answer: Statements) -> Iterator[Doubt]:
    """Statements that contradict a fact."""
    for item in case.items:
        for match in item.excludes.find(answer.passage):
            if not answer.says_nothing(match):
                yield fails("contradiction", f"{answer.quoted(match)} contradicts {item.label}.")


def _missing(case: StatedCase, answer: Statements) -> Iterator[Doubt]:
    """Facts that the answer does not state."""
    for item in case.items:
        if isinstance(item, StatedFact):
            if not answer.states(item):
                yield _missed(case, answer, item)
            continue
        missing = [fact for fact in item.members if not answer.states(fact)]
        if len(item.members) - len(missing) < item.at_least:
            yield _missed(case, answer, missing[0])


def _missed(case: StatedCase, answer: Statements, fact: StatedFact) -> Doubt:
    named = _named(fact)
    if case.question.explains:
        return leaves_open(f"{named} is not stated in words that the facts list.")
    if answer.hidden and answer.with_copies(case).states(fact):
        detail = f"{named} is stated only in words that are copied from the question."
        return fails("fact_missing", detail)
    return fails("fact_missing", f"{named} is missing.")


def _named(fact: StatedFact) -> str:
    """A fact before a verb: "the author, Tove Jansson, is missing", but "Nepal is missing"."""
    return f"{fact.label}," if "," in fact.label else fact.label


def _rivals(case: StatedCase, answer: Statements) -> Iterator[Doubt]:
    """Other candidates beside the right one."""
    for item in case.items:
        rivals = [
            match for match in answer.names(item.rivals) if not related(answer.passage, match)
        ]
        if isinstance(item, StatedGroup):
            if rivals:
                named = answer.quoted(rivals[0])
                yield fails("contradiction", f"{named} is not one of {item.label}.")
            continue
        right = answer.states(item)
        if not right:
            continue  # `_missing` reports it
        stated = [match.span for match in right]
        rivals = [
            rival
            for rival in rivals
            if not rival.span.overlaps_any(stated)
            and not answer.loses(rival, answer.passage.clause_at(rival.first))
        ]
        if rivals:
            doubt = _compared(answer, item, right, rivals)
        else:
            doubt = _in_passing(answer, item, right)
        if doubt:
            yield doubt


def _in_passing(answer: Statements, fact: StatedFact, right: Sequence[Match]) -> Doubt | None:
    """Whether the only candidate of an answer is just granted, and the answer goes on."""
    is_granted = all(granted(answer.passage, match) for match in right)
    goes_on = answer.passage.clause_at(right[-1].first) != answer.passage.clauses[-1]
    if is_granted and goes_on and not answer.question.explains:
        return leaves_open(f"{_named(fact)} is only mentioned in passing.")
    return None


def _compared(
    answer: Statements, fact: StatedFact, right: Sequence[Match], rivals: Sequence[Match]
) -> Doubt | None:
    """Whether the right candidate or another one is the answer."""
    ours = [match for match in right if not granted(answer.passage, match)]
    theirs = [match for match in rivals if not granted(answer.passage, match)]
    if ours and not theirs:
        return None
    named = f"{answer.quoted((theirs or rivals)[0])} is named as well as {fact.label}."
    right = [match for match in right if not _is_listed(answer, match, rivals)]
    also = any(answer.lacks(match, ours) for match in theirs)
    if not right or also or (theirs and not ours) or replaces(answer, right, rivals):
        return fails("contradiction", named)
    if changes_to(answer, [*right, *rivals]) and not _are_many(answer, rivals):
        return None
    weighed = _weighed(answer, right, rivals)
    if weighed == "fail":
        return fails("contradiction", named)
    return leaves_open(named) if weighed == "open" else None


def _weighed(
    answer: Statements, right: Sequence[Match], rivals: Sequence[Match]
) -> Literal["fail", "open"] | None:
    """Which of two candidates an answer says more about. None if it is the right one."""
    names = [*right, *rivals]
    are_joined = all(_joined(answer, one, rivals) for one in right)
    if are_joined or _only_names(answer, names, answer.stating):
        return "fail"
    our_words = max(_said_of(answer, match, names) for match in right)
    their_words = max(_said_of(answer, match, names) for match in rivals)
    rival_is_first = rivals[0].first < right[0].first
    if answer.opens(rivals[0]) and rival_is_first and our_words < WEIGHT:
        return "fail"
    if _leads(answer, right[0], rivals) and their_words < our_words + WEIGHT:
        return _weighed_after(answer, right, rivals, their_words - our_words)
    if our_words != their_words:
        return "fail" if their_words > our_words else None
    # Nothing is said about either, or both are called the answer, so their order decides.
    ordered = our_words == 0 or our_words >= WEIGHT
    if _are_many(answer, rivals) or (rival_is_first and ordered):
        return "fail"
    return "open" if our_words else None


def _weighed_after(
    answer: Statements, right: Sequence[Match], rivals: Sequence[Match], more_words: int
) -> Literal["fail", "open"] | None:
    """Whether rivals outweigh the right candidate before them, with this many more words.

    What follows the answer explains it, unless it answers the question again.
    """
    instead = _is_compared(answer, rivals) and not _is_compared(answer, right)
    if instead and not answer.opens(right[0]):
        return "fail"
    return "open" if more_words >= COMPARES else None


def _are_many(answer: Statements, rivals: Sequence[Match]) -> bool:
    """Whether an answer lists other candidates."""
    return len({answer.quoted(rival) for rival in rivals}) >= _MOST_RIVALS


def _leads(answer: Statements, right: Match, rivals: Sequence[Match]) -> bool:
    """Whether an answer starts with the right candidate, and does not join another to it.

    "Great question!" and the like may come before it, unless a list follows.
    """
    opener = answer.passage.words[: answer.passage.clause_at(right.first).first]
    if opener and _are_many(answer, rivals):
        return False
    starts = not any(map(answer.question.is_about, opener))
    return starts and right.first < rivals[0].first and not _joined(answer, right, rivals[:1])


def _joined(answer: Statements, match: Match, others: Sequence[Match]) -> bool:
    """Whether a candidate is in a list of several: "Vantris and Snowmere", "X, Y or Z"."""
    names = sorted((match, *others))
    at = names.index(match)
    # A list ends after "and" or "or", so of the names before it only the nearest is in its list.
    between = [Span(one.end, two.first) for one, two in pairwise(names)]
    beside = [*between[at - 1 : at], *takewhile(answer.goes_on, between[at:])]
    words = [answer.passage.words_of(one) for one in beside if answer.goes_on(one)]
    return any(not _LIST_JOINTS.isdisjoint(one) for one in words)


def _is_listed(answer: Statements, match: Match, rivals: Sequence[Match]) -> bool:
    """Whether a sentence only lists candidates: "X, Y or Z.". It states none of them."""
    sentence = answer.passage.sentence_at(match.first)
    others = [rival for rival in rivals if rival.span.inside(sentence)]
    return bool(others) and _only_names(answer, [match, *others], [sentence])


def _only_names(answer: Statements, names: Sequence[Match], sentences: Iterable[Span]) -> bool:
    """Whether sentences are a list of names and say nothing about them: "Final answer: X, Y"."""
    listed = {at for match in names for at in match.span.indexes}
    return all(
        at in listed or answer.passage.words[at] in _SILENT
        for sentence in sentences
        for at in sentence.indexes
    )


def _said_of(answer: Statements, match: Match, names: Sequence[Match]) -> int:
    """How many words of the question are in the clause with a candidate, beside all names."""
    clause = answer.passage.clause_at(match.first)
    named = {at for name in names for at in name.span.indexes}
    words = [answer.passage.words[at] for at in clause.indexes if at not in named]
    concludes = not CONCLUSIONS.isdisjoint(words) or CONCLUDING.first(answer.passage, clause)
    concluded = WEIGHT if concludes or _follows_colon(answer, match) else 0
    asked = filter(answer.question.is_about, words)
    return concluded + sum(COMPARES if compares(word) else 1 for word in asked)


def _is_compared(answer: Statements, matches: Sequence[Match]) -> bool:
    """Whether a clause with a candidate compares as the question does: "X has the most"."""
    comparing = answer.question.alike.intersection(answer.question.words)
    clauses = [answer.passage.clause_at(match.first) for match in matches]
    return any(not comparing.isdisjoint(answer.passage.words_of(span)) for span in clauses)


def _follows_colon(answer: Statements, match: Match) -> bool:
    """Whether a candidate is all that follows a colon: "… sat on his theory: Darwin."."""
    if answer.passage.words[match.end : match.end + 1] not in ((), (STOP,)):
        return False
    return answer.passage.follows_mark(match.span, ":")


def compares(word: str) -> bool:
    """Whether a word of the question says which candidate is meant: "more", "coldest"."""
    return word in COMPARING or word.endswith(("er", "est"))


def _choices(case: StatedCase, answer: Statements) -> Iterator[Doubt]:
    """Answers that do not settle on one value: "1989 or 1990"."""
    numbers = {number.span.first: number.match for number in answer.numbers}
    lists = _ends_of_lists(answer, numbers)
    for fact in case.facts():
        own_numbers, own_lists = (numbers, lists) if fact.accepts.amounts else ({}, {})
        accepted = _by_start(answer.mentions(fact.accepts))
        others = own_numbers | _by_start(answer.mentions(fact.rivals))
        for match in answer.states(fact):
            for beside in _beside_or(answer, match, own_lists):
                if doubt := _choice(answer, fact, beside, accepted, others):
                    yield doubt


def _by_start(matches: Iterable[Match]) -> dict[int, Match]:
    """Matches by their first word; the shortest of those with the same one."""
    return {match.first: match for match in sorted(matches, key=lambda match: -match.end)}


def _beside_or(answer: Statements, match: Match, lists: Mapping[int, int]) -> Iterator[Span]:
    """The words on the other side of an "or" after or before a value, in its sentence.

    A value may be the first of a list of numbers. `lists` has the end of each list by its start.
    """
    sentence = answer.passage.sentence_at(match.first)
    for first, end in _around_or(answer, match, lists):
        yield Span(max(first, sentence.first), min(end, sentence.end))


def _around_or(answer: Statements, match: Match, lists: Mapping[int, int]) -> Iterator[Span]:
    words = answer.passage.words
    end = _end_of_list(answer, match.end, lists)
    after = end + (words[end : end + 1] == (COMMA,))
    if words[after : after + 1] == ("or",):
        yield Span(after + 1, after + 1 + _REACH)
    before = match.first - 1
    while before >= 0 and words[before] in _BEFORE_VALUE:
        before -= 1
    if before > 0 and words[before] == "or":
        yield Span(max(0, before - _REACH), before)


def _ends_of_lists(answer: Statements, numbers: Mapping[int, Match]) -> dict[int, int]:
    """Where each list of numbers ends that continues after commas: "2, 4, 7"."""
    ends: dict[int, int] = {}
    for first in sorted(numbers, reverse=True):
        ends[first] = _end_of_list(answer, numbers[first].end, ends)
    return ends


def _end_of_list(answer: Statements, end: int, lists: Mapping[int, int]) -> int:
    """Where a list ends whose first value ends at `end`."""
    continues = answer.passage.words[end : end + 1] == (COMMA,)
    return lists.get(end + 1, end) if continues else end


def _ranges(case: StatedCase, answer: Statements) -> Iterator[Doubt]:
    """Ranges that the right number begins or ends: "206 to 213", "between 206 and 213"."""
    for fact in case.facts():
        right = {n.span.first for n in answer.numbers if fact.accepts.has_number(n)}
        for first, last in pairwise(answer.numbers):
            ends = [number for number in (first, last) if number.span.first not in right]
            if len(ends) != 1 or not _is_range(answer, first.span, last.span):
                continue
            if case.is_other(ends[0]):
                written = answer.quoted(Match(first.span.first, last.span.end))
                yield fails("contradiction", f"{written} is given for {fact.label}.")


def _is_range(answer: Statements, first: Span, last: Span) -> bool:
    words = answer.passage.words
    between, before = words[first.end : last.first], words[max(0, first.first - 1) : first.first]
    if before == ("from",):
        return False  # "from 1939 to 1945" gives two answers
    return between == ("to",) or (between == ("and",) and before == ("between",))


def _choice(
    answer: Statements,
    fact: StatedFact,
    beside: Span,
    accepted: Mapping[int, Match],
    others: Mapping[int, Match],
) -> Doubt | None:
    """What is beside "or" and a right value. The matches are listed by their first word."""
    if beside.end <= beside.first or _first_inside(beside, accepted):
        return None
    other = _first_inside(beside, others)
    if other is None:
        return leaves_open(f"another answer is offered as well as {fact.label}.")
    return fails("contradiction", f"{answer.quoted(other)} is offered as well as {fact.label}.")


def _first_inside(span: Span, matches: Mapping[int, Match]) -> Match | None:
    found = (matches[at] for at in span.indexes if at in matches)
    return next((match for match in found if match.span.inside(span)), None)


def _pairs(case: StatedCase, answer: Statements) -> Iterator[Doubt]:
    """Values that are stated of another record than their own."""
    for level in case.pairs:
        names = [_starts_of(name, answer) for name, _ in level]
        for owner, (_, value) in enumerate(level):
            matches = list(value.find(answer.passage))
            if matches and all(owner not in _owners(names, match) for match in matches):
                yield fails(
                    "contradiction", f"{answer.quoted(matches[0])} is given for the wrong name."
                )


def _starts_of(name: FormSet, answer: Statements) -> list[int]:
    return [match.first for match in name.find(answer.passage)]


def _owners(names: Sequence[Sequence[int]], match: Match) -> set[int]:
    """The records that a value may belong to: the one named last before it, and the nearest one."""
    starts = [(at, owner) for owner, own in enumerate(names) for at in own]
    if not starts:
        return set(range(len(names)))
    before = [one for one in starts if one[0] < match.first]
    nearest = min(starts, key=lambda one: abs(one[0] - match.first))
    return {nearest[1], max(before)[1] if before else nearest[1]}


def _withdrawn(_: StatedCase, answer: Statements) -> Iterator[Doubt]:
    """Answers that take back what they state."""
    if match := TAKEN_BACK.first(answer.passage):
        yield leaves_open(f"{answer.quoted(match)} takes the answer back.")


def _long(_: StatedCase, answer: Statements) -> Iterator[Doubt]:
    """Answers that are longer than a plain one."""
    if len(answer.passage.words) > _LONGEST:
        yield leaves_open("the answer is long.")


_CHECKS: Final[tuple[Callable[[StatedCase, Statements], Iterator[Doubt]], ...]] = (
    _excluded,
    _missing,
    _rivals,
    _choices,
    _ranges,
    _pairs,
    details,
    other_counts,
    second_numbers,
    given_numbers,
    many_numbers,
    _long,
    _withdrawn,
)


def contradicted(case: StatedCase, answer: Statements) -> bool:
    """Whether an answer that shows its working contradicts or lacks a fact, or takes it back."""
    return any(doubt for check in _OF_WORKING for doubt in check(case, answer))


# Other candidates and many numbers may be those that the right answer was found among.
_OF_WORKING: Final = tuple(check for check in _CHECKS if check not in (_rivals, many_numbers))


def _listed(labels: Sequence[str]) -> str:
    if len(labels) < 2:
        return "".join(labels) or "what the case asks for"
    return f"{', '.join(labels[:-1])} and {labels[-1]}"
