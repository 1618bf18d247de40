"""The one number that an answer gives, where it has several: "Lower: 4. Upper: 6." gives 4.

Which one it is does not depend on which is right, so that two answers are never both accepted. An
answer gives the number that it concludes or opens with, then the result of its calculation, then
the one that it says most about in words of the question, then the first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Final, NamedTuple

from scoring.facts.canonical_text.canonical_words import MEASURES, SMALL_WORDS
from scoring.facts.canonical_text.tokens import base_form
from scoring.facts.fact_findings import Doubt, fails, leaves_open
from scoring.facts.sentences import Span
from scoring.facts.stated.case_facts import StatedCase, StatedFact
from scoring.facts.stated.conflicting_numbers import CONCLUSIONS, MOST_PARTS, RESULTS
from scoring.facts.stated.quantities import Quantity, kind_of
from scoring.facts.stated.set_aside import set_aside
from scoring.facts.stated.statements import Statements

# Against words of the question, and with the number's noun.
_CONCLUDES: Final = 30
_OPENS: Final = 20
_RESULTS: Final = 10
_STEP: Final = 3  # of a calculation
_FIRST: Final = 2
_CONJUNCTIONS: Final = (("and",), ("but",))


class _Calculation(NamedTuple):
    """The position of the first number that a result is calculated from, and in how many steps."""

    first: int
    steps: int


def given_numbers(case: StatedCase, answer: Statements) -> Iterator[Doubt]:
    """Another number of the same kind that an answer gives in place of the only right one."""
    facts = list(case.facts())
    if len(facts) != 1 or not case.amounts or len(answer.numbers) < 2:
        return
    (fact,) = facts
    right = {at for at in _said(answer) if case.is_right(answer.numbers[at])}
    if not right:
        return
    positions = sorted([*right, *_others(case, answer, fact, right)])
    aside = set_aside(answer)
    kept = [at for at in positions if at not in aside] or positions
    calculations = _calculations(answer)
    weights = [_weight(case, answer, at, calculations) for at in kept]
    given = kept[weights.index(max(weights))]
    if given not in right:
        shown = answer.shown(answer.numbers[given])
        yield fails("contradiction", f"{shown} contradicts {fact.label}.")
    elif given == 0 and max(weights) < _RESULTS:
        doubt = _said_of_another(case, answer, fact, kept)
        if doubt:
            yield doubt


def _said_of_another(
    case: StatedCase, answer: Statements, fact: StatedFact, positions: Sequence[int]
) -> Doubt | None:
    """Another number with more words of the question than the first, apart from what they count."""
    first, clause = answer.numbers[0].span, answer.passage.clauses[0]
    if clause.first == first.first and clause.end <= first.end + 1:
        return None  # "46 chromosomes."
    nouns = {kind_of(answer.passage, answer.numbers[at]) for at in positions}
    words = {at: len(_asked(answer, answer.words_beside(at)) - nouns) for at in positions}
    most = answer.numbers[max(positions, key=lambda at: words[at])]
    if max(words.values()) <= words[0] or case.is_right(most):
        return None
    return leaves_open(f"{answer.shown(most)} may contradict {fact.label}.")


def _said(answer: Statements) -> list[int]:
    """The positions of the numbers that are said, except "one" as in "one way"."""
    return [
        at
        for at, number in enumerate(answer.numbers)
        if answer.passage.words[number.span.first] != "one"
        and not answer.says_nothing(number.match)
    ]


def _others(
    case: StatedCase, answer: Statements, fact: StatedFact, right: AbstractSet[int]
) -> list[int]:
    """The positions of other numbers that may be about the same. What is granted is not meant."""
    numbers = answer.numbers
    stated = {at for match in answer.states(fact) for at in match.span.indexes}
    kinds = {"", *(_kind(answer, numbers[at]) for at in right)}
    is_asserted = not all(answer.is_granted(numbers[at]) for at in right)
    return [
        at
        for at in _said(answer)
        if at not in right
        and (_kind(answer, numbers[at]) in kinds or _has_counted_noun(case, answer, at))
        and numbers[at].span.first not in stated
        and not case.is_asked(numbers[at])
        and not (is_asserted and answer.is_granted(numbers[at]))
    ]


def _kind(answer: Statements, number: Quantity) -> str:
    """What may be compared with it: lengths, degrees, or what it counts."""
    return MEASURES[number.unit].dimension if number.unit else kind_of(answer.passage, number)


def _has_counted_noun(case: StatedCase, answer: Statements, at: int) -> bool:
    """Whether a number has the noun or the unit of the right one."""
    number = answer.numbers[at]
    return any(amount.counts(answer.passage, number) for amount in case.amounts)


def _weight(
    case: StatedCase, answer: Statements, at: int, calculations: Mapping[int, _Calculation]
) -> int:
    """How much looks as if a number is the answer."""
    number, passage = answer.numbers[at], answer.passage
    words = answer.words_beside(at)
    first, steps = calculations.get(at, (at, 0))
    # "Total: 1 + 3 = 4"
    is_written = number.span.first - answer.numbers[first].span.first <= 2 * (at - first)
    introduced = answer.words_beside(first) if is_written else []
    opens = at == 0 and answer.opens(number.match)
    is_first = at == 0 and not passage.follows_mark(number.span, ":")
    ordered = (
        _CONCLUDES * (not CONCLUSIONS.isdisjoint(words))
        + _OPENS * opens
        + _RESULTS * (not RESULTS.isdisjoint((*words, *introduced)))
        + _STEP * steps
    )
    said = _FIRST * is_first + len(_asked(answer, words))
    if _is_of_another_verb(answer, at):
        said = 0
    return ordered + said + _has_counted_noun(case, answer, at)


def _is_of_another_verb(answer: Statements, at: int) -> bool:
    """Whether the question's verb follows after "and": "built in 1961 and opened in 1989".

    What is before both verbs is said of both, so it says nothing more of the first number.
    """
    passage, span = answer.passage, answer.numbers[at].span
    sentence = passage.sentence_at(span.first)
    if passage.words[span.end : span.end + 1] not in _CONJUNCTIONS:
        return False
    rest = passage.words_of(Span(span.end + 1, sentence.end))
    verb = next((word for word in rest if word not in SMALL_WORDS), "")
    before = passage.words_of(Span(sentence.first, span.first))
    return bool(_asked(answer, [verb]) - _asked(answer, before))


def _asked(answer: Statements, words: Sequence[str]) -> frozenset[str]:
    return answer.question.asked.intersection(map(base_form, words))


def _calculations(answer: Statements) -> dict[int, _Calculation]:
    """The positions of numbers that are calculated from those directly before them."""
    calculations: dict[int, _Calculation] = {}
    parts: list[int] = []
    numbers = answer.numbers
    for at in _said(answer):
        number = numbers[at]
        before = parts[-MOST_PARTS:]
        values = [numbers[one].value for one in before]
        if used := 0 if number.is_year else _parts_of(number.value, values):
            steps = [calculations[one].steps for one in before[-used:] if one in calculations]
            calculations[at] = _Calculation(before[-used], 1 + max(steps, default=0))
            del parts[-used:]
        parts.append(at)
    return calculations


def _parts_of(result: float, before: Sequence[float]) -> int:
    """How many of the last numbers make a result. "(1 + 3 + 5) / 3 = 3" has its divisor, too."""
    for size in range(2, len(before) + 1):
        run = before[-size:]
        is_difference = size == 2 and abs(run[0] - run[1]) == result
        is_quotient = size > 2 and run[-1] == size - 1 and sum(run[:-1]) / run[-1] == result
        if is_difference or is_quotient or sum(run) == result:
            return size
    return 0
