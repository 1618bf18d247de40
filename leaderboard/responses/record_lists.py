"""The lists of records in a responses file, and the places of the records in it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from leaderboard.files.findings import Findings
from leaderboard.files.json_files import At
from leaderboard.responses.record_columns import RecordColumns, Row
from leaderboard.types import Json

RESPONSES_FORMAT: Final = "see lb docs submitting"
MODES: Final = ("with_tools", "no_tools")

CaseTrial = tuple[str, int]


@dataclass(frozen=True)
class RecordList:
    """Records of one list of a file, and their positions in it. `prefix` is the list's path."""

    prefix: At
    rows: Sequence[Row]
    positions: Sequence[int]

    @cached_property
    def columns(self) -> RecordColumns:
        """The fields of the records, which must be objects."""
        return RecordColumns(self.rows)

    @property
    def answered(self) -> list[CaseTrial]:
        """The case and the trial of each record."""
        return list(zip(self.columns.of("id"), self.columns.of("trial", 1), strict=True))

    def at(self, index: int, *steps: str | int) -> At:
        """The path of the record with this index, or of something in it."""
        return (*self.prefix, self.positions[index], *steps)

    def without(self, indexes: Collection[int]) -> RecordList:
        """The other records."""
        if not indexes:
            return self
        left = [index for index in range(len(self.rows)) if index not in indexes]
        rows = [self.rows[index] for index in left]
        return RecordList(self.prefix, rows, [self.positions[index] for index in left])


def listed_records(document: Json) -> list[Json]:
    """The records of all lists of a responses file; none of another document."""
    return [row for _, rows in find_lists(document, Findings("", b"")) for row in rows]


def find_lists(document: Json, findings: Findings) -> Iterator[tuple[At, list[Json]]]:
    """Yields the lists of records of a responses file with their paths.

    A file is a bare array, `{"test_results": [...]}`, or such objects under `with_tools` and/or
    `no_tools`.
    """
    if isinstance(document, list):
        yield (), document
        return
    places: list[At] = []
    if isinstance(document, dict) and "test_results" in document:
        places = [("test_results",)]
        for mode in filter(document.__contains__, MODES):
            findings.add((mode,), "is not read: test_results is there too", "keep one of them")
    elif isinstance(document, dict):
        places = [(mode, "test_results") for mode in MODES if mode in document]
    if not places:
        forms = "a list of records nor an object with test_results, with_tools or no_tools"
        findings.add((), f"is neither {forms}", RESPONSES_FORMAT)
    for place in places:
        value = document
        for step in place:
            value = value.get(step) if isinstance(value, dict) else None
        if isinstance(value, list):
            yield place, value
        else:
            findings.add(place[:1], "holds no list of test_results", "write the records as a list")
