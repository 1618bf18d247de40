"""`lb import bfcl`: files of the Berkeley Function Calling Leaderboard as a suite and submissions.

Reads and checks everything before it writes. Importing the same files again changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path
from types import MappingProxyType
from typing import Final

from leaderboard.errors import Problem, collect_problems, raise_any
from leaderboard.files.imported_votes import IMPORTED_FROM
from leaderboard.files.tool_names import sent_name
from leaderboard.kinds import Kinds
from leaderboard.types import Json, Price
from leaderboard.workspace import Workspace
from runners.imports.bfcl.bfcl_cases import CATEGORIES, Questions, read_questions
from runners.imports.bfcl.bfcl_results import (
    DAY,
    ModelResults,
    files_of_other_names,
    model_folders,
    read_results,
)
from runners.imports.import_writer import (
    ImportedCategory,
    ImportReport,
    ReadyImport,
    ReadySubmission,
    foreign_suite,
    ready_submission,
    suite_files,
)
from runners.imports.json_lines import LineReader
from runners.submission_writer import id_of, was_made_by, wrong_date

SOURCE: Final = "bfcl"  # the id of the suite too, for files without a version
# The date of the published table whose verdicts the rules of `call_match` reproduce.
PUBLISHED: Final = "2024-08-11"

# These lines are written into the suite's file, so their breaks are part of its digest.
_DESCRIPTION: Final = (
    "Cases of the [Berkeley Function Calling Leaderboard]"
    "(https://gorilla.cs.berkeley.edu/leaderboard.html): every accepted value of\n"
    "every argument is listed, so code alone decides. Imported from its own files."
    " Questions and possible answers are the work of the\n"
    "Gorilla project at UC Berkeley, under the Apache License 2.0."
    " Categories are weighted by number of cases, so the suite's score\n"
    "is correct answers divided by all."
)


def import_bfcl(
    root: Path,
    result_dir: Path | None,
    questions: Path,
    possible_answers: Path,
    underscored: Sequence[str] = (),
    *,
    kinds: Kinds,
    date: str | None = None,
    prices: Mapping[str, Price] = MappingProxyType({}),
) -> ImportReport:
    """Writes the suite of these questions, and one submission per model folder of `result_dir`.

    The suite is `bfcl`, or `bfcl_v4` for files of version v4. Without `result_dir` only the suite
    is written. `underscored` are globs of the models that were shown tool names with "." replaced
    by "_"; without any, a model's own calls show it. `date` (YYYY-MM-DD) and `prices` (by model
    folder) go onto the cards, where they replace what an earlier import wrote. Raises FilesError
    with the problems of all files.
    """
    reader = LineReader(root)
    asked = read_questions(questions, possible_answers, reader)
    suite_id = f"{SOURCE}_{asked.version}" if asked.version else SOURCE
    folders = model_folders(result_dir, reader) if result_dir is not None else ()
    models = [read_results(folder, asked, reader) for folder in folders]
    if result_dir is not None:
        reader.problems += _wrong_names(models, underscored, prices, reader.shown(result_dir))
    reader.problems += wrong_date(date)
    reader.problems += foreign_suite(root, suite_id, SOURCE)
    reasons = {model.model: _reason_to_skip(root, model, reader) for model in models}
    raise_any(reader.problems)

    notes = [f"skipped {model}: {reason}" for model, reason in reasons.items() if reason]
    warnings = [] if result_dir is None else list(files_of_other_names(result_dir, reader))
    warnings += [warning for model in models for warning in model.left_out]
    day = published_day(result_dir) if asked.version and result_dir is not None else PUBLISHED
    submissions = []
    for model in models:
        if reasons[model.model]:
            continue
        name = model.model
        warnings += model.warnings
        is_underscored = any(fnmatchcase(name, glob) for glob in underscored)
        count = _underscored_calls(model, asked.categories)
        if count and not underscored:
            is_underscored = True
            notes.append(f"{name}: was shown tool names with '_' for '.' (calls: {count})")
        settings = {"tool_names": "underscored"} if is_underscored else {}
        ready = ready_model(
            root,
            name,
            model.records,
            readme=_readme(name),
            day=day,
            date=date,
            settings=settings,
            price=prices.get(name),
        )
        if count and ready.card["settings"].get("tool_names") != "underscored":
            warnings.append(_seems_underscored(model, count))
        submissions.append(ready)
    files = _suite_files(suite_id, asked)
    made = ReadyImport(
        suite_id, asked.categories, files, submissions, notes=notes, warnings=warnings
    )
    report = made.write(root, kinds)
    return replace(report, suite="written") if _removed_stale(root, files, suite_id) else report


def published_day(folder: Path) -> str | None:
    """The day in the name of a folder around these results, as their repository has it."""
    return next((part for part in reversed(folder.resolve().parts) if DAY.fullmatch(part)), None)


def submission_id(model: str) -> str:
    """The submission id of a model folder."""
    return id_of(model) or "model"


def _wrong_names(
    models: Sequence[ModelResults],
    underscored: Sequence[str],
    prices: Mapping[str, Price],
    shown: str,
) -> Iterator[Problem]:
    """Problems of folders that make one id, and of options that fit no model."""
    seen: dict[str, str] = {}
    for model in models:
        name = submission_id(model.model)
        if name in seen:
            what = f"gets the same submission id as {seen[name]}: {name}"
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


def _suite_files(suite_id: str, asked: Questions) -> dict[str, bytes]:
    suite = {
        "title": f"Berkeley Function Calling Leaderboard {asked.version.upper()}".strip(),
        "description": _DESCRIPTION,
        "kind": "call_match",
    }
    categories = {}
    for category, cases in asked.categories.items():
        about, weight = CATEGORIES[category], {"weight": len(cases)}
        categories[category] = ImportedCategory(about.title, cases, weight, about.description)
    return suite_files(SOURCE, suite_id, suite, categories)


def _removed_stale(root: Path, files: Mapping[str, bytes], suite_id: str) -> bool:
    """Deletes the categories that only an earlier import had. Returns whether there were any."""
    paths = [f"datasets/{suite_id}/{category}.json" for category in CATEGORIES]
    stale = [path for path in paths if path not in files and (root / path).is_file()]
    for path in stale:
        (root / path).unlink()
    return bool(stale)


def _reason_to_skip(root: Path, model: ModelResults, reader: LineReader) -> str | None:
    if model.no_calls is not None:
        return model.no_calls
    name = submission_id(model.model)
    if not (Workspace(root).submissions / name).exists():
        return None
    with collect_problems(reader.problems):
        if not was_made_by(root, name, IMPORTED_FROM, SOURCE):
            return f"submissions/{name} exists and was not made by this import"
    return None


def ready_model(
    root: Path,
    model: str,
    records: Sequence[Json],
    *,
    readme: str,
    day: str | None,
    date: str | None,
    settings: Mapping[str, Json] = MappingProxyType({}),
    price: Price | None = None,
) -> ReadySubmission:
    """The submission of a model. `date` replaces the `day` of the files. Raises FilesError."""
    found = {"name": model, "kind": "model", "model": model, "date": day, "settings": settings}
    given = {} if price is None else {"price": {"input": price.input, "output": price.output}}
    return ready_submission(
        root, submission_id(model), SOURCE, found, records, readme=readme, date=date, fields=given
    )


def _readme(model: str) -> str:
    return (
        f"What `{model}` answered in the Berkeley Function Calling Leaderboard, imported from its"
        " published result files.\n\n"
        "The result files carry no licence of their own: ask before you pass them on.\n"
    )


def _underscored_calls(model: ModelResults, categories: Mapping[str, Sequence[Json]]) -> int:
    """How many calls replace "." by "_" in a tool's name; 0 if any call writes the "."."""
    offered: set[str] = set()
    for cases in categories.values():
        for case in cases:
            offered.update(tool["name"] for tool in case["tools"])
    dotted = {name for name in offered if "." in name}
    replaced = {sent_name(name) for name in dotted}
    called = []
    for record in model.records:
        called += [call["name"] for call in record["model_function_call"] or ()]
    if any(name in dotted for name in called):
        return 0
    return sum(name in replaced for name in called)


def _seems_underscored(model: ModelResults, count: int) -> Problem:
    words = "names tools with '_' where their own names have '.', and never with '.'"
    fix = f"if it was shown such names, add --underscored '{model.model}'"
    path = f"submissions/{submission_id(model.model)}"
    return Problem(path, f"{words} (calls: {count})", fix, severity="warning")
