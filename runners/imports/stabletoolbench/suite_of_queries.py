"""A suite of StableToolBench's own folders: its queries, and its tools and replies if given."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from leaderboard.errors import FilesError, Problem, raise_any
from leaderboard.types import Case
from leaderboard.workspace import Workspace
from runners.apis.catalogue import load_catalogue
from runners.imports.import_writer import (
    ImportedCategory,
    ImportedSuite,
    foreign_suite,
    suite_files,
)
from runners.imports.judge_prompts import model_prompt
from runners.imports.stabletoolbench.query_files import load_test_sets

KIND: Final = "stable_toolbench"
FORMAT: Final = "stabletoolbench"

# The published order of the test sets. Others come after them, sorted by name.
TEST_SETS: Final = (
    "G1_instruction",
    "G1_tool",
    "G1_category",
    "G2_instruction",
    "G2_category",
    "G3_instruction",
)
_PROMPT, _FOLLOW_UP, _PREFERENCE = "answer_status", "execution_status", "preference"
_DESCRIPTION: Final = (
    "Queries over simulated web APIs, imported from query files of StableToolBench: whether a judge"
    " finds a query solved, which of the APIs that it takes are called, and whether it is brought"
    " to an end."
)


@dataclass(frozen=True, slots=True)
class UpstreamFiles:
    """The folders of a suite: query files, and id files that limit it to the queries they list.

    `tools` has tool files and `cache` replies (`<category>/<tool>/<api>.json`), both to be copied.
    """

    queries: Path
    ids: Path | None = None
    tools: Path | None = None
    cache: Path | None = None


def upstream_suite(root: Path, suite_id: str, upstream: UpstreamFiles) -> ImportedSuite:
    """A suite of query files with a category per test set.

    The judge prompts are copies of those that the project ships. Raises FilesError.
    """
    queries, tools, cache = upstream.queries, upstream.tools, upstream.cache
    raise_any(foreign_suite(root, suite_id, FORMAT))
    test_sets = {
        name: cases for name, cases in load_test_sets(queries, upstream.ids).items() if cases
    }
    if not test_sets:
        fix = "name the folder of <test set>.json files"
        raise FilesError.about(queries.name, "contains no query", fix)
    raise_any(_shared_ids(test_sets, queries.name))
    others = sorted(set(test_sets) - set(TEST_SETS))
    cases = {name: test_sets[name] for name in (*TEST_SETS, *others) if name in test_sets}
    workspace = Workspace(root)
    folder = f"datasets/{suite_id}"
    files = _suite_files(suite_id, cases)
    for name in (_PROMPT, _FOLLOW_UP, _PREFERENCE):
        prompt = workspace.prompts / suite_id / f"{name}.md"
        files[workspace.shown(prompt)] = model_prompt(workspace, KIND, name).read_bytes()
    copies: dict[str, Path] = {}
    warnings: tuple[Problem, ...] = ()
    if tools is not None:
        every = (case for listed in cases.values() for case in listed)
        warnings = load_catalogue(tools, queries=every).warnings
        copies |= {f"{folder}/tools/{name}": path for name, path in _json_files(tools)}
    if cache is not None:
        replies = dict(_json_files(cache))
        _check_places(cache, replies)
        copies |= {f"{folder}/cache/{name}": path for name, path in replies.items()}
    return ImportedSuite(cases, files, warnings, copies)


def _suite_files(suite_id: str, test_sets: Mapping[str, Sequence[Case]]) -> dict[str, bytes]:
    suite = {"title": suite_id, "description": _DESCRIPTION, "kind": KIND}
    suite["preference"] = _PREFERENCE
    prompts = {"prompt": _PROMPT, "follow_up": _FOLLOW_UP}
    categories = {}
    for name, cases in test_sets.items():
        categories[name] = ImportedCategory(name, [case.record for case in cases], prompts)
    return suite_files(FORMAT, suite_id, suite, categories)


def _json_files(folder: Path) -> Iterator[tuple[str, Path]]:
    """The `.json` files in a folder and below it, sorted, by their path in it."""
    found = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*.json")}
    yield from sorted(found.items())


def _check_places(cache: Path, names: Iterable[str]) -> None:
    """Raises FilesError if these are not `<category>/<tool>/<api>.json`."""
    names = list(names)
    odd = [name for name in names if name.count("/") != 2]
    if odd or not names:
        what = f"has {odd[0]}" if odd else "is empty"
        fix = "name the folder with <category>/<tool>/<api>.json, such as tool_response_cache"
        raise FilesError.about(cache.name, f"is not a folder of replies: it {what}", fix)


def _shared_ids(test_sets: Mapping[str, tuple[Case, ...]], shown: str) -> Iterator[Problem]:
    """A problem for each two test sets with equal ids: the ids of a suite are its cases'."""
    first: dict[str, str] = {}
    shared: dict[tuple[str, str], list[str]] = {}
    for name, cases in test_sets.items():
        for case in cases:
            owner = first.setdefault(case.id, name)
            if owner != name:
                shared.setdefault((owner, name), []).append(case.id)
    for (owner, name), ids in shared.items():
        count = "1 query id" if len(ids) == 1 else f"{len(ids)} query ids"
        what = f"has {count} in both {owner} and {name}, such as {ids[0]}"
        fix = "keep each query in one test set, or import the sets as two suites"
        yield Problem(shown, what, fix)
