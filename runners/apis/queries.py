"""Queries as StableToolBench ships them: `test_instruction/<test set>.json`, and the ids to keep in `test_query_ids/`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from leaderboard.errors import FilesError, Problem
from leaderboard.files.case_files import CaseFile, read_stable_toolbench
from leaderboard.files.document import Findings, parse, read_bytes
from leaderboard.types import Case, Json


def load_ids(path: Path) -> frozenset[str]:
    """The query ids of an id file, as text: the keys of an object, or the items of a list. Raises FilesError."""
    document = _document(path)
    if _is_ids(document):
        return frozenset(str(item) for item in document)
    what = "is neither an object with query ids as its keys nor a list of ids"
    raise FilesError(Problem(path.name, what, 'for example {"588": 0, "608": 0}'))


def load_test_sets(folder: Path, ids_folder: Path | None = None) -> Mapping[str, tuple[Case, ...]]:
    """Every query file at any depth below `folder`, by test set. Files of ids are no queries and are not counted as such.

    Of a test set for which `ids_folder` holds a file of the same name only the queries are kept whose id that file lists
    (compared as text). Raises FilesError.
    """
    found: dict[str, tuple[Case, ...]] = {}
    for path in sorted(folder.rglob("*.json"), key=lambda path: path.relative_to(folder).parts):
        if ids_folder is not None and path.is_relative_to(ids_folder):
            continue
        document = _document(path)
        if _is_ids(document) and document != []:
            continue
        if path.stem in found:
            what = f"holds the test set {path.stem}, which another file below {folder.name} holds already"
            raise FilesError(Problem(path.relative_to(folder).as_posix(), what, "keep one of them"))
        found[path.stem] = _listed(
            _read_queries(path, path.stem), ids_folder and ids_folder / f"{path.stem}.json"
        )
    return found


def _listed(cases: tuple[Case, ...], ids: Path | None) -> tuple[Case, ...]:
    if ids is None or not ids.is_file():
        return cases
    wanted = load_ids(ids)
    return tuple(case for case in cases if case.id in wanted)


def _is_ids(document: Json) -> bool:
    if isinstance(document, dict):
        return "query" not in document and not any(
            isinstance(value, dict | list) for value in document.values()
        )
    return isinstance(document, list) and all(
        isinstance(item, str | int) and not isinstance(item, bool) for item in document
    )


def _document(path: Path) -> Json:
    return parse(read_bytes(path, path.name, path.parent), path.name)


def _read_queries(path: Path, test_set: str) -> tuple[Case, ...]:
    data = read_bytes(path, path.name, path.parent)
    findings = Findings(path.name, data)
    cases = read_stable_toolbench(
        CaseFile(parse(data, path.name), test_set, (), shared=False, findings=findings)
    )
    seen: set[str] = set()
    for index, case in enumerate(cases):
        if case.id in seen:
            findings.add(
                (index, "query_id"),
                f"repeats the query id {case.id}",
                "give every query its own id",
            )
        seen.add(case.id)
    if findings.found:
        raise FilesError(findings.problems())
    return cases
