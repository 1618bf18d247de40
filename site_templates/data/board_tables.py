"""Downloads: the board's tables as JSON, CSV and Parquet, and the JSON beside the pages. All in fixed order."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

import polars as pl

from leaderboard.apis.reference_runs import ABOUT
from leaderboard.types import Call, Case, ImportedVote, Json, Response, Submission, Suite
from site_templates.board import Board
from site_templates.board_index import Answer, Finding, Register, Score, Trials
from site_templates.links import Link

SCHEMA: Final = 1  # of every JSON file written here
CITATION: Final = "CITATION.cff"
_KEYS: Final = ("judge", "other", "submission", "suite", "category", "case_id", "trial", "metric")

DOWNLOADS: Final = (
    (
        "scores",
        (
            Link("JSON", "data/scores.json"),
            Link("CSV", "data/scores.csv"),
            Link("Parquet", "data/scores.parquet"),
        ),
    ),
    ("verdicts", (Link("CSV", "data/verdicts.csv"), Link("Parquet", "data/verdicts.parquet"))),
    (
        "usage",
        (
            Link("JSON", "data/usage.json"),
            Link("CSV", "data/usage.csv"),
            Link("Parquet", "data/usage.parquet"),
        ),
    ),
    ("manifest", (Link("JSON", "data/manifest.json"),)),
)


def encode(value: Json) -> bytes:
    """JSON in one line, as UTF-8 in which no character can be lost: what is outside ASCII is escaped."""
    return (json.dumps(value, separators=(",", ":"), allow_nan=False) + "\n").encode()


def manifest(value: Mapping[str, Any]) -> bytes:
    """The manifest as its file holds it: indented, keys in order."""
    return (json.dumps(value, indent=2, sort_keys=True, ensure_ascii=False) + "\n").encode()


def tables(board: Board) -> Iterator[tuple[str, bytes]]:
    """Path and bytes of every table, of the manifest, and of the file that says how to cite the board."""
    scores, verdicts, usage = (
        in_order(frame) for frame in (board.scores, board.verdicts, board.usage)
    )
    yield "data/scores.json", _rows("scores", scores)
    yield "data/usage.json", _rows("usage", usage)
    for name, frame in (("scores", scores), ("verdicts", verdicts), ("usage", usage)):
        yield from written(f"data/{name}", frame)
    yield "data/manifest.json", manifest(board.manifest)
    if board.citation is not None:
        yield CITATION, board.citation


def in_order(frame: pl.DataFrame) -> pl.DataFrame:
    """The rows in the order of what they are about."""
    return frame.sort([name for name in _KEYS if name in frame.columns])


def written(stem: str, frame: pl.DataFrame) -> Iterator[tuple[str, bytes]]:
    """Path and bytes of a table as CSV and as Parquet; `stem` is their path without the ending."""
    yield f"{stem}.csv", frame.write_csv().encode()
    yield f"{stem}.parquet", _parquet(frame)


def _rows(name: str, frame: pl.DataFrame) -> bytes:
    return encode({"schema": SCHEMA, name: frame.to_dicts()})


def _parquet(frame: pl.DataFrame) -> bytes:
    sink = io.BytesIO()
    frame.write_parquet(sink, compression="zstd", statistics=True)
    return sink.getvalue()


def pages(register: Register) -> Iterator[tuple[str, bytes]]:
    """Path and bytes of the JSON beside each suite, case and submission page."""
    for suite in register.board.suites:
        yield register.paths.suite_data(suite.id), encode(_suite(register, suite))
        for case in suite.cases:
            yield register.paths.case_data(suite.id, case.id), encode(_case(register, suite, case))
    for submission in register.submissions:
        yield (
            register.paths.submission_data(submission.id),
            encode(_submission(register, submission)),
        )


def _suite(register: Register, suite: Suite) -> Json:
    return {
        "schema": SCHEMA,
        "suite": suite.id,
        "title": suite.title,
        "kind": suite.kind.name,
        "digest": suite.digest,
        "policy": dict(sorted(suite.policy.items())),
        "metric": register.board.metric(suite.id),
        "categories": [
            {
                "category": c.id,
                "title": c.title,
                "weight": c.weight,
                "prompt": c.prompt,
                "cases": [case.id for case in c.cases],
            }
            for c in suite.categories
        ],
        "scores": [
            {
                "submission": s.id,
                "rank": register.rank(s.id, suite.id),
                "by_category": _by_category(register, s, suite),
                **_further(register, s, suite),
            }
            for s in register.takers(suite.id)
        ],
    }


def _by_category(register: Register, submission: Submission, suite: Suite) -> Json:
    names = ("*", *(category.id for category in suite.categories))
    found = {name: register.score(submission.id, suite.id, name) for name in names}
    return {name: _score(score) for name, score in found.items() if score is not None}


def _further(register: Register, submission: Submission, suite: Suite) -> dict[str, Json]:
    """The other metrics by name and category, and what trials say; each only where there is any."""
    names = ("*", *(category.id for category in suite.categories))
    found = {
        metric: {
            name: _score(score)
            for name in names
            if (score := register.further.get((submission.id, suite.id, name, metric))) is not None
        }
        for metric in register.metrics[suite.id][1:]
    }
    trials = {
        name: [{field: getattr(trial, field) for field in Trials.__slots__} for trial in rows]
        for name in names
        if (rows := register.trials.get((submission.id, suite.id, name)))
    }
    return ({"by_metric": found} if found else {}) | ({"trials": trials} if trials else {})


def _score(score: Score) -> Json:
    return {name: getattr(score, name) for name in Score.__slots__}


def _case(register: Register, suite: Suite, case: Case) -> Json:
    return {
        "schema": SCHEMA,
        "suite": suite.id,
        "category": case.category,
        "case": case.id,
        "digest": case.digest,
        "record": dict(case.record),
        "answers": [_answer(answer) for answer in register.answered(suite.id, case.id)],
        **_reference(register, suite, case),
    }


def _reference(register: Register, suite: Suite, case: Case) -> dict[str, Json]:
    """The reference run, where there is one, with the words that say what it is not."""
    run = register.board.references.get((suite.id, case.id))
    if run is None:
        return {}
    calls = [_call(call) for call in run.calls]
    return {"reference_run": {"about": ABOUT, "calls": calls, "final_answer": run.final_answer}}


def _answer(answer: Answer) -> Json:
    return {
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
        **(
            {"further": [_finding(finding) for finding in answer.further]} if answer.further else {}
        ),
        **({"imported_votes": [_vote(vote) for vote in answer.votes]} if answer.votes else {}),
    }


def _finding(finding: Finding) -> Json:
    """The verdict by a metric that is not the ranked one."""
    return {name: getattr(finding, name) for name in Finding.__slots__}


def _vote(vote: ImportedVote) -> Json:
    """What another judge said of an answer before it was imported: no verdict of this board."""
    return {name: getattr(vote, name) for name in ImportedVote.__slots__}


def _response(response: Response) -> Json:
    told = {"error": response.error, "malformed": response.malformed}
    return {
        "calls": [_call(call) for call in response.calls],
        "text": response.text,
        **{name: value for name, value in told.items() if value is not None},
        **({"state": response.state} if response.has_state else {}),
    }


def _call(call: Call) -> Json:
    answered = {} if call.result is None else {"result": call.result}
    return {"name": call.name, "arguments": dict(call.arguments), **answered}


def _submission(register: Register, submission: Submission) -> Json:
    card = submission.card
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
            suite.id: {
                "rank": register.rank(submission.id, suite.id),
                "by_category": _by_category(register, submission, suite),
                **_further(register, submission, suite),
            }
            for suite in register.board.suites
            if register.score(submission.id, suite.id) is not None
        },
        "mistakes": _mistakes(register, submission),
    }


def _mistakes(register: Register, submission: Submission) -> Json:
    """Every verdict of a submission that is no pass, in order of suites and their cases."""
    return [
        {
            "suite": suite.id,
            "case": case.id,
            "trial": answer.trial,
            "outcome": answer.outcome,
            "reason": answer.reason,
        }
        for suite in register.board.suites
        for case, answer in register.sent.get((submission.id, suite.id), ())
        if answer.outcome != "pass"
    ]
