"""The first page while no model is on the board: the tasks, an example, and how to submit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from leaderboard.types import Case, Suite
from site_templates import formatting, markdown
from site_templates.board_index import BoardIndex
from site_templates.figures.axis import at
from site_templates.indexed_rows import Answer
from site_templates.links import Link
from site_templates.parts.answers.case_answers import brief
from site_templates.parts.named_links import to_category, to_submission, to_suite

_ROW = 26  # pixels between the names of two baselines
_QUESTION = 300  # characters
_NAME = 40


@dataclass(frozen=True, slots=True)
class Task:
    """A suite: what it asks, in a sentence, and its number of cases."""

    link: Link
    description: str
    cases: int


@dataclass(frozen=True, slots=True)
class BaselineLine:
    """A baseline's line on the axis. `side` is the end of its name at the line, `y` in pixels."""

    link: Link
    score: str
    x: str
    y: int
    side: str


@dataclass(frozen=True, slots=True)
class ExampleAnswer:
    """An answer of a baseline to the example, and why it passes or fails."""

    who: Link
    said: str
    detail: str


@dataclass(frozen=True, slots=True)
class Example:
    """A case with a right and a wrong answer."""

    case: Link
    category: Link
    question: str
    right: ExampleAnswer
    wrong: ExampleAnswer


@dataclass(frozen=True, slots=True)
class FirstSteps:
    """The first page of a board without models. `height` of the axis is in pixels."""

    tasks: tuple[Task, ...]
    suite: Link
    lines: tuple[BaselineLine, ...]
    height: int
    example: Example | None
    commands: tuple[str, ...]


def first_steps(index: BoardIndex, ranked: Suite) -> FirstSteps | None:
    """The page of a board on which only baselines are; None if a model or an agent is on it."""
    if any(not submission.is_baseline for submission in index.submissions):
        return None
    lines = tuple(_lines(index, ranked))
    return FirstSteps(
        tasks=tuple(_task(index, suite) for suite in index.board.suites),
        suite=to_suite(index, ranked),
        lines=lines,
        height=_ROW * len(lines),
        example=_example(index, ranked),
        commands=(
            f"lb new my-model --from responses.json --suite {ranked.id} \\",
            '  --organization "My lab" --model my-model-7b --date 2026-05-18',
            "lb validate my-model",
            "lb rescore my-model",
        ),
    )


def _task(index: BoardIndex, suite: Suite) -> Task:
    description = markdown.first_sentence(suite.description, 200) or suite.kind.summary
    return Task(to_suite(index, suite), description, len(suite.by_id))


def _lines(index: BoardIndex, suite: Suite) -> Iterator[BaselineLine]:
    """The baselines that have a score, the lowest first."""
    scored = []
    for submission in index.takers(suite.id):
        share = index.share(submission.id, suite.id)
        if share is not None:
            scored.append((share, submission))
    for place, (share, submission) in enumerate(reversed(scored)):
        name = to_submission(index, submission, _NAME).label
        yield BaselineLine(
            link=Link(name, index.paths.answers(submission.id, suite.id)),
            score=formatting.percent(share),
            x=at(share),
            y=_ROW * place + _ROW // 2,
            side="start" if share < 1 / 2 else "end",
        )


def _example(index: BoardIndex, suite: Suite) -> Example | None:
    """The first case that one baseline passes with an answer and another fails with one."""
    order = {submission.id: place for place, submission in enumerate(index.takers(suite.id))}
    for case in suite.cases:
        answers = [a for a in index.answered(suite.id, case.id) if brief(a.response)]
        passed = [answer for answer in answers if answer.outcome == "pass"]
        failed = [answer for answer in answers if answer.outcome == "fail"]
        if passed and failed:
            # Rather a program that works than one that knows the ground truth.
            right = max(passed, key=lambda answer: order[answer.submission.id])
            wrong = min(failed, key=lambda answer: order[answer.submission.id])
            return Example(
                case=Link(formatting.clip(case.id, _NAME), index.paths.case(suite.id, case.id)),
                category=to_category(index, suite, suite.category(case.category)),
                question=formatting.clip(case.query, _QUESTION),
                right=_answer(index, suite, case, right),
                wrong=_answer(index, suite, case, wrong),
            )
    return None


def _answer(index: BoardIndex, suite: Suite, case: Case, answer: Answer) -> ExampleAnswer:
    name = to_submission(index, answer.submission, _NAME).label
    path = index.paths.answer(suite.id, case.id, answer.submission.id, answer.trial)
    return ExampleAnswer(Link(name, path), brief(answer.response), answer.detail)
