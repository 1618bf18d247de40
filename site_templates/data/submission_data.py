"""The data of each submission page: scores and mistakes as JSON, verdicts as CSV and Parquet."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from leaderboard.types import Submission, Suite
from site_templates.board_index import BoardIndex
from site_templates.data.board_tables import SCHEMA, encode, in_order, stem_of, written
from site_templates.data.data_shapes import (
    SUBMISSION_VERDICTS,
    MistakeRow,
    SubmissionDataFile,
)
from site_templates.data.suite_data import standings


def submission_files(index: BoardIndex) -> Iterator[tuple[str, bytes]]:
    """Path and bytes of the data of every submission."""
    verdicts = in_order(index.board.verdicts).select("submission", *SUBMISSION_VERDICTS)
    found = verdicts.partition_by("submission", as_dict=True, include_key=False)
    nothing = pl.DataFrame(schema=SUBMISSION_VERDICTS)
    for submission in index.submissions:
        path = index.paths.submission_data(submission.id)
        yield path, encode(_submission(index, submission))
        yield from written(stem_of(path), found.get((submission.id,), nothing))


def _submission(index: BoardIndex, submission: Submission) -> SubmissionDataFile:
    card, suites = submission.card, index.board.suites
    return {
        "schema": SCHEMA,
        "submission": submission.id,
        "name": card.name,
        "kind": card.kind,
        "organization": card.organization,
        "model": card.model,
        "date": card.date,
        "files": dict(sorted(submission.files.items())),
        "scores": {
            suite.id: standings(index, submission, suite)
            for suite in suites
            if index.score(submission.id, suite.id) is not None
        },
        "mistakes": [row for suite in suites for row in _mistakes(index, submission, suite)],
    }


def _mistakes(index: BoardIndex, submission: Submission, suite: Suite) -> Iterator[MistakeRow]:
    """Every verdict of a submission other than a pass, in the order of the cases."""
    for case, answer in index.sent.get((submission.id, suite.id), ()):
        if answer.outcome != "pass":
            yield {
                "suite": suite.id,
                "case": case.id,
                "trial": answer.trial,
                "outcome": answer.outcome,
                "reason": answer.reason,
            }
