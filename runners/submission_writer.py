"""Writes a submission folder from records: the card, a README, one responses file per suite.

The same inputs give the same bytes. A folder that something else made is never touched.
"""

from __future__ import annotations

import datetime
import json
import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, Literal

from leaderboard.errors import FilesError, Problem
from leaderboard.files.document import parse, read_bytes
from leaderboard.store import write_atomic
from leaderboard.types import Card, Json
from leaderboard.workspace import SUBMISSION_ID, Workspace

Written = Literal["written", "unchanged"]

CARD_FILE: Final = "submission.json"
README_FILE: Final = "README.md"

# Text cut in the middle of a character beyond the 16-bit range leaves half of it, which UTF-8 cannot hold.
_HALF_CHARACTER: Final = re.compile("[\ud800-\udfff]")


def write_submission(
    root: Path,
    submission_id: str,
    card: Mapping[str, Json],
    responses: Mapping[str, Sequence[Json]],
    *,
    origin: str,
    readme: str | None = None,
) -> Written:
    """Writes `submissions/<submission_id>/` below `root`: a new folder in one step, an existing one file by file.

    `card` holds the fields of submission.json (`card_fields` makes them from a Card); `responses` maps a suite id to its
    records. `origin` names the key of the card's settings that says who made the folder, for example "baseline": an existing
    folder is written only when its own card has the same value there. Responses to other suites stay, and so does an existing
    README when `readme` is None. Raises FilesError.
    """
    folder = Workspace(root).submissions / submission_id
    if not SUBMISSION_ID.fullmatch(submission_id):
        what = "is not a valid id"
        raise FilesError(
            Problem(
                f"submissions/{submission_id}", what, "a-z, 0-9, dot, dash, underscore; at most 64"
            )
        )
    files = _files(card, responses, readme)
    if not folder.exists():
        _write_new(folder, files)
        return "written"
    refuse_foreign(root, submission_id, origin, card["settings"][origin])
    _refuse_packed(root, folder, responses)
    if existing_card(root, submission_id) == card:
        del files[CARD_FILE]  # it says the same, perhaps in the layout of another hand
    changed = {name: data for name, data in files.items() if not _holds(folder / name, data)}
    for name, data in changed.items():
        write_atomic(folder / name, data)
    return "written" if changed else "unchanged"


def _files(
    card: Mapping[str, Json], responses: Mapping[str, Sequence[Json]], readme: str | None
) -> dict[str, bytes]:
    """The folder's files by name."""
    files = {f"{suite}.json": responses_bytes(responses[suite]) for suite in sorted(responses)}
    if readme is not None:
        files[README_FILE] = readme.encode()
    files[CARD_FILE] = encode(
        json.dumps(card, ensure_ascii=False, indent=2, allow_nan=False) + "\n"
    )
    return files


def _write_new(folder: Path, files: Mapping[str, bytes]) -> None:
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{folder.name}.", dir=folder.parent) as beside:
        partial = Path(beside) / folder.name
        partial.mkdir()
        for name, data in files.items():
            (partial / name).write_bytes(data)
        partial.rename(folder)


def _holds(path: Path, data: bytes) -> bool:
    return path.is_file() and path.read_bytes() == data


def wrong_date(date: str) -> Iterator[Problem]:
    """A problem when a card's date is no day written YYYY-MM-DD."""
    try:
        if datetime.date.fromisoformat(date).isoformat() == date:
            return
    except ValueError:
        pass
    yield Problem(
        "--date", f"{date!r} is not a date", "a day as YYYY-MM-DD, for example 2026-01-31"
    )


def wrong_ids(suite_id: str, submission_ids: Iterable[str]) -> Iterator[Problem]:
    """A problem for every id that no folder of a suite or submission can have."""
    for folder, name in (
        ("datasets", suite_id),
        *(("submissions", name) for name in submission_ids),
    ):
        if not SUBMISSION_ID.fullmatch(name):
            fix = "lower-case letters, digits, dot, dash, underscore; at most 64"
            yield Problem(f"{folder}/{name}", "is not a valid id", fix)


def imported_card(
    root: Path,
    submission_id: str,
    told: Mapping[str, Json],
    date: str | None,
    fields: Mapping[str, Json],
) -> dict[str, Json]:
    """The fields of an imported submission's card.

    What the import is told (`date`, `fields`) counts, else what an earlier import's card says by now, else what the files tell
    (`told`, which holds `settings`). Raises FilesError where no date is known.
    """
    kept = dict(existing_card(root, submission_id))
    base = {
        "schema": 1,
        "name": submission_id,
        "kind": "agent",
        "organization": "unknown",
        "model": "unknown",
        "date": None,
    }
    card: dict[str, Json] = {**base, **told, **kept, **fields}
    card["settings"] = {**kept.get("settings", {}), **told["settings"]}
    if date is not None:
        card["date"] = date
    if card["date"] is None:
        what = "has no date: the files do not say when this was run"
        raise FilesError(
            Problem(f"submissions/{submission_id}/{CARD_FILE}", what, "give --date YYYY-MM-DD")
        )
    return card


def write_files(root: Path, files: Mapping[str, bytes]) -> Written:
    """Writes those of some files, by path below the workspace, that do not hold these bytes already."""
    changed = {name: data for name, data in files.items() if not _holds(root / name, data)}
    for name, data in changed.items():
        write_atomic(root / name, data)
    return "written" if changed else "unchanged"


def was_made_by(root: Path, submission_id: str, origin: str, value: Json) -> bool:
    """Whether the card of an existing submission has `settings[origin]` equal to `value`. Raises FilesError."""
    settings = existing_card(root, submission_id).get("settings")
    return isinstance(settings, Mapping) and origin in settings and settings[origin] == value


def refuse_foreign(root: Path, submission_id: str, origin: str, value: Json) -> None:
    """Raises FilesError when something else made an existing submission."""
    if not was_made_by(root, submission_id, origin, value):
        what = f"is there already, and its card does not say {origin} {value!r}"
        raise FilesError(
            Problem(
                f"submissions/{submission_id}", what, "choose another id, or move that folder away"
            )
        )


def existing_card(root: Path, submission_id: str) -> Mapping[str, Json]:
    """The JSON object in a submission's card; empty when there is none. Raises FilesError when it cannot be read."""
    path = Workspace(root).submissions / submission_id / CARD_FILE
    if not path.exists():
        return {}
    shown = Workspace(root).shown(path)
    card = parse(read_bytes(path, shown, root), shown)
    return card if isinstance(card, Mapping) else {}


def _refuse_packed(root: Path, folder: Path, suites: Iterable[str]) -> None:
    """A responses file beside its own packed copy would answer the suite twice."""
    packed = [folder / f"{suite}.json.gz" for suite in sorted(suites)]
    problems = [
        Problem(Workspace(root).shown(path), "stands where new responses go", "unpack or delete it")
        for path in packed
        if path.exists()
    ]
    if problems:
        raise FilesError(problems)


def card_fields(card: Card) -> dict[str, Json]:
    """The fields of submission.json: schema 1, then the format's order; what is not given is left out."""
    fields: dict[str, Json] = {"schema": 1}
    for name in (
        "name",
        "kind",
        "organization",
        "model",
        "date",
        "framework",
        "url",
        "license",
        "open_weights",
        "contact",
    ):
        value = getattr(card, name)
        if value is not None:
            fields[name] = value
    if card.settings:
        fields["settings"] = dict(card.settings)
    if card.price is not None:
        fields["price"] = {"input": card.price.input, "output": card.price.output}
    return fields


def responses_bytes(records: Sequence[Json]) -> bytes:
    """`{"test_results": [...]}` with one record a line, in the order given."""
    return b'{"test_results": ' + lines_bytes(records).rstrip(b"\n") + b"}\n"


def lines_bytes(records: Sequence[Json]) -> bytes:
    """A JSON array with one record a line, so that a diff shows the records that changed."""
    lines = ",\n".join(
        json.dumps(record, ensure_ascii=False, allow_nan=False) for record in records
    )
    return encode(f"[\n{lines}\n]\n" if records else "[]\n")


def encode(text: str) -> bytes:
    """UTF-8, with U+FFFD for half characters."""
    return _HALF_CHARACTER.sub("\ufffd", text).encode()
