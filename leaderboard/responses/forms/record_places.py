"""Where the records of a foreign file are, and which ids they name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from leaderboard.responses.forms.file_formats import Container
from leaderboard.responses.forms.foreign_records import ids_of
from leaderboard.responses.record_lists import MODES, listed_records
from leaderboard.types import Json, Suite

# The keys under which JSON documents keep their list of records.
_LISTS: Final = (
    *("samples", "results", "rows", "data", "responses", "records", "predictions", "outputs"),
    *("items", "answers"),
)


class FoundRows(NamedTuple):
    """The records of a file, their places, and whether they are laid out as in a responses file."""

    rows: Sequence[Json]
    places: Sequence[str]
    lie_as_responses: bool


def find_rows(container: Container, suite: Suite) -> FoundRows:
    """The records of a file that answers `suite`."""
    document = container.document
    if not isinstance(document, Mapping):
        return FoundRows(container.values, container.places, container.name == "JSON")
    rows: Sequence[Json] = listed_records(document)
    lie_as_responses = bool(rows)
    if not lie_as_responses and document.keys() & suite.by_id.keys():
        rows = [_by_id(case_id, value) for case_id, value in document.items()]
    elif not lie_as_responses:
        rows = listed_rows(document) if document.keys() & set(_LISTS) else [document]
    places = [f"record {number}" for number in range(1, len(rows) + 1)]
    return FoundRows(rows, places, lie_as_responses)


def listed_rows(document: Json) -> Sequence[Json]:
    """The list of records in a document, wherever it is."""
    if isinstance(document, list):
        return document
    if not isinstance(document, Mapping):
        return ()
    for key in ("test_results", *_LISTS):
        value = document.get(key)
        if key == "results" and isinstance(value, Mapping):
            value = value.get("results")  # promptfoo
        if isinstance(value, list):
            return value
    if any(isinstance(value, Mapping | list) for value in document.values()):
        return tuple(value for value in document.values() if isinstance(value, Mapping))
    return ()


def lists_of_cases(container: Container, suite: Suite) -> Sequence[str]:
    """The keys of a document whose lists have records of the suite's cases.

    Records of a mode beside `test_results` are not read, so they are such a list too.
    """
    document = container.document
    if not isinstance(document, Mapping):
        return []
    if isinstance(document.get("test_results"), list):
        modes = [mode for mode in MODES if listed_records({mode: document.get(mode)})]
        if modes:
            return ["test_results", *modes]
    if document.keys() & suite.by_id.keys():
        return []
    lists = {key: value for key, value in document.items() if isinstance(value, list)}
    return [key for key, rows in lists.items() if any(_names_case(row, suite) for row in rows)]


def _names_case(row: Json, suite: Suite) -> bool:
    return isinstance(row, Mapping) and any(name in suite.by_id for name in ids_of(row))


def _by_id(case_id: str, value: Json) -> Json:
    if isinstance(value, Mapping):
        return {**value, "case_id": case_id}
    return {"case_id": case_id, "response" if isinstance(value, list) else "answer": value}


def named_ids(container: Container) -> Sequence[str]:
    """The first id that each record of a file names."""
    rows = container.values if container.document is None else listed_rows(container.document)
    found = (ids_of(row) for row in rows if isinstance(row, Mapping))
    return [ids[0] for ids in found if ids]
