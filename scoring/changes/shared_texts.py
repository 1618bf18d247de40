"""Answers that are those of another submission with words added, left out or changed."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final

import polars as pl

from leaderboard.load import Contents
from leaderboard.responses.answer_identity import folded_text
from leaderboard.texts.unicode_forms import bare
from leaderboard.types import Response, Suite
from scoring.tables.equal_answers import AnswerDigests

# Two systems often share a phrase such as "I cannot do that", and rarely whole answers.
_SHARED: Final = 0.6  # of the letters and digits of the longer answer
_FEWEST: Final = 25  # letters and digits that both have
_COMPARED: Final = 10_000  # characters of an answer; a file may be full of short words
# Thai, Lao, Chinese and Japanese are written without blanks: each of their letters is a word here.
_UNSPACED: Final = r"\u0e00-\u0eff\u3040-\u9fff"
_WORD: Final = re.compile(rf"[{_UNSPACED}]|(?:(?![{_UNSPACED}])\w)+")
_PHRASE: Final = 4  # words, one after the other


@dataclass(frozen=True, slots=True, eq=False)
class _Text:
    """An answer that is a text, as its words without case."""

    response: Response
    words: Sequence[str]

    @property
    def phrases(self) -> Iterator[tuple[str, ...]]:
        """All phrases in the text, which overlap."""
        return zip(*(self.words[start:] for start in range(_PHRASE)), strict=False)

    @property
    def length(self) -> int:
        return sum(map(len, self.words))

    def shared_with(self, other: _Text) -> int:
        """How many letters and digits are in phrases that the other text has, too."""
        phrases = set(other.phrases)
        shared: set[int] = set()
        for start, phrase in enumerate(self.phrases):
            if phrase in phrases:
                shared.update(range(start, start + _PHRASE))
        return sum(len(self.words[position]) for position in shared)


def padded_answers(contents: Contents, submission: str) -> pl.DataFrame:
    """The answers of others that share most of their phrases with one of a submission's.

    Columns: suite, case_id, answer (as in ANSWERS, folded), and `same_as`, the answer of the
    submission. Only answers that are a text are compared.
    """
    rows: list[tuple[str, str, int | None, int | None]] = []
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
            rows.append((suite.id, theirs.case_id, answer, same))
    schema = {"suite": pl.String, "case_id": pl.String, "answer": pl.UInt64, "same_as": pl.UInt64}
    frame = pl.DataFrame(rows, schema=schema, orient="row").drop_nulls().sort("same_as")
    return frame.unique(["suite", "case_id", "answer"], keep="first")


def long_texts(contents: Contents) -> pl.DataFrame:
    """The answers that are a text of some length: suite, case_id, and answer as in ANSWERS."""
    rows: list[tuple[str, str, int | None]] = []
    for suite in contents.suites:
        records = [made.responses for (_, of), made in contents.records.items() if of == suite.id]
        by_case = _by_case(suite, chain.from_iterable(records))
        responses = [response for texts in by_case.values() for response in texts]
        long = [
            response for response in responses if len(folded_text(response.text or "")) >= _FEWEST
        ]
        digests = AnswerDigests(suite, folded=True).of(long)
        for response, digest in zip(long, digests, strict=True):
            rows.append((suite.id, response.case_id, digest))
    schema = {"suite": pl.String, "case_id": pl.String, "answer": pl.UInt64}
    return pl.DataFrame(rows, schema=schema, orient="row").drop_nulls().unique()


def _by_case(suite: Suite, responses: Iterable[Response]) -> defaultdict[str, list[Response]]:
    """The distinct responses whose text is the answer, by case, in order."""
    by_case: defaultdict[str, list[Response]] = defaultdict(list)
    for response in dict.fromkeys(responses):
        if _is_text(suite, response):
            by_case[response.case_id].append(response)
    return by_case


def _pairs(
    mine: Iterable[Response], others: Iterable[Response]
) -> Iterator[tuple[Response, Response]]:
    """Each answer of others to a case with the one of mine that it shares most with."""
    theirs = list(map(_read, others))
    known = set(chain.from_iterable(text.phrases for text in theirs))
    own: defaultdict[tuple[str, ...], list[_Text]] = defaultdict(list)
    for text in map(_read, mine) if known else ():
        for phrase in known.intersection(text.phrases):
            own[phrase].append(text)
    for text in theirs:
        shared = Counter(chain.from_iterable(own.get(phrase, ()) for phrase in set(text.phrases)))
        for closest, _ in shared.most_common(1):
            longer, shorter = sorted((text, closest), key=lambda text: -text.length)
            if longer.shared_with(shorter) >= max(_FEWEST, _SHARED * longer.length):
                yield text.response, closest.response


def _read(response: Response) -> _Text:
    text = " ".join(bare(response.text or "").split())
    words = _WORD.findall(text[:_COMPARED])
    return _Text(response, words)


def _is_text(suite: Suite, response: Response) -> bool:
    """Whether the text is the answer. Of agents it is, whatever they called."""
    truth = suite.by_id[response.case_id].ground_truth
    is_agents = truth.apis is not None or truth.trajectory is not None
    return response.text is not None and (is_agents or not response.calls)
