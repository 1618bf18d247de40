"""Numbers in an answer that contradict the right ones, or that are too many."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final

from scoring.facts.fact_findings import Doubt, fails, leaves_open
from scoring.facts.number_closeness import ROUGHLY
from scoring.facts.stated.case_facts import StatedCase, StatedFact
from scoring.facts.stated.quantities import Amount, Quantity, kind_of
from scoring.facts.stated.set_aside import set_aside
from scoring.facts.stated.statements import Statements

_MOST_NUMBERS: Final = 4  # besides the right one
_MOST_CALCULATED: Final = 8  # with those of a calculation
MOST_PARTS: Final = 6  # of a calculation
_AS_RESULT: Final = 2  # emphasis
_ROUGH: Final = 0.02
CONCLUSIONS: Final = frozenset(("so", "therefore", "thus", "hence", "answer"))
RESULTS: Final = CONCLUSIONS | frozenset(
    ("make", "makes", "making", "total", "altogether", "together", "difference", "sum", "average")
)
_LIFE: Final = frozenset(("born", "died", "birth", "death"))
_PER_ITEM: Final = frozenset(("each", "every", "per", "apiece"))


def details(case: StatedCase, answer: Statements) -> Iterator[Doubt]:
    """Years, percentages and numbers that the reference states, too, with other values."""
    values = {number.value for number, _ in case.details}
    for number, kind in case.details:
        if not case.is_other(number) or (case.amounts and not kind):
            continue
        alike = [other for other in answer.numbers if kind_of(answer.passage, other) == kind]
        rough = case.reference.words[max(0, number.span.first - 1)] in ROUGHLY
        room = _ROUGH * abs(number.value) if rough else 0
        if any(abs(other.value - number.value) <= room for other in alike):
            continue
        alike = [o for o in alike if o.value not in values and not case.is_asked(o)]
        alike = [o for o in alike if not _is_of_rival(case, answer, o)]
        alike = [o for o in alike if not _is_of_life(answer, o)]
        spans = alike and alike[0].value <= number.value <= alike[-1].value
        if not alike or spans:
            continue
        detail = f"{answer.shown(alike[0])} contradicts the right answer."
        is_beside = kind and not _is_apart(case, answer, alike[0])
        yield fails("contradiction", detail) if is_beside else leaves_open(detail)


def _is_of_rival(case: StatedCase, answer: Statements, number: Quantity) -> bool:
    """Whether a number belongs to another candidate: "oxygen is only 21 %"."""
    clause = answer.passage.clause_at(number.span.first)
    forms = [item.rivals.forms for item in case.items]
    return any(form.first(answer.passage, clause) for form in forms if form)


def _is_of_life(answer: Statements, number: Quantity) -> bool:
    """Whether it is when somebody was born or died, which the question does not ask."""
    clause = answer.passage.clause_at(number.span.first)
    return not (_LIFE - answer.question.asked).isdisjoint(answer.passage.words_of(clause))


def _is_apart(case: StatedCase, answer: Statements, number: Quantity) -> bool:
    """Whether a number is in a sentence of its own that states none of the facts."""
    sentence = answer.passage.sentence_at(number.span.first)
    stated = (match for fact in case.facts() for match in answer.states(fact))
    apart = all(answer.passage.sentence_at(match.first) != sentence for match in stated)
    return apart and sentence != answer.passage.sentences[0]


def other_counts(case: StatedCase, answer: Statements) -> Iterator[Doubt]:
    """Another number of what a fact counts, said with more weight than the right one."""
    for fact in case.facts():
        for amount in fact.accepts.amounts:
            right = [number for number in answer.numbers if amount.equals(number)]
            other = _outweighing(case, answer, fact, amount, right) if right else None
            if other:
                yield fails("contradiction", f"{answer.shown(other)} contradicts {fact.label}.")


def _outweighing(
    case: StatedCase,
    answer: Statements,
    fact: StatedFact,
    amount: Amount,
    right: Sequence[Quantity],
) -> Quantity | None:
    """The number that an answer gives in place of the right one, if it does."""
    first = answer.numbers[0]
    if _is_instead(case, answer, first, right):
        return first
    if all(map(answer.is_granted, right)):
        others = [n for n in answer.numbers if n not in right and not case.is_asked(n)]
        asserted = [number for number in others if not answer.is_granted(number)]
        if asserted:
            return asserted[-1]
    # "Ten outfield players and a keeper" may be another way to say eleven.
    stated = [match.span for match in answer.states(fact)]
    aside = set_aside(answer)
    wrong = [
        number
        for at, number in enumerate(answer.numbers)
        if at not in aside
        and amount.counts(answer.passage, number)
        and case.is_other(number)
        and not answer.denies(number)
        and not number.span.inside_any(stated)
    ]
    if not wrong:
        return None
    ours = max(_emphasis(answer, amount, number) for number in right)
    theirs, number = max((_emphasis(answer, amount, number), number) for number in wrong)
    elsewhere = all(_counts_other(answer, amount, one) for one in right)
    concludes = theirs >= _AS_RESULT or wrong[0].span < right[0].span or elsewhere
    return number if theirs > ours and concludes else None


def many_numbers(case: StatedCase, answer: Statements) -> Iterator[Doubt]:
    """Answers that list numbers."""
    if not case.amounts or _counts_the_listed(case, answer):
        return
    others = _other_numbers(case, answer)
    most = _MOST_NUMBERS + len(case.amounts) - 1
    # A result that the next calculation starts with is there twice.
    used_again = sum(times == 2 for times in Counter(others).values())
    if (
        len(others) - used_again > _MOST_CALCULATED
        or len(_unexplained(others, case.amounts)) >= most
    ):
        yield fails("contradiction", "the answer lists many numbers.")


def unneeded_numbers(case: StatedCase, answer: Statements) -> list[float]:
    """The numbers of an answer that no fact needs and that explain none."""
    if _counts_the_listed(case, answer):
        return []
    return _unexplained(_other_numbers(case, answer), case.amounts)


def _counts_the_listed(case: StatedCase, answer: Statements) -> bool:
    """Whether the right answer is how many other numbers the answer lists."""
    others = len(_other_numbers(case, answer))
    return any(
        amount.number == others and amount.counts(answer.passage, number)
        for amount in case.amounts
        for number in answer.numbers
        if amount.equals(number)
    )


def _other_numbers(case: StatedCase, answer: Statements) -> list[float]:
    return [number.value for number in answer.numbers if case.is_other(number)]


def _unexplained(values: Sequence[float], amounts: Sequence[Amount]) -> list[float]:
    """The values that are no part of a calculation: "130 + 330 + 380 = 840"."""
    known = {*values, *(amount.number for amount in amounts)}
    parts: set[int] = set()
    for first in range(len(values)):
        for end in range(first + 2, min(first + MOST_PARTS, len(values)) + 1):
            run = values[first:end]
            if sum(run) in known or (sum(run) / len(run)) in known:
                parts.update(range(first, end))
    rest = [value for at, value in enumerate(values) if at not in parts]
    results = {amount.number for amount in amounts}
    for one, other in combinations(rest[:MOST_PARTS], 2):
        if abs(one - other) in results or one + other in results:
            return [value for value in rest if value not in (one, other)]
    return rest


def _counts_other(answer: Statements, amount: Amount, number: Quantity) -> bool:
    """Whether a noun after a number is not what the fact counts: "five continents"."""
    is_counted = amount.noun is not None and kind_of(answer.passage, number) != ""
    return is_counted and not amount.counts(answer.passage, number)


def _is_instead(
    case: StatedCase, answer: Statements, first: Quantity, right: Sequence[Quantity]
) -> bool:
    """Whether an answer opens with nothing but another number, and does not conclude the right one.

    It is about answers such as "It was 1915, a year after Sarajevo in 1914".
    """
    same_kind = all(
        kind_of(answer.passage, number) == kind_of(answer.passage, first) for number in right
    )
    if first in right or not same_kind or case.is_asked(first) or answer.says_nothing(first.match):
        return False
    concluded = any(
        not RESULTS.isdisjoint(answer.passage.words[first.span.end : number.span.first])
        or not _PER_ITEM.isdisjoint(answer.passage.words[number.span.end :])
        for number in right
    )
    return answer.opens(first.match) and not concluded


def _emphasis(answer: Statements, amount: Amount, number: Quantity) -> int:
    """How much a number looks like the answer: the end of a calculation, or with its noun."""
    clause = answer.passage.clause_at(number.span.first)
    words = answer.passage.words_of(clause)
    concluded = _AS_RESULT if any(word in RESULTS for word in words) else 0
    if not CONCLUSIONS.isdisjoint(words):
        concluded = _AS_RESULT + 1  # more than the parts that "in total" is said of
    return concluded + amount.counts(answer.passage, number)
