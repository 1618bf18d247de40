"""Responses files: one `<suite>.json` of a submission becomes Records, whatever form the seed systems wrote it in.

Equal answers to one case become one Response object, across all submissions that share an `Interner`; rules decide each once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from types import MappingProxyType

import orjson
from pydantic import ValidationError

from leaderboard.apis.api_answers import Answer, odd_entries, read_answer, tells_steps
from leaderboard.digest import canonical
from leaderboard.files.document import At, Findings, path_text
from leaderboard.files.file_shapes import RESPONSES
from leaderboard.files.imported_votes import read_votes
from leaderboard.files.validation import add_pydantic_errors
from leaderboard.responses.agent_steps import STEP_KEYS, answer_text, read_steps, steps_given
from leaderboard.responses.calls import UnreadableCallError, read_call
from leaderboard.types import Call, Json, Records, Response, Suite

MODES = ("with_tools", "no_tools")
_CALL_KEYS = ("model_function_call", "model_function_calls")


# The records of a responses file as its JSON has them.
_Rows = Sequence[Mapping[str, Json]]


@dataclass(slots=True)
class Interner:
    """Keeps one Response per (suite, case, answer)."""

    _responses: dict[tuple[str, bytes], Response] = field(default_factory=dict)
    _spoken: dict[str, dict[bytes, Response]] = field(default_factory=dict)

    def responses(self, suite: Suite, rows: _Rows, *, underscored: bool) -> list[Response]:
        """The responses of records that are all of one file and fit its format."""
        read = {"environment": self.acted, "apis": self.answered}.get(suite.kind.interaction)
        if read is None:
            return self.spoken(suite.id, rows, underscored=underscored)
        return [read(suite.id, row["id"], row, underscored=underscored) for row in rows]

    def spoken(self, suite_id: str, rows: _Rows, *, underscored: bool) -> list[Response]:
        """The responses of a model: its calls and its text. A million of them: hence a file at a time."""
        known = self._spoken.setdefault(suite_id, {})
        answers = [
            (
                row["id"],
                row.get("model_function_calls") or row.get("model_function_call"),
                row.get("model_text"),
                row.get("error"),
                underscored,
            )
            for row in rows
        ]
        keys = _keys(answers)
        found = [known.get(key) for key in keys]
        return [
            response or known.get(key) or known.setdefault(key, _response(answer, key))
            for response, key, answer in zip(found, keys, answers, strict=True)
        ]

    def acted(
        self, suite_id: str, case_id: str, record: Mapping[str, Json], *, underscored: bool
    ) -> Response:
        """The response of an agent that acted: the steps it took, its final answer, the state it left behind.

        What a framework notes beside a step (call ids, logs) is no part of the answer.
        """
        get = record.get
        steps = steps_given(record)
        if steps is None:
            calls, malformed = _calls(get("model_function_calls") or get("model_function_call"))
        else:
            calls, malformed = read_steps(steps)
        text = answer_text(record["output"]) if "output" in record else get("model_text")
        state, error = get("state"), _error(get("error"))
        taken = [(call.name, call.arguments, call.result) for call in calls]
        key = sha256(
            canonical((case_id, taken, malformed, text, state, error, underscored))
        ).digest()
        return self._first(
            suite_id,
            Response(
                case_id, key, calls, text, error, malformed, state, state is not None, underscored
            ),
        )

    def answered(
        self, suite_id: str, case_id: str, record: Mapping[str, Json], *, underscored: bool
    ) -> Response:
        """The response of an agent over simulated APIs: its execution, its final answer, the APIs it says it called.

        Where a record has no such answer it is read as steps and output, or as calls and text.
        """
        answer = read_answer(record)
        calls, malformed, told = _told(record, answer)
        text = answer.text
        if text is None:
            text = answer_text(record["output"]) if "output" in record else record.get("model_text")
        error = _error(record.get("error"))
        taken = [(call.name, call.arguments, call.result) for call in calls]
        declared = (
            None
            if answer.declared is None
            else [(api.tool, api.api, api.failed) for api in answer.declared]
        )
        told_of = (text, answer.return_type, answer.truncated, declared, told, error)
        key = sha256(canonical((case_id, taken, malformed, told_of, underscored))).digest()
        return self._first(
            suite_id,
            Response(
                case_id,
                key,
                calls,
                text,
                error,
                malformed,
                underscored=underscored,
                declared=answer.declared,
                return_type=answer.return_type,
                truncated=answer.truncated,
                steps_told=told,
            ),
        )

    def _first(self, suite_id: str, response: Response) -> Response:
        """The response that first gave this answer."""
        return self._responses.setdefault((suite_id, response.key), response)


def _keys(answers: Sequence[tuple[Json, ...]]) -> list[bytes]:
    try:
        return list(map(orjson.dumps, answers))
    except TypeError:  # an integer beyond 64 bits somewhere
        return [_key(answer) for answer in answers]


def _key(answer: tuple[Json, ...]) -> bytes:
    try:
        return orjson.dumps(answer)
    except TypeError:
        return canonical(answer)


def _told(record: Mapping[str, Json], answer: Answer) -> tuple[tuple[Call, ...], str | None, bool]:
    """The calls of a record in whatever form it tells them, what is wrong with them, and whether it tells them at all."""
    if answer.calls is not None:
        return answer.calls, None, True
    steps = steps_given(record)
    if steps is not None:
        return (*read_steps(steps), True)
    given = record.get("model_function_calls") or record.get("model_function_call")
    return (*_calls(given), not record.keys().isdisjoint(_CALL_KEYS))


def _error(error: Json) -> str | None:
    if error in (None, "", False):
        return None
    return error if isinstance(error, str) else canonical(error).decode()


def _response(answer: tuple[str, Json, str | None, Json, bool], key: bytes) -> Response:
    case_id, given, text, error, underscored = answer
    calls, malformed = _calls(given)
    return Response(
        case_id=case_id,
        key=key,
        calls=calls,
        text=text,
        error=_error(error),
        malformed=malformed,
        underscored=underscored,
    )


def _calls(given: Json) -> tuple[tuple[Call, ...], str | None]:
    """The calls of a record and, when one cannot be read, why. `{}` and null are no call."""
    items = given if isinstance(given, list) else [given]
    calls: list[Call] = []
    for item in filter(None, items):
        try:
            calls.append(read_call(item))
        except UnreadableCallError as error:
            return tuple(calls), str(error)
    return tuple(calls), None


def read_records(
    document: Json,
    suite: Suite,
    findings: Findings,
    interner: Interner,
    *,
    underscored: bool = False,
) -> Records:
    """The records of a responses file in file order; whatever is wrong goes into `findings`.

    Accepts `{"test_results": [...]}`, `{"with_tools": {"test_results": [...]}}` and/or `no_tools`, or a bare array.
    """
    lists = [_sound(prefix, rows, findings) for prefix, rows in _lists(document, findings)]
    taken = _each_once(lists, suite, findings)
    _remark(taken, suite, findings)
    rows = [row for part in taken for row in part.rows]
    usages = [row.get("usage") or _UNTOLD for row in rows]
    return Records(
        responses=interner.responses(suite, rows, underscored=underscored),
        trials=[row.get("trial", 1) for row in rows],
        input_tokens=[usage.get("input_tokens") for usage in usages],
        output_tokens=[usage.get("output_tokens") for usage in usages],
        cost_usd=[usage.get("cost_usd") for usage in usages],
        latency_s=[row.get("latency_s") for row in rows],
        votes={
            place: votes
            for place, row in enumerate(rows)
            if "origin" in row and (votes := read_votes(row))
        },
    )


_UNTOLD: Mapping[str, Json] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class _List:
    """Records of one list of a file, and the places they have in it."""

    prefix: At
    rows: _Rows
    places: Sequence[int]

    def at(self, position: int, *steps: str | int) -> At:
        """The path of the record at that position, or of something in it."""
        return (*self.prefix, self.places[position], *steps)

    def only(self, positions: Sequence[int]) -> _List:
        return _List(
            self.prefix, [self.rows[p] for p in positions], [self.places[p] for p in positions]
        )


def _sound(prefix: At, rows: list[Json], findings: Findings) -> _List:
    """The records that fit the format; what is wrong with the others is among the findings."""
    every = _List(prefix, rows, range(len(rows)))
    try:
        RESPONSES.validate_python(rows)
    except ValidationError as error:
        bad = add_pydantic_errors(error, rows, findings, prefix)
        return every.only([place for place in every.places if place not in bad])
    return every


def _each_once(lists: Sequence[_List], suite: Suite, findings: Findings) -> Sequence[_List]:
    """The records that answer a case of the suite, each trial once; the others are among the findings."""
    answered = [(row["id"], row.get("trial", 1)) for part in lists for row in part.rows]
    if len(set(answered)) == len(answered) and suite.by_id.keys() >= {
        case_id for case_id, _ in answered
    }:
        return lists
    seen: dict[tuple[str, int], At] = {}
    return [part.only(list(_first_answers(part, suite, seen, findings))) for part in lists]


def _first_answers(
    part: _List, suite: Suite, seen: dict[tuple[str, int], At], findings: Findings
) -> Iterator[int]:
    for position, row in enumerate(part.rows):
        case_id, trial = row["id"], row.get("trial", 1)
        if case_id not in suite.by_id:
            findings.add(
                part.at(position, "id"),
                f"names no case of {suite.id}: {case_id!r}",
                "remove the record, or correct its id",
            )
        elif (case_id, trial) in seen:
            first = path_text(seen[case_id, trial])
            what = f"answers case {case_id} again (trial {trial}); the first answer is at {first}"
            findings.add(
                part.at(position, "id"), what, "keep one, or number the trials with `trial`"
            )
        else:
            seen[case_id, trial] = part.at(position)
            yield position


def _remark(lists: Sequence[_List], suite: Suite, findings: Findings) -> None:
    """What is odd about records that are read all the same."""
    other, remarks = (
        _OtherVersion(),
        _REMARKS[suite.kind.interaction]() if suite.kind.interaction in _REMARKS else None,
    )
    for part in lists:
        other.look(part, suite)
        if remarks is not None:
            for position, row in enumerate(part.rows):
                remarks.look(row, part.prefix, part.places[position])
    other.report(findings, suite)
    if remarks is not None:
        remarks.report(findings)


def _lists(document: Json, findings: Findings) -> Iterator[tuple[At, list[Json]]]:
    if isinstance(document, list):
        yield (), document
        return
    places: list[At] = []
    if isinstance(document, dict):
        places = (
            [("test_results",)]
            if "test_results" in document
            else [(m, "test_results") for m in MODES if m in document]
        )
    if not places:
        what = (
            "is neither a list of records nor an object with test_results, with_tools or no_tools"
        )
        findings.add((), what, "see the README for the format of a responses file")
    for place in places:
        value = document
        for step in place:
            value = value.get(step) if isinstance(value, dict) else None
        if isinstance(value, list):
            yield place, value
        else:
            findings.add(place[:1], "holds no list of test_results", "write the records as a list")


@dataclass(slots=True)
class _OtherVersion:
    """Records whose own question or ground truth is not the suite's: they answered another version of the case."""

    places: list[At] = field(default_factory=list)

    def look(self, part: _List, suite: Suite) -> None:
        cases = suite.by_id
        for position, row in enumerate(part.rows):
            case, query, truth = cases[row["id"]], row.get("user_query"), row.get("ground_truth")
            if query is not None and query != case.query:
                self.places.append(part.at(position, "user_query"))
            elif (
                truth is not None
                and truth != case.record.get("ground_truth")
                and not _same_answer(truth, case.record)
            ):
                self.places.append(part.at(position, "ground_truth"))

    def report(self, findings: Findings, suite: Suite) -> None:
        for at in self.places[:20]:
            what = (
                f"differs from the {at[-1]} of {suite.id}: this answers another version of the case"
            )
            findings.add(
                at, what, "the suite's own is what counts; ask the current question", "warning"
            )
        if len(self.places) > 20:
            findings.add(
                (),
                f"{len(self.places) - 20} more records answer another version of their case",
                "",
                "warning",
            )


def _same_answer(given: Json, case: Mapping[str, Json]) -> bool:
    """Whether a ground truth, in the tester's older dialect or as an example's outputs, says what the suite's says."""
    own = case.get("ground_truth")
    if own is None:
        return bool(given == (case.get("outputs") or case.get("output")))
    return isinstance(given, dict) and all(
        given.get(key) == own.get(key) for key in ("function_call", "text")
    )


@dataclass(slots=True)
class _Steps:
    """Records of agents that tell their steps twice or not at all."""

    twice: list[At] = field(default_factory=list)
    never: list[At] = field(default_factory=list)

    def look(self, row: Mapping[str, Json], prefix: At, index: int) -> None:
        told = [key for key in STEP_KEYS if row.get(key) is not None]
        if len(told) > 1:
            self.twice.append((*prefix, index, told[1]))
        elif (
            not told
            and not row.get("error")
            and "model_function_call" not in row
            and "model_function_calls" not in row
        ):
            self.never.append((*prefix, index))

    def report(self, findings: Findings) -> None:
        _warn(
            findings,
            self.twice,
            "is not read, because intermediate_steps is there, too",
            "keep one of them",
        )
        _warn(
            findings,
            self.never,
            "tells no steps: it counts as having taken none",
            "add intermediate_steps, [] for none",
        )


@dataclass(slots=True)
class _Answers:
    """Records over simulated APIs that list as called what is no API, or that do not tell what was done."""

    odd: list[At] = field(default_factory=list)
    never: list[At] = field(default_factory=list)

    def look(self, row: Mapping[str, Json], prefix: At, index: int) -> None:
        self.odd.extend((*prefix, index, "called_apis", place) for place in odd_entries(row))
        told = (
            tells_steps(row)
            or steps_given(row) is not None
            or not row.keys().isdisjoint(_CALL_KEYS)
        )
        if not told and not row.get("error"):
            self.never.append((*prefix, index))

    def report(self, findings: Findings) -> None:
        _warn(
            findings,
            self.odd,
            "names no tool and API, and is left out",
            'write a pair: ["tool name", "api name"]',
        )
        what = "tells neither its steps nor which APIs it called: only its answer is scored"
        _warn(findings, self.never, what, "add answer.answer_details or called_apis, [] for none")


# What is remarked on the records of a kind beside their form.
_REMARKS: Mapping[str, Callable[[], _Steps | _Answers]] = {
    "environment": _Steps,
    "apis": _Answers,
}


def _warn(findings: Findings, places: list[At], what: str, fix: str) -> None:
    for at in places[:20]:
        findings.add(at, what, fix, "warning")
    if len(places) > 20:
        findings.add((), f"{len(places) - 20} more records of which one {what}", fix, "warning")
