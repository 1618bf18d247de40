"""Calls that are those of another submission, in any order, with calls added or left out."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from typing import Final

import polars as pl

from leaderboard.apis.api_names import FINISH
from leaderboard.load import Contents
from leaderboard.responses.answer_identity import folded_calls
from leaderboard.types import Records, Response, Suite
from scoring.tables.equal_answers import AnswerDigests, DigestedAnswers, answers_frame

NO_CALLS: Final = 0  # in place of a digest

_FEWEST: Final = 2  # calls over simulated APIs: good agents often make the same single call
_CASE: Final = ("suite", "case_id")
# The calls of each distinct answer, as digests in order.
_CALLS: Final = pl.Schema(
    [
        ("suite", pl.String),
        ("case_id", pl.String),
        ("answer", pl.UInt64),
        ("calls", pl.List(pl.UInt64)),
    ]
)


def paths(suite: Suite, records: Mapping[str, Records]) -> pl.DataFrame:
    """The ANSWERS frame of a suite of simulated APIs, where each answer is its path.

    A path is the calls with arguments, in any order. It is NO_CALLS if there are less than two.
    """
    parts = []
    for submission, made in sorted(records.items(), key=lambda item: item[0]):
        digests = [_digest_of_path(_path(suite, response)) for response in made.responses]
        parts.append(DigestedAnswers(submission, suite.id, made, digests))
    return answers_frame(parts)


def calls_of_answers(contents: Contents) -> pl.DataFrame:
    """The calls of each answer of a model, and of each path over simulated APIs.

    Columns: suite, case_id, answer (as in ANSWERS, folded, or as in `paths`), and the calls.
    """
    rows: list[tuple[str, str, int | None, list[int]]] = []
    for suite in contents.suites:
        made = [records for (_, of), records in contents.records.items() if of == suite.id]
        responses = list({response for records in made for response in records.responses})
        if suite.kind.interaction == "apis":
            for response in responses:
                path = _path(suite, response)
                rows.append((suite.id, response.case_id, _digest_of_path(path), path))
        elif suite.kind.interaction == "message":
            digests = AnswerDigests(suite, folded=True).of(responses)
            for response, digest in zip(responses, digests, strict=True):
                case = suite.by_id[response.case_id]
                calls = _digests(folded_calls(case, response, response.calls))
                rows.append((suite.id, response.case_id, digest, calls))
    frame = pl.DataFrame(rows, schema=_CALLS, orient="row").drop_nulls()
    has_calls = (pl.col("calls").list.len() > 0) & (pl.col("answer") != NO_CALLS)
    return frame.filter(has_calls).unique([*_CASE, "answer"])


def containing_answers(answers: pl.DataFrame, calls: pl.DataFrame, name: str) -> pl.DataFrame:
    """The answers of others that contain all calls of a submission's answer, or only such calls.

    Columns as in `padded_answers`. `calls` are those of `calls_of_answers`.
    """
    sized = calls.with_columns(number=pl.col("calls").list.len())
    is_mine = pl.col("submission") == name
    of_mine = answers.filter(is_mine).select(*_CASE, "answer").unique()
    of_others = answers.filter(~is_mine).select(*_CASE, "answer").unique()
    mine = of_mine.join(sized, on=[*_CASE, "answer"]).explode("calls")
    others = of_others.join(sized, on=[*_CASE, "answer"]).explode("calls")
    shared = others.join(mine.rename({"answer": "same_as"}), on=[*_CASE, "calls"], suffix="_mine")
    pairs = shared.group_by(*_CASE, "answer", "same_as", "number", "number_mine").len()
    fewer = pl.min_horizontal("number", "number_mine")
    contained = pairs.filter(pl.col("len") == fewer).select(*_CASE, "answer", "same_as")
    # An answer that is given already must keep its own digest.
    ordered = contained.sort(pl.col("answer") != pl.col("same_as"), "same_as")
    return ordered.unique([*_CASE, "answer"], keep="first", maintain_order=True)


def _path(suite: Suite, response: Response) -> list[int]:
    """The digests of the calls with arguments, sorted: the order of the calls does not matter."""
    case = suite.by_id[response.case_id]
    steps = [call for call in response.calls if call.name != FINISH and call.arguments]
    return _digests(folded_calls(case, response, steps))


def _digest_of_path(path: list[int]) -> int:
    return NO_CALLS if len(path) < _FEWEST else _digest(repr(path).encode())


def _digests(calls: list[bytes]) -> list[int]:
    return sorted(map(_digest, calls))


def _digest(text: bytes) -> int:
    return int.from_bytes(sha256(text).digest()[:8], "big")
