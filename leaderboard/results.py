"""The folder `results/`: the tables of a scoring, for the site, for downloads and for checks."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import orjson
import polars as pl

from leaderboard.board.manifest_shape import Manifest
from leaderboard.digest import digest_bytes
from leaderboard.errors import FilesError
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
from leaderboard.ids import WHOLE
from leaderboard.machine.atomic_files import write_atomic
from leaderboard.reasons import MISSING_RESPONSE
from leaderboard.texts.counted_nouns import counted
from leaderboard.workspace import MANIFEST

_AGAIN = "run lb rescore again"
_CASE = ["submission", "suite", "case_id"]

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
# Large tables are Parquet files only. The others are also JSON with one row a line, which makes
# readable diffs.
PARQUET_ONLY = ("verdicts", "records")
RESULT_FILES = frozenset(
    {MANIFEST}
    | {f"{name}.parquet" for name in SCHEMAS}
    | {f"{name}.json" for name in SCHEMAS if name not in PARQUET_ONLY}
)


@dataclass(frozen=True, slots=True)
class Results:
    """The tables of a scoring, and the manifest with the digests of all inputs."""

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
    manifest: Manifest

    def missing_answers(self) -> dict[tuple[str, str], MissingAnswers]:
        """What was not answered, by (submission, suite), where something was not."""
        rows = missing_by_category(self.verdicts.lazy()).filter(category=WHOLE).drop("category")
        return {
            (submission, suite): MissingAnswers(*counts)
            for submission, suite, *counts in rows.iter_rows()
        }


class MissingAnswers(NamedTuple):
    """How many cases have no record, and how many trials of other cases have none."""

    cases: int = 0
    trials: int = 0

    def words(self, cases: int) -> str:
        """What is answered of so many cases: "206 of 273 answered"; "" if all is."""
        answered = f"{cases - self.cases:,} of {cases:,} answered" if self.cases else ""
        trials = f"{counted(self.trials, 'trial')} missing" if self.trials else ""
        return ", ".join(filter(None, (answered, trials)))


def incomplete(parts: Sequence[str]) -> str:
    """The sentence on scores with unanswered cases: "A: 2 of 5 answered"; "" without any."""
    if not parts:
        return ""
    return f"{'; '.join(parts)}. What is not answered counts as a fail."


def missing_by_category(verdicts: pl.LazyFrame) -> pl.DataFrame:
    """What was not answered, by submission, suite and category, and by whole suite.

    `missing` cases have no record, `missing_trials` trials of other cases have none.
    """
    silent = pl.col("reason") == MISSING_RESPONSE
    trials = (
        verdicts.join(verdicts.filter(silent), on=_CASE, how="semi")
        .with_columns(no_record=silent.all().over(_CASE))
        .filter(silent)
        .unique([*_CASE, "trial"])
        .collect()
    )
    trials = pl.concat([trials, trials.with_columns(category=pl.lit(WHOLE))])
    return trials.group_by("submission", "suite", "category").agg(
        missing=pl.col("case_id").filter("no_record").n_unique(),
        missing_trials=pl.col("no_record").not_().sum(),
    )


def write_results(results: Results, out: Path) -> tuple[str, ...]:
    """Writes every file of `results`, the manifest last, and returns the names of changed files."""
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
    changed = []
    for name, data in files.items():
        path = out / name
        if not path.is_file() or path.read_bytes() != data:
            write_atomic(path, data)
            changed.append(name)
    return tuple(changed)


def _parquet(frame: pl.DataFrame) -> bytes:
    buffer = io.BytesIO()
    frame.write_parquet(buffer, compression="zstd", statistics=False)
    return buffer.getvalue()


def _json_lines(frame: pl.DataFrame) -> bytes:
    rows = b",\n".join(orjson.dumps(row) for row in frame.iter_rows(named=True))
    return b"[\n" + rows + b"\n]\n" if rows else b"[]\n"


def read_results(out: Path) -> Results:
    """Reads a folder of results. Raises FilesError if it is missing, damaged or outdated."""
    frames = {}
    try:
        manifest = orjson.loads((out / MANIFEST).read_bytes())
        for name, schema in SCHEMAS.items():
            data = _checked(out, f"{name}.parquet", manifest["results"])
            if name not in PARQUET_ONLY:
                _checked(out, f"{name}.json", manifest["results"])
            frames[name] = pl.read_parquet(io.BytesIO(data))
            if frames[name].schema != schema:
                what = "does not have the columns of this version"
                raise FilesError.about(f"{out / name}.parquet", what, _AGAIN)
    except OSError as error:
        shown, fix = f"{error.filename or out / MANIFEST}", "run lb rescore --offline first"
        raise FilesError.about(shown, "does not exist or cannot be read", fix) from error
    except (orjson.JSONDecodeError, KeyError, TypeError, AttributeError) as error:
        raise FilesError.about(f"{out / MANIFEST}", "is damaged", _AGAIN) from error
    return Results(**frames, manifest=manifest)


def _checked(out: Path, name: str, digests: Mapping[str, str]) -> bytes:
    """Reads a file that must have the digest of the manifest."""
    data = (out / name).read_bytes()
    if digests.get(name) != digest_bytes(data):
        raise FilesError.about(f"{out / name}", "does not match the manifest", _AGAIN)
    return data
