"""The answers to a case: equal ones together, each with its verdict, what differs, and why."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from leaderboard.apis.api_answers import answer_of
from leaderboard.apis.api_names import FINISH
from leaderboard.files.imported_votes import IMPORTED_FROM
from leaderboard.types import (
    Call,
    Case,
    ImportedVote,
    Outcome,
    Response,
    Submission,
    Suite,
    Trajectory,
)
from site_templates import formatting
from site_templates.board_index import Answer, Finding, Register, passes, same_wrong
from site_templates.links import Link
from site_templates.parts import metric_names
from site_templates.parts.argument_diff import CallDiff, Leaning, Line, diffs, literal, unlike
from site_templates.parts.judge_labels import JudgeFact, judge_fact
from site_templates.parts.trajectory import Course, Steps, course, made

_NAMED = 6  # submissions named before "and 25 more"
_SIGN = {"pass": "p", "fail": "f", "unscored": "u"}
_VOTES = 40  # votes of one answer, imported with it, that are shown
_SOURCES = {"stabletoolbench": "StableToolBench"}
_MANY = 3  # equal wrong answers worth a remark


@dataclass(frozen=True, slots=True)
class MetricFact:
    """What one metric says of an answer: in a word with its sign (p, f, u), or as a figure."""

    label: str
    sign: str
    outcome: Outcome
    figure: str
    detail: str


@dataclass(frozen=True, slots=True)
class MadeCall:
    """One call as it was made: name, arguments (name, value)."""

    name: str
    arguments: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Words:
    """One judge call: who, how asked, what came back. `gist` is its reply on one line. `key` in groups to read it."""

    judge: JudgeFact
    settings: str
    key: str
    cassette: str
    prompt: str
    reply: str
    gist: str


@dataclass(frozen=True, slots=True)
class VoteFact:
    """One imported vote: what it says, who cast it and in which round, the file it stands in, and its reason."""

    status: str
    cast: str
    file: str
    reason: str


@dataclass(frozen=True, slots=True)
class Votes:
    """What other judges said of one submission's answer before it was imported, and from whose files."""

    who: Link
    source: str
    facts: tuple[VoteFact, ...]
    more: int


@dataclass(frozen=True, slots=True)
class Group:
    """Equal answers with one verdict. `sign` is p, f or u; `named` come first, `more` stand folded.

    `metrics` is empty where the suite has but one. `course` and `ends` (final state, answer) are those of cases acted out,
    `steps` the calls of simulated APIs, without Finish, whose words are the answer.
    """

    anchor: str
    sign: str
    outcome: Outcome
    size: str
    reason: str
    detail: str
    decided: str
    named: tuple[Link, ...]
    more: tuple[Link, ...]
    metrics: tuple[MetricFact, ...]
    course: Course | None
    ends: CallDiff | None
    steps: Steps | None
    diffs: tuple[CallDiff, ...]
    calls: tuple[MadeCall, ...]
    said: str
    said_beside: bool
    error: str
    malformed: str
    words: tuple[Words, ...]
    missing: tuple[str, ...]
    record: str
    same_wrong: int
    votes: tuple[Votes, ...]


@dataclass(frozen=True, slots=True)
class BaselineAnswer:
    """A baseline's verdict, in a word; it has several where its trials came out differently."""

    sign: str
    outcome: Outcome
    reason: str
    link: Link


@dataclass(frozen=True, slots=True)
class Category:
    """What the pages of one category share: who is counted, and how many passed each case."""

    register: Register
    suite: Suite
    id: str
    field: tuple[Submission, ...]
    among: frozenset[str]
    passed: tuple[int, ...]


def category_of(register: Register, suite: Suite, category: str) -> Category:
    """What the case pages of a category share."""
    field = register.field(suite.id)
    among = frozenset(submission.id for submission in field)
    cases = suite.category(category).cases
    passed = tuple(sorted(passes(register.answered(suite.id, case.id), among)[0] for case in cases))
    return Category(register, suite, category, field, among, passed)


def plain(value: object) -> str:
    """A text as it is, any other value as JSON."""
    return value if isinstance(value, str) else formatting.shown(value)


def baselines(register: Register, answers: Sequence[Answer]) -> tuple[BaselineAnswer, ...]:
    """The verdicts of baselines in a word each, equal trials together."""
    together: dict[tuple[str, str, str], list[Answer]] = {}
    for answer in answers:
        together.setdefault((answer.submission.id, answer.outcome, answer.reason), []).append(
            answer
        )
    trials = _trials(answers)
    return tuple(
        BaselineAnswer(
            _SIGN[group[0].outcome],
            group[0].outcome,
            group[0].reason,
            *_names(register, group, trials),
        )
        for group in together.values()
    )


def _trials(answers: Iterable[Answer]) -> dict[str, int]:
    """How many answers there are of each submission."""
    trials: dict[str, int] = {}
    for answer in answers:
        trials[answer.submission.id] = trials.get(answer.submission.id, 0) + 1
    return trials


def _names(
    register: Register, answers: Iterable[Answer], trials: Mapping[str, int]
) -> tuple[Link, ...]:
    """The submissions of some answers, each once, with the trials in which they gave them; `trials` are all they made."""
    links = []
    for _, group in groupby(answers, key=lambda answer: answer.submission.id):
        given = list(group)
        submission = given[0].submission
        name = formatting.clip(submission.card.name, 80) + _in_trials(
            [a.trial for a in given], trials[submission.id]
        )
        links.append(Link(name, register.paths.submission(submission.id)))
    return tuple(links)


def _in_trials(given: Sequence[int], of: int) -> str:
    if of == 1:
        return ""
    if len(given) == of:
        return f" (all {of} trials)"
    return f" ({'trial' if len(given) == 1 else 'trials'} {formatting.listed([str(trial) for trial in given])})"


def groups(shared: Category, case: Case, answers: Sequence[Answer], noun: str) -> tuple[Group, ...]:
    """Equal answers with equal verdicts together, most frequent first; `noun` says what is counted."""
    together: dict[tuple[bytes, str, str, str], list[Answer]] = {}
    for answer in answers:
        key = answer.response.key if answer.response else b""
        together.setdefault((key, answer.outcome, answer.reason, answer.detail), []).append(answer)
    ordered = sorted(
        together.values(), key=lambda group: (-len(group), "pfu".index(_SIGN[group[0].outcome]))
    )
    crowd = _Crowd(_trials(answers), same_wrong(case, answers))
    return tuple(
        _group(
            shared, case, group, crowd, anchor=f"a{index}", size=formatting.count(len(group), noun)
        )
        for index, group in enumerate(ordered, 1)
    )


@dataclass(frozen=True, slots=True)
class _Crowd:
    """What the groups of a case share: trials by submission, and by response how many submissions are wrong alike."""

    trials: Mapping[str, int]
    alike: Mapping[bytes, int]


def _group(
    shared: Category,
    case: Case,
    answers: Sequence[Answer],
    crowd: _Crowd,
    *,
    anchor: str,
    size: str,
) -> Group:
    first, register = answers[0], shared.register
    response = first.response
    trajectory = case.ground_truth.trajectory
    names = _names(register, answers, crowd.trials)
    words, missing = _words(register, first)
    compared = trajectory is None and case.ground_truth.apis is None
    differing, calls = _shown_calls(case, response, first) if response and compared else ((), ())
    alike = crowd.alike.get(response.key, 0) if response else 0
    return Group(
        anchor=anchor,
        sign=_SIGN[first.outcome],
        outcome=first.outcome,
        size=size,
        reason=first.reason,
        detail=first.detail,
        decided=_decided(shared, first),
        named=names[:_NAMED],
        more=names[_NAMED:],
        metrics=_metrics(shared, first),
        course=course(case, trajectory, response)
        if response and trajectory and not response.error
        else None,
        ends=_ends(trajectory, response, first)
        if response and trajectory and not response.error
        else None,
        steps=_steps(response) if response and case.ground_truth.apis is not None else None,
        diffs=differing,
        calls=calls,
        said=_said(case, response),
        said_beside=bool(response and response.calls and case.ground_truth.apis is None),
        error=(response.error or "") if response else "",
        malformed=(response.malformed or "") if response else "",
        words=words,
        missing=tuple(map(formatting.digest, missing)),
        record=f"lb rescore {first.submission.id} --record-mode new_episodes"
        if first.reason == "judge_missing"
        else "",
        same_wrong=alike if first.outcome == "fail" and alike >= _MANY else 0,
        votes=tuple(_votes(register, answer, crowd.trials) for answer in answers if answer.votes),
    )


def _votes(register: Register, answer: Answer, trials: Mapping[str, int]) -> Votes:
    (who,) = _names(register, [answer], trials)
    source = str(answer.submission.card.settings.get(IMPORTED_FROM) or "")
    facts = tuple(map(_vote, answer.votes[:_VOTES]))
    return Votes(
        who,
        _SOURCES.get(source) or formatting.clip(source, 40),
        facts,
        len(answer.votes) - len(facts),
    )


def _vote(vote: ImportedVote) -> VoteFact:
    by = (
        f"by {formatting.clip(vote.judge, 80)}"
        if vote.judge
        else "by a judge that the file does not name"
    )
    how = f", {formatting.clip(vote.by, 40)}" if vote.by not in ("", "judge") else ""
    status = formatting.clip(vote.status, 40) if vote.status else "unreadable"
    return VoteFact(
        status,
        f"round {vote.round + 1}, {by}{how}",
        formatting.clip(vote.file, 120),
        formatting.clip(vote.reason, 400),
    )


def _metrics(shared: Category, answer: Answer) -> tuple[MetricFact, ...]:
    """What every metric of the suite says of an answer, the ranked one first; nothing where it is the only one."""
    if not answer.further:
        return ()
    ranked = metric_names.metric(shared.register.board.metric(shared.suite.id))
    first = MetricFact(ranked.label, _SIGN[answer.outcome], answer.outcome, "", "")
    return (first, *(_fact(finding, answer) for finding in answer.further))


def _fact(finding: Finding, answer: Answer) -> MetricFact:
    """What another metric says; without its sentence where that is the answer's own, which stands below anyway."""
    named = metric_names.metric(finding.metric)
    figure = named.shown(finding.score) if named.ratio and finding.score is not None else ""
    if not named.merit and finding.score is not None:
        figure = {0.0: "no", 1.0: "yes"}.get(finding.score, named.shown(finding.score))
    detail = finding.detail if finding.detail != answer.detail else ""
    return MetricFact(named.label, _SIGN[finding.outcome], finding.outcome, figure, detail)


def _ends(trajectory: Trajectory, response: Response, answer: Answer) -> CallDiff | None:
    """Where a response came to, beside where it should: the final state where the case has one, otherwise the answer."""
    if trajectory.has_state:
        name, expected = "state", formatting.shown(trajectory.state)
        got = formatting.shown(response.state) if response.has_state else ""
    elif trajectory.reference is not None:
        name, expected, got = "answer", plain(trajectory.reference), response.text or ""
    else:
        return None
    if got.strip() == expected.strip() and answer.outcome == "pass":
        return CallDiff("end", (), (name,))
    return CallDiff("end", (_end(name, expected, got, answer),), ())


def _end(name: str, expected: str, got: str, answer: Answer) -> Line:
    if not got.strip():
        return literal(name, (expected, ""), "bad", "−", "missing", nothing=f"no {name}")
    if answer.outcome == "fail":
        return unlike(name, expected, got)
    if answer.outcome == "pass" and answer.decided_by == "rule":
        return literal(name, (expected, got), "ok", "≈", "accepted")
    return literal(
        name,
        (expected, got),
        "may",
        "≈",
        "judged" if answer.outcome == "pass" else "waits for a judge",
    )


def _decided(shared: Category, answer: Answer) -> str:
    if answer.decided_by == "judge":
        return "rule first, then a judge"
    if answer.outcome == "unscored":
        return "waits for a judge"
    return f"decided by rule {shared.suite.kind.name}"


def _words(register: Register, answer: Answer) -> tuple[tuple[Words, ...], tuple[str, ...]]:
    """The judge calls a verdict rests on, and the keys of those that are not recorded."""
    words: list[Words] = []
    missing: list[str] = []
    for key in answer.judge_calls:
        exchange = register.board.exchange(key)
        if exchange is None:
            missing.append(key)
            continue
        words.append(
            Words(
                judge=judge_fact(register, exchange.judge),
                settings=formatting.settings(exchange.settings),
                key=formatting.digest(key),
                cassette=exchange.cassette,
                prompt=exchange.prompt,
                reply=exchange.reply,
                gist=_gist(exchange.reply),
            )
        )
    return tuple(words), tuple(missing)


def _gist(reply: str) -> str:
    """A reply on one line: the grade, a colon, the reason."""
    grade, _, reason = reply.strip().partition("\n")
    return formatting.clip(f"{grade.rstrip(' .:')}: {reason}" if reason.strip() else grade, 160)


def _steps(response: Response) -> Steps | None:
    """The calls of simulated APIs; None where the record does not tell what was called."""
    return (
        made([call for call in response.calls if call.name != FINISH])
        if response.steps_told
        else None
    )


def _said(case: Case, response: Response | None) -> str:
    """What was said, unless it is the expected text itself, or stands beside the expected answer already."""
    said = (
        (answer_of(response) if case.ground_truth.apis is not None else response.text or "")
        if response
        else ""
    )
    trajectory = case.ground_truth.trajectory
    if trajectory is not None and not trajectory.has_state and trajectory.reference is not None:
        return ""
    return "" if said.strip() == (case.ground_truth.text or "").strip() else said


def _shown_calls(
    case: Case, response: Response, answer: Answer
) -> tuple[tuple[CallDiff, ...], tuple[MadeCall, ...]]:
    """The differences of the calls made from those expected, and the calls that none was expected for."""
    expected = case.ground_truth.calls
    if not expected or not response.calls:
        return (), tuple(map(_made, response.calls))
    leaning = Leaning(answer.outcome, answer.reason, answer.decided_by == "judge")
    found, free = diffs(expected, response.calls, leaning, underscored=response.underscored)
    return found, tuple(map(_made, free))


def _made(call: Call) -> MadeCall:
    return MadeCall(
        call.name, tuple((name, formatting.shown(value)) for name, value in call.arguments.items())
    )
