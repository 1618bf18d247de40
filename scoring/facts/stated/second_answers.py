"""Answers that are given again: "Actually, Vantris.", "Final answer: Vantris", "Or Vantris."."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scoring.facts.canonical_text.canonical_words import BOUNDARIES
from scoring.facts.fact_findings import Doubt, fails
from scoring.facts.form_search import FormSet, Match
from scoring.facts.polarity import ALTERNATIVE, FINAL_ANSWER, RETHOUGHT, SAYS_NOTHING
from scoring.facts.sentences import Span
from scoring.facts.stated.case_facts import StatedCase
from scoring.facts.stated.quantities import kind_of
from scoring.facts.stated.statements import FIRST_NAMES, Statements


def changes_to(answer: Statements, names: Sequence[Match]) -> Match | None:
    """The last name that an answer changes to, if it changes: "Snowmere. Or rather Vantris."."""
    return max(_given_again(answer, names, names, RETHOUGHT), default=None)


def replaces(answer: Statements, right: Sequence[Match], rivals: Sequence[Match]) -> bool:
    """Whether an answer goes over to a rival, or offers one beside the right name."""
    if not right or not rivals:
        return False
    names = [*right, *rivals]
    called = max(_given_again(answer, names, names, FINAL_ANSWER), default=None)
    return (
        called in rivals
        or changes_to(answer, names) in rivals
        or any(_given_again(answer, right, rivals, ALTERNATIVE))
        or any(_given_again(answer, rivals, right, ALTERNATIVE))
    )


def second_numbers(case: StatedCase, answer: Statements) -> Iterator[Doubt]:
    """Another number that is given as the answer after the right one: "Four. Actually, six."."""
    for fact in case.facts():
        ours = [number for number in answer.numbers if fact.accepts.has_number(number)]
        if not ours:
            continue
        stated = [match.span for match in answer.states(fact)]
        kinds = {"", *(kind_of(answer.passage, number) for number in ours)}
        others = [
            number.match
            for number in answer.numbers
            if kind_of(answer.passage, number) in kinds
            and case.is_other(number)
            and not number.span.inside_any(stated)
            and not answer.denies(number)
        ]
        if replaces(answer, [number.match for number in ours], others):
            yield fails("contradiction", f"{answer.quoted(others[-1])} contradicts {fact.label}.")


def _given_again(
    answer: Statements,
    names: Sequence[Match],
    others: Sequence[Match],
    opening: FormSet,
) -> Iterator[Match]:
    """The names that are all that follows an opening, after others: "Actually, Vantris."."""
    first = min(others).first
    return (one for one in names if one.first > first and _opened(answer, one, first, opening))


def _opened(answer: Statements, name: Match, after: int, opening: FormSet) -> bool:
    passage = answer.passage
    sentence, clause = passage.sentence_at(name.first), passage.clause_at(name.first)
    clause_before = passage.clause_at(max(sentence.first, clause.first - 1))
    for start in (clause_before.first, clause.first):
        found = opening.at_start(passage, Span(start, name.first))
        if found and found.first > after:
            # What follows "Final answer: Vantris" explains it. "Actually, Vantris" may go on
            # to say what Vantris is instead.
            end = clause.end if opening is FINAL_ANSWER else sentence.end
            rest = (*range(found.end, name.first), *range(name.end, end))
            return all(_says_nothing(answer, at, name) for at in rest)
    return False


def _says_nothing(answer: Statements, at: int, name: Match) -> bool:
    """Whether a word beside a name says nothing about it: "it is", or a first name."""
    word = answer.passage.words[at]
    if word in SAYS_NOTHING or word in BOUNDARIES or answer.question.is_about(word):
        return True
    is_capital = answer.passage.written(Span(at, at + 1))[0].isupper()
    return is_capital and name.first - FIRST_NAMES <= at < name.first
