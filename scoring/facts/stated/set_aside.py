"""Numbers that an answer states beside its own: wholes, totals, and steps of calculations."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from scoring.facts.sentences import Span
from scoring.facts.stated.statements import Statements

# The number of each of several, and the number of all of them.
_EACH: Final = frozenset(("each", "every", "per", "apiece", "average"))
_TOTALS: Final = frozenset(("total", "totals", "altogether", "together", "overall", "sum"))
# With one of these, a share may not be what is asked: "of three, two lack milk", "of three, all".
_LACKING: Final = frozenset(
    ("no", "not", "none", "without", "lack", "lacks", "lacking", "free", "all")
)
_SHARED: Final = re.compile(r"(?:out )?of(?: [^\W\d]+)?")  # "two of her three", "2 out of 3"
_OPERATOR: Final = re.compile(r"[ ()*]{0,8}[-+*/\u2212\u00d7\u00f7\u00b7][ ()*]{0,8}")
_EQUALS: Final = re.compile(r"[ ()*]{0,8}=[ ()*]{0,8}")


def set_aside(answer: Statements) -> frozenset[int]:
    """The positions of numbers that are not what an answer gives, whether right or wrong."""
    return frozenset((*_wholes(answer), *_totals(answer), *_steps(answer)))


def _wholes(answer: Statements) -> Iterator[int]:
    """Numbers with a share beside them: "two of her three foods", "of three foods, two".

    Where the share may lack what is asked, none is set aside: "of three foods, two lack milk".
    """
    passage = answer.passage
    for at, (first, second) in enumerate(pairwise(answer.numbers)):
        lacking = _LACKING.intersection(answer.words_beside(at + 1))
        if lacking.difference(answer.question.words):
            continue
        if _SHARED.fullmatch(passage.text_of(Span(first.span.end, second.span.first))):
            yield at + 1
        sentence = passage.sentence_at(first.span.first)
        before = passage.text_of(Span(sentence.first, first.span.first))
        if _SHARED.fullmatch(before) and second.span.inside(sentence):
            yield at


def _totals(answer: Statements) -> Iterator[int]:
    """Totals beside the number of each, if the question asks for that, or for an average."""
    beside = [answer.words_beside(at) for at in range(len(answer.numbers))]
    if _EACH.isdisjoint(answer.question.words) or all(map(_EACH.isdisjoint, beside)):
        return
    for at, words in enumerate(beside):
        if _EACH.isdisjoint(words) and not _TOTALS.isdisjoint(words):
            yield at


def _steps(answer: Statements) -> Iterator[int]:
    """Numbers that another is worked out from: "840 / 3 = 280"."""
    passage = answer.passage
    side: list[int] = []
    for at, (first, second) in enumerate(pairwise(answer.numbers)):
        start, end = passage.chars_of(first.span).end, passage.chars_of(second.span).start
        between = passage.canonical.original[start:end]
        side.append(at)
        if _OPERATOR.fullmatch(between):
            continue
        if len(side) > 1 and _EQUALS.fullmatch(between):
            yield from side
        side = []
