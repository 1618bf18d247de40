"""What the case readers of all kinds share."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, TypeVar

from pydantic import TypeAdapter

from leaderboard.digest import digest_of
from leaderboard.files.findings import Findings
from leaderboard.files.json_files import At
from leaderboard.files.shaped_files import find_bad_records, warn_of_misspelt
from leaderboard.files.tool_records import tool_from_record, warn_of_tool_keys
from leaderboard.responses.answer_fields import CALL_KEYS, FOREIGN_CALL_KEYS
from leaderboard.types import Case, GroundTruth, Json, Message, Tool

Record = TypeVar("Record")

CASE_FORMAT: Final = "see lb docs kinds"

# Keys that only cases of another kind have, and those in which others write a conversation.
_READ_BY_KIND: Final = {"tools": "call_match", "options": "exact"}
_EARLIER: Final = "earlier_messages"
_CONVERSATIONS: Final = (_EARLIER, "messages", "conversation", "history")


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

    def valid_records(self, shape: TypeAdapter[list[Record]]) -> Iterator[tuple[int, Record]]:
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
        warn_of_misspelt(record, known, self.findings, at)

    def warn_of_case_keys(
        self, record: Mapping[str, Json], kind: str, known: Collection[str], index: int
    ) -> None:
        """Warns of keys of a case that only other kinds read, and of misspelt ones."""
        fixes = {key: f"suites of kind {by} read it" for key, by in _READ_BY_KIND.items()}
        for key in _CONVERSATIONS:
            fixes[key] = f"suites of kind call_match read a conversation from {_EARLIER!r}"
            if _EARLIER in known:
                fixes[key] = f"write the conversation as {_EARLIER!r}: {CASE_FORMAT}"
        self._warn_of_ineffective(record, kind, known, fixes, (index,))

    def warn_of_call_keys(
        self, truth: Mapping[str, Json], kind: str, known: Collection[str], key: str, at: At
    ) -> None:
        """Warns of calls in a ground truth that are not below this key, and of misspelt keys."""
        fixes = dict.fromkeys((*CALL_KEYS, *FOREIGN_CALL_KEYS), f"write expected calls as {key!r}")
        self._warn_of_ineffective(truth, kind, known, fixes, at)

    def _warn_of_ineffective(
        self,
        record: Mapping[str, Json],
        kind: str,
        known: Collection[str],
        fixes: Mapping[str, str],
        at: At,
    ) -> None:
        """Warns of lists and objects below these keys. A short text may be a note on the case."""
        others = {}
        for key, value in record.items():
            if key in known or key not in fixes:
                others[key] = value
            elif value and isinstance(value, list | dict):
                what = f"has no effect in suites of kind {kind}"
                self.findings.add((*at, key), what, fixes[key], "warning")
        self.warn_of_misspelt(others, known, at)

    def tools_of(self, record: Mapping[str, Json], index: int) -> tuple[Tool, ...]:
        """The tools of a case; without its own, those of the suite."""
        own = record.get("tools", ())
        for place, tool in enumerate(own):
            warn_of_tool_keys(tool, self.findings, (index, "tools", place))
        return tuple(map(tool_from_record, own)) or self.tools

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
