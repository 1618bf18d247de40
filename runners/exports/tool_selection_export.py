"""`lb export tool-selection`: a submission in the result files of the tool-selection tester."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from leaderboard.texts.spreadsheet_formulas import guard_formula
from leaderboard.types import Call, Case, Json, Record, Records, Response, Suite
from runners.exports.exported_errors import error_of

JSON_FILE: Final = "test_results.json"
CSV_FILE: Final = "test_results.csv"

# The tester's name for a category, where it has another one.
_TYPES: Final[Mapping[str, str]] = {"no_tool": "text_response"}
_RESULTS: Final[Mapping[str, str]] = {
    "pass": "Correct",
    "fail": "Incorrect",
    "unscored": "Unjudged",
}
# What its column `mismatch_type` says about an incorrect call. Other mistakes concern the text.
_MISMATCHES: Final[Mapping[str, str]] = {
    **dict.fromkeys(("wrong_function", "no_call", "wrong_count"), "Function"),
    **dict.fromkeys(("missing_argument", "unexpected_argument", "wrong_value"), "Parameters"),
    "malformed_call": "Parameters",
}
_COLUMNS: Final = (
    *("test_case", "type", "user_query", "expected_function_call", "model_function_call"),
    *("expected_response", "model_response", "result", "mismatch_type", "reason"),
    *("match_kind", "status"),
)


class ExportedVerdict(NamedTuple):
    """The verdict of one case: how it ended, its reason code and sentence, and who decided."""

    outcome: str
    reason: str
    detail: str
    decided_by: str


def export_tester(
    suite: Suite, records: Records, verdicts: Mapping[str, ExportedVerdict]
) -> dict[str, bytes]:
    """`test_results.json` and `test_results.csv` by name. `verdicts` are by case id.

    Of several trials, the first is written. A case without a record has no row in the JSON file.
    """
    first = {record.response.case_id: record for record in records if record.trial == 1}
    rows, cells = [], []
    for case in sorted(suite.cases, key=lambda case: case.id):
        record = first.get(case.id)
        if record is not None:
            rows.append(_record(case, record))
        if case.id in verdicts:
            cells.append(_cells(case, record, verdicts[case.id]))
    document = json.dumps({"test_results": rows}, ensure_ascii=False, indent=2) + "\n"
    return {JSON_FILE: document.encode(), CSV_FILE: _table(cells)}


def _record(case: Case, record: Record) -> dict[str, Json]:
    """A record as the tester's processed responses have it."""
    response = record.response
    error = error_of(response)
    return {
        "id": case.id,
        "type": _TYPES.get(case.category, case.category),
        "user_query": case.query,
        "ground_truth": case.record["ground_truth"],
        "model_function_call": _calls(response.calls),
        "model_text": response.text,
        **({"error": error} if error else {}),
    }


def _calls(calls: Sequence[Call]) -> Json:
    """One call as an object, several as a list, none as null."""
    made = [{"name": call.name, "arguments": dict(call.arguments)} for call in calls]
    return made[0] if len(made) == 1 else made or None


def _cells(case: Case, record: Record | None, verdict: ExportedVerdict) -> list[str]:
    truth = case.record["ground_truth"]
    is_call = bool(case.ground_truth.calls)
    response = record.response if record is not None else None
    failed = verdict.outcome == "fail"
    mismatch = _MISMATCHES.get(verdict.reason, "")
    if is_call and verdict.reason == "judge_different":
        mismatch = "Parameters"
    return [
        case.id,
        _TYPES.get(case.category, case.category),
        case.query,
        _json(truth.get("function_call")),
        _json(_calls(response.calls) if response else None),
        case.ground_truth.text or "",
        (response.text if response else None) or "",
        _RESULTS[verdict.outcome],
        mismatch if failed else "",
        verdict.detail,
        {"rule": "exact", "judge": "semantic"}.get(verdict.decided_by, ""),
        _status(response),
    ]


def _status(response: Response | None) -> str:
    if response is None:
        return "Missing"
    return "Error" if error_of(response) else "Answered"


def _json(value: Json) -> str:
    return "" if value is None else json.dumps(value, ensure_ascii=False)


def _table(rows: Sequence[Sequence[str]]) -> bytes:
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(_COLUMNS)
    for row in rows:
        writer.writerow(guard_formula(cell) for cell in row)
    return text.getvalue().encode("utf-8", "replace")
