"""The judges at the labelled set: each pair put as a submission's answer would be, and what every judge says of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import polars as pl

from leaderboard.errors import FilesError, Problem
from leaderboard.frames import LABELLED
from leaderboard.labels import RECORDED_AS, LabelledPair, LabelledSet
from leaderboard.types import Ask, Call, Case, JudgeCall, JudgeReply, JudgeSettings, Prompt, Question, Referral, Response, Suite
from scoring.judge import parse, settle
from scoring.judge import render as render_prompt
from scoring.rescore import Missing
from scoring.rules import RULES

PANEL: Final = "*"  # the judge that stands for the panel as a whole

_REASONS: Final[Mapping[str, str]] = {
    "judge_equivalent": "equivalent",
    "judge_different": "different",
    "judge_unparseable": "unparseable",
}


@dataclass(frozen=True, slots=True)
class Labelled:
    """What the judges said: the LABELLED frame, and the judge calls that are missing."""

    frame: pl.DataFrame
    missing: tuple[Missing, ...]


def ask_labels(
    labels: Iterable[LabelledSet],
    suites: Mapping[str, Suite],
    prompts: Mapping[tuple[str, str], Prompt],
    panel: Sequence[JudgeSettings],
    ask: Ask,
) -> Labelled:
    """Puts every labelled pair to every judge of the panel; a row for each, and one for the panel as a whole.

    Rows stand in the order of the pairs, within one in the panel's order, the panel last. Raises FilesError for pairs that
    the rules do not leave to a judge.
    """
    put = _questions(tuple(labels), suites)
    replies = iter(ask([call for pair, question in put for call in _calls(pair, question, suites, prompts, panel)]))
    rows: list[tuple[str | None, ...]] = []
    missing: list[Missing] = []
    for pair, _ in put:
        given = {judge.name: next(replies) for judge in panel}
        rows.extend(_rows(pair, given))
        missing.extend(
            Missing(RECORDED_AS, pair.suite, pair.case_id, judge, reply) for judge, reply in given.items() if reply.text is None
        )
    return Labelled(pl.DataFrame(rows, schema=LABELLED, orient="row"), tuple(missing))


def question_of(suite: Suite, pair: LabelledPair) -> Question | None:
    """The question that the suite's rule leaves to a judge if a submission answers this; None where the rule decides."""
    case = suite.by_id[pair.case_id]
    for finding in RULES[suite.kind](suite, case, _response(case, pair)):
        if isinstance(finding, Referral):
            (question,) = finding.questions
            return question
    return None


def decided_pairs(labels: Iterable[LabelledSet], suites: Mapping[str, Suite]) -> tuple[Problem, ...]:
    """A problem for every pair that the rules decide alone: it says nothing about a judge."""
    return tuple(
        labelled.problem(pair, "is decided by the rules; no judge is asked about it", "take it out")
        for labelled in labels
        for pair in labelled.pairs
        if question_of(suites[pair.suite], pair) is None
    )


def _questions(labels: Sequence[LabelledSet], suites: Mapping[str, Suite]) -> list[tuple[LabelledPair, Question]]:
    pairs = [pair for labelled in labels for pair in labelled.pairs]
    put = [(pair, question) for pair in pairs if (question := question_of(suites[pair.suite], pair))]
    if len(put) < len(pairs):
        raise FilesError(decided_pairs(labels, suites))
    return put


def _response(case: Case, pair: LabelledPair) -> Response:
    """The answer as a submission would have given it: the text, or the expected call with the one argument changed."""
    if pair.argument is None:
        return Response(case.id, b"", (), pair.got)
    expected = case.ground_truth.calls[0]
    arguments = {a.name: a.accepted[0] for a in expected.arguments if not a.may_be_absent} | {pair.argument: pair.got}
    return Response(case.id, b"", (Call(expected.name or "", arguments),), None)


def _calls(
    pair: LabelledPair,
    question: Question,
    suites: Mapping[str, Suite],
    prompts: Mapping[tuple[str, str], Prompt],
    panel: Sequence[JudgeSettings],
) -> Iterator[JudgeCall]:
    name = suites[pair.suite].category(pair.category).prompt or ""
    for judge in panel:
        yield JudgeCall(judge, pair.suite, RECORDED_AS, render_prompt(prompts[pair.suite, name], question))


def _rows(pair: LabelledPair, given: Mapping[str, JudgeReply]) -> Iterator[tuple[str | None, ...]]:
    place = (pair.suite, pair.category, pair.id, pair.case_id, pair.label)
    for judge, reply in given.items():
        yield (judge, *place, _said(reply), reply.text, reply.key)
    verdict = settle("label", "", {judge: (reply,) for judge, reply in given.items()})
    yield (PANEL, *place, _REASONS.get(verdict.reason, "missing"), None, verdict.judge_call)


def _said(reply: JudgeReply) -> str:
    if reply.text is None:
        return "missing"
    return parse(reply.text) or "unparseable"
