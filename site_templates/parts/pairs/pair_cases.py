"""The cases of a comparison, with the answers of both submissions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from leaderboard.board.comparison import Standing
from leaderboard.reasons import reason_words
from leaderboard.types import Case, Suite
from site_templates import formatting
from site_templates.board_index import BoardIndex
from site_templates.indexed_rows import Answer
from site_templates.links import Link
from site_templates.parts.answers.case_answers import brief
from site_templates.parts.named_links import label
from site_templates.parts.pairs.pair_figures import QUERY, cases_by_standing
from site_templates.parts.pairs.pair_pages import Pair

# The lists of cases: the anchor, the title, and how many cases the page of a pair shows.
GROUPS: Final[Mapping[Standing, tuple[str, str, int]]] = {
    "first": ("only-a", "Only A right", 12),
    "second": ("only-b", "Only B right", 12),
    "neither": ("both-wrong", "Both wrong", 6),
    "both": ("both-right", "Both right", 6),
    "unscored": ("unscored", "Left out: unscored for one of them", 6),
}


@dataclass(frozen=True, slots=True)
class PairAnswer:
    """The answer of one of the two to a case: its sign (p, f, u) and word, its text, and why.

    `path` leads to the answer on the page of the case.
    """

    sign: str = "p"
    word: str = ""
    answer: str = ""
    why: str = ""
    code: str = ""
    path: str = ""


@dataclass(frozen=True, slots=True)
class PairCase:
    """A case with the answers of both."""

    link: Link
    category: str
    query: str
    first: PairAnswer
    second: PairAnswer


@dataclass(frozen=True, slots=True)
class PairGroup:
    """Cases with the same outcome. `rows` are the first of them, `count` counts all."""

    anchor: str
    title: str
    count: int
    rows: tuple[PairCase, ...]


def pair_groups(index: BoardIndex, suite: Suite, pair: Pair) -> tuple[PairGroup, ...]:
    """The cases by who passes them, the first of each group with both answers."""
    by_standing = cases_by_standing(index, suite, pair)
    answers = [index.by_case(submission.id, suite.id) for submission in pair]
    groups = []
    for name, (anchor, title, shown) in GROUPS.items():
        cases = by_standing[name]
        if cases or name != "unscored":
            rows = tuple(_case(index, suite, case, answers) for case in cases[:shown])
            groups.append(PairGroup(anchor, title, len(cases), rows))
    return tuple(groups)


def _case(
    index: BoardIndex, suite: Suite, case: Case, answers: Iterable[Mapping[str, Sequence[Answer]]]
) -> PairCase:
    first, second = (of_one.get(case.id, ()) for of_one in answers)
    return PairCase(
        link=Link(formatting.clip(case.id, 60), index.paths.case(suite.id, case.id)),
        category=label(suite.category(case.category)),
        query=formatting.clip(case.query, QUERY),
        first=_pair_answer(index, suite, case, first),
        second=_pair_answer(index, suite, case, second),
    )


def _pair_answer(
    index: BoardIndex, suite: Suite, case: Case, answers: Sequence[Answer]
) -> PairAnswer:
    """The answers of a submission to a case in all trials. The text is that of the first."""
    if not answers:
        return PairAnswer("u", "unscored", why="not answered")
    scored = [answer for answer in answers if answer.outcome != "unscored"]
    passed = sum(answer.outcome == "pass" for answer in answers)
    sign, word = "f", "fail"
    if not scored:
        sign, word = "u", "unscored"
    elif passed == len(scored):
        sign, word = "p", "pass"
    if len(answers) > 1:
        word = f"{passed} of {len(answers)} trials pass"
    reasons = list(dict.fromkeys(answer.reason for answer in answers))
    first = answers[0]
    return PairAnswer(
        sign=sign,
        word=word,
        answer=brief(first.response),
        why=formatting.listed([reason_words(reason) for reason in reasons]),
        code=", ".join(reasons),
        path=index.paths.answer(suite.id, case.id, first.submission.id, first.trial),
    )
