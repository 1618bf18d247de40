"""The sentence of an answer that concludes, where the others show how it was found.

"Vantris: 70 °F. Snowmere: 28 °F. Snowmere is the coldest." is right about the coldest city: the
conclusion is right by itself, and nothing before it says as much about another city.
"""

from __future__ import annotations

from collections.abc import Iterator

from scoring.facts.canonical_text.tokens import base_form
from scoring.facts.form_search import Match
from scoring.facts.polarity import ALTERNATIVE, OFFERS, related
from scoring.facts.sentences import Span
from scoring.facts.stated.case_facts import StatedCase, StatedFact, StatedGroup
from scoring.facts.stated.conflicting_numbers import CONCLUSIONS
from scoring.facts.stated.stated_facts import COMPARES, WEIGHT, compares
from scoring.facts.stated.statements import Statements


def conclusions(case: StatedCase, answer: Statements, *, with_first: bool) -> Iterator[Span]:
    """What may be the conclusion: the last sentence, or what follows "so" in it.

    `with_first`: or the first sentence. Questions never conclude, and neither do offers at the end.
    Nor do alternatives such as "Otherwise Vantris.". A conclusion says more of what is asked than
    each sentence about rivals alone.
    """
    passage = answer.passage
    statements = [one for one in passage.sentences if one not in passage.asking]
    while statements and OFFERS.first(passage, statements[-1]):
        statements.pop()
    if not statements or _opens_with_rival(case, answer):
        return
    last = statements[-1]
    after_so = [
        Span(clause.first, last.end)
        for clause in passage.clauses
        if clause.inside(last) and passage.words[clause.first] in CONCLUSIONS
    ]
    spans = (last, *after_so[-1:], *statements[:with_first])
    for span in (one for one in spans if not ALTERNATIVE.at_start(passage, one)):
        weight = said_in(answer, span)
        rivals = {part for item in case.items for part in _about_rivals(answer, item, span)}
        if weight > max((said_in(answer, part) for part in rivals), default=0):
            yield span


def _opens_with_rival(case: StatedCase, answer: Statements) -> bool:
    """Whether the first sentence is nothing but a rival: "Max Planck. …"."""
    first = answer.passage.sentences[0]
    return first == answer.passage.clauses[0] and any(
        answer.opens(rival) for item in case.items for rival in answer.names(item.rivals)
    )


def _about_rivals(
    answer: Statements, item: StatedFact | StatedGroup, conclusion: Span
) -> Iterator[Span]:
    """The sentences outside a conclusion that name a rival and none of the right ones."""
    right = {
        _part_of(answer, match, conclusion)
        for fact in item.members
        for match in answer.mentions(fact.accepts)
    }
    for rival in answer.names(item.rivals):
        part = _part_of(answer, rival, conclusion)
        loses = answer.loses(rival, answer.passage.clause_at(rival.first))
        is_other = part not in right and not rival.span.inside(conclusion)
        if is_other and not loses and not related(answer.passage, rival):
            yield part


def _part_of(answer: Statements, match: Match, conclusion: Span) -> Span:
    """The sentence of a match; of one that ends with the conclusion, what is before it."""
    sentence = answer.passage.sentence_at(match.first)
    if match.first < conclusion.first < sentence.end:
        return Span(sentence.first, conclusion.first)
    return sentence


def said_in(answer: Statements, span: Span) -> int:
    """How much a span says of what is asked: words of the question, and words that conclude."""
    words = answer.passage.words_of(span)
    asked = answer.question.asked_or_negations
    said = [word for word in words if word in asked or base_form(word) in asked]
    comparing = sum(map(compares, said))
    concluding = 0 if CONCLUSIONS.isdisjoint(words) else WEIGHT
    return concluding + len(said) + comparing * (COMPARES - 1)
