"""Whether a passage states what it mentions, or denies it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import Final

from scoring.facts.form_search import FormSet, Match
from scoring.facts.retractions import labelled_wrong, taken_back_before, untrue_claims
from scoring.facts.sentences import Passage, Span
from scoring.facts.toml_tables import phrases, read_table

_REACH: Final = 6  # words before a match
_LONGEST_LABEL: Final = 100  # characters
# "Wait: 25 minutes" is a time, and "Wait: it is Lyon" a correction.
_WAIT: Final = re.compile(r"wait( times?)?[*_ ]*:[*_ ]*(about |around |~ ?)?\d", re.IGNORECASE)
# Labels: items, rows, or up to two words and a number. Emphasis or a symbol may follow the colon.
_LABEL_END: Final = re.compile(
    r"(^\s*[-*•|][^\n]*|(?:^|[.;] )\W*(?:\w+\W){0,2}\w*\d\W*)?[:|][^\w.,;–—]*\Z", re.MULTILINE
)

_PHRASES: Final = read_table("polarity.toml")


def _forms(name: str, *, tight: bool = True) -> FormSet:
    return FormSet(phrases(_PHRASES[name]), tight=tight)


_BEFORE: Final = _forms("before")
_NO_DENIAL: Final = _forms("no_denial")
_COMPARED: Final = _forms("compared")
_AFTER: Final = _forms("after")
_NO_ANSWER: Final = _forms("no_answer")
UNABLE: Final = _forms("unable")  # directly after a match, before words of the question
_AFTER_NO_DENIAL: Final = _forms("after_no_denial")
_BESIDE: Final = _forms("beside")
_RELATED: Final = _forms("related")
_ARTICLES: Final = frozenset(("the", "a", "an"))
_KIN: Final = frozenset(_PHRASES["kin"].split())
OPPOSITES: Final = tuple(
    (frozenset(some.split()), frozenset(others.split()))
    for pair in _PHRASES["opposites"]
    for some, others in (pair, reversed(pair))
)
ONLY_COMPARED: Final = frozenset(_PHRASES["only_compared"].split())
_SLIPS: Final = _forms("slips")
CONCLUDING: Final = _forms("concluding")  # a clause says what the answer is: "that leaves X"
_GRANTED: Final = _forms("granted")
_OTHER_SUBJECT: Final = _forms("other_subject", tight=False)
_NOT_AS: Final = _forms("not_as")
TAKEN_BACK: Final = _forms("taken_back")  # the whole answer
_CORRECTED: Final = _forms("corrected", tight=False)
OFFERS: Final = _forms("offers")  # a sentence only offers more help
_GRADING: Final = _forms("grading")
# Openings before an answer that is given again, or before another one.
RETHOUGHT: Final = _forms("rethought")  # "or rather"
FINAL_ANSWER: Final = _forms("final_answer")  # "final answer"
ALTERNATIVE: Final = _forms("alternative")  # "if that is wrong"
SAYS_NOTHING: Final = frozenset(_PHRASES["says_nothing"].split())


def denied(passage: Passage, match: Match, harmless: Sequence[Span] = ()) -> bool:
    """Whether the words near a match deny it, or the claim that it is a part of.

    A form with its own negation is only denied with its claim. Denials in `harmless` do not count:
    the answer repeats them from its question.
    """
    is_untrue = match.span.inside_any(untrue_claims(passage))
    if is_untrue or match.negative:
        return is_untrue
    if _NO_ANSWER.at_start(passage, Span(match.first, len(passage.words))):
        return match.end == match.first + 1  # "no worries" does not state "no"
    clause = passage.clause_at(match.first)
    left = Span(max(clause.first, match.first - _REACH), match.first)
    if passage.words[max(0, clause.first - 1) : clause.first] == ("not",):
        return True  # "not because …"
    if _denied_before(passage, left, clause, harmless):
        return True
    right = Span(match.end, max(match.end, passage.sentence_at(match.first).end))
    denial = _AFTER.at_start(passage, right)
    if denial is None or denial.span.overlaps_any(harmless):
        return False
    return not _AFTER_NO_DENIAL.at_start(passage, right)


def _denied_before(passage: Passage, left: Span, clause: Span, repeated: Sequence[Span]) -> bool:
    denials = _BEFORE.spans(passage, left)
    if not denials:
        return False
    whole = Span(clause.first, left.end)
    harmless = [*repeated, *_NO_DENIAL.spans(passage, whole), *_COMPARED.spans(passage, whole)]
    return not all(denial.inside_any(harmless) for denial in denials)


def beside(passage: Passage, match: Match) -> bool:
    """Whether the words before a match name it next to the answer, not as it: "followed by X"."""
    found = _ends_at(_BESIDE, passage, match)
    if found is None:
        return False
    clause = passage.clause_at(match.first)
    whole = Span(clause.first, match.first)
    exceptions = (*_NO_DENIAL.spans(passage, whole), *_COMPARED.spans(passage, whole))
    return not found.span.inside_any(exceptions)


def related(passage: Passage, match: Match) -> bool:
    """Whether words beside a match name somebody or something else: "son of X", "X's son"."""
    if passage.words[match.end : match.end + 1] and passage.words[match.end] in _KIN:
        return True
    return _ends_at(_RELATED, passage, match) is not None


def granted(passage: Passage, match: Match) -> bool:
    """Whether a match is only what others think, or what is granted: "many say X, but"."""
    return _GRANTED.first(passage, passage.clause_at(match.first)) is not None


def other_subject(passage: Passage, span: Span) -> int | None:
    """Where a span starts to be about another name than before: "than X, which is".

    A span that opens with "while" is about one name from its start.
    """
    starts = (found.end - 1 for found in _OTHER_SUBJECT.find(passage, span))
    return next((start for start in starts if start > span.first), None)


def not_as(passage: Passage, span: Span) -> Iterator[int]:
    """The indexes of the adjectives that fall short of another's: "but not as cold as X"."""
    return (found.end for found in _NOT_AS.find(passage, span) if found.end < span.end)


def _ends_at(forms: FormSet, passage: Passage, match: Match) -> Match | None:
    """The match of a form that ends directly before another match."""
    sentence = passage.sentence_at(match.first)
    first = max(sentence.first, match.first - _REACH)
    ends = (match.first, match.first - (passage.words[match.first - 1] in _ARTICLES))
    before = forms.find(passage, Span(first, match.first))
    return next((found for found in before if found.end in ends), None)


def dropped_sentences(
    passage: Passage, *, labels: bool = True, label_words: Collection[str] = ()
) -> Iterator[Span]:
    """Sentences that state nothing: about grading, labelled as wrong, or taken back later.

    With `labels`, a "no" after a label belongs to it: "Order 7: no, it was too late". Words before
    a colon are a label, too, if all are among `label_words`.
    """
    yield from labelled_wrong(passage)
    yield from taken_back_before(passage)
    for position, sentence in enumerate(passage.sentences):
        if _GRADING.first(passage, sentence):
            yield sentence
        corrects = _CORRECTED.at_start(passage, sentence)
        if position and corrects and not _names_wait(passage, sentence):
            yield passage.sentences[position - 1]
    for clause in passage.clauses:
        slip = _SLIPS.first(passage, clause)
        first, end = passage.sentence_at(clause.first)
        inside = first < clause.first and clause.end < end
        is_slip = slip is not None and slip.span == clause and inside
        is_slip = is_slip and not _names_wait(passage, clause)
        if is_slip and not (labels and _follows_label(passage, clause, label_words)):
            yield Span(first, clause.end)


def _names_wait(passage: Passage, span: Span) -> bool:
    """Whether a span is or starts with the label of a time to wait: "Wait: 25 minutes"."""
    return _WAIT.match(passage.canonical.original, passage.chars_of(span).start) is not None


def _follows_label(passage: Passage, clause: Span, label_words: Collection[str]) -> bool:
    """Whether a label or the start of a table's cell is before a clause: "Order 7: no, closed"."""
    start = passage.chars_of(clause).start
    before = passage.canonical.original[max(0, start - _LONGEST_LABEL) : start]
    found = _LABEL_END.search(before)
    if found is None:
        return False
    label = passage.words[passage.sentence_at(clause.first).first : clause.first - 1]
    return found[1] is not None or all(word in label_words for word in label)
