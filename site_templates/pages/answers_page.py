"""The list of a submission's answers: every case, by suite, category and verdict."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from leaderboard.reasons import reason_words
from leaderboard.texts.counted_nouns import counted
from leaderboard.types import Case, Category, DecidedBy, Outcome, Submission, Suite
from site_templates import formatting
from site_templates.board_index import BoardIndex
from site_templates.indexed_rows import Answer
from site_templates.links import JUDGED, Link, fragment, slug
from site_templates.page_head import Head, page_head
from site_templates.parts.answers.answer_lines import AnswerLine
from site_templates.parts.named_links import to_category, to_submission, to_suite

_ORDER: Final = ("fail", "unscored", "pass")
_QUESTION: Final = 100  # characters
_Verdict = tuple[Outcome, str, DecidedBy]  # outcome, reason and decider


@dataclass(frozen=True, slots=True)
class AnswerList:
    """The answers of a category with one verdict for one reason, decided by a rule or a judge.

    `css` are the classes by which the list is filtered without a script.
    """

    anchor: str
    css: str
    outcome: Outcome
    reason: str
    label: str
    decided_by: DecidedBy
    lines: tuple[AnswerLine, ...]


@dataclass(frozen=True, slots=True)
class CategoryAnswers:
    """The answers of a category. `picks` are the addresses of parts of it, with their classes.

    `score` is in percent, "" if there is none yet.
    """

    anchor: str
    link: Link
    score: str
    passed: int
    total: int
    picks: tuple[tuple[str, str], ...]
    lists: tuple[AnswerList, ...]


@dataclass(frozen=True, slots=True)
class SuiteAnswers:
    """The answers of a suite. `reasons` are those of its lists (code, words)."""

    anchor: str
    link: Link
    picks: tuple[tuple[str, str], ...]
    reasons: tuple[tuple[str, str], ...]
    categories: tuple[CategoryAnswers, ...]


@dataclass(frozen=True, slots=True)
class AnswersPage:
    """Model of answers/<submission>.html. Lists of large boards have no `questions`.

    `outcomes` are those of some answer. `by_both`: a rule decided some, and a judge others.
    `judged` is the address of those that a judge decided, and empty without any.
    """

    head: Head
    name: Link
    total: int
    questions: bool
    suites: tuple[SuiteAnswers, ...]
    outcomes: tuple[Outcome, ...]
    by_both: bool
    judged: str
    reasons: tuple[tuple[str, str], ...]


def answers_page(index: BoardIndex, submission: Submission) -> AnswersPage:
    """The list of all answers of one submission."""
    taken = [suite for suite in index.board.suites if index.sent(submission.id, suite.id)]
    suites = tuple(_suite(index, submission, suite) for suite in taken)
    name = to_submission(index, submission)
    categories = [category for suite in suites for category in suite.categories]
    total = sum(category.total for category in categories)
    head = page_head(
        index,
        index.paths.answers(submission.id),
        f"Answers of {name.label} ({submission.id})",
        f"{counted(total, 'verdict')} on {name.label}, by category and reason.",
        section="Board",
        crumbs=[name, Link("Answers")],
        json=None if index.board.is_large else index.paths.submission_data(submission.id),
    )
    reasons = dict(reason for suite in suites for reason in suite.reasons)
    lists = [one for category in categories for one in category.lists]
    outcomes, deciders = {one.outcome for one in lists}, {one.decided_by for one in lists}
    return AnswersPage(
        head=head,
        name=name,
        total=total,
        questions=not index.board.is_large,
        suites=suites,
        outcomes=tuple(outcome for outcome in _ORDER if outcome in outcomes),
        by_both=len(deciders) > 1,
        judged=fragment("", "", "", JUDGED) if "judge" in deciders else "",
        reasons=tuple(reasons.items()),
    )


def _suite(index: BoardIndex, submission: Submission, suite: Suite) -> SuiteAnswers:
    sent: defaultdict[str, list[tuple[Case, Answer]]] = defaultdict(list)
    for case, answer in index.sent(submission.id, suite.id):
        sent[case.category].append((case, answer))
    answers = [answer for in_category in sent.values() for _, answer in in_category]
    codes = dict.fromkeys(answer.reason for answer in answers)
    numbers = {reason: place for place, reason in enumerate(codes, 1)}
    name = index.paths.suites[suite.id]
    picks = [
        *_picks(answers, (name, "")),
        *((fragment(name, "", slug(reason)), f"k{n}") for reason, n in numbers.items()),
    ]
    categories = [category for category in suite.categories if category.id in sent]
    return SuiteAnswers(
        anchor=fragment(name),
        link=to_suite(index, suite),
        picks=tuple(picks),
        reasons=tuple((slug(code), reason_words(code)) for code in codes),
        categories=tuple(
            _category(index, submission, suite, category, sent[category.id], numbers=numbers)
            for category in categories
        ),
    )


def _picks(answers: Sequence[Answer], place: tuple[str, str]) -> Iterator[tuple[str, str]]:
    """The addresses of the answers with one outcome, and of those that a judge decided."""
    outcomes = {answer.outcome for answer in answers}
    yield from ((fragment(*place, outcome), f"k{outcome[0]}") for outcome in sorted(outcomes))
    if any(answer.decided_by == "judge" for answer in answers):
        yield fragment(*place, "", JUDGED), "kj"


def _category(
    index: BoardIndex,
    submission: Submission,
    suite: Suite,
    category: Category,
    sent: Sequence[tuple[Case, Answer]],
    *,
    numbers: Mapping[str, int],
) -> CategoryAnswers:
    """The answers of a category. `numbers` gives each reason of the suite a number, from 1."""
    place = (index.paths.suites[suite.id], index.paths.categories[suite.id, category.id])
    several = len({case.id for case, _ in sent}) < len(sent)
    trials = {answer.trial for _, answer in sent}
    spots = {trial: index.paths.answer_anchor(submission.id, trial) for trial in trials}
    lists, anchors = [], set()
    for (outcome, reason, decided_by), rows in _by_verdict(sent):
        anchor = fragment(*place, slug(reason))
        one = AnswerList(
            anchor="" if anchor in anchors else anchor,
            css=f"k{outcome[0]} k{numbers[reason]}{' kj' if decided_by == 'judge' else ''}",
            outcome=outcome,
            reason=slug(reason),
            label=reason_words(reason),
            decided_by=decided_by,
            lines=tuple(_lines(index, suite, rows, spots, several=several)),
        )
        lists.append(one)
        anchors.add(anchor)

    share = index.share(submission.id, suite.id, category.id)
    return CategoryAnswers(
        anchor=fragment(*place),
        link=to_category(index, suite, category),
        score="" if share is None else formatting.percent(share),
        passed=sum(answer.outcome == "pass" for _, answer in sent),
        total=len(sent),
        picks=tuple(_picks([answer for _, answer in sent], place)),
        lists=tuple(lists),
    )


def _by_verdict(
    sent: Sequence[tuple[Case, Answer]],
) -> list[tuple[_Verdict, list[tuple[Case, Answer]]]]:
    """Answers with one verdict together: fails first, then what is frequent."""
    together: defaultdict[_Verdict, list[tuple[Case, Answer]]] = defaultdict(list)
    for case, answer in sent:
        together[answer.outcome, answer.reason, answer.decided_by].append((case, answer))

    def order(verdict: _Verdict) -> tuple[int, int, str, str]:
        outcome, reason, decided_by = verdict
        return _ORDER.index(outcome), -len(together[verdict]), reason, decided_by

    return [(verdict, together[verdict]) for verdict in sorted(together, key=order)]


def _lines(
    index: BoardIndex,
    suite: Suite,
    rows: Sequence[tuple[Case, Answer]],
    spots: Mapping[int, str],
    *,
    several: bool,
) -> Iterator[AnswerLine]:
    """A line for each answer. `spots` are the places of the trials on the page of a case."""
    large = index.board.is_large
    for case, answer in rows:
        name, question = _shown(case.id, case.query)
        label = f"{name}, trial {answer.trial}" if several else name
        path, spot = index.paths.case(suite.id, case.id), spots[answer.trial]
        yield AnswerLine(label, path, spot, "" if large else question)


@lru_cache(maxsize=20_000)
def _shown(case_id: str, query: str) -> tuple[str, str]:
    return formatting.clip(case_id, 60), formatting.clip(query, _QUESTION)
