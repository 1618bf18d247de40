"""The page of one case: the question, the ground truth, and every answer with its verdict."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from markupsafe import Markup

from leaderboard.apis.reference_runs import ABOUT
from leaderboard.texts.counted_nouns import counted
from leaderboard.types import Case, ExpectedCall, Suite, Tool
from site_templates import formatting, markdown
from site_templates.board_index import BoardIndex
from site_templates.indexed_rows import Answer
from site_templates.links import Link, issue
from site_templates.page_head import Head, page_head
from site_templates.parts.answers.case_answers import (
    AnswerGroup,
    BaselineAnswer,
    CategoryContext,
    baselines,
    groups,
    identity,
    plain,
)
from site_templates.parts.answers.trajectory import StepList, StepView, accepted_paths, made
from site_templates.parts.bars import Stretch, stretches
from site_templates.parts.metric_names import metric_of
from site_templates.parts.named_links import (
    SUITES,
    NamedJudge,
    rule_version,
    to_category,
    to_judge,
    to_suite,
)


@dataclass(frozen=True, slots=True)
class ExpectedValue:
    """One argument of the ground truth with its accepted values.

    `result`: what another formula must come to. `absent`: it may be left out. `judged`: a judge
    decides about other texts.
    """

    name: str
    accepted: tuple[str, ...]
    result: str
    absent: bool
    judged: bool


@dataclass(frozen=True, slots=True)
class CallToMake:
    """One expected call."""

    name: str
    arguments: tuple[ExpectedValue, ...]


@dataclass(frozen=True, slots=True)
class EnvironmentTruth:
    """The ground truth of a case in an environment. `reference` and `state` may be empty."""

    reference: str
    state: str
    paths: tuple[tuple[StepView, ...], ...]
    order_matters: bool


@dataclass(frozen=True, slots=True)
class CaseQuestion:
    """What is asked, beside the texts of the case.

    - `task`: what the environment of the case is like, if it has one.
    - `tools`: cases that share a tuple of tools share one rendered list.
    """

    task: Markup | None
    context: str
    tools: tuple[Tool, ...]
    tool_names: str
    environment: str


@dataclass(frozen=True, slots=True)
class ExpectedAnswer:
    """What a right answer does: make these calls, act in an environment, or make no call."""

    about: str
    calls: tuple[CallToMake, ...]
    acted: EnvironmentTruth | None
    no_call: bool


@dataclass(frozen=True, slots=True)
class CaseCounts:
    """How many answers there are, and how many pass.

    - `noun`: what `passed` and `total` count: submissions, baselines or, with trials, answers.
    - `submissions`: how many answered; `different`: how many answers differ.
    - `tally`: how many answers pass, fail and are unscored.
    - `steadiness`: how many submissions pass in every trial.
    - `further`: the other metrics (name, passed, of).
    """

    noun: str
    submissions: int
    different: int
    passed: int
    total: int
    tally: tuple[Stretch, ...]
    steadiness: str
    further: tuple[tuple[str, int, int], ...]
    difficulty: str


@dataclass(frozen=True, slots=True)
class CasePage:
    """Model of cases/<suite>/<case>.html.

    `reference` is a reference run, which is no ground truth, with `about_reference` in words.
    """

    head: Head
    case: Case
    question: CaseQuestion
    expected: ExpectedAnswer
    counts: CaseCounts
    groups: tuple[AnswerGroup, ...]
    baselines: tuple[BaselineAnswer, ...]
    about_reference: str
    reference: StepList | None
    decided: str
    judges: tuple[NamedJudge, ...]
    report: str | None
    before: Link | None
    after: Link | None


def case_page(
    context: CategoryContext, case: Case, before: Case | None, after: Case | None
) -> CasePage:
    """The page of one case; `before` and `after` are its neighbours in the suite."""
    index, suite = context.index, context.suite
    answers = index.answered(suite.id, case.id)
    considered = [answer for answer in answers if answer.submission.id in context.among]
    others = [answer for answer in answers if answer.submission.id not in context.among]
    run = index.board.references.get((suite.id, case.id))
    return CasePage(
        head=_head(index, suite, case),
        case=case,
        question=_question(index, suite, case),
        expected=_expected(suite, case),
        counts=_counts(context, case, considered),
        groups=groups(context, case, considered),
        baselines=baselines(context, others),
        about_reference=ABOUT,
        reference=made(run.calls) if run is not None and run.calls else None,
        decided=rule_version(index, suite),
        judges=_judges(index, answers),
        report=_report(index, suite, case),
        before=_neighbour(index, suite, before),
        after=_neighbour(index, suite, after),
    )


def _head(index: BoardIndex, suite: Suite, case: Case) -> Head:
    short = formatting.clip(case.id, 80)
    category = to_category(index, suite, suite.category(case.category))
    return page_head(
        index,
        index.paths.case(suite.id, case.id),
        f"{short}, {formatting.clip(suite.title, 60)}",
        f"Case {short}: the question, the ground truth, and every answer to it.",
        section="Suites",
        crumbs=[SUITES, to_suite(index, suite), category, Link(case.id)],
        json=None if index.board.is_large else index.paths.case_data(suite.id, case.id),
    )


def _question(index: BoardIndex, suite: Suite, case: Case) -> CaseQuestion:
    category = suite.category(case.category)
    tools = case.tools or index.board.offered.get((suite.id, case.category), ())
    return CaseQuestion(
        task=markdown.render(category.description, shift=2) if category.environment else None,
        context=f"Case {case.id} · {_expectation(case)}",
        tools=tools,
        tool_names=formatting.clip(", ".join(tool.name for tool in tools), 200),
        environment=formatting.clip(category.environment or "", 80),
    )


def _neighbour(index: BoardIndex, suite: Suite, case: Case | None) -> Link | None:
    return Link(case.id, index.paths.case(suite.id, case.id)) if case else None


# ---------------------------------------------------------------- the ground truth


def _expectation(case: Case) -> str:
    """What the ground truth expects, in short: "2 calls expected"."""
    truth = case.ground_truth
    if truth.trajectory is not None:
        lengths = sorted({len(path) for path in truth.trajectory.paths})
        numbers = " or ".join(str(length) for length in lengths)
        return f"{numbers} {'step' if lengths == [1] else 'steps'} expected"
    if truth.apis is not None:
        return f"{counted(len(truth.apis), 'API')} expected"
    if truth.calls:
        return f"{counted(len(truth.calls), 'call')} expected"
    if truth.any_call:
        return "a call expected"
    return "a text expected" if truth.shown else "no call expected"


def _expected(suite: Suite, case: Case) -> ExpectedAnswer:
    truth = case.ground_truth
    is_judged = suite.category(case.category).prompt is not None
    wants_other = any(part is not None for part in (truth.text, truth.trajectory, truth.apis))
    return ExpectedAnswer(
        about=suite.kind.about_truth,
        calls=tuple(_call_to_make(call, judged=is_judged) for call in truth.calls),
        acted=_environment_truth(case),
        no_call=not (truth.calls or truth.any_call or truth.shown or wants_other),
    )


def _environment_truth(case: Case) -> EnvironmentTruth | None:
    trajectory = case.ground_truth.trajectory
    if trajectory is None:
        return None
    return EnvironmentTruth(
        reference="" if trajectory.reference is None else plain(trajectory.reference),
        state=formatting.shown(trajectory.state) if trajectory.has_state else "",
        paths=accepted_paths(case),
        order_matters=trajectory.order_matters,
    )


def _call_to_make(call: ExpectedCall, *, judged: bool) -> CallToMake:
    arguments = []
    for argument in call.arguments:
        # An accepted "" is how some suites write that an argument may be left out.
        values = [v for v in argument.accepted if not (argument.may_be_absent and v == "")]
        text = any(isinstance(value, str) for value in argument.accepted)
        value = ExpectedValue(
            name=argument.name,
            accepted=tuple(map(formatting.shown, values)),
            result="" if argument.result is None else formatting.shown(argument.result),
            absent=argument.may_be_absent,
            judged=judged and not argument.closed and text,
        )
        arguments.append(value)
    name = call.name or "a tool that is not offered: no answer can pass"
    return CallToMake(name, tuple(arguments))


# ---------------------------------------------------------------- beside the answers


def _counts(context: CategoryContext, case: Case, considered: Sequence[Answer]) -> CaseCounts:
    """The counts of the answers that count in the category."""
    suite = context.suite
    outcomes = Counter(answer.outcome for answer in considered)
    has_trials = any(answer.trial > 1 for answer in considered)
    beside_others = ""
    # Baselines pass and fail by their nature, whatever the case is like.
    if considered and context.noun != "baseline":
        category = to_category(context.index, suite, suite.category(case.category))
        share = outcomes["pass"] / len(considered)
        beside_others = difficulty(category.label, context.shares, share)
    return CaseCounts(
        noun="answer" if has_trials else context.noun,
        submissions=len({answer.submission.id for answer in considered}),
        different=len({identity(answer) for answer in considered}),
        passed=outcomes["pass"],
        total=len(considered),
        tally=stretches((name[0], outcomes[name]) for name in ("pass", "fail", "unscored")),
        steadiness=_steadiness(considered),
        further=_further(suite, considered),
        difficulty=beside_others,
    )


def _steadiness(considered: Sequence[Answer]) -> str:
    """How many submissions pass in every trial, some or none; "" with one trial each."""
    if all(answer.trial == 1 for answer in considered):
        return ""
    every = some = never = 0
    for _, group in groupby(considered, key=lambda answer: answer.submission.id):
        outcomes = [answer.outcome == "pass" for answer in group]
        every += all(outcomes)
        never += not any(outcomes)
        some += any(outcomes) and not all(outcomes)
    return f"in every trial by {every:,}, in some by {some:,}, in none by {never:,}"


def _further(suite: Suite, considered: Sequence[Answer]) -> tuple[tuple[str, int, int], ...]:
    """For each other metric that passes or fails: its name, how many pass, and of how many."""
    passes: dict[str, list[bool]] = {}
    for answer in considered:
        for finding in answer.further:
            metric = metric_of(suite, finding.metric)
            if finding.outcome != "unscored" and metric.merit and not metric.ratio:
                passes.setdefault(metric.label, []).append(finding.outcome == "pass")
    return tuple((name, sum(passed), len(passed)) for name, passed in passes.items())


def difficulty(category: str, shares: Sequence[float], of_this: float) -> str:
    """A case beside the others of its category, by the sorted shares that pass; "" if alone."""
    others = len(shares) - 1
    harder = bisect_left(shares, of_this)
    easier = len(shares) - bisect_right(shares, of_this)
    if not others:
        return ""
    if not easier and not harder:
        return f"as hard as all other cases of {category}"
    if not harder:
        return f"among the hardest of {category}"
    if not easier:
        return f"among the easiest of {category}"
    return f"harder than {formatting.whole_percent(easier / others)} of {category}"


def _judges(index: BoardIndex, answers: Iterable[Answer]) -> tuple[NamedJudge, ...]:
    """The judges that decided about an answer to the case."""
    names: set[str | None] = set()
    for answer in answers:
        if answer.decided_by == "judge":
            names.update(map(index.board.judge_of, answer.judge_calls))
    return tuple(to_judge(index, name) for name in sorted(filter(None, names)))


def _report(index: BoardIndex, suite: Suite, case: Case) -> str | None:
    """The address that opens an issue about the ground truth."""
    title = f"Ground truth of {suite.id} / {formatting.clip(case.id, 80)}"
    body = f"Case digest {case.digest}.\n\nWhat is wrong with it, and what should count:\n"
    return issue(index.board.repository, title, body)
