"""Reads queries as StableToolBench ships them: `test_instruction/<test set>.json`.

Files of the same names in `test_query_ids/` list the ids to keep.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from leaderboard.errors import FilesError, raise_any
from leaderboard.files.cases.category_cases import CategoryCases
from leaderboard.files.cases.stable_toolbench import read_stable_toolbench
from leaderboard.files.file_bytes import read_bytes
from leaderboard.files.findings import Findings
from leaderboard.files.json_files import parse
from leaderboard.types import Case, Json


def load_ids(path: Path) -> frozenset[str]:
    """The query ids of an id file, as text: the keys of an object, or the items of a list.

    Raises FilesError.
    """
    document = parse(read_bytes(path, path.name, path.parent), path.name)
    if _is_ids(document):
        return frozenset(str(item) for item in document)
    what = "is neither an object with query ids as its keys nor a list of ids"
    raise FilesError.about(path.name, what, 'for example {"588": 0, "608": 0}')


def load_test_sets(folder: Path, ids_folder: Path | None = None) -> Mapping[str, tuple[Case, ...]]:
    """The queries of all files in `folder` and below it, by test set. Files of ids are skipped.

    If `ids_folder` has a file for a test set, only the queries that it lists are kept. Ids are
    compared as text. Raises FilesError.
    """
    found: dict[str, tuple[Case, ...]] = {}
    for path in sorted(folder.rglob("*.json"), key=lambda path: path.relative_to(folder).parts):
        if ids_folder is not None and path.is_relative_to(ids_folder):
            continue
        data = read_bytes(path, path.name, path.parent)
        document = parse(data, path.name)
        if _is_ids(document) and document != []:
            continue
        if path.stem in found:
            what = f"repeats the test set {path.stem} of another file in {folder.name}"
            raise FilesError.about(path.relative_to(folder).as_posix(), what, "keep one of them")
        cases = _read_queries(document, path.stem, Findings(path.name, data))
        ids = ids_folder / path.name if ids_folder is not None else None
        if ids is not None and ids.is_file():
            wanted = load_ids(ids)
            cases = tuple(case for case in cases if case.id in wanted)
        found[path.stem] = cases
    return found


def _is_ids(document: Json) -> bool:
    if isinstance(document, dict):
        nested = any(isinstance(value, dict | list) for value in document.values())
        return "query" not in document and not nested
    return isinstance(document, list) and all(
        isinstance(item, str | int) and not isinstance(item, bool) for item in document
    )


def _read_queries(document: Json, test_set: str, findings: Findings) -> tuple[Case, ...]:
    cases = read_stable_toolbench(
        CategoryCases(document, test_set, (), shared=False, findings=findings)
    )
    seen: set[str] = set()
    for index, case in enumerate(cases):
        if case.id in seen:
            what, fix = f"repeats the query id {case.id}", "give every query its own id"
            findings.add((index, "query_id"), what, fix)
        seen.add(case.id)
    raise_any(findings.problems())
    return cases
