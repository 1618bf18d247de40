"""Writes submission folders from records: the card, a README, one responses file per suite.

The same inputs give the same bytes. A folder of another origin is never changed.
"""

from __future__ import annotations

import datetime
import json
import re
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, Literal

from leaderboard.errors import FilesError, Problem, raise_any
from leaderboard.files.file_bytes import read_bytes
from leaderboard.files.json_files import parse
from leaderboard.ids import id_problem
from leaderboard.machine.atomic_files import errors_naming, temporary_beside, write_atomic
from leaderboard.responses.response_file_names import response_file_names
from leaderboard.types import Json
from leaderboard.workspace import CARD_FILE, Workspace, card_file

Written = Literal["written", "unchanged"]

README_FILE: Final = "README.md"

# A text cut inside a surrogate pair ends with half a character, which UTF-8 cannot encode.
_HALF_CHARACTER: Final = re.compile("[\ud800-\udfff]")


def write_submission(
    root: Path,
    submission_id: str,
    card: Mapping[str, Json],
    responses: Mapping[str, Sequence[Json]],
    *,
    origin: str,
    readme: str | None,
) -> Written:
    """Writes `submissions/<submission_id>/`: a new folder in one step, an existing one by file.

    `card` holds the fields of submission.json, `responses` the records of each suite. `origin` is
    a key of the card's settings that says who made the folder, for example "baseline". An existing
    folder is only written if its card has the same value there. It keeps its responses to other
    suites, and its README if `readme` is None. Raises FilesError.
    """
    if problem := id_problem(submission_id):
        raise FilesError(problem)
    files = {f"{suite}.json": responses_bytes(responses[suite]) for suite in sorted(responses)}
    if readme is not None:
        files[README_FILE] = readme.encode()
    files[CARD_FILE] = encode(
        json.dumps(card, ensure_ascii=False, indent=2, allow_nan=False) + "\n"
    )
    folder = Workspace(root).submissions / submission_id
    if not folder.exists():
        _write_new_folder(folder, files)
        return "written"
    refuse_foreign(root, submission_id, origin, card["settings"][origin])
    for suite in sorted(responses):
        raise_any(other_encodings(Workspace(root), submission_id, suite))
    # Equal content in another layout is left as it is, so that no diff shows.
    if existing_card(root, submission_id) == card:
        del files[CARD_FILE]
    return write_files(folder, files)


def _write_new_folder(folder: Path, files: Mapping[str, bytes]) -> None:
    """Renames a complete folder, so that an interrupted run leaves no half of one."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    partial = temporary_beside(folder)
    try:
        with errors_naming(folder, partial):
            partial.mkdir()
            for name, data in files.items():
                with errors_naming(folder / name, partial / name):
                    (partial / name).write_bytes(data)
            partial.rename(folder)
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def write_files(root: Path, files: Mapping[str, bytes]) -> Written:
    """Writes the files, by path below `root`, whose bytes differ."""
    outcome: Written = "unchanged"
    for name, data in files.items():
        path = root / name
        if not path.is_file() or path.read_bytes() != data:
            write_atomic(path, data)
            outcome = "written"
    return outcome


def wrong_date(date: str | None) -> Iterator[Problem]:
    """A problem when a card's date, if one is given, is not a day as YYYY-MM-DD."""
    if date is None:
        return
    try:
        if datetime.date.fromisoformat(date).isoformat() == date:
            return
    except ValueError:
        pass
    fix = "a day as YYYY-MM-DD, for example 2026-01-31"
    yield Problem("--date", f"{date!r} is not a date", fix)


def id_of(name: str) -> str:
    """A name as an id: `qwen-qwen3-8b` for `Qwen/Qwen3-8B`. It may be empty."""
    return re.sub(r"[^a-z0-9._-]+", "-", name.lower()).strip("-._")[:64].rstrip("-._")


def wrong_ids(suite_id: str, submission_ids: Iterable[str]) -> Iterator[Problem]:
    """A problem for every id that a suite or a submission cannot have."""
    for folder, name in [("datasets", suite_id), *(("submissions", i) for i in submission_ids)]:
        if problem := id_problem(name, folder):
            yield problem


def other_encodings(workspace: Workspace, submission_id: str, suite_id: str) -> Iterator[Problem]:
    """A problem for each file that holds responses to a suite in another form than `.json`."""
    for name in response_file_names(suite_id)[1:]:
        path = workspace.submissions / submission_id / name
        if path.exists():
            what = "contains responses to the same suite"
            yield Problem(workspace.shown(path), what, "unpack or delete it")


def was_made_by(root: Path, submission_id: str, origin: str, value: Json) -> bool:
    """Whether an existing submission's card has `settings[origin]` equal to `value`.

    Raises FilesError when the card cannot be read.
    """
    settings = existing_card(root, submission_id).get("settings")
    return isinstance(settings, Mapping) and origin in settings and settings[origin] == value


def refuse_foreign(root: Path, submission_id: str, origin: str, value: Json) -> None:
    """Raises FilesError when the submission exists and has another origin."""
    folder = Workspace(root).submissions / submission_id
    if folder.exists() and not was_made_by(root, submission_id, origin, value):
        what = f"exists already, but its card does not have settings.{origin} = {value!r}"
        fix = "choose another id, or move that folder away"
        raise FilesError.about(f"submissions/{submission_id}", what, fix)


def existing_card(root: Path, submission_id: str) -> Mapping[str, Json]:
    """The fields of a submission's card; none when there is no card.

    Raises FilesError when the card cannot be read.
    """
    path = root / card_file(submission_id)
    if not path.exists():
        return {}
    shown = Workspace(root).shown(path)
    card = parse(read_bytes(path, shown, root), shown)
    return card if isinstance(card, Mapping) else {}


def declare_part(card: dict[str, Json], suite_id: str, *, whole: bool) -> None:
    """Declares on a card whether the whole suite was asked, or only the cases with a record."""
    others = [name for name in card.pop("partial", None) or () if name != suite_id]
    listed = sorted(others if whole else [*others, suite_id])
    if listed:
        card["partial"] = listed


def responses_bytes(records: Sequence[Json]) -> bytes:
    """`{"test_results": […]}` with one record per line, in the given order."""
    return b'{"test_results": ' + lines_bytes(records).rstrip(b"\n") + b"}\n"


def lines_bytes(records: Sequence[Json]) -> bytes:
    """A JSON array with one record per line, so that a diff shows the records that changed."""
    lines = [json.dumps(record, ensure_ascii=False, allow_nan=False) for record in records]
    return encode("[\n" + ",\n".join(lines) + "\n]\n" if lines else "[]\n")


def encode(text: str) -> bytes:
    """The text in UTF-8, with U+FFFD for half characters."""
    return _HALF_CHARACTER.sub("\ufffd", text).encode()
