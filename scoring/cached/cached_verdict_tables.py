"""The tables of cached verdicts: read for this run, written for the next one.

Verdicts on a file that waits for a judge's reply are not cached.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import orjson
import polars as pl

from leaderboard.digest import digest_bytes
from leaderboard.machine.atomic_files import write_atomic
from leaderboard.types import Json, JudgeReply
from scoring.cached.cached_verdicts import FRAMES, INDEX, CachedFile, CachedVerdicts
from scoring.judging.panel_questions import MissingCall
from scoring.verdict_parts import ResponsesFile, ScoredPart, join, unsettled, with_verdicts


@dataclass(frozen=True, slots=True)
class Decided:
    """The verdicts of a run, and what each file of it was decided from."""

    part: ScoredPart
    files: Mapping[ResponsesFile, CachedFile]


def part_of(cached: CachedVerdicts) -> ScoredPart:
    """The verdicts of an earlier run on the files that are not forgotten.

    Nothing if another version of this project wrote tables with other columns.
    """
    nothing = ScoredPart()
    if not cached.frames:
        return nothing
    frames = {name: pl.read_parquet(io.BytesIO(cached.frames[name])) for name in FRAMES}
    if any(frame.schema != getattr(nothing, name).schema for name, frame in frames.items()):
        return nothing
    keys = pl.Series([key for _, key, _ in cached.replies], dtype=pl.String)
    frames["replies"] = frames["replies"].filter(pl.col("key").is_in(keys.implode()))
    part = ScoredPart(**frames, missing_calls=tuple(map(_missing_call, cached.missing_calls)))
    named = part.named()
    left = [file for file in named if file in cached.files]
    return part if left == named else join([part], left)


def _missing_call(call: Mapping[str, Json]) -> MissingCall:
    return MissingCall(**{**call, "reply": JudgeReply(**call["reply"])})


def files_asking(cached: CachedVerdicts, keys: Sequence[str]) -> set[ResponsesFile]:
    """The files with a verdict that rests on one of these judge calls."""
    part = part_of(cached)
    asked = part.distinct["judge_call"].str.split(" ").list.set_intersection(list(keys))
    return with_verdicts(part, (asked.list.len() > 0).arg_true().cast(pl.UInt32))


def write_verdicts(folder: Path, decided: Decided) -> None:
    """Writes verdicts for the next run, but not those on files that wait for a judge's reply.

    Raises OSError.
    """
    part, waiting = decided.part, unsettled(decided.part)
    named = [file for file in part.named() if file not in waiting]
    if waiting:
        part = join([part], named)
    files = {file: decided.files[file] for file in named}
    write_decided(folder, Decided(replace(part, missing_calls=()), files))


def write_decided(folder: Path, decided: Decided) -> None:
    """Writes verdicts so that `cached_verdicts.read_decided` reads them. Raises OSError."""
    part = _compact(decided.part)
    digests = {}
    for name in FRAMES:
        buffer = io.BytesIO()
        getattr(part, name).write_parquet(buffer, compression="lz4", statistics=False)
        digests[name] = digest_bytes(buffer.getvalue())
        write_atomic(folder / f"{name}.parquet", buffer.getvalue())
    index = {
        "digests": digests,
        "files": list(_rows(decided.files, part.named())),
        "replies": part.replies.rows(),
        "missing_calls": [asdict(call) for call in part.missing_calls],
    }
    write_atomic(folder / INDEX, orjson.dumps(index))


def _rows(
    files: Mapping[ResponsesFile, CachedFile], named: Sequence[ResponsesFile]
) -> Iterator[Sequence[object]]:
    for file in named:
        yield *file, files[file].basis, [asdict(problem) for problem in files[file].warnings]


def _compact(part: ScoredPart) -> ScoredPart:
    """Leaves out verdicts and replies that no file has any more."""
    used = part.verdict_rows["row"].unique().sort()
    if used.len() < part.distinct.height:
        new_rows = pl.DataFrame({"row": used}).with_row_index("new_row")
        rows = part.verdict_rows.join(new_rows, on="row", how="left", maintain_order="left")
        part = replace(
            part,
            verdict_rows=rows.select("case", "trial", row="new_row"),
            distinct=part.distinct.select(pl.all().gather(used)),
        )
    keys = part.distinct["judge_call"].drop_nulls().str.split(" ").explode().unique()
    return replace(part, replies=part.replies.filter(pl.col("key").is_in(keys.implode())))
