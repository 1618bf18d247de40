"""The cases of the tool-selection tester: one file with types, or a file for each category."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from leaderboard.errors import FilesError, Problem, collect_problems, raise_any
from leaderboard.files.cases.category_cases import CategoryCases
from leaderboard.files.cases.tool_selection import read_tool_selection
from leaderboard.files.findings import Findings
from leaderboard.files.shaped_files import read_document
from leaderboard.types import Json, Tool

# Each category: its title, the names of its type, and the letter that its ids start with.
CATEGORIES: Final[Mapping[str, tuple[str, tuple[str, ...], str]]] = {
    "tool_selection": ("Tool selection", ("tool_selection",), "A"),
    "clarifying": ("Clarifying", ("clarifying",), "C"),
    "error": ("Error", ("error",), "D"),
    "no_tool": ("No tool", ("text_response", "no_tool", "no_tools"), "B"),
    "not_supported": ("Not supported", ("not_supported",), "E"),
}
_BY_TYPE: Final = {name: key for key, (_, names, _) in CATEGORIES.items() for name in names}
_BY_LETTER: Final = {letter: key for key, (*_, letter) in CATEGORIES.items()}


@dataclass(slots=True)
class _Reader:
    """Reads the data files of a folder. `problems` collects what is wrong with any of them."""

    folder: Path
    tools: tuple[Tool, ...]
    found: dict[str, list[Json]]
    problems: list[Problem]
    places: dict[str, str]

    def read(self, path: Path) -> None:
        with collect_problems(self.problems):
            document, findings = read_document(path, str(path), self.folder)
            if not isinstance(document, list):
                findings.add((), "is not a list of cases", "write a JSON array")
                document = []
            rows = [self._record(row, index, path, findings) for index, row in enumerate(document)]
            for category in () if findings.has_errors else CATEGORIES:
                read_tool_selection(CategoryCases(rows, category, self.tools, True, findings))
                self.found[category] += [row for row in rows if row.get("type") == category]
                if findings.has_errors:
                    break  # Every category would report the shape of every record.
            self.problems += findings.problems()

    def _record(self, row: Json, index: int, path: Path, findings: Findings) -> dict[str, Json]:
        """A record with its id as text and its category as `type`."""
        if not isinstance(row, dict):
            findings.add((index,), "is not an object", "write {id, user_query, ground_truth}")
            return {"type": None}
        record = {**row}
        if type(row.get("id")) is int:
            record["id"] = str(row["id"])
        record["type"] = self._category(record, index, path, findings)
        where = self.places.setdefault(str(record.get("id")), f"{path.name}, record {index + 1}")
        if where != f"{path.name}, record {index + 1}":
            what = f"repeats the id {record.get('id')!r} of {where}"
            findings.add((index, "id"), what, "give every case its own id")
        return record

    def _category(
        self, record: Mapping[str, Json], index: int, path: Path, findings: Findings
    ) -> str | None:
        """By the type, or else the name of the file, or else the letter of the id."""
        known = ", ".join(_BY_TYPE)
        if "type" in record:
            given = record["type"]
            category = _BY_TYPE.get(given) if isinstance(given, str) else None
            if category is None:
                findings.add((index, "type"), f"is an unknown type: {given!r}", f"types: {known}")
            return category
        named = path.stem.removeprefix("test_")
        category = _BY_TYPE.get(named) or _BY_LETTER.get(str(record.get("id"))[:1])
        if category is None:
            findings.add((index,), "has no type, and its file names none", f"types: {known}")
        return category


def read_cases(folder: Path, tools: tuple[Tool, ...]) -> dict[str, list[Json]]:
    """The records of each category that has any, from `datasets/*.json`.

    Raises FilesError with the problems of all files.
    """
    paths = sorted(folder.glob("datasets/*.json"))
    if not paths:
        fix = "name the tester's folder, or add its data files as datasets/*.json"
        raise FilesError.about(str(folder), "contains no datasets/*.json", fix)
    reader = _Reader(folder, tools, {category: [] for category in CATEGORIES}, [], {})
    for path in paths:
        reader.read(path)
    if not reader.problems and not any(reader.found.values()):
        reader.problems.append(Problem(str(folder / "datasets"), "contains no cases", "add cases"))
    raise_any(reader.problems)
    return {category: rows for category, rows in reader.found.items() if rows}
