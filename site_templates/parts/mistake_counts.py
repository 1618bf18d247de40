"""The mistakes of a submission by suite and reason, with examples."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from leaderboard.reasons import MISSING_RESPONSE, reason_words
from leaderboard.types import Case, Submission, Suite
from site_templates import formatting
from site_templates.board_index import BoardIndex
from site_templates.figures.axis import at
from site_templates.indexed_rows import Answer
from site_templates.links import Link
from site_templates.parts.named_links import to_suite

_EXAMPLES: Final = 4  # cases named for a kind of mistake

_Kind = tuple[str, bool, str, str]  # suite, whether it is unscored, reason, label


@dataclass(frozen=True, slots=True)
class MistakeCount:
    """A kind of mistake on a suite: how often it was made, its bar, and some of its cases.

    `cases` lists all of them.
    """

    suite: Link
    cases: str
    label: str
    reason: str
    count: int
    bar: str
    unscored: bool
    examples: tuple[Link, ...]


def mistake_counts(
    index: BoardIndex, submission: Submission, taken: Sequence[Suite]
) -> tuple[MistakeCount, ...]:
    """By suite, the fails by reason, most frequent first, then the unscored verdicts by reason."""
    by_kind: defaultdict[_Kind, list[tuple[Case, Answer]]] = defaultdict(list)
    for suite in taken:
        sent = index.sent(submission.id, suite.id)
        answered = {case.id for case, answer in sent if answer.response is not None}
        for case, answer in sent:
            if answer.outcome != "pass":
                label = _label(answer.reason, in_other_trials=case.id in answered)
                key = suite.id, answer.outcome == "unscored", answer.reason, label
                by_kind[key].append((case, answer))

    suites = {suite.id: place for place, suite in enumerate(taken)}
    most = max(map(len, by_kind.values()), default=1)
    mistakes = []
    for (suite_id, unscored, reason, label), rows in by_kind.items():
        mistake = MistakeCount(
            suite=to_suite(index, taken[suites[suite_id]]),
            cases=index.paths.answers(submission.id, suite_id, verdict=reason),
            label=label,
            reason=reason,
            count=len(rows),
            bar=at(len(rows) / most),
            unscored=unscored,
            examples=_examples(index, suite_id, rows),
        )
        order = (suites[suite_id], unscored, -len(rows), reason, label)
        mistakes.append((order, mistake))
    return tuple(mistake for _, mistake in sorted(mistakes, key=lambda it: it[0]))


def _label(reason: str, *, in_other_trials: bool) -> str:
    """The words of a reason. `in_other_trials`: the case has an answer, if not in this trial."""
    if reason == MISSING_RESPONSE:
        return "trial not answered" if in_other_trials else "case not answered"
    return reason_words(reason)


def _examples(
    index: BoardIndex, suite: str, rows: Sequence[tuple[Case, Answer]]
) -> tuple[Link, ...]:
    """The first answers to a few cases: a case of each category, then others."""
    answers: dict[str, Answer] = {}
    of_category: dict[str, str] = {}
    for case, answer in rows:
        answers.setdefault(case.id, answer)
        of_category.setdefault(case.category, case.id)
    chosen = list(dict.fromkeys([*of_category.values(), *answers]))[:_EXAMPLES]
    return tuple(
        Link(
            formatting.clip(case, 40),
            index.paths.answer(suite, case, answers[case].submission.id, answers[case].trial),
        )
        for case in chosen
    )
