"""The page of one case: what is asked, what is right, and every answer with its verdict and why."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from leaderboard.apis.reference_runs import ABOUT
from leaderboard.types import Case, ExpectedCall, Suite, Tool
from site_templates import formatting, page_frame
from site_templates.board_index import Answer, Register, label, passes
from site_templates.links import Link, issue
from site_templates.parts import metric_names
from site_templates.parts.case_answers import (
    BaselineAnswer,
    Category,
    Group,
    baselines,
    groups,
    plain,
)
from site_templates.parts.judge_labels import JudgeFact, judge_fact
from site_templates.parts.trajectory import Path, Steps, accepted, made


@dataclass(frozen=True, slots=True)
class ExpectedLine:
    """One argument of the ground truth with its accepted values, and whether it may be left out."""

    name: str
    accepted: tuple[str, ...]
    absent: bool
    judged: bool


@dataclass(frozen=True, slots=True)
class ExpectedBlock:
    """One expected call."""

    name: str
    arguments: tuple[ExpectedLine, ...]


@dataclass(frozen=True, slots=True)
class Acted:
    """The ground truth of a case that is acted out. An empty `reference` or `state` is one that the case does not give."""

    reference: str
    state: str
    paths: tuple[Path, ...]
    order_matters: bool


@dataclass(frozen=True, slots=True)
class Reference:
    """A reference run: what it is in words, and its calls with their replies. It is no ground truth."""

    about: str
    steps: Steps


@dataclass(frozen=True, slots=True)
class Tally:
    """How many pass, fail and are unscored, and their shares as stretches of a bar (class, x, width)."""

    passed: int
    failed: int
    unscored: int
    total: int
    bar: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, slots=True)
class CasePage:
    """Model of cases/<suite>/<case>.html. `tools` are the tools themselves: cases that share them share one rendered list.

    `steadiness` says how many pass in every trial, `further` how many pass by the other metrics (name, passed, of).
    """

    head: page_frame.Head
    id: str
    query: str
    context: str
    tools: tuple[Tool, ...]
    tool_names: str
    environment: str
    expected: tuple[ExpectedBlock, ...]
    expected_text: str | None
    acted: Acted | None
    apis: tuple[tuple[str, str], ...] | None
    no_call: bool
    noun: str
    answers: int
    groups: tuple[Group, ...]
    baselines: tuple[BaselineAnswer, ...]
    reference: Reference | None
    tally: Tally
    steadiness: str
    further: tuple[tuple[str, int, int], ...]
    harder: str
    decided: str
    judges: tuple[JudgeFact, ...]
    permalink: str
    digest: str
    report: str | None
    before: Link | None
    after: Link | None


def case_page(shared: Category, case: Case, before: Case | None, after: Case | None) -> CasePage:
    """The page of one case; `before` and `after` stand beside it in the suite."""
    register, suite = shared.register, shared.suite
    answers = register.answered(suite.id, case.id)
    counted = [answer for answer in answers if answer.submission.id in shared.among]
    others = [answer for answer in answers if answer.submission.id not in shared.among]
    tally = _tally(*passes(counted, shared.among))
    tools = case.tools or register.board.offered.get((suite.id, case.category), ())
    category = suite.category(case.category)
    return CasePage(
        head=_head(shared, case),
        id=case.id,
        query=case.query,
        context=_context(case),
        tools=tools,
        tool_names=formatting.clip(", ".join(tool.name for tool in tools), 200),
        environment=formatting.clip(category.environment or "", 80),
        expected=tuple(
            _block(call, judged=category.prompt is not None) for call in case.ground_truth.calls
        ),
        expected_text=case.ground_truth.text,
        acted=_acted(case),
        apis=case.ground_truth.apis.pairs if case.ground_truth.apis is not None else None,
        no_call=_no_call(case),
        noun=_noun(shared, counted),
        answers=len({answer.submission.id for answer in counted}),
        groups=groups(shared, case, counted, _noun(shared, counted)),
        baselines=baselines(register, others),
        reference=_reference(register, suite, case),
        tally=tally,
        steadiness=_steadiness(counted),
        further=_further(counted),
        harder=_harder(shared, tally.passed),
        decided=f"rule {suite.kind.name}, rules {register.board.rules_version}",
        judges=_judges(register, answers),
        permalink=register.paths.case(suite.id, case.id),
        digest=formatting.digest(case.digest),
        report=_report(register, suite, case),
        before=Link(before.id, register.paths.case(suite.id, before.id)) if before else None,
        after=Link(after.id, register.paths.case(suite.id, after.id)) if after else None,
    )


def _head(shared: Category, case: Case) -> page_frame.Head:
    register, suite = shared.register, shared.suite
    return page_frame.Head(
        path=register.paths.case(suite.id, case.id),
        title=f"{formatting.clip(case.id, 80)}, {formatting.clip(suite.title, 60)}: {register.board.title}",
        description=f"Case {formatting.clip(case.id, 80)}: what is asked, what is right, and every answer to it.",
        section="Suites",
        crumbs=(
            Link("Board", "index.html"),
            Link(suite.title, register.paths.suite(suite.id)),
            Link(
                label(suite.category(case.category)),
                register.paths.category(suite.id, case.category),
            ),
            Link(case.id),
        ),
        json=register.paths.case_data(suite.id, case.id),
    )


def _context(case: Case) -> str:
    truth = case.ground_truth
    if truth.trajectory is not None:
        lengths = sorted({len(path) for path in truth.trajectory.paths})
        numbers = " or ".join(str(length) for length in lengths)
        expected = f"{numbers} {'step' if lengths == [1] else 'steps'} expected"
    elif truth.apis is not None:
        expected = f"{formatting.count(len(truth.apis.pairs), 'API')} expected"
    else:
        expected = (
            f"{formatting.count(len(truth.calls), 'call')} expected"
            if truth.calls
            else "no call expected"
        )
    return f"Case {case.id} · {expected}"


def _acted(case: Case) -> Acted | None:
    trajectory = case.ground_truth.trajectory
    if trajectory is None:
        return None
    return Acted(
        reference="" if trajectory.reference is None else plain(trajectory.reference),
        state=formatting.shown(trajectory.state) if trajectory.has_state else "",
        paths=accepted(case),
        order_matters=trajectory.order_matters,
    )


def _no_call(case: Case) -> bool:
    truth = case.ground_truth
    return (
        not truth.calls and truth.text is None and truth.trajectory is None and truth.apis is None
    )


def _noun(shared: Category, counted: Sequence[Answer]) -> str:
    """What is counted: submissions, or their single answers where there are trials."""
    if any(answer.trial > 1 for answer in counted):
        return "answer"
    return "baseline" if shared.field and shared.field[0].is_baseline else "submission"


def _block(call: ExpectedCall, *, judged: bool) -> ExpectedBlock:
    return ExpectedBlock(
        name=call.name or "a tool that is not offered: no answer can meet this",
        arguments=tuple(
            ExpectedLine(
                argument.name,
                tuple(
                    formatting.shown(value)
                    for value in argument.accepted
                    if not (argument.may_be_absent and value == "")
                ),
                argument.may_be_absent,
                judged
                and not argument.closed
                and any(isinstance(value, str) for value in argument.accepted),
            )
            for argument in call.arguments
        ),
    )


def _reference(register: Register, suite: Suite, case: Case) -> Reference | None:
    run = register.board.references.get((suite.id, case.id))
    if run is None or not run.calls:
        return None
    return Reference(ABOUT, made(run.calls))


def _tally(passed: int, failed: int, unscored: int) -> Tally:
    total = passed + failed + unscored
    bar: list[tuple[str, str, str]] = []
    start = 0.0
    for tone, number in (("sp", passed), ("sf", failed), ("su", unscored)):
        if number:
            width = 100 * number / total
            bar.append((tone, f"{start:.2f}%", f"{width:.2f}%"))
            start += width
    return Tally(passed, failed, unscored, total, tuple(bar))


def _steadiness(counted: Sequence[Answer]) -> str:
    """How many submissions pass in every trial, in some and in none; empty where there is one trial each."""
    if all(answer.trial == 1 for answer in counted):
        return ""
    every = some = never = 0
    for _, group in groupby(counted, key=lambda answer: answer.submission.id):
        outcomes = [answer.outcome == "pass" for answer in group]
        every += all(outcomes)
        never += not any(outcomes)
        some += any(outcomes) and not all(outcomes)
    return f"in every trial by {every:,}, in some by {some:,}, in none by {never:,}"


def _further(counted: Sequence[Answer]) -> tuple[tuple[str, int, int], ...]:
    """For each other metric that passes or fails: its name, how many of the answers pass it, of how many."""
    found: dict[str, list[bool]] = {}
    for answer in counted:
        for finding in answer.further:
            named = metric_names.metric(finding.metric)
            if finding.outcome != "unscored" and named.merit and not named.ratio:
                found.setdefault(finding.metric, []).append(finding.outcome == "pass")
    return tuple(
        (metric_names.metric(name).label, sum(passed), len(passed))
        for name, passed in found.items()
    )


def _harder(shared: Category, passed: int) -> str:
    """The share of the category's other cases that more answers pass."""
    others = len(shared.passed) - 1
    easier = sum(other > passed for other in shared.passed)
    return (
        f"{formatting.whole_percent(easier / others)} of {label(shared.suite.category(shared.id))}"
        if others
        else ""
    )


def _judges(register: Register, answers: Iterable[Answer]) -> tuple[JudgeFact, ...]:
    keys = sorted(
        {key for answer in answers if answer.decided_by == "judge" for key in answer.judge_calls}
    )
    found = (register.board.exchange(key) for key in keys)
    names = sorted({exchange.judge for exchange in found if exchange is not None})
    return tuple(judge_fact(register, name) for name in names)


def _report(register: Register, suite: Suite, case: Case) -> str | None:
    title = f"Ground truth of {suite.id} / {formatting.clip(case.id, 80)}"
    body = f"Case digest {case.digest}.\n\nWhat is wrong with it, and what should count:\n"
    return issue(register.board.repository, title, body)
