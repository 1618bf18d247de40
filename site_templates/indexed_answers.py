"""The answers of a board with their verdicts, by suite and case."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from itertools import groupby
from operator import itemgetter
from typing import Final

import polars as pl

from leaderboard.responses.answer_identity import answer_key
from leaderboard.types import DecidedBy, ImportedVote, Outcome, Records, Response
from site_templates.board import Board
from site_templates.indexed_rows import Answer, Finding

_VERDICT: Final = ("outcome", "reason", "detail", "decided_by", "judge_call")
_Verdict = tuple[Outcome, str, str, DecidedBy, tuple[str, ...]]
# A response with its key and its votes.
_KeyedResponse = tuple[Response | None, bytes | None, tuple[ImportedVote, ...]]
_NOTHING: Final[_KeyedResponse] = (None, None, ())
_Place = tuple[str, str, str, int]  # suite, submission, case and trial
_PLACE: Final = ("suite", "submission", "case_id", "trial")


def indexed_answers(
    board: Board, verdicts: pl.LazyFrame, metrics: Mapping[str, Sequence[str]]
) -> dict[tuple[str, str], tuple[Answer, ...]]:
    """The answers with their verdicts, by (suite, case).

    Answers to a case are ordered by submission and trial. `metrics` are those of each suite, the
    ranked one first.
    """
    submissions = {submission.id: submission for submission in board.submissions}
    ranked = board.ranked_metrics.lazy()
    findings = _findings(verdicts.join(ranked, on=["suite", "metric"], how="anti"), metrics)
    counted = verdicts.filter(pl.col("submission").is_in(list(submissions)))
    rows, distinct = _distinct_verdicts(counted.join(ranked, on=["suite", "metric"], how="semi"))

    keys: dict[Response, bytes | None] = {}
    answers: defaultdict[tuple[str, str], list[Answer]] = defaultdict(list)
    for (suite, submission), places in groupby(rows.iter_rows(), key=itemgetter(0, 1)):
        responses = _responses_of(board, submission, suite, keys)
        for _, _, case, trial, number in places:
            response, key, votes = responses.get((case, trial), _NOTHING)
            verdict: _Verdict = distinct[number]
            further = findings.get((suite, submission, case, trial), ())
            answer = Answer(submissions[submission], trial, response, key, *verdict, further, votes)
            answers[suite, case].append(answer)
    return {place: tuple(of_case) for place, of_case in answers.items()}


def _distinct_verdicts(verdicts: pl.LazyFrame) -> tuple[pl.DataFrame, list[_Verdict]]:
    """The places of verdicts in order, each with a number, and what the verdicts say by number.

    Equal verdicts share their texts, which would otherwise be in memory for every row.
    """
    unique = verdicts.select(_VERDICT).unique().collect().with_row_index("number")
    places = verdicts.join(unique.lazy(), on=_VERDICT, how="left", nulls_equal=True)
    distinct: list[_Verdict] = []
    for outcome, reason, detail, decided_by, calls in unique.select(_VERDICT).iter_rows():
        judge_calls = tuple((calls or "").split())
        distinct.append((outcome, reason or "", detail or "", decided_by, judge_calls))
    return places.select(*_PLACE, "number").sort(_PLACE).collect(), distinct


def _responses_of(
    board: Board, submission: str, suite: str, keys: dict[Response, bytes | None]
) -> dict[tuple[str, int], _KeyedResponse]:
    """What a submission sent for a suite, by case and trial. `keys` gets the key of each response.

    Equal answers are one response, whose key is made once.
    """
    records = board.records.get((submission, suite), Records())
    of_suite = board.suite_of(suite)
    any_order = of_suite.kind.calls_in_any_order
    responses: dict[tuple[str, int], _KeyedResponse] = {}
    for row, (response, trial) in enumerate(zip(records.responses, records.trials, strict=True)):
        if response not in keys:
            case = of_suite.by_id[response.case_id]
            keys[response] = answer_key(case, response, in_any_order=any_order)
        votes = records.votes.get(row, ())
        responses[response.case_id, trial] = (response, keys[response], votes)
    return responses


def _findings(
    verdicts: pl.LazyFrame, metrics: Mapping[str, Sequence[str]]
) -> dict[_Place, tuple[Finding, ...]]:
    """The verdicts by other metrics than the ranked one, in the order of the suite's metrics."""
    findings: defaultdict[_Place, list[Finding]] = defaultdict(list)
    columns = (*_PLACE, *(field.name for field in fields(Finding)))
    for suite, submission, case, trial, *verdict in verdicts.select(columns).collect().iter_rows():
        findings[suite, submission, case, trial].append(Finding(*verdict))
    return {place: _in_order(some, metrics[place[0]]) for place, some in findings.items()}


def _in_order(findings: Iterable[Finding], metrics: Sequence[str]) -> tuple[Finding, ...]:
    return tuple(sorted(findings, key=lambda finding: metrics.index(finding.metric)))
