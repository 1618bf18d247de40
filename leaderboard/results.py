"""The folder `results/`: what a scoring leaves behind for the site, for downloads and for whoever wants to check."""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import orjson
import polars as pl

from leaderboard.digest import digest_bytes
from leaderboard.errors import FilesError, Problem
from leaderboard.frames import (
    AGREEMENT,
    CONCORDANCE,
    CORRECTED,
    GAPS,
    HEALTH,
    LABELLED,
    RANKS,
    RECORDS,
    SCORES,
    TRIALS,
    USAGE,
    VERDICTS,
)
from leaderboard.store import write_atomic
from leaderboard.types import Json

MANIFEST = "manifest.json"

SCHEMAS: Mapping[str, pl.Schema] = {
    "verdicts": VERDICTS,
    "records": RECORDS,
    "scores": SCORES,
    "usage": USAGE,
    "ranks": RANKS,
    "gaps": GAPS,
    "health": HEALTH,
    "trials": TRIALS,
    "labelled": LABELLED,
    "agreement": AGREEMENT,
    "concordance": CONCORDANCE,
    "corrected": CORRECTED,
}
# The large tables are kept as Parquet alone; the rest also as JSON, one row a line, so that a change can be read as a diff.
PARQUET_ONLY = ("verdicts", "records")


@dataclass(frozen=True, slots=True)
class Results:
    """The frames of a scoring, and the manifest that names every input by its digest."""

    verdicts: pl.DataFrame
    records: pl.DataFrame
    scores: pl.DataFrame
    usage: pl.DataFrame
    ranks: pl.DataFrame
    gaps: pl.DataFrame
    health: pl.DataFrame
    trials: pl.DataFrame
    labelled: pl.DataFrame
    agreement: pl.DataFrame
    concordance: pl.DataFrame
    corrected: pl.DataFrame
    manifest: Mapping[str, Json]


def write_results(results: Results, out: Path) -> tuple[str, ...]:
    """Writes every file of `results`, each atomically, the manifest last; returns the names of those that changed."""
    files: dict[str, bytes] = {}
    for name, schema in SCHEMAS.items():
        frame: pl.DataFrame = getattr(results, name)
        if frame.schema != schema:
            raise TypeError(f"{name} has the schema {frame.schema}, not {schema}")
        files[f"{name}.parquet"] = _parquet(frame)
        if name not in PARQUET_ONLY:
            files[f"{name}.json"] = _json_lines(frame)
    digests = {name: digest_bytes(data) for name, data in sorted(files.items())}
    files[MANIFEST] = orjson.dumps(
        {**results.manifest, "results": digests},
        option=orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS | orjson.OPT_APPEND_NEWLINE,
    )
    return tuple(name for name, data in files.items() if _write_changed(out / name, data))


def _write_changed(path: Path, data: bytes) -> bool:
    if path.is_file() and path.read_bytes() == data:
        return False
    write_atomic(path, data)
    return True


def _parquet(frame: pl.DataFrame) -> bytes:
    buffer = io.BytesIO()
    frame.write_parquet(buffer, compression="zstd", statistics=False)
    return buffer.getvalue()


def _json_lines(frame: pl.DataFrame) -> bytes:
    rows = b",\n".join(orjson.dumps(row) for row in frame.iter_rows(named=True))
    return b"[\n" + rows + b"\n]\n" if rows else b"[]\n"


def read_results(out: Path) -> Results:
    """The results in a folder. Raises FilesError when they are missing, damaged, or of another version."""
    frames = {}
    try:
        manifest = orjson.loads((out / MANIFEST).read_bytes())
        for name, schema in SCHEMAS.items():
            data = (out / f"{name}.parquet").read_bytes()
            if manifest["results"].get(f"{name}.parquet") != digest_bytes(data):
                raise FilesError(
                    Problem(
                        f"{out.name}/{name}.parquet",
                        "is not what the manifest says",
                        "run lb rescore again",
                    )
                )
            frame = pl.read_parquet(io.BytesIO(data))
            if frame.schema != schema:
                what = "has other columns than this version"
                raise FilesError(
                    Problem(f"{out.name}/{name}.parquet", what, "run lb rescore again")
                )
            frames[name] = frame
    except OSError as error:
        shown = f"{out.name}/{Path(error.filename or MANIFEST).name}"
        raise FilesError(
            Problem(shown, "does not exist or cannot be read", "run lb rescore --offline first")
        ) from error
    except (orjson.JSONDecodeError, KeyError, TypeError, AttributeError) as error:
        raise FilesError(
            Problem(f"{out.name}/{MANIFEST}", "is damaged", "run lb rescore again")
        ) from error
    return Results(**frames, manifest=manifest)
