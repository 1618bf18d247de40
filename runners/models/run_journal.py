"""What a run has answered so far: one line per case and trial, on the disk before the next one counts.

It lies below `.cache/runs/<submission>/`, which git ignores: a submission's own folder holds nothing but the submission. A run
that is killed leaves its journal behind, and `--resume` goes on from it. Its first line says what was asked of whom; a run with
other settings does not go on from it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Final

from leaderboard.errors import FilesError, Problem
from leaderboard.file_lock import try_lock
from leaderboard.files.document import parse
from leaderboard.types import Json
from runners.submission_writer import encode

FOLDER: Final = ".cache/runs"

# A case's id and the number of the trial, from 1.
Place = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Entry:
    """One record. `answered` is False where no reply came, so that asking again is worth while."""

    record: Mapping[str, Json]
    answered: bool
    models: tuple[str, ...] = ()

    @property
    def place(self) -> Place:
        return self.record["id"], self.record["trial"]


def folder_of(root: Path, submission_id: str) -> Path:
    """Where the journals of a submission's runs lie."""
    return root / FOLDER / submission_id


def path_of(root: Path, submission_id: str, suite_id: str) -> Path:
    """The journal of one suite."""
    return folder_of(root, submission_id) / f"{suite_id}.jsonl"


@dataclass(slots=True)
class RunJournal:
    """The open journal of the one run that writes to it; `entries` holds the last entry of every place."""

    file: IO[bytes]
    header: Mapping[str, Json]
    entries: dict[Place, Entry] = field(default_factory=dict)

    def keep(self, entry: Entry) -> None:
        """Writes an entry, and waits until it is on the disk."""
        line = {"record": entry.record, "answered": entry.answered, "models": list(entry.models)}
        self.file.write(_line(line))
        self.file.flush()
        os.fsync(self.file.fileno())
        self.entries[entry.place] = entry


@contextmanager
def open_journal(path: Path, shown: str, header: Mapping[str, Json]) -> Iterator[RunJournal]:
    """The journal at `path`, held as long as the context lasts: the one that is there, or a new one with this header.

    A journal in which nothing is answered is as good as none. Raises FilesError when another run holds it, or when it holds
    something else than a journal.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a+b") as file:
        if not try_lock(file):
            fix = "wait until it has ended, or choose another --id"
            raise FilesError(Problem(shown, "is being written by another lb run", fix))
        file.seek(0)
        found, entries, whole = _read(file, shown)
        if found is None or not _answers(entries):
            found, entries, whole = header, {}, 0
        file.truncate(whole)  # a last line that a kill has cut off was not complete
        if whole == 0:
            file.write(_line({"run": header}))
        yield RunJournal(file, found, entries)


def begun_with(path: Path, shown: str) -> tuple[Mapping[str, Json] | None, bool]:
    """A journal's header (None: there is no journal), and whether it holds an answer. Raises FilesError."""
    if not path.is_file():
        return None, False
    with path.open("rb") as file:
        header, entries, _ = _read(file, shown)
    return header, _answers(entries)


def _answers(entries: Mapping[Place, Entry]) -> bool:
    return any(entry.answered for entry in entries.values())


def _read(file: IO[bytes], shown: str) -> tuple[Mapping[str, Json] | None, dict[Place, Entry], int]:
    """The header, the last entry of every place, and how many bytes of the file are whole lines."""
    first = file.readline()
    header = _header(first, shown) if first.endswith(b"\n") else None
    entries: dict[Place, Entry] = {}
    whole = len(first)
    for number, line in enumerate(file, start=2):
        if not line.endswith(b"\n"):
            break
        whole += len(line)
        entry = _entry(line, shown, number)
        entries[entry.place] = entry
    return header, entries, whole


def _header(line: bytes, shown: str) -> Mapping[str, Json]:
    header = parse(line, shown)
    if not isinstance(header, dict) or not isinstance(header.get("run"), dict):
        raise FilesError(
            Problem(
                shown,
                "is no journal of a run",
                "delete it, and start again without --resume",
                line=1,
            )
        )
    return header["run"]  # type: ignore[no-any-return]


def _entry(line: bytes, shown: str, number: int) -> Entry:
    try:
        read = parse(line, shown)
        entry = Entry(read["record"], read["answered"] is True, tuple(read["models"]))
        entry.place  # noqa: B018 - a record without an id or a trial is none
    except (FilesError, KeyError, TypeError) as error:
        raise FilesError(
            Problem(shown, "holds a line that is no answer", "delete that line", line=number)
        ) from error
    return entry


def _line(value: Json) -> bytes:
    return encode(json.dumps(value, ensure_ascii=False, allow_nan=False)) + b"\n"
