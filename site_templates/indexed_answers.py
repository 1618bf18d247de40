"""The answers of a board with their verdicts, by suite and case."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Final

import polars as pl

from leaderboard.responses.answer_identity import answer_key
from leaderboard.types import DecidedBy, Outcome, Records, Response
from site_templates.board import Board
from site_templates.indexed_rows import Answer, Finding

_SAID: Final = ("outcome", "reason", "detail", "decided_by", "judge_call")
_Decided = tuple[Outcome, str, str, DecidedBy, tuple[str, ...]]


def indexed_answers(
    board: Board, verdicts: pl.LazyFrame, metrics: Mapping[str, Sequence[str]]
) -> dict[tuple[str, str], tuple[Answer, ...]]:
    """The answers with their verdicts, by (suite, case).

    Answers to a case are ordered by submission and trial. `metrics` are those of each suite, the
    ranked one first.
    """
    keys = ["suite", "submission", "case_id", "trial"]
    ranked = pl.DataFrame(
        {"suite": list(metrics), "metric": [names[0] for names in metrics.values()]},
        schema={"suite": pl.String, "metric": pl.String},
    ).lazy()
    findings = _findings(verdicts.join(ranked, on=["suite", "metric"], how="anti"), metrics)
    known = {submission.id: submission for submission in board.submissions}
    mine = verdicts.filter(pl.col("submission").is_in(list(known)))
    mine = mine.join(ranked, on=["suite", "metric"], how="semi")

    # Equal verdicts share their texts, which would otherwise be in memory for every row.
    distinct = mine.select(_SAID).unique().collect().with_row_index("verdict")
    decided = list(_decided(distinct))
    numbered = mine.join(distinct.lazy(), on=_SAID, how="left", nulls_equal=True)
    rows = numbered.select(*keys, "verdict").sort(keys).collect()

    cases = {suite.id: suite.by_id for suite in board.suites}
    same: dict[Response | None, bytes | None] = {None: None}
    answers: defaultdict[tuple[str, str], list[Answer]] = defaultdict(list)
    for (suite, submission), given in groupby(rows.iter_rows(), key=itemgetter(0, 1)):
        records = board.records.get((submission, suite), Records())
        names = ((response.case_id for response in records.responses), records.trials)
        places = {key: place for place, key in enumerate(zip(*names, strict=True))}
        for _, _, case, trial, verdict in given:
            place = places.get((case, trial))
            response = None if place is None else records.responses[place]
            if response is not None and response not in same:
                same[response] = answer_key(cases[suite][case], response)
            outcome, reason, detail, decided_by, calls = decided[verdict]
            answer = Answer(
                known[submission],
                trial,
                response,
                same[response],
                outcome,
                reason,
                detail,
                decided_by,
                calls,
                findings.get((suite, submission, case, trial), ()),
                () if place is None else records.votes.get(place, ()),
            )
            answers[suite, case].append(answer)
    return {key: tuple(rows) for key, rows in answers.items()}


def _decided(verdicts: pl.DataFrame) -> Iterator[_Decided]:
    """What verdicts say, without nulls, with a list of judge calls."""
    for outcome, reason, detail, decided_by, calls in verdicts.select(_SAID).iter_rows():
        yield outcome, reason or "", detail or "", decided_by, tuple((calls or "").split())


def _findings(
    verdicts: pl.LazyFrame, metrics: Mapping[str, Sequence[str]]
) -> dict[tuple[str, str, str, int], tuple[Finding, ...]]:
    """The verdicts by other metrics than the ranked one, in the order of the suite's metrics.

    Keys are (suite, submission, case, trial).
    """
    found: defaultdict[tuple[str, str, str, int], list[Finding]] = defaultdict(list)
    columns = ["suite", "submission", "case_id", "trial"]
    columns += ["metric", "outcome", "score", "reason", "detail", "decided_by"]
    for suite, submission, case, trial, *verdict in verdicts.select(columns).collect().iter_rows():
        found[suite, submission, case, trial].append(Finding(*verdict))
    return {key: _in_order(row, metrics[key[0]]) for key, row in found.items()}


def _in_order(findings: Iterable[Finding], metrics: Sequence[str]) -> tuple[Finding, ...]:
    return tuple(sorted(findings, key=lambda finding: metrics.index(finding.metric)))
