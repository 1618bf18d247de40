"""The answers to a case: equal ones together, each with its verdict and the differences."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from leaderboard.apis.api_answers import answer_of
from leaderboard.apis.api_names import FINISH
from leaderboard.digest import canonical
from leaderboard.files.tool_names import sent_name
from leaderboard.frames import SEVERAL
from leaderboard.reasons import WAITING
from leaderboard.types import (
    Call,
    Case,
    ExpectedCall,
    GroundTruth,
    Outcome,
    Response,
    Suite,
)
from site_templates import formatting
from site_templates.board_index import BoardIndex
from site_templates.indexed_rows import Answer, Finding
from site_templates.parts.answers.answer_givers import Giver, Givers
from site_templates.parts.answers.answer_votes import AnswerVotes, answer_votes
from site_templates.parts.answers.argument_diff import (
    ACCEPTED,
    DIFFERS,
    MISSING,
    MOST_ARGUMENTS,
    CallDiff,
    DiffLine,
    Judgement,
    Sign,
    diffs,
    pieces,
    plain_line,
)
from site_templates.parts.answers.equal_wrong_answers import same_wrong
from site_templates.parts.answers.judge_replies import PromptsShown, ReplyView, judge_replies
from site_templates.parts.answers.marked_facts import FactLine, TextPart, marked_facts
from site_templates.parts.answers.trajectory import StepList, StepTable, made, step_table
from site_templates.parts.cases_by_difficulty import hardest_first
from site_templates.parts.metric_names import metric_of, written_mean
from site_templates.parts.named_links import noun_of

_NAMED: Final = 6  # submissions named before "and 25 more"
_ORDER: Final = ("pass", "fail", "unscored")  # of answers that are equally frequent
_BRIEF: Final = 90  # characters of an answer on one line
_CALLS: Final = 50  # calls of one answer that are shown, beside those that were expected


@dataclass(frozen=True, slots=True)
class MetricFact:
    """The verdict of one metric on an answer: its outcome, or a figure in its place."""

    label: str
    outcome: Outcome
    figure: str
    detail: str


@dataclass(frozen=True, slots=True)
class MadeCall:
    """One call as it was made, with its arguments (name, value)."""

    name: str
    arguments: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class _Calls:
    """The calls of a model: beside the expected ones, as expected, and not expected.

    `more` counts the calls that are not shown.
    """

    diffs: tuple[CallDiff, ...] = ()
    right: tuple[MadeCall, ...] = ()
    unexpected: tuple[MadeCall, ...] = ()
    more: int = 0


@dataclass(frozen=True, slots=True)
class Aside:
    """A text that some submissions wrote beside their calls. `who` is empty if all of them did."""

    who: str
    text: str


@dataclass(frozen=True, slots=True)
class AnswerGroup:
    """Equal answers with one verdict, with one of them. `named` are shown, `more` in a fold.

    - `metrics` is empty if the suite has only one.
    - `steps` and `end` are for cases in an environment: the path, and the state or answer.
    - `apis` are the calls of simulated APIs, without Finish, whose text is the answer.
    - `underscored`: it was shown other names of the expected tools, with "_" for ".".
    - `asides` are the texts beside the calls, each once. They are shown in folds.
    - `facts` are those of the case. `parts` is the text with the words that state them.
    - `missing` are the keys of judge calls that are not recorded; `record` records them.
    - `same_wrong`: how many submissions gave this wrong answer, if several did.
    """

    anchor: str
    size: int
    answer: Answer
    decided: str
    named: tuple[Giver, ...]
    more: tuple[Giver, ...]
    metrics: tuple[MetricFact, ...]
    steps: StepTable | None
    end: CallDiff | None
    apis: StepList | None
    calls: _Calls
    underscored: bool
    said: str
    asides: tuple[Aside, ...]
    facts: tuple[FactLine, ...]
    parts: tuple[TextPart, ...]
    replies: tuple[ReplyView, ...]
    missing: tuple[str, ...]
    record: str
    same_wrong: int
    votes: tuple[AnswerVotes, ...]


@dataclass(frozen=True, slots=True)
class BaselineAnswer:
    """A baseline's verdict and answer in short. Trials with different verdicts are apart."""

    answer: Answer
    giver: Giver
    said: str


@dataclass(frozen=True, slots=True)
class CategoryContext:
    """What the case pages of a category share.

    `among` are the ids of the submissions that count, `noun` is what these are: submissions or only
    baselines. `shares` has the share of answers that pass for each case with answers, the lowest
    first.
    """

    index: BoardIndex
    suite: Suite
    noun: str
    among: frozenset[str]
    shares: tuple[float, ...]
    givers: Givers


def category_context(index: BoardIndex, suite: Suite, category: str) -> CategoryContext:
    """What the case pages of a category share."""
    field = index.field(suite.id)
    among = frozenset(submission.id for submission in field)
    cases = hardest_first(index, suite, suite.category(category), field)
    shares = tuple(case.share for case in cases if case.of)
    return CategoryContext(index, suite, noun_of(field), among, shares, Givers(index))


def plain(value: object) -> str:
    """A text as it is, any other value as JSON."""
    return value if isinstance(value, str) else formatting.shown(value)


# ---------------------------------------------------------------- who gave an answer


def baselines(context: CategoryContext, answers: Sequence[Answer]) -> tuple[BaselineAnswer, ...]:
    """The verdicts of baselines, equal trials together."""
    together: defaultdict[tuple[str, str, str], list[Answer]] = defaultdict(list)
    for answer in answers:
        together[answer.submission.id, answer.outcome, answer.reason].append(answer)
    trials = Counter(answer.submission.id for answer in answers)
    shown = []
    for group in together.values():
        (giver,) = context.givers.of(group, trials)
        shown.append(BaselineAnswer(group[0], giver, brief(group[0].response)))
    return tuple(shown)


def brief(response: Response | None) -> str:
    """An answer on one short line: its calls, or else its text; "" if there is none."""
    if response is None:
        return ""
    calls = [f"{call.name}({formatting.arguments(call.arguments)})" for call in response.calls]
    if calls:
        return formatting.clip("; ".join(calls), _BRIEF)
    return f"“{formatting.clip(response.text, _BRIEF)}”" if response.text else ""


# ---------------------------------------------------------------- groups of equal answers


def groups(
    context: CategoryContext, case: Case, answers: Sequence[Answer]
) -> tuple[AnswerGroup, ...]:
    """Equal answers with equal steps and verdicts together, most frequent first."""
    together: defaultdict[tuple[bytes | str, ...], list[Answer]] = defaultdict(list)
    for answer in answers:
        # A detail may name the calls in their order.
        detail = "" if context.suite.kind.calls_in_any_order else answer.detail
        verdict = (answer.outcome, answer.reason, detail)
        together[identity(answer), _steps(case, answer), *verdict].append(answer)
    trials = Counter(answer.submission.id for answer in answers)
    alike = same_wrong(answers)

    ordered = sorted(together.values(), key=lambda g: (-len(g), _ORDER.index(g[0].outcome)))
    prompts: PromptsShown = {}
    shown = []
    for number, group in enumerate(ordered, 1):
        same = alike.get(identity(group[0]), 0)
        anchor = f"a{number}"
        shown.append(
            _group(context, case, group, trials, anchor=anchor, same=same, prompts=prompts)
        )
    return tuple(shown)


def identity(answer: Answer) -> bytes:
    """What equal answers share. What is no answer has it too: nothing sent, errors, bad calls."""
    if answer.key is not None or answer.response is None:
        return answer.key or b""
    response = answer.response
    calls = sorted(canonical((call.name, dict(call.arguments))) for call in response.calls)
    return canonical((response.error, response.malformed, *(call.decode() for call in calls)))


def _steps(case: Case, answer: Answer) -> bytes:
    """The steps of an agent. They do not make its answer another one, but they are shown."""
    truth = case.ground_truth
    if answer.response is None or (truth.trajectory is None and truth.apis is None):
        return b""
    return canonical([(call.name, dict(call.arguments)) for call in answer.response.calls])


def _group(
    context: CategoryContext,
    case: Case,
    answers: Sequence[Answer],
    trials: Mapping[str, int],
    *,
    anchor: str,
    same: int,
    prompts: PromptsShown,
) -> AnswerGroup:
    """One group. `same`: how many gave this wrong answer. `prompts` are those shown above it."""
    first = answers[0]
    response = first.response
    names = context.givers.of(answers, trials)
    replies, missing = judge_replies(context.index, first, anchor, prompts)
    facts, parts = marked_facts(context.index, case, response)
    record = f"lb rescore {first.submission.id} --record-mode new_episodes"
    return AnswerGroup(
        anchor=anchor,
        size=len(answers),
        answer=first,
        decided=_decided(context, first),
        named=names[:_NAMED],
        more=names[_NAMED:],
        metrics=_metric_facts(context, first),
        steps=_steps_taken(case, response),
        end=_end(case, first),
        apis=_apis_called(case, response),
        calls=_calls(context.suite, case, first),
        underscored=_underscored(case.ground_truth, response),
        said=_said(case, response),
        asides=_asides(context, case, answers, trials),
        facts=facts,
        parts=parts,
        replies=replies,
        missing=missing,
        record=record if first.reason in WAITING else "",
        same_wrong=same if first.outcome == "fail" and same >= SEVERAL else 0,
        votes=_votes(context, answers, trials),
    )


def _decided(context: CategoryContext, answer: Answer) -> str:
    if answer.decided_by == "judge":
        return "rule first, then a judge"
    if answer.reason == "judge_missing":
        return "waits for a judge"
    kind = context.suite.kind
    return kind.decision if kind.reported else f"decided by {kind.decision}"


def _metric_facts(context: CategoryContext, answer: Answer) -> tuple[MetricFact, ...]:
    """The verdicts of all metrics, the ranked one first; empty if it is the only one."""
    if not answer.further:
        return ()
    ranked = metric_of(context.suite, context.suite.kind.ranked)
    first = MetricFact(ranked.label, answer.outcome, "", "")
    return (first, *(_metric_fact(context.suite, finding, answer) for finding in answer.further))


def _metric_fact(suite: Suite, finding: Finding, answer: Answer) -> MetricFact:
    metric = metric_of(suite, finding.metric)
    figure = ""
    if finding.score is not None and not metric.merit:
        figure = {0.0: "no", 1.0: "yes"}.get(finding.score, written_mean(metric, finding.score))
    elif finding.score is not None and metric.ratio:
        figure = written_mean(metric, finding.score)
    # The detail of the answer itself is shown below all metrics.
    detail = finding.detail if finding.detail != answer.detail else ""
    return MetricFact(metric.label, finding.outcome, figure, detail)


def _steps_taken(case: Case, response: Response | None) -> StepTable | None:
    """The steps in an environment beside the accepted ones."""
    trajectory = case.ground_truth.trajectory
    if trajectory is None or response is None or response.error:
        return None
    return step_table(case, trajectory, response)


def _apis_called(case: Case, response: Response | None) -> StepList | None:
    """The calls of simulated APIs; None if no recorded steps show which were called."""
    if case.ground_truth.apis is None or response is None or not response.steps_told:
        return None
    return made([call for call in response.calls if call.name != FINISH])


def _calls(suite: Suite, case: Case, answer: Answer) -> _Calls:
    """The calls of a model beside the expected ones, as the suite's rule compares them."""
    truth, response = case.ground_truth, answer.response
    if response is None or truth.trajectory is not None or truth.apis is not None:
        return _Calls()
    faults = suite.kind.faults
    if faults is None:
        more = len(response.calls) - _CALLS
        return _Calls(right=_made(response.calls[:_CALLS]), more=max(more, 0))

    compared: dict[tuple[int, int], Mapping[str, str]] = {}  # neither call has a hash

    def of_call(expected: ExpectedCall, call: Call) -> Mapping[str, str]:
        both = (id(expected), id(call))
        if both not in compared:
            found = faults(suite, case, expected, call, response.underscored)
            if "" in found:  # a wrong tool is reported alone; its arguments are compared, too
                renamed = replace(expected, name=call.name)
                found = {**faults(suite, case, renamed, call, False), **found}
            compared[both] = found
        return compared[both]

    judgement = Judgement(answer.outcome, answer.reason, answer.decided_by == "judge", of_call)
    expected = truth.calls if response.calls else ()
    different, right, free = diffs(expected, response.calls, judgement)
    return _Calls(different, _made(right), _made(free[:_CALLS]), max(len(free) - _CALLS, 0))


def _underscored(truth: GroundTruth, response: Response | None) -> bool:
    """Whether the calls of a response have names that differ from the expected ones by "_"."""
    if response is None or not response.underscored:
        return False
    made = {call.name for call in response.calls}
    names = {call.name for call in truth.calls if call.name} - made
    return any(sent_name(name) in made for name in names)


def _made(calls: Iterable[Call]) -> tuple[MadeCall, ...]:
    shown = []
    for call in calls:
        arguments = list(call.arguments.items())
        values = [(name, formatting.shown(value)) for name, value in arguments[:MOST_ARGUMENTS]]
        if more := len(arguments) - len(values):
            values.append(("…", f"{more:,} more"))
        shown.append(MadeCall(call.name, tuple(values)))
    return tuple(shown)


def _end(case: Case, answer: Answer) -> CallDiff | None:
    """The end in an environment beside the expected one: the final state, or else the answer."""
    trajectory, response = case.ground_truth.trajectory, answer.response
    if trajectory is None or response is None or response.error:
        return None
    if trajectory.has_state:
        name, expected = "state", formatting.shown(trajectory.state)
        got = formatting.shown(response.state) if response.has_state else ""
    elif trajectory.reference is not None:
        name, expected, got = "answer", plain(trajectory.reference), response.text or ""
    else:
        return None
    passed = answer.outcome == "pass"
    if passed and got.strip() == expected.strip():
        return CallDiff("end", (), (name,))
    if not got.strip():
        line = plain_line(name, MISSING, expected, "", got_none=f"no {name}")
    elif answer.outcome == "fail":
        line = DiffLine(name, DIFFERS, *pieces(expected, got))
    elif passed and answer.decided_by == "rule":
        line = plain_line(name, ACCEPTED, expected, got)
    else:
        sign = Sign("may", "≈", "judged" if passed else "waits for a judge")
        line = plain_line(name, sign, expected, got)
    return CallDiff("end", (line,), ())


def _said(case: Case, response: Response | None) -> str:
    """The text of an answer, unless it is an aside or the table of the end shows it."""
    truth = case.ground_truth
    if response is None:
        return ""
    if truth.apis is not None:
        return answer_of(response)
    return "" if response.calls or _end_has_text(truth) else response.text or ""


def _end_has_text(truth: GroundTruth) -> bool:
    """Whether the table of the end shows an agent's text beside the expected one."""
    trajectory = truth.trajectory
    return bool(trajectory and not trajectory.has_state and trajectory.reference is not None)


def _asides(
    context: CategoryContext, case: Case, answers: Sequence[Answer], trials: Mapping[str, int]
) -> tuple[Aside, ...]:
    """The texts beside the calls of equal answers, most frequent first."""
    truth = case.ground_truth
    if truth.apis is not None or _end_has_text(truth):
        return ()
    texts: defaultdict[str, list[Answer]] = defaultdict(list)
    for answer in answers:
        response = answer.response
        if response is not None and response.calls and (response.text or "").strip():
            texts[response.text or ""].append(answer)
    asides = []
    for text, alike in sorted(texts.items(), key=lambda item: -len(item[1]))[:_NAMED]:
        givers = context.givers.of(alike, trials)
        names = [giver.link.label + giver.trials for giver in givers]
        more = [f"{len(names) - _NAMED:,} more"] if len(names) > _NAMED else []
        who = "" if len(alike) == len(answers) else formatting.listed([*names[:_NAMED], *more])
        asides.append(Aside(who, text))
    return tuple(asides)


def _votes(
    context: CategoryContext, answers: Sequence[Answer], trials: Mapping[str, int]
) -> tuple[AnswerVotes, ...]:
    votes = []
    for answer in answers:
        if answer.votes:
            (giver,) = context.givers.of([answer], trials)
            votes.append(answer_votes(answer, giver.link))
    return tuple(votes)
