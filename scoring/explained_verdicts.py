"""Why a submission passed or failed single cases: its verdicts beside expectation and answer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import polars as pl

from leaderboard.reasons import reason_words
from leaderboard.results import Results
from leaderboard.texts.case_words import expected_lines, given_lines
from leaderboard.types import Records, Suite


@dataclass(frozen=True, slots=True)
class ExplainedVerdict:
    """A verdict with everything that a reader needs to understand it.

    `reason` is the code, `words` what it means. `expected` and `given` are lines of text that
    others wrote. `judge_calls` are keys of recorded calls.
    """

    suite: str
    category: str
    case: str
    trial: int
    metric: str
    outcome: str
    score: float | None
    reason: str
    words: str
    detail: str
    decided_by: str
    judge_calls: tuple[str, ...]
    question: str
    expected: tuple[str, ...]
    given: tuple[str, ...]


def failures(
    results: Results, suite: Suite, submission: str, records: Records
) -> Iterator[ExplainedVerdict]:
    """Yields the verdicts of the ranked metric that are no pass, in the order of the cases."""
    verdicts = results.verdicts.filter(
        pl.col("outcome") != "pass",
        suite=suite.id,
        submission=submission,
        metric=suite.kind.ranked,
    )
    yield from _explained(verdicts, suite, records)


def verdicts_of_case(
    results: Results, suite: Suite, submission: str, records: Records, case_id: str
) -> Iterator[ExplainedVerdict]:
    """Yields every verdict on one case: each trial, each metric."""
    verdicts = results.verdicts.filter(suite=suite.id, submission=submission, case_id=case_id)
    yield from _explained(verdicts, suite, records)


def _explained(
    verdicts: pl.DataFrame, suite: Suite, records: Records
) -> Iterator[ExplainedVerdict]:
    responses = {(record.response.case_id, record.trial): record.response for record in records}
    position = {case.id: number for number, case in enumerate(suite.cases)}
    rows = sorted(
        verdicts.iter_rows(named=True), key=lambda row: (position[row["case_id"]], row["trial"])
    )
    for row in rows:
        case = suite.by_id[row["case_id"]]
        yield ExplainedVerdict(
            suite=suite.id,
            category=row["category"],
            case=case.id,
            trial=row["trial"],
            metric=row["metric"],
            outcome=row["outcome"],
            score=row["score"],
            reason=row["reason"],
            words=reason_words(row["reason"]),
            detail=row["detail"],
            decided_by=row["decided_by"],
            judge_calls=tuple((row["judge_call"] or "").split()),
            question=case.query,
            expected=tuple(expected_lines(case)),
            given=tuple(given_lines(responses.get((case.id, row["trial"])))),
        )
