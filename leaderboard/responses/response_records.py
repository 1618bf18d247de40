"""Responses files: one `<suite>.json` of a submission becomes Records, in any of its forms.

Equal answers to one case become one Response object, across all submissions that share an
`Interner`. Rules decide each object once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import repeat
from types import MappingProxyType
from typing import Any, Final, Protocol

import orjson

from leaderboard.apis.api_answers import read_answer
from leaderboard.digest import canonical
from leaderboard.files.findings import Findings
from leaderboard.files.imported_votes import read_votes
from leaderboard.kinds import Interaction
from leaderboard.responses.accepted_records import refuse_long_answers, row_error, valid_lists
from leaderboard.responses.agent_steps import read_steps, steps_given
from leaderboard.responses.answer_fields import CALL_KEYS
from leaderboard.responses.answer_text import answer_text
from leaderboard.responses.calls import UnreadableCallError, read_call
from leaderboard.responses.record_columns import RecordColumns, Row
from leaderboard.responses.record_warnings import (
    add_warnings,
    warn_of_misspelt_amounts,
    warn_of_unknown_tools,
)
from leaderboard.types import Call, Json, Records, Response, Suite

_NO_USAGE: Final[Row] = MappingProxyType({})


def read_records(
    document: Json,
    suite: Suite,
    findings: Findings,
    interner: Interner,
    *,
    underscored: bool = False,
) -> Records:
    """Reads the records of a parsed responses file in file order. Problems go into `findings`.

    `underscored`: the model was shown tool names with "." replaced by "_".
    """
    lists = valid_lists(document, suite, findings)
    add_warnings(lists, suite, findings)
    rows = [row for part in lists for row in part.rows]
    columns = lists[0].columns if len(lists) == 1 else RecordColumns(rows)
    usages = columns.of("usage")
    usage = RecordColumns([given or _NO_USAGE for given in usages] if None in usages else usages)
    warn_of_misspelt_amounts(columns.names, usage.names, findings)
    origins = enumerate(columns.of("origin")) if "origin" in columns.names else ()
    votes = {place: read_votes(rows[place]) for place, origin in origins if origin is not None}
    responses = interner.responses(suite, rows, columns, underscored=underscored)
    if suite.kind.interaction == "message":
        warn_of_unknown_tools(responses, suite, findings)
    refuse_long_answers(lists, responses, findings)
    return Records(
        responses=responses,
        trials=columns.of("trial", 1),
        input_tokens=usage.of("input_tokens"),
        output_tokens=usage.of("output_tokens"),
        cost_usd=usage.of("cost_usd"),
        latency_s=columns.of("latency_s"),
        votes={place: cast for place, cast in votes.items() if cast},
    )


@dataclass(slots=True)
class Interner:
    """Keeps one Response per suite, case and answer."""

    _responses: dict[str, dict[bytes, Response]] = field(default_factory=dict)

    def responses(
        self, suite: Suite, rows: Sequence[Row], columns: RecordColumns, *, underscored: bool
    ) -> list[Response]:
        """The responses of valid records of one file."""
        if suite.kind.interaction == "message":
            interned = self._responses.setdefault(suite.id, {})
            return _intern_messages(interned, rows, columns, underscored=underscored)
        read = READERS[suite.kind.interaction]
        return self.united(suite.id, (read(row, underscored=underscored) for row in rows))

    def united(self, suite_id: str, responses: Iterable[Response]) -> list[Response]:
        """These responses to a suite, with the kept ones in place of equal ones."""
        interned = self._responses.setdefault(suite_id, {})
        return [interned.setdefault(response.key, response) for response in responses]


def _intern_messages(
    interned: dict[bytes, Response],
    rows: Sequence[Row],
    columns: RecordColumns,
    *,
    underscored: bool,
) -> list[Response]:
    """The responses of models: calls and text.

    A board has up to a million of them, most of them equal. So keys are made for the whole file
    at once, and a Response only for answers that are new.
    """
    calls = columns.of("model_function_call")
    if "model_function_calls" in columns.names:
        calls = [
            own or one for own, one in zip(columns.of("model_function_calls"), calls, strict=True)
        ]
    texts, errors = columns.of("model_text"), columns.of("error")
    answers = list(zip(columns.of("id"), calls, texts, errors, repeat(underscored), strict=False))
    try:
        keys = list(map(orjson.dumps, answers))
    except TypeError:  # an integer beyond 64 bits in one of them
        keys = list(map(_message_key, answers))
    for key, row in zip(keys, rows, strict=True):
        if key not in interned:
            interned[key] = read_message(row, key, underscored=underscored)
    return list(map(interned.__getitem__, keys))


def _message_key(fields: tuple[Any, ...]) -> bytes:
    try:
        return orjson.dumps(fields)
    except TypeError:  # an integer beyond 64 bits
        return canonical(fields)


def read_message(record: Row, key: bytes | None = None, *, underscored: bool = False) -> Response:
    """Reads the response of a model: its calls and its text. `key` is its key if it is known."""
    case_id, text = record["id"], record.get("model_text")
    if key is None:
        key = _message_key((case_id, _calls_of(record), text, record.get("error"), underscored))
    calls, malformed = _read_model_calls(record)
    return Response(case_id, key, calls, text, _error(record), malformed, underscored=underscored)


def read_acted(record: Row, *, underscored: bool = False) -> Response:
    """Reads the response of an agent in an environment: its steps, its answer, its final state.

    What a framework notes beside a step (call ids, logs) is no part of the answer.
    """
    steps = steps_given(record)
    calls, malformed = _read_model_calls(record) if steps is None else read_steps(steps)
    case_id, state = record["id"], record.get("state")
    text, error = _text(record), _error(record)
    taken = [(call.name, call.arguments, call.result) for call in calls]
    key = _sha256((case_id, taken, malformed, text, state, error, underscored))
    return Response(
        case_id,
        key,
        calls,
        text,
        error,
        malformed,
        state=state,
        has_state=state is not None,
        underscored=underscored,
    )


def read_over_apis(record: Row, *, underscored: bool = False) -> Response:
    """Reads the response of an agent over simulated APIs: its execution, answer and called APIs.

    A record without an execution may have steps, or calls and text, instead.
    """
    answer = read_answer(record)
    steps = steps_given(record)
    malformed = None
    steps_told = True
    if answer.calls is not None:
        calls = answer.calls
    elif steps is not None:
        calls, malformed = read_steps(steps)
    else:
        calls, malformed = _read_model_calls(record)
        steps_told = not record.keys().isdisjoint(CALL_KEYS)

    text = _text(record) if answer.text is None else answer.text
    error = _error(record)
    taken = [(call.name, call.arguments, call.result) for call in calls]
    declared = None
    if answer.declared is not None:
        declared = [(api.tool, api.api, api.failed) for api in answer.declared]
    details = (text, answer.return_type, answer.truncated, declared, steps_told, error)
    return Response(
        record["id"],
        _sha256((record["id"], taken, malformed, details, underscored)),
        calls,
        text,
        error,
        malformed,
        underscored=underscored,
        declared=answer.declared,
        return_type=answer.return_type,
        truncated=answer.truncated,
        steps_told=steps_told,
    )


def read_reported(record: Row, *, underscored: bool = False) -> Response:
    """Reads scores that were computed elsewhere, and the answer if the record has it.

    True is 1 and false is 0. A metric that is null is not reported.
    """
    values = record.get("metrics") or {}
    metrics = {name: None if value is None else float(value) for name, value in values.items()}
    text, error = _text(record), _error(record)
    key = _sha256((record["id"], metrics, text, error))
    return Response(record["id"], key, (), text, error, underscored=underscored, reported=metrics)


class Reader(Protocol):
    """Reads the record of a case as a response. `underscored` as in `read_records`."""

    def __call__(self, record: Row, *, underscored: bool = False) -> Response: ...


# By the way that cases are answered.
READERS: Final[Mapping[Interaction, Reader]] = {
    "message": read_message,
    "environment": read_acted,
    "apis": read_over_apis,
    "elsewhere": read_reported,
}


def _sha256(answer: Json) -> bytes:
    return sha256(canonical(answer)).digest()


def _text(record: Row) -> str | None:
    output = record.get("output")
    return record.get("model_text") if output is None else answer_text(output)


def _error(record: Row) -> str | None:
    error = row_error(record)
    return error if isinstance(error, str | None) else canonical(error).decode()


def _calls_of(record: Row) -> Json:
    """The calls of a record as they are written, in the first field that has any."""
    return record.get("model_function_calls") or record.get("model_function_call")


def _read_model_calls(record: Row) -> tuple[tuple[Call, ...], str | None]:
    """The calls of a record and, if one is unreadable, why. `{}` and null are no call."""
    given = _calls_of(record)
    calls: list[Call] = []
    for item in filter(None, given if isinstance(given, list) else [given]):
        try:
            calls.append(read_call(item))
        except UnreadableCallError as error:
            return tuple(calls), str(error)
    return tuple(calls), None
