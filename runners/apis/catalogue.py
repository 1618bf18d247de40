"""Tool catalogues: a folder of JSON files, one per tool, flat or as `<category>/<tool>.json`."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from leaderboard.apis.api_definitions import (
    CATALOGUE_TOOL,
    ToolDefinition,
    definition,
    definitions_of,
    parameters_of,
    tool_categories,
    with_unique_names,
)
from leaderboard.apis.api_names import (
    DEFAULT_CATEGORY,
    ApiName,
    NameRegistry,
    change_name,
    standard_category,
    standardise,
)
from leaderboard.errors import FilesError, Problem, collect_problems, raise_any
from leaderboard.files.shaped_files import read_shaped
from leaderboard.types import Case
from leaderboard.workspace import Workspace
from runners.apis.reply_files import place_of


@dataclass(frozen=True)
class Catalogue:
    """The APIs of a folder, in the order of files and of the APIs in them."""

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
        """16 hex digits that change with the names that a model is shown."""
        return fingerprint(self.definitions)

    @cached_property
    def _by_name(self) -> Mapping[ApiName, ToolDefinition]:
        return {found.name: found for found in self.definitions}

    @cached_property
    def _by_spelling(self) -> Mapping[tuple[str, str, str], ToolDefinition]:
        # The first of several APIs with one spelling counts.
        return {_one_spelling(found.name): found for found in reversed(self.definitions)}

    def named(self, name: ApiName) -> ToolDefinition:
        """The API with that name. Raises KeyError."""
        return self._by_name[name]

    def documented(self, name: ApiName) -> ToolDefinition | None:
        """The API that a request means, in the catalogue's spelling or standardised."""
        return self._by_spelling.get(_one_spelling(name))


def load_catalogue(
    folder: Path, root: Path | None = None, queries: Iterable[Case] = ()
) -> Catalogue:
    """The catalogue in `folder`. Links must stay inside `root` (default: the folder).

    A tool's category is its `tool_category`, or else its file's folder, or else the one that
    `queries` give it, or else "Data", with a warning. Raises FilesError with the problems of all
    files.
    """
    if not folder.is_dir():
        shown = Workspace(root).shown(folder) if root is not None else str(folder)
        raise FilesError.about(shown, "is not a folder of tools", "name one with --tools")
    root = root or folder
    workspace = Workspace(root if folder.is_relative_to(root) else folder.parent)
    known = tool_categories(case.record for case in queries)
    problems: list[Problem] = []
    warnings: list[Problem] = []
    definitions: list[ToolDefinition] = []
    for path in sorted(folder.rglob("*.json"), key=lambda path: path.relative_to(folder).parts):
        shown = workspace.shown(path)
        fix = "write it in the form of StableToolBench's tool files"
        with collect_problems(problems):
            record, _ = read_shaped(CATALOGUE_TOOL, path, shown, root, fix)
            tool = record["tool_name"]
            parent = path.parent.name if path.parent != folder else None
            category = record.get("tool_category") or parent or known.get(tool)
            if category is None:
                category = DEFAULT_CATEGORY
                what = f"gives no category for {tool!r}, so its category is {DEFAULT_CATEGORY}"
                fix = "add tool_category, or put the file into a folder"
                warnings.append(Problem(shown, what, fix, severity="warning"))
            described = record.get("tool_description") or ""
            for api in record["api_list"]:
                name = ApiName(category, tool, api["name"])
                about = api.get("description") or ""
                definitions.append(definition(name, described, about, parameters_of(api)))
    raise_any(problems)
    warnings += _different_copies(definitions, workspace.shown(folder))
    warnings += _shared_replies(definitions, workspace.shown(folder))
    return Catalogue(with_unique_names(definitions), tuple(warnings))


def catalogue_of(cases: Iterable[Case]) -> Catalogue:
    """A catalogue of the candidate APIs of queries, for suites without tool files."""
    listed = [found for case in cases for found in definitions_of(case.record)]
    return Catalogue(with_unique_names(listed))


def fingerprint(definitions: Iterable[ToolDefinition]) -> str:
    """16 hex digits of the sorted names that a model is shown."""
    names = "\n".join(sorted(found.sanitised_name for found in definitions))
    return hashlib.sha256(names.encode()).hexdigest()[:16]


def _different_copies(definitions: Sequence[ToolDefinition], shown: str) -> Iterator[Problem]:
    first: dict[ApiName, ToolDefinition] = {}
    for found in definitions:
        if first.setdefault(found.name, found) != found:
            api = f"{found.name.tool!r} {found.name.api!r}"
            what = f"describes {api} twice, in different ways; the first counts"
            yield Problem(shown, what, "keep one of them", severity="warning")


def _shared_replies(definitions: Sequence[ToolDefinition], shown: str) -> Iterator[Problem]:
    """Upstream keeps the replies of names that differ only in signs or case in one file."""
    first: dict[str, ApiName] = {}
    for found in definitions:
        path = place_of(found.name).path
        known = first.setdefault(path, found.name)
        if known != found.name:
            both = f"{known.wrapper!r} and {found.name.wrapper!r}"
            what = f"contains {both}, which share the replies in {path}"
            fix = "keep one of them: equal inputs get equal replies"
            yield Problem(shown, what, fix, severity="warning")


def _one_spelling(name: ApiName) -> tuple[str, str, str]:
    """One spelling for names that requests and catalogues may spell differently."""
    category = standard_category(name.category)
    tool = standardise(name.tool.removesuffix(f"_for_{category}"))
    api = standardise(name.api).removesuffix(f"_for_{tool}")
    return category.casefold(), tool, change_name(api)
