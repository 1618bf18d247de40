"""The JSON of each submission page: its scores and mistakes."""

from __future__ import annotations

from collections.abc import Iterator

from leaderboard.types import Submission, Suite
from site_templates.board_index import BoardIndex
from site_templates.data.data_fields import MistakeRow, SubmissionDataFile
from site_templates.data.download_formats import SCHEMA, encode
from site_templates.data.suite_data import standings


def submission_files(index: BoardIndex) -> Iterator[tuple[str, bytes]]:
    """Path and bytes of the JSON of every submission. Large boards have tables alone."""
    if index.board.is_large:
        return
    for submission in index.submissions:
        path = index.paths.submission_data(submission.id)
        yield path, encode(_submission(index, submission))


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
    for case, answer in index.sent(submission.id, suite.id):
        if answer.outcome != "pass":
            yield {
                "suite": suite.id,
                "case": case.id,
                "trial": answer.trial,
                "outcome": answer.outcome,
                "reason": answer.reason,
            }
