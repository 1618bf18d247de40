"""`lb import bfcl`: files of the Berkeley Function Calling Leaderboard as a suite and submissions.

Reads and checks everything before it writes. Importing the same files again changes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from types import MappingProxyType
from typing import Final

from leaderboard.errors import FilesError, Problem
from leaderboard.files.imported_votes import IMPORTED_FROM
from leaderboard.types import Json, Price
from leaderboard.workspace import Workspace, id_problem
from runners.imports.bfcl.bfcl_cases import CATEGORIES, read_categories
from runners.imports.bfcl.bfcl_results import ModelResults, model_folders, read_results
from runners.imports.import_writer import (
    ImportReport,
    foreign_suite,
    imported_card,
    suite_toml,
    write_imported,
)
from runners.imports.json_lines import LineReader
from runners.submission_writer import (
    Written,
    lines_bytes,
    was_made_by,
    write_files,
    wrong_date,
)

SUITE: Final = "bfcl"
# The date of the published table whose verdicts the rules of `call_match` reproduce.
PUBLISHED: Final = "2024-08-11"

# These lines are written into the suite's file, so their breaks are part of its digest.
_DESCRIPTION: Final = (
    "Cases of the [Berkeley Function Calling Leaderboard]"
    "(https://gorilla.cs.berkeley.edu/leaderboard.html): every accepted value of\n"
    "every argument is listed, so code alone decides. Imported from its own files."
    " Questions and possible answers are the work of the\n"
    "Gorilla project at UC Berkeley, under the Apache License 2.0."
    " Each category weighs as many cases as it has, so the suite's score\n"
    "is correct answers divided by all."
)


def import_bfcl(
    root: Path,
    result_dir: Path,
    questions: Path,
    possible_answers: Path,
    underscored: Sequence[str] = (),
    *,
    date: str | None = None,
    prices: Mapping[str, Price] = MappingProxyType({}),
) -> ImportReport:
    """Writes `datasets/bfcl/` and one submission per model folder of `result_dir`.

    `underscored` are globs of the models that were shown tool names with "." replaced by "_".
    `date` (YYYY-MM-DD) and `prices` (by model folder) go onto the cards, where they replace what
    an earlier import wrote. Raises FilesError with the problems of all files.
    """
    reader = LineReader(root)
    categories = read_categories(questions, possible_answers, reader)
    folders = model_folders(result_dir, reader)
    models = [read_results(folder, categories, reader) for folder in folders]
    reader.problems += _wrong_names(models, underscored, prices, reader.shown(result_dir))
    reader.problems += wrong_date(date) if date is not None else ()
    reader.problems += foreign_suite(root, SUITE, SUITE)
    skipped: dict[str, str] = {}
    for model in models:
        if reason := _reason_to_skip(root, model, reader):
            skipped[model.model] = reason
    if reader.problems:
        raise FilesError(reader.problems)

    suite = _write_suite(root, categories)
    warnings = [warning for model in models for warning in model.warnings]
    submissions = []
    for model in models:
        if model.model in skipped:
            continue
        name = submission_id(model.model)
        is_underscored = any(fnmatchcase(model.model, glob) for glob in underscored)
        card = _card(root, model.model, date, prices.get(model.model), underscored=is_underscored)
        readme = _readme(model.model)
        submissions.append(
            write_imported(root, name, card, SUITE, records=model.records, readme=readme)
        )
        if card["settings"].get("tool_names") != "underscored":
            warnings += _seems_underscored(model, categories)
    return ImportReport(
        SUITE,
        suite,
        {category: len(cases) for category, cases in categories.items()},
        tuple(submissions),
        tuple(f"skipped {model}: {reason}" for model, reason in skipped.items()),
        tuple(warnings),
    )


def submission_id(model: str) -> str:
    """The submission id of a model folder: lower case, "-" for what an id cannot contain."""
    return re.sub(r"[^a-z0-9._-]", "-", model.lower())


def _wrong_names(
    models: Sequence[ModelResults],
    underscored: Sequence[str],
    prices: Mapping[str, Price],
    shown: str,
) -> Iterator[Problem]:
    """Problems of folder names that make no id of their own, and of options that fit no model."""
    seen: dict[str, str] = {}
    for model in models:
        name = submission_id(model.model)
        if id_problem(name) is not None:
            what = "has a name that makes no submission id"
            yield Problem(f"{shown}/{model.model}", what, "rename the folder")
        elif name in seen:
            what = f"makes the same submission id as {seen[name]}: {name}"
            yield Problem(f"{shown}/{model.model}", what, "rename one of them")
        seen.setdefault(name, model.model)
    if not models:
        return
    for glob in underscored:
        if not any(fnmatchcase(model.model, glob) for model in models):
            what = f"contains no model that matches --underscored {glob}"
            yield Problem(shown, what, "correct the pattern, or leave it out")
    for name in sorted(set(prices) - {model.model for model in models}):
        what = f"contains no model {name}, for which a price is given"
        yield Problem(shown, what, "correct the name, or leave it out")


def _write_suite(root: Path, categories: Mapping[str, Sequence[Json]]) -> Written:
    folder = Workspace(root).datasets / SUITE
    shown = Workspace(root).shown(folder)
    files = {f"{shown}/suite.toml": _suite_toml(categories)}
    for category, cases in categories.items():
        files[f"{shown}/{category}.json"] = lines_bytes(cases)
    outcome = write_files(root, files)
    for name in CATEGORIES:
        stale = folder / f"{name}.json"
        if f"{shown}/{stale.name}" not in files and stale.is_file():
            stale.unlink()
            outcome = "written"
    return outcome


def _suite_toml(categories: Mapping[str, Sequence[Json]]) -> bytes:
    suite = {
        "title": "Berkeley Function Calling Leaderboard",
        "description": _DESCRIPTION,
        "kind": "call_match",
    }
    tables: list[dict[str, str | int]] = []
    for category, cases in categories.items():
        title, description = CATEGORIES[category]
        table: dict[str, str | int] = {"id": category, "title": title}
        table |= {"description": description, "file": f"{category}.json", "weight": len(cases)}
        tables.append(table)
    return suite_toml(SUITE, suite, tables)


def _reason_to_skip(root: Path, model: ModelResults, reader: LineReader) -> str | None:
    if not model.has_calls:
        return "it answers in prose: no result contains a structured call"
    name = submission_id(model.model)
    if not (Workspace(root).submissions / name).exists():
        return None
    try:
        ours = was_made_by(root, name, IMPORTED_FROM, SUITE)
    except FilesError as error:
        reader.problems.extend(error.problems)
        return None
    return None if ours else f"submissions/{name} exists and was not made by this import"


def _card(
    root: Path, model: str, date: str | None, price: Price | None, *, underscored: bool
) -> dict[str, Json]:
    settings = {IMPORTED_FROM: SUITE} | ({"tool_names": "underscored"} if underscored else {})
    found = {"name": model, "kind": "model", "model": model, "date": PUBLISHED}
    given: dict[str, Json] = {}
    if price is not None:
        given["price"] = {"input": price.input, "output": price.output}
    return imported_card(root, submission_id(model), {**found, "settings": settings}, date, given)


def _readme(model: str) -> str:
    return (
        f"What `{model}` answered in the Berkeley Function Calling Leaderboard, imported from its"
        " published result files.\n\n"
        "The result files carry no licence of their own: ask before you pass them on.\n"
    )


def _seems_underscored(
    model: ModelResults, categories: Mapping[str, Sequence[Json]]
) -> Iterator[Problem]:
    """A warning if a model replaces "." by "_" in tool names, and never writes the "."."""
    offered: set[str] = set()
    for cases in categories.values():
        for case in cases:
            offered.update(tool["name"] for tool in case["tools"])
    dotted = {name for name in offered if "." in name}
    replaced = {name.replace(".", "_") for name in dotted}
    called = []
    for record in model.records:
        called += [call["name"] for call in record["model_function_call"] or ()]
    count = sum(name in replaced for name in called)
    if count and not any(name in dotted for name in called):
        what = (
            "names tools with '_' where their own names have '.', and never with '.'"
            f" (calls: {count})"
        )
        fix = f"if it was shown such names, add --underscored '{model.model}'"
        yield Problem(f"submissions/{submission_id(model.model)}", what, fix, severity="warning")
