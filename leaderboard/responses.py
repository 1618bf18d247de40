"""Responses files: one `<suite>.json` of a submission becomes Records, whatever form the seed systems wrote it in.

Equal answers to one case become one Response object, across all submissions that share an `Interner`; rules decide each once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import orjson
from pydantic import ValidationError

from leaderboard.cases import add_pydantic_errors
from leaderboard.digest import canonical
from leaderboard.document import At, Findings, parse, path_text
from leaderboard.errors import FilesError
from leaderboard.schemas import RESPONSES
from leaderboard.types import Call, Json, Record, Response, Suite

MODES = ("with_tools", "no_tools")
_NO_USAGE: Mapping[str, Json] = {}


@dataclass(slots=True)
class Interner:
    """Keeps one Response per (suite, case, answer)."""

    _responses: dict[tuple[str, str, bytes], Response] = field(default_factory=dict)

    def response(self, suite_id: str, case_id: str, record: Mapping[str, Json], *, underscored: bool) -> Response:
        get = record.get
        given = get("model_function_calls") or get("model_function_call")
        error = get("error")
        answer = (given, get("model_text"), error, underscored)
        try:
            key = orjson.dumps(answer)
        except TypeError:  # an integer beyond 64 bits
            key = canonical(answer)
        place = (suite_id, case_id, key)
        found = self._responses.get(place)
        if found is None:
            found = self._responses[place] = _response(case_id, key, given, get("model_text"), error, underscored=underscored)
        return found


def _response(case_id: str, key: bytes, given: Json, text: str | None, error: Json, *, underscored: bool) -> Response:
    calls, malformed = _calls(given)
    return Response(
        case_id=case_id,
        key=key,
        calls=calls,
        text=text,
        error=None if error in (None, "", False) else error if isinstance(error, str) else canonical(error).decode(),
        malformed=malformed,
        underscored=underscored,
    )


def _calls(given: Json) -> tuple[tuple[Call, ...], str | None]:
    """The calls of a record and, when one cannot be read, why. `{}` and null are no call."""
    items = given if isinstance(given, list) else [given] if given else []
    calls: list[Call] = []
    for item in items:
        if not item:
            continue
        inner = item.get("function") if isinstance(item.get("function"), dict) else item  # OpenAI wraps a call so
        name = inner.get("name")
        if not isinstance(name, str) or not name:
            return tuple(calls), "a call without a name"
        arguments = inner.get("arguments", inner.get("args"))  # Gemini says args
        if isinstance(arguments, str):
            try:
                arguments = parse(arguments.encode(), name) if arguments.strip() else {}
            except FilesError as error:
                return tuple(calls), f"the arguments of {name} are text that {error.problems[0].what}"
        if arguments is None:
            arguments = {}
        if not isinstance(arguments, dict):
            return tuple(calls), f"the arguments of {name} are not an object"
        calls.append(Call(name, arguments))
    return tuple(calls), None


def read_records(
    document: Json, suite: Suite, findings: Findings, interner: Interner, *, underscored: bool = False
) -> tuple[Record, ...]:
    """The records of a responses file in file order; whatever is wrong goes into `findings`.

    Accepts `{"test_results": [...]}`, `{"with_tools": {"test_results": [...]}}` and/or `no_tools`, or a bare array.
    """
    records: list[Record] = []
    seen: dict[tuple[str, int], At] = {}
    other = _OtherVersion()
    cases = suite.by_id
    for prefix, rows in _lists(document, findings):
        bad = _bad_rows(rows, prefix, findings)
        for index, row in enumerate(rows):
            if index in bad:
                continue
            case = cases.get(row["id"])
            trial = row.get("trial", 1)
            if case is None:
                what = f"names no case of {suite.id}: {row['id']!r}"
                findings.add((*prefix, index, "id"), what, "remove the record, or correct its id")
            elif (case.id, trial) in seen:
                first = path_text(seen[case.id, trial])
                what = f"answers case {case.id} again (trial {trial}); the first answer is at {first}"
                findings.add((*prefix, index, "id"), what, "keep one, or number the trials with `trial`")
            else:
                seen[case.id, trial] = (*prefix, index)
                other.compare(case.record, row, prefix, index)
                response = interner.response(suite.id, case.id, row, underscored=underscored)
                records.append(_record(response, trial, row))
    other.report(findings, suite)
    return tuple(records)


def _record(response: Response, trial: int, row: Mapping[str, Json]) -> Record:
    usage = row.get("usage") or _NO_USAGE
    return Record(
        response,
        trial,
        usage.get("input_tokens"),
        usage.get("output_tokens"),
        usage.get("cost_usd"),
        row.get("latency_s"),
    )


def _lists(document: Json, findings: Findings) -> Iterator[tuple[At, list[Json]]]:
    if isinstance(document, list):
        yield (), document
        return
    places: list[At] = []
    if isinstance(document, dict):
        places = [("test_results",)] if "test_results" in document else [(m, "test_results") for m in MODES if m in document]
    if not places:
        what = "is neither a list of records nor an object with test_results, with_tools or no_tools"
        findings.add((), what, "see the README for the format of a responses file")
    for place in places:
        value = document
        for step in place:
            value = value.get(step) if isinstance(value, dict) else None
        if isinstance(value, list):
            yield place, value
        else:
            findings.add(place[:1], "holds no list of test_results", "write the records as a list")


def _bad_rows(rows: list[Json], prefix: At, findings: Findings) -> set[int | str]:
    """The positions of the records that do not fit the format; what is wrong with them is among the findings."""
    try:
        RESPONSES.validate_python(rows)
    except ValidationError as error:
        return add_pydantic_errors(error, rows, findings, prefix)
    return set()


@dataclass(slots=True)
class _OtherVersion:
    """Records whose own question or ground truth is not the suite's: they answered another version of the case."""

    places: list[At] = field(default_factory=list)

    def compare(self, case: Mapping[str, Json], row: Mapping[str, Json], prefix: At, index: int) -> None:
        query, truth = row.get("user_query"), row.get("ground_truth")
        if query is not None and query != case["user_query"]:
            self.places.append((*prefix, index, "user_query"))
        elif truth is not None and truth != case["ground_truth"] and not _same_answer(truth, case["ground_truth"]):
            self.places.append((*prefix, index, "ground_truth"))

    def report(self, findings: Findings, suite: Suite) -> None:
        for at in self.places[:20]:
            what = f"differs from the {at[-1]} of {suite.id}: this answers another version of the case"
            findings.add(at, what, "the suite's own is what counts; ask the current question", "warning")
        if len(self.places) > 20:
            findings.add((), f"{len(self.places) - 20} more records answer another version of their case", "", "warning")


def _same_answer(given: Json, own: Mapping[str, Json]) -> bool:
    """Whether a ground truth in the tester's older dialect says what the suite's says."""
    if not isinstance(given, dict):
        return False
    return all(given.get(key) == own.get(key) for key in ("function_call", "text"))
