"""Answers that are those of another submission with sentences added, left out or changed."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

import polars as pl

from leaderboard.load import Contents
from leaderboard.responses.answer_key import folded_text
from leaderboard.types import Response, Suite
from scoring.tables.answer_digests import AnswerDigests

# Two systems often share a phrase such as "I cannot do that", and rarely whole answers.
_SHARED: Final = 0.6  # of the letters and digits of the longer answer
_FEWEST: Final = 40  # letters and digits that both have
_SENTENCE: Final = re.compile(r"[^.!?\n]+")


@dataclass(frozen=True, slots=True)
class _Text:
    """An answer that is a text. `lengths` counts the letters and digits of each sentence."""

    case_id: str
    answer: int  # as in ANSWERS, folded
    lengths: Mapping[str, int]

    @property
    def length(self) -> int:
        return sum(self.lengths.values())


def padded_answers(contents: Contents, submission: str) -> pl.DataFrame:
    """The answers of others that share most of their sentences with one of a submission's.

    Columns: suite, case_id, answer, and `same_as`, the answer of the submission. Only answers that
    are a text are compared.
    """
    found: list[tuple[str, str, int, int]] = []
    for suite in contents.suites:
        records = {name: made for (name, of), made in contents.records.items() if of == suite.id}
        if submission not in records:
            continue
        mine = records.pop(submission).responses
        others = {response for made in records.values() for response in made.responses}
        found += [(suite.id, *answer) for answer in _padded(suite, mine, others)]
    schema = {"suite": pl.String, "case_id": pl.String, "answer": pl.UInt64, "same_as": pl.UInt64}
    frame = pl.DataFrame(found, schema=schema, orient="row").sort("same_as")
    return frame.unique(["suite", "case_id", "answer"], keep="first")


def _padded(
    suite: Suite, mine: Collection[Response], others: Collection[Response]
) -> Iterator[tuple[str, int, int]]:
    """Case, answer of others, and the answer of mine that it shares most sentences with."""
    own: defaultdict[tuple[str, str], list[_Text]] = defaultdict(list)
    for text in _texts(suite, set(mine)):
        for sentence in text.lengths:
            own[text.case_id, sentence].append(text)
    for text in _texts(suite, others):
        shared: Counter[int] = Counter()
        lengths = {}
        for sentence, length in text.lengths.items():
            for other in own.get((text.case_id, sentence), ()):
                shared[other.answer] += min(length, other.lengths[sentence])
                lengths[other.answer] = other.length
        if shared:
            closest, length = min(shared.items(), key=lambda item: (-item[1], item[0]))
            longer = max(text.length, lengths[closest])
            if length >= max(_FEWEST, _SHARED * longer):
                yield text.case_id, text.answer, closest


def _texts(suite: Suite, given: Collection[Response]) -> Iterator[_Text]:
    texts = [response for response in given if _is_text(suite, response)]
    answers = AnswerDigests(suite, folded=True).of(texts)
    for response, answer in zip(texts, answers, strict=True):
        if answer is None:
            continue
        lengths: Counter[str] = Counter()
        for sentence in _SENTENCE.findall(response.text or ""):
            folded = folded_text(sentence)
            lengths[folded] += len(folded)
        yield _Text(response.case_id, answer, lengths)


def _is_text(suite: Suite, response: Response) -> bool:
    """Whether the text alone is the answer. Of answers over simulated APIs it is."""
    truth = suite.by_id[response.case_id].ground_truth
    if truth.trajectory is not None:
        return False
    return response.text is not None and (truth.apis is not None or not response.calls)
