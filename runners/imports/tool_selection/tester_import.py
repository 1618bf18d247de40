"""`lb import tool-selection`: the tester's own folder as a suite, its prompts and submissions."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from leaderboard.errors import FilesError, raise_any
from leaderboard.files.file_bytes import read_named
from leaderboard.files.json_files import parse
from leaderboard.files.prompt_files import load_prompts
from leaderboard.files.suite_files import load_suite
from leaderboard.files.tool_records import tool_from_record
from leaderboard.kinds import Kinds
from leaderboard.responses.record_lists import listed_records
from leaderboard.types import Json, Suite
from leaderboard.workspace import Workspace, card_file
from runners.converted_responses import import_responses
from runners.imports.import_writer import (
    ImportedCategory,
    ImportReport,
    ReadyImport,
    ReadySubmission,
    foreign_suite,
    ready_submission,
    staged,
    suite_files,
)
from runners.imports.tool_selection.tester_cases import CATEGORIES, read_cases
from runners.imports.tool_selection.tester_sources import read_prompts, read_tools
from runners.init.new_board import EMBEDDED_JUDGE, board_settings
from runners.submission_writer import (
    existing_card,
    id_of,
    lines_bytes,
    wrong_date,
    wrong_ids,
)

SOURCE: Final = "tool-selection"
_RESPONSES: Final = ("processed_responses.json", "raw_responses.json")
_STAMP: Final = re.compile(r"([0-9]{4})-?([0-9]{2})-?([0-9]{2})")


class _Run(NamedTuple):
    """One run of the tester: its responses file, its parameters, and the id it will have.

    `path` is that of its folder in the tester's folder, which no other run changes.
    """

    responses: Path
    parameters: Mapping[str, Json]
    path: str
    submission_id: str


def import_tester(
    root: Path, folder: Path, suite_id: str, kinds: Kinds, date: str | None
) -> ImportReport:
    """Writes the suite with its tools and prompts, and a submission for each run of the tester.

    `root` becomes a workspace if it is none. Reads and checks everything before it writes. Raises
    FilesError.
    """
    problems = [*wrong_ids(suite_id, ()), *foreign_suite(root, suite_id, SOURCE)]
    problems += wrong_date(date)
    raise_any(problems)
    tools = read_tools(folder)
    cases = read_cases(folder, tuple(map(tool_from_record, tools)))
    prompts = read_prompts(folder, {category: CATEGORIES[category][1] for category in cases})
    files = _suite_files(suite_id, cases)
    files[f"datasets/{suite_id}/tools.json"] = lines_bytes(tools)
    files |= {f"prompts/{suite_id}/{category}.md": prompts[category] for category in cases}
    suite = _loaded(files, suite_id, kinds)
    submissions = [_submission(root, run, suite, date) for run in _runs(root, folder)]
    if not Workspace(root).settings.is_file():
        title = folder.resolve().name
        files["leaderboard.toml"] = board_settings(title, judge=EMBEDDED_JUDGE)
    return ReadyImport(suite_id, cases, files, submissions).write(root, kinds)


def _suite_files(suite_id: str, cases: Mapping[str, list[Json]]) -> dict[str, bytes]:
    suite = {"title": "Tool selection", "kind": "tool_selection", "tools": "tools.json"}
    suite["description"] = "Imported from the tool-selection tester's own folder."
    categories = {}
    for category, rows in cases.items():
        title = CATEGORIES[category][0]
        categories[category] = ImportedCategory(title, rows, {"prompt": category})
    return suite_files(SOURCE, suite_id, suite, categories)


def _loaded(files: Mapping[str, bytes], suite_id: str, kinds: Kinds) -> Suite:
    """The suite of these files, with its prompts checked."""
    with staged(files) as workspace:
        suite = load_suite(workspace, suite_id, kinds)
        load_prompts(workspace, suite)
        return suite


# ---------------------------------------------------------------- runs


def _runs(root: Path, folder: Path) -> list[_Run]:
    """The runs in a folder and below it. Raises FilesError for a file that cannot be read."""
    runs: list[_Run] = []
    folders = sorted({path.parent for name in _RESPONSES for path in folder.rglob(name)})
    parameters = {run: _parameters(run) for run in folders}
    models = {run: str(parameters[run].get("model_id") or run.name) for run in folders}
    for run in folders:
        responses = next(run / name for name in _RESPONSES if (run / name).is_file())
        inside = run.relative_to(folder)
        taken = {one.submission_id for one in runs}
        ids = _possible_ids(models[run], inside)
        alike = [one for one in folders if (one.name, models[one]) == (run.name, models[run])]
        free = [one for one in ids if one not in taken]
        submission_id = _submission_id(
            root, inside, free, [one.relative_to(folder) for one in alike]
        )
        if submission_id is None:
            what = f"has no submission id of its own: other runs have {', '.join(ids)}"
            raise FilesError.about(str(run), what, "rename its folder")
        runs.append(_Run(responses, parameters[run], inside.as_posix(), submission_id))
    return runs


def _parameters(run: Path) -> Mapping[str, Json]:
    path = run / "test_parameters.json"
    given = parse(read_named(path, str(path)), str(path)) if path.is_file() else {}
    return given if isinstance(given, dict) else {}


def _possible_ids(model: str, run: Path) -> list[str]:
    """The ids that a run may have: its model's, with the run's folder, with all its folders."""
    name = id_of(model) or "run"
    endings = (id_of(run.name)[:40], id_of("-".join(run.parts))[-40:].lstrip("-._"))
    return [name, *(f"{name[: 63 - len(ending)]}-{ending}" for ending in endings)]


def _submission_id(root: Path, run: Path, free: Sequence[str], alike: Sequence[Path]) -> str | None:
    """The id that a run had in an earlier import, or else the first that no other run has.

    Earlier cards have the name of the run's folder instead of its path. Raises FilesError if such
    a card may be that of several runs: `alike` are the runs of this name and model.
    """
    known = {one: existing_card(root, one).get("settings", {}).get("run") for one in free}
    had = [one for one in free if known[one] == run.as_posix()]
    named = [one for one in free if known[one] == run.name and Path(run.name) not in alike]
    if named and not had and len(alike) > 1:
        card = card_file(named[0])
        what = f"is of the run {run.name}, but several folders of its model have that name"
        fix = "write the path of the folder into settings.run, for example"
        raise FilesError.about(card, what, f"{fix} {run.as_posix()}")
    had += named
    fresh = [one for one in free if known[one] is None]
    return next(iter(had + fresh), None)


def _submission(root: Path, run: _Run, suite: Suite, date: str | None) -> ReadySubmission:
    """The answers of a run, with its card. Raises FilesError."""
    shown, name = str(run.responses), run.responses.parent.name
    found = import_responses(read_named(run.responses, shown), shown, suite, lambda: ())
    records = listed_records(parse(found.data, shown))
    readme = f"Imported from a run of the tool-selection tester, `{name}`.\n"
    return ready_submission(
        root, run.submission_id, SOURCE, _card(run), records, readme=readme, date=date
    )


def _card(run: _Run) -> dict[str, Json]:
    """What the files say of a run, as fields of its card."""
    day = _STAMP.search(str(run.parameters.get("timestamp", "")))
    day = day or _STAMP.search(run.responses.parent.name)
    model = run.parameters.get("model_id")
    found: dict[str, Json] = {"kind": "model", "date": "-".join(day.groups()) if day else None}
    if isinstance(model, str):
        found |= {"name": model, "model": model}
    settings: dict[str, Json] = {"run": run.path}
    config = run.parameters.get("generation_config")
    if isinstance(config, dict) and isinstance(config.get("temperature"), int | float):
        settings["temperature"] = config["temperature"]
    return {**found, "settings": settings}
