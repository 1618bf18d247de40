"""Score files of BFCL, for categories that only its own environments can decide.

They become a suite of kind `reported`: shown as what BFCL computed, and never ranked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from leaderboard.errors import Problem, collect_problems, raise_any
from leaderboard.files.file_bytes import read_named
from leaderboard.kinds import Kinds
from leaderboard.types import Json
from runners.imports.bfcl.bfcl_cases import bfcl_files
from runners.imports.bfcl.bfcl_import import SOURCE, published_day, ready_model
from runners.imports.bfcl.bfcl_results import refuse_several_models
from runners.imports.import_writer import (
    ImportedCategory,
    ImportReport,
    ReadyImport,
    foreign_suite,
    suite_files,
)
from runners.imports.json_lines import LineReader, json_lines
from runners.submission_writer import wrong_date

# Each category: its title, and the file of its questions, whose name their ids begin with.
CATEGORIES: Final[Mapping[str, tuple[str, str]]] = {
    "multi_turn_base": ("Multi-turn, base", "multi_turn_base"),
    "multi_turn_miss_func": ("Multi-turn, missing function", "multi_turn_miss_func"),
    "multi_turn_miss_param": ("Multi-turn, missing parameter", "multi_turn_miss_param"),
    "multi_turn_long_context": ("Multi-turn, long context", "multi_turn_long_context"),
    "web_search_base": ("Web search", "web_search"),
    "web_search_no_snippet": ("Web search, no snippet", "web_search"),
    "memory_kv": ("Memory, key and value", "memory"),
    "memory_vector": ("Memory, vectors", "memory"),
    "memory_rec_sum": ("Memory, summaries", "memory"),
}
_METRIC: Final = {
    "id": "accuracy",
    "label": "accuracy",
    "description": "Whether BFCL's own environment found the end state or the answer right.",
}
_DESCRIPTION: Final = (
    "Categories of the Berkeley Function Calling Leaderboard that need its own environments. The "
    "scores are those of its score files."
)


@dataclass(frozen=True, slots=True)
class _ModelScores:
    """What the score files of one model say about each case: whether it passed."""

    model: str
    passed: Mapping[str, bool]
    warnings: tuple[Problem, ...]


def import_scores(
    root: Path, scores: Path, questions: Path, kinds: Kinds, date: str | None = None
) -> ImportReport:
    """Writes the suite `bfcl_<version>_reported`, and what each model folder of `scores` reports.

    Raises FilesError with the problems of all files.
    """
    reader = LineReader(root)
    version, cases = _cases(questions, reader)
    suite_id = f"{SOURCE}_{version}_reported"
    folders = sorted(path for path in scores.iterdir() if any(_score_files(path)))
    if not folders:
        fix = "add a folder for each model, with files like BFCL_v4_multi_turn_base_score.json"
        reader.report(scores, "contains no scores of these categories", fix)
    for folder in folders:
        refuse_several_models(folder, [path for *_, path in _score_files(folder)], reader)
    found = [_read_model(folder, version, cases, reader) for folder in folders]
    reader.problems += wrong_date(date)
    reader.problems += foreign_suite(root, suite_id, SOURCE)
    raise_any(reader.problems)

    notes = [f"skipped {model.model}: no score can be read" for model in found if not model.passed]
    warnings = [warning for model in found for warning in model.warnings]
    ids = [case["id"] for records in cases.values() for case in records]
    day = published_day(scores)
    submissions = []
    for model, passed in ((model.model, model.passed) for model in found if model.passed):
        # A case without a score is unscored. Without a record it would fail.
        records = [{"id": id_, "metrics": {"accuracy": passed.get(id_)}} for id_ in ids]
        readme = f"What BFCL's score files report of `{model}`.\n"
        submissions.append(ready_model(root, model, records, readme=readme, day=day, date=date))
    files = _suite_files(suite_id, version, cases)
    made = ReadyImport(suite_id, cases, files, submissions, notes=notes, warnings=warnings)
    return made.write(root, kinds)


def _cases(questions: Path, reader: LineReader) -> tuple[str, dict[str, list[Json]]]:
    """The version of the questions, and a case for each question of each category."""
    cases: dict[str, list[Json]] = {}
    versions = set()
    for category, (_, name) in CATEGORIES.items():
        for path in sorted(questions.glob(f"BFCL_v*_{name}.json")):
            versions.add(path.name.split("_")[1])
            lines = reader.read(path)
            cases[category] = [{"id": line.id.replace(name, category, 1)} for line in lines]
    if len(versions) != 1:
        reader.report(questions, "contains no questions of these categories", "give --package")
    return next(iter(sorted(versions)), ""), cases


def _score_files(folder: Path) -> Iterator[tuple[str, str, Path]]:
    """The version, category and path of each score file of a model that is imported."""
    files = bfcl_files(folder.rglob("*_score.json"), "_score")
    return (file for file in files if file[1] in CATEGORIES)


def _read_model(
    folder: Path, version: str, cases: Mapping[str, Sequence[Json]], reader: LineReader
) -> _ModelScores:
    passed: dict[str, bool] = {}
    warnings = []
    files: dict[str, str] = {}
    for of_version, category, path in _score_files(folder):
        known = [case["id"] for case in cases.get(category, ())]
        shown = reader.shown(path)
        if of_version != version or not known:
            warnings.append(Problem(shown, "is of another version", severity="warning"))
            continue
        if files.setdefault(category, shown) != shown:
            what = f"is a second file of {category}, beside {files[category]}"
            reader.report(path, what, "keep one of them")
        lines: list[Json] = []
        with collect_problems(reader.problems):
            data = read_named(path, shown)
            lines = [value for _, value in json_lines(data, shown, reader.problems)]
        header = lines[0] if lines and isinstance(lines[0], dict) else {}
        failed = {str(line.get("id")) for line in lines[1:] if isinstance(line, dict)}
        counts = header.get("total_count"), header.get("correct_count")
        if counts != (len(known), len(known) - len(failed)) or not failed <= set(known):
            # A part of the category: nothing says which of the other cases were asked.
            what = f"does not cover the {len(known)} cases of {category}, and is left out"
            warnings.append(Problem(shown, what, severity="warning"))
            continue
        passed |= {case: case not in failed for case in known}
    return _ModelScores(folder.name, passed, tuple(warnings))


def _suite_files(
    suite_id: str, version: str, cases: Mapping[str, Sequence[Json]]
) -> dict[str, bytes]:
    title = f"Berkeley Function Calling Leaderboard {version.upper()}, reported"
    suite = {"title": title, "description": _DESCRIPTION, "kind": "reported"}
    categories = {}
    for category, records in cases.items():
        of_category, weight = CATEGORIES[category][0], {"weight": len(records)}
        categories[category] = ImportedCategory(of_category, records, weight)
    return suite_files(SOURCE, suite_id, suite, categories, _METRIC)
