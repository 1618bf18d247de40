"""Answers that are those of another submission with sentences added, left out or changed."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Final

import polars as pl

from leaderboard.load import Contents
from leaderboard.responses.answer_identity import folded_text
from leaderboard.types import Response, Suite
from scoring.tables.equal_answers import AnswerDigests

# Two systems often share a phrase such as "I cannot do that", and rarely whole answers.
_SHARED: Final = 0.6  # of the letters and digits of the longer answer
_FEWEST: Final = 40  # letters and digits that both have
_COMPARED: Final = 10_000  # characters of an answer; a file may be full of short sentences
_SENTENCE: Final = re.compile(r"[^.!?\n]+")


@dataclass(frozen=True, slots=True, eq=False)
class _Text:
    """An answer that is a text. `lengths` counts the letters and digits of each sentence."""

    response: Response
    lengths: Mapping[str, int]
    length: int


def padded_answers(contents: Contents, submission: str) -> pl.DataFrame:
    """The answers of others that share most of their sentences with one of a submission's.

    Columns: suite, case_id, answer (as in ANSWERS, folded), and `same_as`, the answer of the
    submission. Only answers that are a text are compared.
    """
    found: list[tuple[str, str, int | None, int | None]] = []
    for suite in contents.suites:
        records = {name: made for (name, of), made in contents.records.items() if of == suite.id}
        if submission not in records:
            continue
        mine = _by_case(suite, records.pop(submission).responses)
        others = _by_case(suite, chain.from_iterable(made.responses for made in records.values()))
        pairs = [pair for case, texts in mine.items() for pair in _pairs(texts, others[case])]
        digests = AnswerDigests(suite, folded=True)
        answers = digests.of([theirs for theirs, _ in pairs])
        same_as = digests.of([own for _, own in pairs])
        for (theirs, _), answer, same in zip(pairs, answers, same_as, strict=True):
            found.append((suite.id, theirs.case_id, answer, same))
    schema = {"suite": pl.String, "case_id": pl.String, "answer": pl.UInt64, "same_as": pl.UInt64}
    frame = pl.DataFrame(found, schema=schema, orient="row").drop_nulls().sort("same_as")
    return frame.unique(["suite", "case_id", "answer"], keep="first")


def _by_case(suite: Suite, given: Iterable[Response]) -> defaultdict[str, list[Response]]:
    """The distinct responses whose text is the answer, by case, in order."""
    found: defaultdict[str, list[Response]] = defaultdict(list)
    for response in dict.fromkeys(given):
        if _is_text(suite, response):
            found[response.case_id].append(response)
    return found


def _pairs(
    mine: Iterable[Response], others: Iterable[Response]
) -> Iterator[tuple[Response, Response]]:
    """Each answer of others to a case with the one of mine that it shares most with."""
    own: defaultdict[str, list[_Text]] = defaultdict(list)
    for text in map(_read, mine):
        for sentence in text.lengths:
            own[sentence].append(text)
    for text in map(_read, others):
        shared: Counter[_Text] = Counter()
        for sentence, length in text.lengths.items():
            for other in own.get(sentence, ()):
                shared[other] += min(length, other.lengths[sentence])
        for closest, length in shared.most_common(1):
            longer = max(text.length, closest.length)
            if length >= max(_FEWEST, _SHARED * longer):
                yield text.response, closest.response


def _read(response: Response) -> _Text:
    lengths: Counter[str] = Counter()
    for sentence in _SENTENCE.findall((response.text or "")[:_COMPARED]):
        if folded := folded_text(sentence):
            lengths[folded] += len(folded)
    return _Text(response, lengths, lengths.total())


def _is_text(suite: Suite, response: Response) -> bool:
    """Whether the text alone is the answer. Of answers over simulated APIs it is."""
    truth = suite.by_id[response.case_id].ground_truth
    return response.text is not None and (truth.apis is not None or not response.calls)
