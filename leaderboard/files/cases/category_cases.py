"""What the case readers of all kinds share."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from pydantic import TypeAdapter

from leaderboard.digest import digest_of
from leaderboard.files.json_files import At, Findings
from leaderboard.files.validation import find_bad_records
from leaderboard.texts.near_names import SLIP, nearest
from leaderboard.types import Case, GroundTruth, Json, Message, Tool

CASE_FORMAT: Final = "see lb docs kinds"


@dataclass(frozen=True, slots=True)
class CategoryCases:
    """A parsed category file, with what a reader needs to know.

    `shared`: several categories use the file, those of `beside`. `tools`: those of the suite.
    """

    document: Json
    category: str
    tools: tuple[Tool, ...]
    shared: bool
    findings: Findings
    beside: tuple[str, ...] = ()

    def valid_records(self, shape: TypeAdapter[Any]) -> Iterator[tuple[int, Mapping[str, Json]]]:
        """Yields the records of this shape with their positions, and adds findings for others."""
        if not isinstance(self.document, list):
            self.findings.add((), "is not a list of cases", "write a JSON array")
            return
        bad = find_bad_records(shape, self.document, self.findings, CASE_FORMAT)
        for index, record in enumerate(self.document):
            if index not in bad:
                yield index, record

    def warn_of_misspelt(self, record: Mapping[str, Json], known: Collection[str], at: At) -> None:
        """Warns of keys that nothing reads, and that are nearly a known one."""
        for key in record:
            if key not in known and (near := nearest(key, known, SLIP)):
                what = f"has no effect: {key!r} is not a known key"
                self.findings.add((*at, key), what, f"did you mean {near!r}?", "warning")

    def case(
        self,
        record: Mapping[str, Json],
        truth: GroundTruth,
        *,
        case_id: str | None = None,
        query: str | None = None,
        tools: tuple[Tool, ...] | None = None,
        earlier: tuple[Message, ...] = (),
    ) -> Case:
        """Makes a case of a record, by default with its `id` and `user_query`."""
        return Case(
            id=record["id"] if case_id is None else case_id,
            category=self.category,
            query=record["user_query"] if query is None else query,
            ground_truth=truth,
            tools=self.tools if tools is None else tools,
            record=record,
            digest=digest_of(record if case_id is None else {**record, "id": case_id}),
            earlier=earlier,
        )
