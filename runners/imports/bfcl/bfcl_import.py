"""`lb import bfcl`: the Berkeley Function Calling Leaderboard's own files as a suite and submissions.

Everything is read and checked before anything is written. Importing the same files again changes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from types import MappingProxyType
from typing import Final

from leaderboard.errors import FilesError, Problem
from leaderboard.store import write_atomic
from leaderboard.types import Json, Price
from leaderboard.workspace import SUBMISSION_ID, Workspace
from runners.imports.bfcl.bfcl_cases import CATEGORIES, ImportedCategory, read_categories
from runners.imports.bfcl.bfcl_results import ModelResults, model_folders, read_results
from runners.imports.json_lines import LineReader
from runners.submission_writer import (
    Written,
    existing_card,
    lines_bytes,
    was_made_by,
    write_submission,
    wrong_date,
)

SUITE: Final = "bfcl"
ORIGIN: Final = "imported_from"
# The date of the published table whose verdicts the `call_match` rules reproduce.
PUBLISHED: Final = "2024-08-11"

_MARK: Final = "# Written by `lb import bfcl`, which may write it again."
_DESCRIPTION: Final = """\
Cases of the [Berkeley Function Calling Leaderboard](https://gorilla.cs.berkeley.edu/leaderboard.html): every accepted value of
every argument is listed, so code alone decides. Imported from its own files. Questions and possible answers are the work of the
Gorilla project at UC Berkeley, under the Apache License 2.0. Each category weighs as many cases as it has, so the suite's score
is correct answers divided by all."""


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What an import did. `categories` counts the cases; `skipped` gives a reason per model folder left out."""

    suite: Written
    categories: Mapping[str, int]
    written: tuple[str, ...]
    unchanged: tuple[str, ...]
    skipped: tuple[tuple[str, str], ...]
    warnings: tuple[Problem, ...]

    def __str__(self) -> str:
        """One line for the suite and for every submission, then what was skipped, and the warnings."""
        cases = sum(self.categories.values())
        lines = [
            f"datasets/{SUITE}/: {self.suite} (categories: {len(self.categories)}, cases: {cases})"
        ]
        lines += [f"submissions/{name}/: written" for name in self.written]
        lines += [f"submissions/{name}/: unchanged" for name in self.unchanged]
        lines += [f"skipped {model}: {reason}" for model, reason in self.skipped]
        lines += [f"warning: {warning}" for warning in self.warnings]
        return "\n".join(lines)


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
    """Writes `datasets/bfcl/` and one submission per model folder of `result_dir` below `root`.

    `underscored` holds globs: a model folder that matches one was shown tool names with "." replaced by "_". `date`
    (YYYY-MM-DD, the published table's unless given) and `prices` (by model folder) go onto the cards. What a card already
    says otherwise, in a submission of an earlier import, stays. Raises FilesError with the problems of all files.
    """
    reader = LineReader(root)
    categories = read_categories(questions, possible_answers, reader)
    models = [
        read_results(folder, categories, reader) for folder in model_folders(result_dir, reader)
    ]
    reader.problems.extend(_misnamed(models, underscored, prices, reader.shown(result_dir)))
    reader.problems.extend(wrong_date(date) if date is not None else ())
    _refuse_foreign_suite(root, reader)
    skipped = {
        model.model: reason for model in models if (reason := _reason_to_skip(root, model, reader))
    }
    if reader.problems:
        raise FilesError(reader.problems)
    suite = _write_suite(root, categories)
    outcomes: dict[str, Written] = {}
    warnings = [warning for model in models for warning in model.warnings]
    for model in models:
        if model.model in skipped:
            continue
        matches = any(fnmatchcase(model.model, glob) for glob in underscored)
        card = _card(root, model.model, date, prices.get(model.model), underscored=matches)
        outcomes[submission_id(model.model)] = _write_model(root, model, card)
        if card["settings"].get("tool_names") != "underscored":
            warnings.extend(_seems_underscored(model, categories))
    return ImportReport(
        suite=suite,
        categories={category.id: len(category.cases) for category in categories},
        written=tuple(name for name, outcome in outcomes.items() if outcome == "written"),
        unchanged=tuple(name for name, outcome in outcomes.items() if outcome == "unchanged"),
        skipped=tuple(skipped.items()),
        warnings=tuple(warnings),
    )


def submission_id(model: str) -> str:
    """The submission id of a model folder: lower-case, with "-" for whatever an id cannot hold."""
    return re.sub(r"[^a-z0-9._-]", "-", model.lower())


def _misnamed(
    models: Sequence[ModelResults],
    underscored: Sequence[str],
    prices: Mapping[str, Price],
    shown: str,
) -> Iterator[Problem]:
    seen: dict[str, str] = {}
    for model in models:
        name = submission_id(model.model)
        if not SUBMISSION_ID.fullmatch(name):
            yield Problem(
                f"{shown}/{model.model}",
                "has a name that makes no submission id",
                "rename the folder",
            )
        elif name in seen:
            yield Problem(
                f"{shown}/{model.model}",
                f"makes the same submission id as {seen[name]}: {name}",
                "rename one of them",
            )
        seen.setdefault(name, model.model)
    if not models:
        return
    for glob in underscored:
        if not any(fnmatchcase(model.model, glob) for model in models):
            yield Problem(
                shown,
                f"holds no model that matches --underscored {glob}",
                "correct the pattern, or leave it out",
            )
    for name in sorted(set(prices) - {model.model for model in models}):
        yield Problem(
            shown,
            f"holds no model {name}, for which a price is given",
            "correct the name, or leave it out",
        )


# ---------------------------------------------------------------- the suite


def _refuse_foreign_suite(root: Path, reader: LineReader) -> None:
    path = Workspace(root).datasets / SUITE / "suite.toml"
    if path.is_file() and not path.read_bytes().startswith(_MARK.encode()):
        fix = "move that folder away; the import writes its own"
        reader.problems.append(
            Problem(reader.shown(path), "was not written by an import of bfcl", fix)
        )


def _write_suite(root: Path, categories: Iterable[ImportedCategory]) -> Written:
    folder = Workspace(root).datasets / SUITE
    files = {f"{category.id}.json": lines_bytes(category.cases) for category in categories}
    files["suite.toml"] = _suite_toml(categories).encode()
    outcome: Written = "unchanged"
    for name, data in files.items():
        path = folder / name
        if not path.is_file() or path.read_bytes() != data:
            write_atomic(path, data)
            outcome = "written"
    for category in CATEGORIES:
        stale = folder / f"{category}.json"
        if stale.name not in files and stale.is_file():
            stale.unlink()
            outcome = "written"
    return outcome


def _suite_toml(categories: Iterable[ImportedCategory]) -> str:
    head = (
        f'{_MARK}\nschema = 1\ntitle = "Berkeley Function Calling Leaderboard"\n'
        f'description = """\n{_DESCRIPTION}\n"""\nkind = "call_match"\n'
    )
    return head + "".join(_category_toml(category) for category in categories)


def _category_toml(category: ImportedCategory) -> str:
    return (
        f'\n[[categories]]\nid = "{category.id}"\ntitle = "{category.title}"\ndescription = "{category.description}"\n'
        f'file = "{category.id}.json"\nweight = {len(category.cases)}\n'
    )


# ---------------------------------------------------------------- the submissions


def _reason_to_skip(root: Path, model: ModelResults, reader: LineReader) -> str | None:
    name = submission_id(model.model)
    if not model.has_calls:
        return "it answers in prose: no result holds a structured call"
    if not (Workspace(root).submissions / name).exists():
        return None
    try:
        ours = was_made_by(root, name, ORIGIN, SUITE)
    except FilesError as error:
        reader.problems.extend(error.problems)
        return None
    return None if ours else f"submissions/{name} is there already and was not made by this import"


def _card(
    root: Path, model: str, date: str | None, price: Price | None, *, underscored: bool
) -> dict[str, Json]:
    """The card's fields: what the import is told, else what an earlier import's card says by now, else what the files tell."""
    kept = dict(existing_card(root, submission_id(model)))
    card: dict[str, Json] = {
        "schema": 1,
        "name": model,
        "kind": "model",
        "organization": "unknown",  # the result files do not say
        "model": model,
        "date": PUBLISHED,
    }
    card |= kept
    card["settings"] = dict(kept.get("settings", {})) | {ORIGIN: SUITE}
    if underscored:
        card["settings"]["tool_names"] = "underscored"
    if date is not None:
        card["date"] = date
    if price is not None:
        card["price"] = {"input": price.input, "output": price.output}
    return card


def _write_model(root: Path, model: ModelResults, card: Mapping[str, Json]) -> Written:
    name = submission_id(model.model)
    has_readme = (Workspace(root).submissions / name / "README.md").exists()
    readme = None if has_readme else _readme(model.model)
    return write_submission(root, name, card, {SUITE: model.records}, origin=ORIGIN, readme=readme)


def _readme(model: str) -> str:
    return (
        f"What `{model}` answered in the Berkeley Function Calling Leaderboard, imported from its published result files.\n\n"
        "The result files carry no licence of their own: ask before you pass them on.\n"
    )


def _seems_underscored(
    model: ModelResults, categories: Iterable[ImportedCategory]
) -> Iterator[Problem]:
    """A warning when a model's calls are never spelled as offered, but often as offered with "_" for "."."""
    dotted = {
        tool["name"]
        for category in categories
        for case in category.cases
        for tool in case["tools"]
        if "." in tool["name"]
    }
    shown = {name.replace(".", "_") for name in dotted} - dotted
    called = [
        call["name"] for record in model.records for call in record["model_function_call"] or ()
    ]
    count = sum(name in shown for name in called)
    if count and not any(name in dotted for name in called):
        what = f"names tools with '_' where their own names have '.', and never with '.' (calls: {count})"
        fix = f"if it was shown such names, add --underscored '{model.model}'"
        yield Problem(f"submissions/{submission_id(model.model)}", what, fix, severity="warning")
