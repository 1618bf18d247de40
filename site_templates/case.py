"""The page of one case: what is asked, what is right, and every answer with its verdict and why."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from leaderboard.types import Call, Case, ExpectedCall, Outcome, Response, Submission, Suite, Tool
from site_templates import frame, text
from site_templates.diff import CallDiff, Leaning, diffs
from site_templates.links import Link, issue
from site_templates.panel import JudgeFact, judge_fact
from site_templates.register import Answer, Register, label, passes

_NAMED = 6  # submissions named before "and 25 more"
_SIGN = {"pass": "p", "fail": "f", "unscored": "u"}
_MANY = 3  # equal wrong answers worth a remark


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
class Group:
    """Equal answers with one verdict. `sign` is p, f or u; `named` come first, `more` stand folded."""

    anchor: str
    sign: str
    outcome: Outcome
    size: str
    reason: str
    detail: str
    decided: str
    named: tuple[Link, ...]
    more: tuple[Link, ...]
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


@dataclass(frozen=True, slots=True)
class BaselineAnswer:
    """A baseline's verdict, in a word."""

    sign: str
    outcome: Outcome
    reason: str
    link: Link


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
    """Model of cases/<suite>/<case>.html. `tools` are the tools themselves: cases that share them share one rendered list."""

    head: frame.Head
    id: str
    query: str
    context: str
    tools: tuple[Tool, ...]
    tool_names: str
    expected: tuple[ExpectedBlock, ...]
    expected_text: str | None
    no_call: bool
    noun: str
    answers: int
    groups: tuple[Group, ...]
    baselines: tuple[BaselineAnswer, ...]
    tally: Tally
    harder: str
    decided: str
    judges: tuple[JudgeFact, ...]
    permalink: str
    digest: str
    report: str | None
    before: Link | None
    after: Link | None


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


def case_page(shared: Category, case: Case, before: Case | None, after: Case | None) -> CasePage:
    """The page of one case; `before` and `after` stand beside it in the suite."""
    register, suite = shared.register, shared.suite
    answers = register.answered(suite.id, case.id)
    counted = [answer for answer in answers if answer.submission.id in shared.among]
    others = [answer for answer in answers if answer.submission.id not in shared.among]
    tally = _tally(*passes(counted, shared.among))
    prompt = suite.category(case.category).prompt
    return CasePage(
        head=_head(shared, case),
        id=case.id,
        query=case.query,
        context=_context(case),
        tools=case.tools,
        tool_names=text.clip(", ".join(tool.name for tool in case.tools), 200),
        expected=tuple(_block(call, judged=prompt is not None) for call in case.ground_truth.calls),
        expected_text=case.ground_truth.text,
        no_call=not case.ground_truth.calls and case.ground_truth.text is None,
        noun=_noun(shared, counted),
        answers=len({answer.submission.id for answer in counted}),
        groups=_groups(shared, case, counted, _noun(shared, counted)),
        baselines=tuple(_baseline(register, answer) for answer in others),
        tally=tally,
        harder=_harder(shared, tally.passed),
        decided=f"rule {suite.kind}, rules {register.board.rules_version}",
        judges=_judges(register, answers),
        permalink=register.paths.case(suite.id, case.id),
        digest=text.digest(case.digest),
        report=_report(register, suite, case),
        before=Link(before.id, register.paths.case(suite.id, before.id)) if before else None,
        after=Link(after.id, register.paths.case(suite.id, after.id)) if after else None,
    )


def _head(shared: Category, case: Case) -> frame.Head:
    register, suite = shared.register, shared.suite
    return frame.Head(
        path=register.paths.case(suite.id, case.id),
        title=f"{text.clip(case.id, 80)}, {text.clip(suite.title, 60)}: {register.board.title}",
        description=f"Case {text.clip(case.id, 80)}: what is asked, what is right, and every answer to it.",
        section="Suites",
        crumbs=(
            Link("Board", "index.html"),
            Link(suite.title, register.paths.suite(suite.id)),
            Link(label(suite.category(case.category)), register.paths.category(suite.id, case.category)),
            Link(case.id),
        ),
        json=register.paths.case_data(suite.id, case.id),
    )


def _context(case: Case) -> str:
    calls = len(case.ground_truth.calls)
    expected = f"{text.count(calls, 'call')} expected" if calls else "no call expected"
    return f"Case {case.id} · {expected}"


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
                tuple(text.shown(value) for value in argument.accepted if not (argument.may_be_absent and value == "")),
                argument.may_be_absent,
                judged and not argument.closed and any(isinstance(value, str) for value in argument.accepted),
            )
            for argument in call.arguments
        ),
    )


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


def _harder(shared: Category, passed: int) -> str:
    """The share of the category's other cases that more answers pass."""
    others = len(shared.passed) - 1
    easier = sum(other > passed for other in shared.passed)
    return f"{text.whole_percent(easier / others)} of {label(shared.suite.category(shared.id))}" if others else ""


def _judges(register: Register, answers: Iterable[Answer]) -> tuple[JudgeFact, ...]:
    keys = sorted({key for answer in answers if answer.decided_by == "judge" for key in answer.judge_calls})
    found = (register.board.exchange(key) for key in keys)
    names = sorted({exchange.judge for exchange in found if exchange is not None})
    return tuple(judge_fact(register, name) for name in names)


def _report(register: Register, suite: Suite, case: Case) -> str | None:
    title = f"Ground truth of {suite.id} / {text.clip(case.id, 80)}"
    body = f"Case digest {case.digest}.\n\nWhat is wrong with it, and what should count:\n"
    return issue(register.board.repository, title, body)


def _baseline(register: Register, answer: Answer) -> BaselineAnswer:
    card = answer.submission.card
    link = Link(text.clip(card.name, 80) + _trial(answer), register.paths.submission(answer.submission.id))
    return BaselineAnswer(_SIGN[answer.outcome], answer.outcome, answer.reason, link)


def _trial(answer: Answer) -> str:
    return f" (trial {answer.trial})" if answer.trial > 1 else ""


def _groups(shared: Category, case: Case, answers: Iterable[Answer], noun: str) -> tuple[Group, ...]:
    """Equal answers with equal verdicts together, most frequent first; `noun` says what is counted."""
    together: dict[tuple[bytes, str, str, str], list[Answer]] = {}
    for answer in answers:
        key = answer.response.key if answer.response else b""
        together.setdefault((key, answer.outcome, answer.reason, answer.detail), []).append(answer)
    ordered = sorted(together.values(), key=lambda group: (-len(group), "pfu".index(_SIGN[group[0].outcome])))
    return tuple(
        _group(shared, case, group, f"a{index}", text.count(len(group), noun)) for index, group in enumerate(ordered, 1)
    )


def _group(shared: Category, case: Case, answers: Sequence[Answer], anchor: str, size: str) -> Group:
    first, register = answers[0], shared.register
    response = first.response
    names = tuple(
        Link(text.clip(a.submission.card.name, 80) + _trial(a), register.paths.submission(a.submission.id)) for a in answers
    )
    words, missing = _words(register, first)
    differing, calls = _shown_calls(case, response, first) if response else ((), ())
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
        diffs=differing,
        calls=calls,
        said=_said(case, response),
        said_beside=bool(response and response.calls),
        error=(response.error or "") if response else "",
        malformed=(response.malformed or "") if response else "",
        words=words,
        missing=tuple(map(text.digest, missing)),
        record=f"lb rescore {first.submission.id} --record-mode new_episodes" if first.reason == "judge_missing" else "",
        same_wrong=_same_wrong(answers),
    )


def _same_wrong(answers: Sequence[Answer]) -> int:
    """How many submissions, baselines aside, gave this same wrong call; 0 if too few to say anything."""
    first = answers[0]
    if first.outcome != "fail" or first.response is None or not first.response.calls:
        return 0
    submissions = {answer.submission.id for answer in answers if not answer.submission.is_baseline}
    return len(submissions) if len(submissions) >= _MANY else 0


def _decided(shared: Category, answer: Answer) -> str:
    if answer.decided_by == "judge":
        return "rule first, then a judge"
    if answer.outcome == "unscored":
        return "waits for a judge"
    return f"decided by rule {shared.suite.kind}"


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
                settings=text.settings(exchange.settings),
                key=text.digest(key),
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
    return text.clip(f"{grade.rstrip(' .:')}: {reason}" if reason.strip() else grade, 160)


def _said(case: Case, response: Response | None) -> str:
    """What was said, unless it is the expected text itself."""
    said = (response.text or "") if response else ""
    return "" if said.strip() == (case.ground_truth.text or "").strip() else said


def _shown_calls(case: Case, response: Response, answer: Answer) -> tuple[tuple[CallDiff, ...], tuple[MadeCall, ...]]:
    """The differences of the calls made from those expected, and the calls that none was expected for."""
    expected = case.ground_truth.calls
    if not expected or not response.calls:
        return (), tuple(map(_made, response.calls))
    leaning = Leaning(answer.outcome, answer.reason, answer.decided_by == "judge")
    found, free = diffs(expected, response.calls, leaning, underscored=response.underscored)
    return found, tuple(map(_made, free))


def _made(call: Call) -> MadeCall:
    return MadeCall(call.name, tuple((name, text.shown(value)) for name, value in call.arguments.items()))
