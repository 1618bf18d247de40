"""Judges, and the whole decision, on the labelled sets."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import polars as pl

from leaderboard.digest import canonical
from leaderboard.files.cassette_paths import LABELS
from leaderboard.files.label_files import LabelledPair, LabelledSet
from leaderboard.frames import LABELLED
from leaderboard.ids import PANEL
from leaderboard.judge_providers import DECISION
from leaderboard.types import (
    Ask,
    Call,
    Case,
    JudgeSettings,
    Prompt,
    Referral,
    Response,
    Suite,
    Verdict,
)
from scoring.judging.panel_questions import MissingCall, Panel, PanelQuestion

_Row = tuple[str | float | None, ...]


@dataclass(frozen=True, slots=True)
class LabelRows:
    """The LABELLED rows about one suite, and the judge calls that are missing.

    `replies` are those that the rows rest on: the judge's name, the key and the text.
    """

    rows: Sequence[_Row]
    replies: Sequence[tuple[str, str, str]]
    missing_calls: tuple[MissingCall, ...] = ()


@dataclass(frozen=True, slots=True)
class Labelled:
    """What was found about the labelled pairs of each suite."""

    by_suite: Mapping[str, LabelRows] = field(default_factory=dict)

    @property
    def frame(self) -> pl.DataFrame:
        """The LABELLED frame."""
        rows = [row for of_suite in self.by_suite.values() for row in of_suite.rows]
        return pl.DataFrame(rows, schema=LABELLED, orient="row")

    @property
    def missing_calls(self) -> tuple[MissingCall, ...]:
        return tuple(call for of_suite in self.by_suite.values() for call in of_suite.missing_calls)


@dataclass(slots=True)
class _Asked:
    """A labelled pair and the finding about it. `decision`: it belongs to the second set.

    `grades` are those of the suite, with what they count.
    """

    pair: LabelledPair
    grades: Mapping[str, float]
    finding: Verdict | PanelQuestion
    decision: bool

    def rows(self, panel: Sequence[JudgeSettings]) -> Iterator[_Row]:
        """A row per judge and one of the panel, or only the row of the decision."""
        finding, judges = self.finding, () if self.decision else panel
        if isinstance(finding, PanelQuestion):
            for judge in judges:
                passed = finding.passed(judge.name)
                reply = finding.words(judge.name)
                yield self._row(judge.name, finding.settle(judge.name), passed, reply)
            together = DECISION if self.decision else PANEL
            yield self._row(together, finding.settle(), finding.passed())
        elif self.decision:
            yield self._row(DECISION, finding, float(finding.outcome == "pass"))

    def _row(
        self, judge: str, verdict: Verdict, passed: float | None, reply: str | None = None
    ) -> _Row:
        pair = self.pair
        grade = verdict.reason.removeprefix("judge_").removeprefix("judged_")
        if verdict.reason in ("judge_tie", "judge_pending"):
            grade = "missing"  # no grade of the whole panel, or none that counts yet
        if verdict.decided_by == "rule":
            best = max if verdict.outcome == "pass" else min
            grade = best(self.grades, key=self.grades.__getitem__)
        place = (pair.suite, pair.category, pair.id, pair.case_id, pair.label)
        return (judge, *place, grade, passed, reply, verdict.judge_call)


def ask_labels(
    labels: Iterable[LabelledSet],
    suites: Mapping[str, Suite],
    prompts: Mapping[tuple[str, str], Prompt],
    panel: Sequence[JudgeSettings],
    ask: Ask,
    *,
    decided: Mapping[str, LabelRows] | None = None,
) -> Labelled:
    """Decides every labelled pair like an answer of a submission.

    The first set measures judges. They are asked about every pair that rules without facts leave
    open; any other pair says nothing about a judge and has no row. The second set measures the
    decision by rules, facts and judges together, and each pair has one row.

    Suites in `decided` are not decided again.
    """
    by_suite: defaultdict[str, list[LabelledSet]] = defaultdict(list)
    for labelled in labels:
        by_suite[labelled.suite].append(labelled)
    rows: dict[str, LabelRows] = {}
    for suite_id, sets in by_suite.items():
        if decided is not None and suite_id in decided:
            rows[suite_id] = decided[suite_id]
        else:
            asking = Panel(prompts, panel, ask)
            rows[suite_id] = _decide(suites[suite_id], sets, asking)
    return Labelled(rows)


def _decide(suite: Suite, sets: Sequence[LabelledSet], asking: Panel) -> LabelRows:
    asked: list[_Asked] = []
    for labelled in sets:
        for pair in labelled.pairs:
            finding = _finding(suite, pair, with_facts=labelled.decision)
            if isinstance(finding, Referral):
                question = PanelQuestion(suite.by_id[pair.case_id], finding)
                asked.append(_Asked(pair, suite.kind.grades, question, labelled.decision))
            elif labelled.decision:
                asked.append(_Asked(pair, suite.kind.grades, finding, decision=True))

    open_findings = [one.finding for one in asked if isinstance(one.finding, PanelQuestion)]
    asking.put(LABELS, suite, open_findings)
    return LabelRows(
        rows=[row for one in asked for row in one.rows(asking.judges)],
        replies=[(*call, text) for call, text in asking.replies.items()],
        missing_calls=tuple(
            missing for one in open_findings for missing in one.missing_calls(LABELS, suite.id)
        ),
    )


def _finding(suite: Suite, pair: LabelledPair, *, with_facts: bool) -> Verdict | Referral:
    """What the suite's rule finds about the ranked metric, if a submission answers this."""
    case, kind = suite.by_id[pair.case_id], suite.kind
    response = _response(case, pair)
    if not with_facts:
        case = replace(case, ground_truth=replace(case.ground_truth, facts=None))
    findings = kind.decide(suite, case, kind.confirm(suite, case, response))
    return next(finding for finding in findings if finding.metric == kind.ranked)


def _response(case: Case, pair: LabelledPair) -> Response:
    """The text as a response: as it is, or as one argument of the expected call."""
    calls = [[call.name, call.arguments, call.result] for call in pair.calls]
    key = canonical(["labelled", case.id, pair.argument, pair.got, calls])
    if pair.argument is None:
        return Response(case.id, key, pair.calls, pair.got)
    expected = case.ground_truth.calls[0]
    arguments = {a.name: a.accepted[0] for a in expected.arguments if not a.may_be_absent}
    call = Call(expected.name or "", {**arguments, pair.argument: pair.got})
    return Response(case.id, key, (call,), None)
