"""Decisions about texts by the facts of a case.

The facts of a case are compiled once, and an answer is read once.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from typing import Final

from leaderboard.facts.fact_shapes import Facts
from leaderboard.limits import FACTS_LENGTH
from leaderboard.types import Case, Category, FoundFact
from scoring.facts.copied_text import OtherAnswers
from scoring.facts.fact_findings import FactFinding, is_too_long, too_long
from scoring.facts.number_closeness import SMALL_NUMBER
from scoring.facts.retractions import called_wrong, untrue_claims
from scoring.facts.sentences import Span, read_passage
from scoring.facts.stated.case_facts import StatedCase
from scoring.facts.stated.conclusions import conclusions
from scoring.facts.stated.conflicting_numbers import unneeded_numbers
from scoring.facts.stated.stated_facts import contradicted, decide_stated, found_in
from scoring.facts.stated.statements import Statements
from scoring.facts.stated.swapped_facts import swapped
from scoring.facts.unmet_requests.answer_reading import Reading, read_answer
from scoring.facts.unmet_requests.faults import References, decide_fault, references_of
from scoring.facts.unmet_requests.other_requests import asks_for_all, names_all
from scoring.facts.unmet_requests.questions import decide_question
from scoring.facts.unmet_requests.refusals import decide_refusal, refuses_outright

_SHORT: Final = 5  # words that hold no list
_BESIDE: Final = 2  # words: a name and a number with a word or a bracket between them
# Of an answer that asks, names a fault or refuses. Right ones have up to 7, and each sentence is
# read again for every other request of the category.
_MOST_SENTENCES: Final = 50


def decide(
    case: Case, text: str, category: Category | None = None, date: str | None = None
) -> FactFinding | None:
    """What the facts of a case decide about a text. None if no facts are about it.

    With its category, an answer that lists the answers of other cases fails. `date` is the day that
    models are told.
    """
    finding = _decide(case, text[:FACTS_LENGTH], category, date)
    if finding is None or finding.decided == "fail" or not is_too_long(text):
        return finding
    return too_long(finding.found)


def _decide(
    case: Case, text: str, category: Category | None, date: str | None
) -> FactFinding | None:
    facts = case.ground_truth.facts
    if facts is None:
        return None
    if not facts.is_stated:
        finding = _decide_other(case, facts, text, category, date)
        if finding.decided == "pass" and _calls_untrue(case, facts, text, date):
            return finding.failing("contradiction", "It calls what would be right untrue.")
        return finding
    if not facts.items:
        return None
    return _decide_stated(case, facts, text, category)


def _decide_stated(case: Case, facts: Facts, text: str, category: Category | None) -> FactFinding:
    """Decides what must state facts. No answer is right with a rival in place of a fact, too."""
    compiled = _compiled(case, facts)
    answer = Statements.of(text, compiled)
    finding = _decide_compiled(case, compiled, answer, category)
    if finding.decided != "fail" and refuses_outright(read_answer(case.query, text)):
        return finding.failing("contradiction", "The answer also refuses the request.")
    if finding.decided == "pass":
        for other in swapped(compiled, facts, answer):
            if _decide_compiled(case, other, answer, None).decided == "pass":
                detail = "The answer would also fit another candidate."
                return finding.failing("contradiction", detail)
    return finding


def _decide_compiled(
    case: Case, compiled: StatedCase, answer: Statements, category: Category | None
) -> FactFinding:
    """Decides by the whole answer, or by its conclusion if the rest may be the way to it."""
    finding = decide_stated(compiled, answer)
    listing = finding.decided != "fail" and _lists_others(case, compiled, answer, category)
    if finding.decided == "pass" and not listing:
        return finding
    if not contradicted(compiled, answer):
        spans = conclusions(compiled, answer, with_first=finding.decided != "fail")
        for span in spans:
            text = answer.passage.canonical.original[slice(*answer.passage.chars_of(span))]
            part = Statements.of(text, compiled)
            alone = decide_stated(compiled, part)
            if alone.decided == "pass" and not _lists_others(case, compiled, part, category):
                return FactFinding("pass", alone.reason, alone.detail, finding.found)
    if not listing:
        return finding
    return finding.failing("contradiction", "The answer lists answers to other questions.")


def _lists_others(
    case: Case, compiled: StatedCase, answer: Statements, category: Category | None
) -> bool:
    """Whether an answer lists answers to other cases."""
    if category is None or len(answer.passage.words) <= _SHORT:
        return False
    numbers = unneeded_numbers(compiled, answer)
    excused = [*_denied_rivals(compiled, answer), *_beside_parts(compiled, answer, numbers)]
    counts = [amount.number for amount in compiled.amounts if amount.number <= SMALL_NUMBER]
    return _other_answers(category).listed(
        case,
        compiled.text,
        compiled.question.passage,
        answer.passage,
        numbers,
        excused=excused,
        counts=counts,
    )


def _denied_rivals(compiled: StatedCase, answer: Statements) -> Iterator[Span]:
    """The rivals that an answer says are not the answer."""
    for item in compiled.items:
        stated = tuple(answer.names(item.rivals))
        yield from (one.span for one in answer.mentions(item.rivals) if one not in stated)


def _beside_parts(
    compiled: StatedCase, answer: Statements, unneeded: Collection[float]
) -> Iterator[Span]:
    """What is beside the parts of a calculation: "Toast (290) + Soup (240) = 530"."""
    for number in answer.numbers:
        if compiled.is_other(number) and number.value not in unneeded:
            yield Span(number.span.first - _BESIDE, number.span.end + _BESIDE)


def _decide_other(
    case: Case, facts: Facts, text: str, category: Category | None, date: str | None
) -> FactFinding:
    """Decides what asks for something missing, names a fault, or refuses."""
    reading = read_answer(case.query, text, date)
    if not facts.fault:  # After a fault, "that is wrong" only confirms it.
        reading = reading.without(called_wrong(reading.answer))
    if len(reading.answer.sentences) > _MOST_SENTENCES:
        detail = f"The answer has more than {_MOST_SENTENCES} sentences."
        return FactFinding("fail", "too_long", detail)
    cases = category.cases if category and len(reading.answer.words) > _SHORT else ()
    if facts.asks:
        return _decide_asking(facts, reading, text, cases, date)
    if facts.fault:
        references = _fault_references(category) if category else {}
        finding = decide_fault(facts.fault, reading, references)
        if finding.decided == "pass" and names_all(facts.fault.type, text, cases, references):
            detail = "It names what is wrong with several other requests, too."
            return finding.failing("fault_not_named", detail)
        return finding
    return decide_refusal(facts.refuses or "action", reading, case.ground_truth.text or "")


def _calls_untrue(case: Case, facts: Facts, text: str, date: str | None) -> bool:
    """Whether an answer says of something right that it is not true."""
    passage = read_passage(text)
    for claim in untrue_claims(passage):
        sentence = passage.sentence_at(claim.first)
        asks = sentence in passage.asking and claim.end == sentence.end
        said = passage.written(claim) + ("?" if asks else "")
        if _decide_other(case, facts, said, None, date).decided == "pass":
            return True
    return False


def _decide_asking(
    facts: Facts, reading: Reading, text: str, cases: Sequence[Case], date: str | None
) -> FactFinding:
    finding = decide_question(facts, reading)
    if finding.decided != "fail" and refuses_outright(reading):
        return finding.failing("missing_not_asked", "It asks, but also refuses the request.")
    if finding.decided == "pass" and asks_for_all(facts, text, cases, date):
        detail = "It asks for what is missing in many other requests, too."
        return finding.failing("missing_not_asked", detail)
    return finding


@lru_cache(maxsize=1024)
def _other_answers(category: Category) -> OtherAnswers:
    return OtherAnswers.of(category.cases)


@lru_cache(maxsize=1024)
def _fault_references(category: Category) -> References:
    return references_of(category.cases)


def found_facts(case: Case, text: str) -> tuple[FoundFact, ...]:
    """The facts of a case with the part of a text that states each. Empty if no facts decide."""
    facts = case.ground_truth.facts
    if facts is None:
        return ()
    text = text[:FACTS_LENGTH]
    if not facts.is_stated:
        return _decide_other(case, facts, text, None, None).found
    # What they decide is not needed here, and takes most of the time.
    compiled = _compiled(case, facts)
    return found_in(compiled, Statements.of(text, compiled))


def _compiled(case: Case, facts: Facts) -> StatedCase:
    truth = case.ground_truth
    reference = truth.text if truth.trajectory is None else str(truth.trajectory.reference)
    return _compile(facts, case.query, reference or "")


# Submissions are decided one after the other, so all cases of a board should fit.
@lru_cache(maxsize=16384)
def _compile(facts: Facts, query: str, reference: str) -> StatedCase:
    return StatedCase.of(facts, query, reference)
