"""`lb import tool-selection`: the tester's own folder as a suite, its prompts and submissions."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

from leaderboard.errors import FilesError
from leaderboard.files.document import parse
from leaderboard.files.file_bytes import read_named
from leaderboard.files.imported_votes import IMPORTED_FROM
from leaderboard.files.prompt_files import load_prompts
from leaderboard.files.suite_files import load_suite
from leaderboard.files.tool_records import tool_from_record
from leaderboard.kinds import Kinds
from leaderboard.types import Json, Suite
from leaderboard.workspace import Workspace
from runners.converted_responses import import_responses
from runners.imports.import_writer import (
    ImportReport,
    foreign_suite,
    imported_card,
    suite_toml,
    write_imported,
)
from runners.imports.tool_selection.tester_cases import CATEGORIES, read_cases
from runners.imports.tool_selection.tester_sources import read_prompts, read_tools
from runners.init.new_board import EMBEDDED_JUDGE, board_settings
from runners.submission_writer import (
    lines_bytes,
    refuse_foreign,
    write_files,
    wrong_date,
    wrong_ids,
)

SOURCE: Final = "tool-selection"
_RESPONSES: Final = ("processed_responses.json", "raw_responses.json")
_STAMP: Final = re.compile(r"([0-9]{4})-?([0-9]{2})-?([0-9]{2})")


class _Run(NamedTuple):
    """One run of the tester: its responses file, its parameters, and the id it will have."""

    responses: Path
    parameters: Mapping[str, Json]
    submission_id: str


def import_tester(
    root: Path, folder: Path, suite_id: str, kinds: Kinds, date: str | None = None
) -> ImportReport:
    """Writes the suite with its tools and prompts, and a submission for each run of the tester.

    `root` becomes a workspace if it is none. Reads and checks everything before it writes. Raises
    FilesError.
    """
    problems = [*wrong_ids(suite_id, ()), *foreign_suite(root, suite_id, SOURCE)]
    problems += wrong_date(date) if date is not None else ()
    if problems:
        raise FilesError(problems)
    tools = read_tools(folder)
    cases = read_cases(folder, tuple(map(tool_from_record, tools)))
    prompts = read_prompts(folder, {category: CATEGORIES[category][1] for category in cases})
    files = {f"datasets/{suite_id}/suite.toml": _suite_toml(cases)}
    files[f"datasets/{suite_id}/tools.json"] = lines_bytes(tools)
    for category, rows in cases.items():
        files[f"datasets/{suite_id}/{category}.json"] = lines_bytes(rows)
        files[f"prompts/{suite_id}/{category}.md"] = prompts[category]
    suite = _loaded(files, suite_id, kinds)

    cards = {}
    answers = {}
    runs = _runs(folder)
    for run in runs:
        card = _card(root, run, date)
        if (Workspace(root).submissions / run.submission_id).exists():
            refuse_foreign(root, run.submission_id, IMPORTED_FROM, SOURCE)
        shown = str(run.responses)
        found = import_responses(read_named(run.responses, shown), shown, suite, lambda: ())
        cards[run.submission_id] = card
        answers[run.submission_id] = _records(parse(found.data, shown))

    if not Workspace(root).settings.is_file():
        title = folder.resolve().name
        write_files(root, {"leaderboard.toml": board_settings(title, judge=EMBEDDED_JUDGE)})
    outcome = write_files(root, files)
    submissions = []
    for run in runs:
        name, records = run.submission_id, answers[run.submission_id]
        readme = (
            f"Imported from a run of the tool-selection tester, `{run.responses.parent.name}`.\n"
        )
        submissions.append(
            write_imported(root, name, cards[name], suite_id, records=records, readme=readme)
        )
    counts = {category: len(rows) for category, rows in cases.items()}
    return ImportReport(suite_id, outcome, counts, tuple(submissions))


def _suite_toml(cases: Mapping[str, list[Json]]) -> bytes:
    suite = {"title": "Tool selection", "kind": "tool_selection", "tools": "tools.json"}
    suite["description"] = "Imported from the tool-selection tester's own folder."
    tables: list[dict[str, str | int]] = []
    for category in cases:
        table: dict[str, str | int] = {"id": category, "title": CATEGORIES[category][0]}
        tables.append({**table, "file": f"{category}.json", "prompt": category})
    return suite_toml(SOURCE, suite, tables)


def _loaded(files: Mapping[str, bytes], suite_id: str, kinds: Kinds) -> Suite:
    """The suite of these files, with its prompts checked."""
    with TemporaryDirectory() as name:
        workspace = Workspace(Path(name))
        write_files(workspace.root, files)
        suite = load_suite(workspace, suite_id, kinds)
        load_prompts(workspace, suite)
        return suite


# ---------------------------------------------------------------- runs


def _runs(folder: Path) -> list[_Run]:
    """The runs below `results/`, by folder. Raises FilesError for a file that cannot be read."""
    found = []
    for run in sorted({path.parent for name in _RESPONSES for path in folder.rglob(name)}):
        responses = next(run / name for name in _RESPONSES if (run / name).is_file())
        path = run / "test_parameters.json"
        given = parse(read_named(path, str(path)), str(path)) if path.is_file() else {}
        parameters = given if isinstance(given, dict) else {}
        found.append((responses, parameters, _slug(str(parameters.get("model_id") or run.name))))
    names = [name for *_, name in found]
    runs = []
    for responses, parameters, name in found:
        # Several runs of one model are told apart by the names of their folders.
        several = f"{name}-{_slug(responses.parent.name)}"[:64]
        runs.append(_Run(responses, parameters, several if names.count(name) > 1 else name))
    return runs


def _slug(name: str) -> str:
    return re.sub(r"[^a-z0-9._-]+", "-", name.lower()).strip("-._")[:64] or "run"


def _card(root: Path, run: _Run, date: str | None) -> dict[str, Json]:
    day = _STAMP.search(str(run.parameters.get("timestamp", "")))
    day = day or _STAMP.search(run.responses.parent.name)
    model = run.parameters.get("model_id")
    found: dict[str, Json] = {"kind": "model", "date": "-".join(day.groups()) if day else None}
    if isinstance(model, str):
        found |= {"name": model, "model": model}
    settings: dict[str, Json] = {IMPORTED_FROM: SOURCE, "run": run.responses.parent.name}
    config = run.parameters.get("generation_config")
    if isinstance(config, dict) and isinstance(config.get("temperature"), int | float):
        settings["temperature"] = config["temperature"]
    found["settings"] = settings
    return imported_card(root, run.submission_id, found, date, {})


def _records(document: Json) -> list[Json]:
    """The records of a responses file that was checked, in one list."""
    if isinstance(document, list):
        return document
    parts = [document] if "test_results" in document else document.values()
    return [record for part in parts for record in part["test_results"]]
