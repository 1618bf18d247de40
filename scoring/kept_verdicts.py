"""Verdicts that are kept between two runs, in the user's cache folder.

Verdicts on a responses file are used again if their basis is the same (`scoring.basis`) and if
every judge call behind them still has the same reply. Anything else is decided again. A file that
waits for a reply is not kept.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Final

import orjson
import polars as pl

from leaderboard.digest import digest_bytes
from leaderboard.errors import Problem
from leaderboard.store import write_atomic
from leaderboard.types import Submission, Suite
from scoring.basis import Basis
from scoring.parts import (
    FILES,
    GIVEN,
    PLACES,
    REPLIES,
    TABLE,
    File,
    ScoredPart,
    join,
    unsettled,
    with_verdicts,
)

_FRAMES: Final = {
    "files": FILES,
    "places": PLACES,
    "table": TABLE,
    "given": GIVEN,
    "replies": REPLIES,
}
_INDEX: Final = "index.json"

# Returns the reply that counts now for a judge's name and a key, or None.
ReplyNow = Callable[[str, str], str | None]


@dataclass(frozen=True, slots=True)
class KeptFile:
    """The basis of the verdicts on a file, and the warnings about it."""

    basis: str
    warnings: tuple[Problem, ...] = ()


@dataclass(slots=True)
class KeptVerdicts:
    """The verdicts of a run: a part, and what each of its files was decided from."""

    part: ScoredPart = field(default_factory=ScoredPart)
    files: dict[File, KeptFile] = field(default_factory=dict)

    def known(self, basis: Basis) -> Callable[[Submission, Suite, str], Sequence[Problem] | None]:
        """Returns the warnings about a file whose verdicts are kept (a leaderboard.load.Known)."""

        def find(submission: Submission, suite: Suite, responses: str) -> Sequence[Problem] | None:
            kept = self.files.get((submission.id, suite.id))
            if kept is None or kept.basis != basis.of(submission, suite, responses):
                return None
            return kept.warnings

        return find

    def forget_changed(self, reply_now: ReplyNow) -> None:
        """Forgets the files with a judge call whose reply has changed."""
        rows = self.part.replies.iter_rows()
        changed = [key for judge, key, text in rows if reply_now(judge, key) != text]
        if changed:
            asked = self.part.table["judge_call"].str.split(" ")
            again = asked.list.set_intersection(changed).list.len() > 0
            self._forget(with_verdicts(self.part, again.arg_true().cast(pl.UInt32)))

    def _forget(self, files: Collection[File]) -> None:
        for file in files:
            self.files.pop(file, None)


def read_kept(folder: Path) -> KeptVerdicts:
    """Reads what was kept. Nothing is kept if a file is missing, damaged or of another version."""
    try:
        index = orjson.loads((folder / _INDEX).read_bytes())
        digests = index["digests"]
        part = ScoredPart(
            files=_read(folder, "files", digests),
            places=_read(folder, "places", digests),
            table=_read(folder, "table", digests),
            given=_read(folder, "given", digests),
            replies=_read(folder, "replies", digests),
        )
        files = {
            file: KeptFile(basis, tuple(Problem(**problem) for problem in warnings))
            for file, (basis, warnings) in zip(part.named(), index["files"], strict=True)
        }
    except (OSError, ValueError, KeyError, TypeError, pl.exceptions.PolarsError):
        return KeptVerdicts()
    return KeptVerdicts(part, files)


def _read(folder: Path, name: str, digests: Mapping[str, str]) -> pl.DataFrame:
    """Reads a frame. Raises ValueError if its digest or its schema is another one."""
    data = (folder / f"{name}.parquet").read_bytes()
    if digest_bytes(data) != digests[name]:
        raise ValueError(name)
    frame = pl.read_parquet(io.BytesIO(data))
    if frame.schema != _FRAMES[name]:
        raise ValueError(name)
    return frame


def keep(folder: Path, found: KeptVerdicts) -> None:
    """Writes verdicts for the next run, but not those on files that wait for a judge's reply.

    Raises OSError.
    """
    waiting = unsettled(found.part)
    named = [file for file in found.part.named() if file not in waiting]
    part, files = _compact(join([found.part], named)), found.files
    digests = {}
    for name in _FRAMES:
        buffer = io.BytesIO()
        getattr(part, name).write_parquet(buffer, compression="lz4", statistics=False)
        digests[name] = digest_bytes(buffer.getvalue())
        write_atomic(folder / f"{name}.parquet", buffer.getvalue())
    rows = [
        [files[file].basis, [asdict(problem) for problem in files[file].warnings]] for file in named
    ]
    write_atomic(folder / _INDEX, orjson.dumps({"digests": digests, "files": rows}))


def _compact(part: ScoredPart) -> ScoredPart:
    """Leaves out verdicts and replies that no file has any more."""
    used = part.places["verdict"].unique().sort()
    rows = pl.DataFrame({"verdict": used}).with_row_index("row")
    places = part.places.join(rows, on="verdict", how="left", maintain_order="left")
    table = part.table.select(pl.all().gather(used))
    keys = table["judge_call"].drop_nulls().str.split(" ").explode().unique()
    return replace(
        part,
        places=places.select("case", "trial", verdict="row"),
        table=table,
        replies=part.replies.filter(pl.col("key").is_in(keys.implode())),
        missing=(),
    )
