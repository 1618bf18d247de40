"""The board's tables as JSON, CSV and Parquet, and the JSON of suites, cases and submissions."""

from __future__ import annotations

import dataclasses
import io
import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

import polars as pl

from leaderboard.apis.reference_runs import ABOUT
from leaderboard.types import Call, Case, Json, Response, Submission, Suite
from site_templates.board import Board
from site_templates.board_index import WHOLE, Answer, BoardIndex, Score
from site_templates.data.data_shapes import (
    AnswerValue,
    CallValue,
    CaseFile,
    MistakeRow,
    ResponseValue,
    Standings,
    SubmissionFile,
    SuiteFile,
)
from site_templates.links import Link

SCHEMA: Final = 1  # of every JSON file written here
CITATION: Final = "CITATION.cff"
_KEYS: Final = ("judge", "other", "submission", "suite", "category", "case_id", "trial", "metric")


def links(stem: str, *formats: str) -> tuple[Link, ...]:
    """Links to the files of a table in these formats. `stem` is their path without the ending."""
    return tuple(Link(name, f"{stem}.{name.lower()}") for name in formats)


DOWNLOADS: Final = (
    ("scores", links("data/scores", "JSON", "CSV", "Parquet")),
    ("verdicts", links("data/verdicts", "CSV", "Parquet")),
    ("usage", links("data/usage", "JSON", "CSV", "Parquet")),
    ("manifest", links("data/manifest", "JSON")),
)


def encode(value: object) -> bytes:
    """JSON in one line, with everything outside ASCII escaped. Dataclasses become objects."""
    text = json.dumps(value, separators=(",", ":"), allow_nan=False, default=_object)
    return f"{text}\n".encode()


def _object(value: Any) -> dict[str, Json]:
    """A mapping or a dataclass as a JSON object."""
    if isinstance(value, Mapping):
        return dict(value)
    return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}


def manifest(value: Mapping[str, Any]) -> bytes:
    """The manifest as its file holds it: indented, keys in order."""
    return (json.dumps(value, indent=2, sort_keys=True, ensure_ascii=False) + "\n").encode()


def in_order(frame: pl.DataFrame) -> pl.DataFrame:
    """The rows sorted by the columns that identify them."""
    return frame.sort([name for name in _KEYS if name in frame.columns])


def written(stem: str, frame: pl.DataFrame) -> Iterator[tuple[str, bytes]]:
    """Path and bytes of a table as CSV and as Parquet. `stem` is their path without the ending."""
    yield f"{stem}.csv", frame.write_csv().encode()
    sink = io.BytesIO()
    frame.write_parquet(sink, compression="zstd", statistics=True)
    yield f"{stem}.parquet", sink.getvalue()


def tables(board: Board) -> Iterator[tuple[str, bytes]]:
    """Path and bytes of the tables of the whole board, its manifest and its citation."""
    for name, frame in (("scores", board.scores), ("usage", board.usage)):
        rows = in_order(frame)
        yield f"data/{name}.json", encode({"schema": SCHEMA, name: rows.to_dicts()})
        yield from written(f"data/{name}", rows)
    yield from written("data/verdicts", in_order(board.verdicts))
    yield "data/manifest.json", manifest(board.manifest)
    if board.citation is not None:
        yield CITATION, board.citation


def pages(index: BoardIndex) -> Iterator[tuple[str, bytes]]:
    """Path and bytes of the JSON beside each suite, case and submission page."""
    paths = index.paths
    for suite in index.board.suites:
        yield paths.suite_data(suite.id), encode(_suite(index, suite))
        for case in suite.cases:
            yield paths.case_data(suite.id, case.id), encode(_case(index, suite, case))
    for submission in index.submissions:
        yield paths.submission_data(submission.id), encode(_submission(index, submission))


# ---------------------------------------------------------------- suites


def _suite(index: BoardIndex, suite: Suite) -> SuiteFile:
    return {
        "schema": SCHEMA,
        "suite": suite.id,
        "title": suite.title,
        "kind": suite.kind.name,
        "digest": suite.digest,
        "policy": dict(sorted(suite.policy.items())),
        "metric": index.board.metric(suite.id),
        "categories": [
            {
                "category": category.id,
                "title": category.title,
                "weight": category.weight,
                "prompt": category.prompt,
                "cases": [case.id for case in category.cases],
            }
            for category in suite.categories
        ],
        "scores": [
            {"submission": taker.id, **_standings(index, taker, suite)}
            for taker in index.takers(suite.id)
        ],
    }


def _standings(index: BoardIndex, submission: Submission, suite: Suite) -> Standings:
    """The scores of a submission by category, with other metrics and trials if there are any."""
    names = (WHOLE, *(category.id for category in suite.categories))
    keys = {name: (submission.id, suite.id, name) for name in names}
    ranked = {name: index.scores[key] for name, key in keys.items() if key in index.scores}
    found: Standings = {"rank": index.rank(submission.id, suite.id), "by_category": ranked}

    by_metric: dict[str, dict[str, Score]] = {}
    for metric in index.metrics[suite.id][1:]:
        scores = {name: index.further.get((*key, metric)) for name, key in keys.items()}
        by_metric[metric] = {name: score for name, score in scores.items() if score is not None}
    if by_metric:
        found["by_metric"] = by_metric

    trials = {name: index.trials[key] for name, key in keys.items() if key in index.trials}
    if trials:
        found["trials"] = trials
    return found


# ---------------------------------------------------------------- cases


def _case(index: BoardIndex, suite: Suite, case: Case) -> CaseFile:
    file: CaseFile = {
        "schema": SCHEMA,
        "suite": suite.id,
        "category": case.category,
        "case": case.id,
        "digest": case.digest,
        "record": dict(case.record),
        "answers": [_answer(answer) for answer in index.answered(suite.id, case.id)],
    }
    run = index.board.references.get((suite.id, case.id))
    if run is not None:
        calls = [_call(call) for call in run.calls]
        file["reference_run"] = {"about": ABOUT, "calls": calls, "final_answer": run.final_answer}
    return file


def _answer(answer: Answer) -> AnswerValue:
    value: AnswerValue = {
        "submission": answer.submission.id,
        "trial": answer.trial,
        "response": None if answer.response is None else _response(answer.response),
        "verdict": {
            "outcome": answer.outcome,
            "reason": answer.reason,
            "detail": answer.detail,
            "decided_by": answer.decided_by,
            "judge_calls": answer.judge_calls,
        },
    }
    if answer.further:
        value["further"] = answer.further
    if answer.votes:
        value["imported_votes"] = answer.votes
    return value


def _response(response: Response) -> ResponseValue:
    calls = [_call(call) for call in response.calls]
    value: ResponseValue = {"calls": calls, "text": response.text}
    if response.error is not None:
        value["error"] = response.error
    if response.malformed is not None:
        value["malformed"] = response.malformed
    if response.has_state:
        value["state"] = response.state
    return value


def _call(call: Call) -> CallValue:
    value: CallValue = {"name": call.name, "arguments": dict(call.arguments)}
    if call.result is not None:
        value["result"] = call.result
    return value


# ---------------------------------------------------------------- submissions


def _submission(index: BoardIndex, submission: Submission) -> SubmissionFile:
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
            suite.id: _standings(index, submission, suite)
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
