"""Answers that are those of another submission with words added, left out or changed."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from sys import intern
from typing import Final

import polars as pl

from leaderboard.load import Contents
from leaderboard.responses.answer_identity import folded_text
from leaderboard.texts.short_text import single_spaced
from leaderboard.texts.unicode_forms import bare
from leaderboard.types import Response, Suite
from scoring.tables.equal_answers import AnswerDigests

LONG: Final = 60  # letters and digits: more than in what systems usually say, such as a refusal
# Two systems often share a phrase such as "I cannot do that", and rarely whole answers.
_SHARED: Final = 0.6  # of the letters and digits of the longer answer
_FEWEST: Final = 25  # letters and digits that both have
# Or one contains the other. Of the texts of four models that answer BFCL, no pair has more of the
# shorter one in common than 84 %.
_CONTAINED: Final = 0.9  # of the letters and digits of the shorter answer
COMPARED: Final = 10_000  # characters of an answer; a file may be full of short words
# Thai, Lao, Chinese and Japanese are written without blanks: each of their letters is a word here.
_UNSPACED: Final = r"\u0e00-\u0eff\u3040-\u9fff"
_WORD: Final = re.compile(rf"[{_UNSPACED}]|(?:(?![{_UNSPACED}])[^\W_])+")
_PHRASE: Final = 4  # words, one after the other
# What a submission writes in this share of its cases of a category, or more, hides other words.
_HABITUAL_PHRASE: Final = 1 / 5
_HABITUAL_WORD: Final = 1 / 2
_FEWEST_CASES: Final = 5  # in which it writes that


@dataclass(frozen=True, eq=False)
class _Text:
    """An answer that is a text, as its words without case."""

    response: Response
    words: Sequence[str]

    @cached_property
    def times(self) -> Counter[str]:
        """How often each word is in the text."""
        return Counter(self.words)

    @cached_property
    def length(self) -> int:
        return sum(map(len, self.words))

    def phrases(self, size: int = _PHRASE) -> Iterator[tuple[str, ...]]:
        """All phrases of that many words in the text, which overlap."""
        return zip(*(self.words[start:] for start in range(size)), strict=False)

    def within(self, phrases: Container[tuple[str, ...]], size: int = _PHRASE) -> set[int]:
        """The places of the words that are in such a phrase."""
        places: set[int] = set()
        for start, phrase in enumerate(self.phrases(size)):
            if phrase in phrases:
                places.update(range(start, start + size))
        return places

    def letters_of(self, words: Iterable[str]) -> int:
        """How many letters and digits of the text are in these words."""
        return sum(len(word) * self.times[word] for word in words)

    def letters_within(self, phrases: Container[tuple[str, ...]]) -> int:
        """How many letters and digits of the text are in these phrases."""
        return sum(len(self.words[place]) for place in self.within(phrases))

    def only(self, words: Container[str]) -> _Text:
        return replace(self, words=[word for word in self.words if word in words])

    def without(self, phrases: Container[tuple[str, ...]], size: int) -> _Text:
        places = self.within(phrases, size)
        return replace(self, words=[w for at, w in enumerate(self.words) if at not in places])


def padded_answers(contents: Contents, submission: str) -> pl.DataFrame:
    """The answers of others that share most of their phrases with one of a submission's.

    An answer of some length that another one contains is one of them, too.
    Columns: suite, case_id, answer (as in ANSWERS, folded), `same_as`, the answer of the
    submission, and whether the one is `contained` in the other. Only answers that are a text are
    compared: as they are, and without the phrases and words that their submission writes in many
    other cases.
    """
    rows: list[tuple[str, str, int | None, int | None, bool]] = []
    for suite in contents.suites:
        records = {name: made for (name, of), made in contents.records.items() if of == suite.id}
        if submission not in records:
            continue
        own = records.pop(submission).responses
        mine = _readings(suite, own)
        pairs: list[tuple[Response, Response, bool]] = []
        for made in records.values():
            theirs_read = _readings(suite, made.responses)
            for reading, others in zip(mine, theirs_read, strict=True):
                pairs += _pairs(reading, others)
        digests = AnswerDigests(suite, folded=True)
        given = set(zip([one.case_id for one in own], digests.of(own), strict=True))
        answers = digests.of([theirs for theirs, _, _ in pairs])
        same_as = digests.of([near for _, near, _ in pairs])
        for (theirs, _, contained), answer, same in zip(pairs, answers, same_as, strict=True):
            # An answer that is given already must keep its own digest.
            is_given = (theirs.case_id, answer) in given
            rows.append((suite.id, theirs.case_id, answer, answer if is_given else same, contained))
    key = {"suite": pl.String, "case_id": pl.String, "answer": pl.UInt64}
    schema = {**key, "same_as": pl.UInt64, "contained": pl.Boolean}
    frame = pl.DataFrame(rows, schema=schema, orient="row").drop_nulls()
    ordered = frame.sort(~pl.col("contained"), "same_as")
    return ordered.unique(list(key), keep="first", maintain_order=True)


def compared_in_part(contents: Contents, submission: str) -> int:
    """How many answers of a submission are texts that are too long to compare to their end."""
    return sum(
        len(_plain_text(response)) > COMPARED
        for suite in contents.suites
        if (submission, suite.id) in contents.records
        for response in _given_as_text(suite, contents.records[submission, suite.id].responses)
    )


def long_texts(contents: Contents) -> pl.DataFrame:
    """The answers that are a text of some length.

    Columns: suite, case_id, answer (as in ANSWERS, folded), and its number of `letters` and digits.
    """
    rows: list[tuple[str, str, int | None, int]] = []
    for suite in contents.suites:
        records = [made.responses for (_, of), made in contents.records.items() if of == suite.id]
        responses = _given_as_text(suite, chain.from_iterable(records))
        digests = AnswerDigests(suite, folded=True).of(responses)
        for response, digest in zip(responses, digests, strict=True):
            letters = len(folded_text(response.text or ""))
            rows.append((suite.id, response.case_id, digest, letters))
    schema = {"suite": pl.String, "case_id": pl.String, "answer": pl.UInt64, "letters": pl.Int64}
    frame = pl.DataFrame(rows, schema=schema, orient="row").drop_nulls()
    long = frame.filter(pl.col("letters") >= _FEWEST).sort("letters")
    return long.unique(["suite", "case_id", "answer"], keep="first")


_Texts = Mapping[str, Sequence[_Text]]  # by case


def _readings(suite: Suite, responses: Iterable[Response]) -> tuple[_Texts, _Texts]:
    """The texts of a submission as they are, and without its habits."""
    by_case: defaultdict[str, list[_Text]] = defaultdict(list)
    for response in _given_as_text(suite, responses):
        by_case[response.case_id].append(_read(response))
    return by_case, _without_habits(suite, by_case)


def _given_as_text(suite: Suite, responses: Iterable[Response]) -> list[Response]:
    """The distinct responses whose text is the answer, in order."""
    return [response for response in dict.fromkeys(responses) if _is_text(suite, response)]


def _without_habits(suite: Suite, texts: _Texts) -> _Texts:
    """The texts of a submission without what it writes in many cases of a category.

    Otherwise a sentence at the end of each answer, or "well" after each third word, would hide
    whose the other words are.
    """
    by_category: defaultdict[str, dict[str, Sequence[_Text]]] = defaultdict(dict)
    for case_id, of_case in texts.items():
        by_category[suite.by_id[case_id].category][case_id] = of_case
    kept: dict[str, Sequence[_Text]] = {}
    for of_category in by_category.values():
        without_phrases = _without_repeated(of_category, _PHRASE, _HABITUAL_PHRASE)
        kept |= _without_repeated(without_phrases, 1, _HABITUAL_WORD)
    return kept


def _without_repeated(texts: _Texts, size: int, share: float) -> _Texts:
    """The texts without phrases of so many words that are in such a share of the cases."""
    cases: Counter[tuple[str, ...]] = Counter()
    for of_case in texts.values():
        cases.update(set(chain.from_iterable(text.phrases(size) for text in of_case)))
    fewest = max(_FEWEST_CASES, share * len(texts))
    repeated = {phrase for phrase, count in cases.items() if count >= fewest}
    return {
        case_id: [text.without(repeated, size) for text in of_case]
        for case_id, of_case in texts.items()
    }


def _pairs(mine: _Texts, others: _Texts) -> Iterator[tuple[Response, Response, bool]]:
    """Each answer of others that shares most of its phrases with one of mine, and the closest.

    With them, whether the one is contained in the other.
    """
    for case_id in mine.keys() & others.keys():
        for text in others[case_id]:
            shares = [_share(text, own) for own in mine[case_id]]
            most, contained = max(shares)
            if most:
                own = mine[case_id][shares.index((most, contained))]
                yield text.response, own.response, contained


def _share(one: _Text, other: _Text) -> tuple[float, bool]:
    """How much of the longer text is in phrases that both have, and if it contains the shorter one.

    It is 0.0 if it is little and the shorter one is not contained. Words that only the longer one
    has interrupt no phrase, but count in its length.
    """
    shorter, longer = sorted((one, other), key=lambda text: text.length)
    fewest = max(_FEWEST, _SHARED * longer.length)
    fewest_contained = max(LONG, _CONTAINED * shorter.length)
    both = shorter.times.keys() & longer.times.keys()
    if longer.letters_of(both) < fewest and shorter.letters_of(both) < fewest_contained:
        return 0.0, False
    common = longer.only(both)
    shared = common.letters_within(set(shorter.phrases()))
    contained = shorter.letters_within(set(common.phrases())) >= fewest_contained
    return (shared / longer.length if shared >= fewest or contained else 0.0), contained


def _read(response: Response) -> _Text:
    words = _WORD.findall(_plain_text(response)[:COMPARED])
    return _Text(response, list(map(intern, words)))


def _plain_text(response: Response) -> str:
    """The text without invisible characters and second blanks."""
    return single_spaced(bare(response.text or ""))


def _is_text(suite: Suite, response: Response) -> bool:
    """Whether the text is the answer. Of agents it is, whatever they called."""
    truth = suite.by_id[response.case_id].ground_truth
    is_agents = truth.apis is not None or truth.trajectory is not None
    return response.text is not None and (is_agents or not response.calls)
