"""The same case with one of its rivals as the right answer.

An answer that would be right either way is right about the candidate that it says more about, as
"So: Snowmere" does, or about the first. Which one it is does not depend on which is right.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import islice
from typing import Final

from leaderboard.facts.accepted_forms import Accepted
from leaderboard.facts.fact_shapes import Fact, Facts
from scoring.facts.canonical_text.canonical_words import SMALL_WORDS
from scoring.facts.form_search import Match
from scoring.facts.polarity import granted, related
from scoring.facts.sentences import Span
from scoring.facts.stated.case_facts import StatedCase, StatedFact
from scoring.facts.stated.conclusions import said_in
from scoring.facts.stated.stated_facts import WEIGHT
from scoring.facts.stated.statements import Statements

_MOST_RIVALS: Final = 4  # an answer with more of them lists candidates


def swapped(case: StatedCase, facts: Facts, answer: Statements) -> Iterator[StatedCase]:
    """Cases whose right answer is a rival that an answer says more about."""
    for at, (fact, stated) in enumerate(zip(facts.items, case.items, strict=True)):
        if isinstance(fact, Fact) and isinstance(stated, StatedFact) and fact.rivals:
            rivals = (_rival_of(fact, rival) for rival in fact.rivals)
            named = (one for one in rivals if any(answer.names(one.accepts)))
            for rival in islice(named, _MOST_RIVALS):
                if _says_more(answer, rival, stated):
                    yield replace(case, items=(*case.items[:at], rival, *case.items[at + 1 :]))


@lru_cache(maxsize=4096)
def _rival_of(fact: Fact, rival: Accepted) -> StatedFact:
    others = tuple(one for one in fact.rivals if one is not rival)
    rivals = (*fact.accepts, *others)
    return StatedFact.of(replace(fact, accepts=(rival,), rivals=rivals, excludes=()))


def _says_more(answer: Statements, rival: StatedFact, right: StatedFact) -> bool:
    """Whether the sentences that state only a rival say more than those of the right one."""
    ours, theirs = _stated(answer, right), _stated(answer, rival)
    sentence_at = answer.passage.sentence_at
    shared = {sentence_at(one.first) for one in ours} & {sentence_at(one.first) for one in theirs}
    theirs = [match for match in theirs if sentence_at(match.first) not in shared]
    if not ours or not theirs:
        return False
    most = max(_said_of(answer, match) for match in ours)
    return any(_said_of(answer, match) > most for match in theirs)


def _stated(answer: Statements, fact: StatedFact) -> Sequence[Match]:
    passage = answer.passage
    return [
        match
        for match in answer.states(fact)
        if not related(passage, match) and not answer.loses(match, passage.clause_at(match.first))
    ]


def _said_of(answer: Statements, match: Match) -> tuple[bool, int, int]:
    """Whether it is not just granted, what is said of it up to the end of its clause, how early.

    A candidate that opens the answer, or is all that a sentence says, outweighs words of the
    question.
    """
    passage = answer.passage
    sentence = passage.sentence_at(match.first)
    before = Span(sentence.first, match.first)
    after = Span(match.end, max(match.end, passage.clause_at(match.first).end))
    weight = said_in(answer, before) + said_in(answer, after)
    beside = {*passage.words_of(before), *passage.words_of(Span(match.end, sentence.end))}
    is_bare = bool(beside) and beside <= SMALL_WORDS  # "It's Snowmere."
    weight += WEIGHT * (is_bare or answer.opens(match))
    return not granted(passage, match), weight, -match.first
