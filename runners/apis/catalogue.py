"""Tool catalogues: a folder of JSON files, one per tool, flat or as `<category>/<tool>.json`."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from leaderboard.apis.api_definitions import (
    DEFAULT_CATEGORY,
    ToolDefinition,
    definition,
    definitions_of,
    parameters_of,
    with_unique_names,
)
from leaderboard.apis.api_names import (
    ApiName,
    NameRegistry,
    change_name,
    standard_category,
    standardise,
)
from leaderboard.errors import FilesError, Problem
from leaderboard.files.file_shapes import CATALOGUE_TOOL
from leaderboard.files.validation import read_shaped
from leaderboard.types import Case, Json
from runners.apis.reply_cache import place_of


@dataclass(frozen=True)
class Catalogue:
    """The APIs of a folder, sorted by file and then as the files list them. `warnings` says what was taken with a doubt."""

    definitions: tuple[ToolDefinition, ...]
    warnings: tuple[Problem, ...] = ()

    def __len__(self) -> int:
        return len(self.definitions)

    @cached_property
    def registry(self) -> NameRegistry:
        """All APIs by any of their names."""
        return NameRegistry(found.name for found in self.definitions)

    @cached_property
    def fingerprint(self) -> str:
        """16 hex digits that change when any name a model is shown does; the order of the files does not matter."""
        return fingerprint(self.definitions)

    @cached_property
    def _by_name(self) -> Mapping[ApiName, ToolDefinition]:
        return {found.name: found for found in self.definitions}

    @cached_property
    def _by_place(self) -> Mapping[tuple[str, str, str], ToolDefinition]:
        return {
            _place(found.category, found.tool_name, found.api_name): found
            for found in reversed(self.definitions)
        }

    def named(self, name: ApiName) -> ToolDefinition:
        """The API with that name. Raises KeyError."""
        return self._by_name[name]

    def documented(self, category: str, tool: str, api: str) -> ToolDefinition | None:
        """The API that a request means, however it spells the three: as the catalogue does, or standardised."""
        return self._by_place.get(_place(category, tool, api))


def load_catalogue(
    folder: Path, root: Path | None = None, queries: Iterable[Case] = ()
) -> Catalogue:
    """The catalogue in `folder`, its files in sorted order; `root` (default: the folder) is what links must stay inside.

    A tool's category is its `tool_category`, else the folder its file lies in, else the one that a query in `queries` gives
    it, else "Data" with a warning. Raises FilesError with the problems of all files.
    """
    root = root or folder
    shown_below = root if folder.is_relative_to(root) else folder.parent
    if not folder.is_dir():
        raise FilesError(
            Problem(_shown(folder, shown_below), "is no folder of tools", "name one with --tools")
        )
    known = _categories(queries)
    problems: list[Problem] = []
    warnings: list[Problem] = []
    definitions: list[ToolDefinition] = []
    for path in sorted(folder.rglob("*.json"), key=lambda path: path.relative_to(folder).parts):
        shown = _shown(path, shown_below)
        try:
            record = _read(path, shown, root)
        except FilesError as error:
            problems.extend(error.problems)
            continue
        parent = path.parent.name if path.parent != folder else None
        category = record.get("tool_category") or parent or known.get(record["tool_name"])
        if category is None:
            category = DEFAULT_CATEGORY
            what = f"names no category for {record['tool_name']!r}, which is taken as {DEFAULT_CATEGORY}"
            warnings.append(
                Problem(
                    shown,
                    what,
                    "add tool_category, or put the file into a folder",
                    severity="warning",
                )
            )
        definitions.extend(_definitions(record, category))
    if problems:
        raise FilesError(problems)
    for doubts in (_twice, _sharing_replies):
        warnings.extend(doubts(definitions, _shown(folder, shown_below)))
    return Catalogue(with_unique_names(definitions), tuple(warnings))


def catalogue_of(cases: Iterable[Case]) -> Catalogue:
    """A catalogue made of the candidate APIs of queries, for suites that come without tool files."""
    return Catalogue(
        with_unique_names(found for case in cases for found in definitions_of(case.record))
    )


def fingerprint(definitions: Iterable[ToolDefinition]) -> str:
    """16 hex digits over the sorted names that a model is shown."""
    names = "\n".join(sorted(found.sanitised_name for found in definitions))
    return hashlib.sha256(names.encode()).hexdigest()[:16]


def _shown(path: Path, below: Path) -> str:
    return path.relative_to(below).as_posix() if path.is_relative_to(below) else str(path)


def _categories(queries: Iterable[Case]) -> dict[str, str]:
    """The category that queries give each tool; the first counts."""
    found: dict[str, str] = {}
    for case in queries:
        for api in case.record.get("api_list") or ():
            if api.get("category_name"):
                found.setdefault(api["tool_name"], api["category_name"])
    return found


def _read(path: Path, shown: str, root: Path) -> Mapping[str, Json]:
    record, _ = read_shaped(
        CATALOGUE_TOOL, path, shown, root, "write it as StableToolBench's tool files are"
    )
    return record


def _definitions(record: Mapping[str, Json], category: str) -> Iterator[ToolDefinition]:
    for api in record["api_list"]:
        name = ApiName(category, record["tool_name"], api["name"])
        yield definition(
            name,
            record.get("tool_description") or "",
            api.get("description") or "",
            parameters_of(api),
        )


def _twice(definitions: Sequence[ToolDefinition], shown: str) -> Iterator[Problem]:
    first: dict[ApiName, ToolDefinition] = {}
    for found in definitions:
        if first.setdefault(found.name, found) != found:
            what = f"describes {found.tool_name!r} {found.api_name!r} twice and differently; the first counts"
            yield Problem(shown, what, "keep one of them", severity="warning")


def _sharing_replies(definitions: Sequence[ToolDefinition], shown: str) -> Iterator[Problem]:
    """Names that differ only in signs or letter case lead to one file of replies, as upstream lays them out."""
    first: dict[str, ApiName] = {}
    for found in definitions:
        path = place_of(found.category, found.tool_name, found.api_name).path
        if (known := first.setdefault(path, found.name)) != found.name:
            what = f"holds {known.wrapper!r} and {found.name.wrapper!r}, which share the replies in {path}"
            yield Problem(
                shown, what, "keep one of them: equal inputs get equal replies", severity="warning"
            )


def _place(category: str, tool: str, api: str) -> tuple[str, str, str]:
    """One spelling for what a request and a catalogue may spell differently."""
    category = standard_category(category)
    short = tool.removesuffix(f"_for_{category}")
    plain_tool, plain_api = standardise(short), standardise(api)
    return (
        category.casefold(),
        plain_tool,
        change_name(plain_api.removesuffix(f"_for_{plain_tool}")),
    )
