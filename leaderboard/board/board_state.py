"""The state of a board at one time, read from a folder of results or from a snapshot."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import orjson
import polars as pl

from leaderboard.board.manifest_shape import WRITTEN_MANIFEST, Manifest
from leaderboard.board.snapshot_shapes import SnapshotEntry
from leaderboard.digest import digest_bytes
from leaderboard.errors import FilesError, Problem, collect_problems, raise_any
from leaderboard.files.shaped_files import read_shaped
from leaderboard.frames import RANKS, SCORES, VERDICTS
from leaderboard.workspace import MANIFEST

VERDICTS_FILE: Final = "verdicts.parquet"
SNAPSHOT_COLUMNS: Final = pl.Schema(
    {name: dtype for name, dtype in VERDICTS.items() if name not in ("detail", "judge_call")}
)
RESTORE: Final = "restore it from git: git checkout -- history"

# The last digits of a float may differ between versions of a library.
_ROUNDED: Final = pl.col(pl.Float64).round(12)


@dataclass(frozen=True, slots=True)
class State:
    """A board at one time, from a snapshot or from a folder of results.

    `sequence` counts snapshots from 1. `metrics` names the ranked metric of each suite. `taken` is
    the day on which a snapshot was kept. `names` has the names of its submissions. Results have
    none of these, and old snapshots lack some.
    Verdicts (columns of SNAPSHOT_COLUMNS) are read at first use.
    """

    name: str
    manifest: Manifest
    scores: pl.DataFrame
    ranks: pl.DataFrame
    read_verdicts: Callable[[], pl.DataFrame] = field(repr=False)
    sequence: int | None = None
    label: str | None = None
    metrics: Mapping[str, str] = field(default_factory=dict)
    taken: str | None = None
    names: Mapping[str, str] = field(default_factory=dict)

    @property
    def verdicts(self) -> pl.DataFrame:
        return self.read_verdicts()

    @property
    def digest(self) -> str:
        return self.manifest["digest"]

    @property
    def as_of(self) -> str | None:
        """The date of the newest submission, YYYY-MM-DD."""
        return self.manifest["as_of"]


def read_state(folder: Path, shown: str, entry: SnapshotEntry | None = None) -> State:
    """Reads the board in a folder of results, or in the folder of a snapshot with this entry.

    `shown` names the folder in messages. Raises FilesError with the problems of all files that are
    missing, damaged, or have another digest than in the manifest or the entry.
    """
    fix = RESTORE if entry else "run lb rescore again"
    place = f"{shown}/{MANIFEST}"
    _read_checked(folder / MANIFEST, place, None, fix)
    manifest, _ = read_shaped(WRITTEN_MANIFEST, folder / MANIFEST, place, folder, fix)
    problems: list[Problem] = []
    if entry is not None and manifest["digest"] != entry.digest:
        problems.append(Problem(place, "does not have the digest in history/index.json", fix))

    tables = {}
    digests = manifest["results"]
    for name, schema in (("scores.json", SCORES), ("ranks.json", RANKS)):
        with collect_problems(problems):
            data = _read_checked(folder / name, f"{shown}/{name}", digests.get(name), fix)
            tables[name] = read_rows(data, schema, f"{shown}/{name}", fix)

    path, place = folder / VERDICTS_FILE, f"{shown}/{VERDICTS_FILE}"
    digest = digests.get(VERDICTS_FILE) if entry is None else entry.verdicts
    with collect_problems(problems):
        _read_checked(path, place, digest, fix)
    raise_any(problems)

    def read_verdicts() -> pl.DataFrame:
        return read_verdict_table(_read_checked(path, place, digest, fix), place, fix)

    listed = {}
    if entry is not None:
        listed = entry.model_dump(include={"sequence", "label", "metrics", "taken", "names"})
    scores, ranks = tables["scores.json"], tables["ranks.json"]
    return State(folder.name, manifest, scores, ranks, read_verdicts, **listed)


def _read_checked(path: Path, shown: str, digest: str | None, fix: str) -> bytes:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise FilesError.about(shown, f"cannot be read: {error.strerror or error}", fix) from error
    if digest is not None and digest_bytes(data) != digest:
        raise FilesError.about(shown, "does not match its digest", fix)
    return data


def read_verdict_table(data: bytes, shown: str, fix: str) -> pl.DataFrame:
    """Reads verdicts with the columns of SNAPSHOT_COLUMNS. Raises FilesError."""
    try:
        columns = [pl.col(name).cast(dtype) for name, dtype in SNAPSHOT_COLUMNS.items()]
        return pl.read_parquet(io.BytesIO(data)).select(columns)
    except pl.exceptions.PolarsError as error:
        raise FilesError.about(shown, "is damaged, or of another version", fix) from error


def read_rows(data: bytes, schema: pl.Schema, shown: str, fix: str) -> pl.DataFrame:
    """Reads rows in a schema. Missing columns are null, and those of later versions are skipped."""
    damaged = FilesError.about(shown, "is damaged: it does not hold the rows it should", fix)
    try:
        rows = orjson.loads(data)
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            raise damaged
        columns = {name: [row.get(name) for row in rows] for name in schema}
        return pl.DataFrame(columns, schema=schema, strict=True)
    except (TypeError, ValueError, pl.exceptions.PolarsError) as error:
        raise damaged from error


def same_verdicts(one: State, other: State) -> bool:
    """Whether two boards have the same verdicts and scores, but for rounding."""
    same_scores = one.scores.with_columns(_ROUNDED).equals(other.scores.with_columns(_ROUNDED))
    return same_scores and in_snapshot_order(one.verdicts).equals(in_snapshot_order(other.verdicts))


def in_snapshot_order(verdicts: pl.DataFrame) -> pl.DataFrame:
    """Verdicts in the order of snapshots.

    Equal values are then next to each other, and need only a few bits each.
    """
    return verdicts.sort("suite", "metric", "category", "case_id", "submission", "trial")
