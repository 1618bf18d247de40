"""Scores that were computed elsewhere, from the rows of a table or the records of a list.

A row names its case, and has a column for each metric, or an object `metrics`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from leaderboard.responses.forms.foreign_records import Row, error_text, ids_of, number_in
from leaderboard.responses.forms.model_reply import UnreadableRecordError
from leaderboard.types import Json, Suite

# How tables write that a case passes or fails.
_WORDS: Final[Mapping[str, float]] = {
    **dict.fromkeys(("true", "pass", "passed", "yes"), 1.0),
    **dict.fromkeys(("false", "fail", "failed", "no"), 0.0),
}
_KEPT: Final = ("model_text", "trial", "error", "usage", "latency_s")


def read_reported_row(row: Row, suite: Suite) -> dict[str, Json]:
    """The record of a row. Raises UnreadableRecordError if it reports no score."""
    known = [metric.id for metric in suite.kind.metrics]
    case_id = next((name for name in ids_of(row) if name in suite.by_id), None)
    if case_id is None:
        named = next(iter(ids_of(row)), None)
        unknown = f"names a case that is not in {suite.id}: {named!r:.60}"
        what = "has no id" if named is None else unknown
        raise UnreadableRecordError(what, "give each record the case's id in `id`")
    metrics = row.get("metrics")
    if not isinstance(metrics, Mapping):
        metrics = {name: _score(row[name]) for name in known if name in row}
    if not metrics and error_text(row.get("error")) is None:
        what = f"reports no score; it has: {', '.join(map(str, row)) or 'nothing'}"
        raise UnreadableRecordError(what, f"add a column for one of: {', '.join(known)}")
    kept = {name: row[name] for name in _KEPT if row.get(name) not in (None, "")}
    return {"id": case_id, "metrics": dict(metrics), **kept}


def left_out(row: Row, record: Mapping[str, Json]) -> list[str]:
    """The columns of numbers, and of words such as "pass", that are not part of the record."""
    taken = {"metrics", *record, *record["metrics"]}
    ids = ids_of(row)
    return [
        name
        for name, value in row.items()
        if name not in taken and str(value) not in ids and isinstance(_score(value), int | float)
    ]


def _score(cell: Json) -> Json:
    """The score in a cell: text of a number, or of pass or fail. Anything else stays as it is."""
    if not isinstance(cell, str):
        return cell
    word = cell.strip().lower()
    if word in ("", "nan", "none", "null"):
        return None
    return _WORDS[word] if word in _WORDS else number_in(word)
