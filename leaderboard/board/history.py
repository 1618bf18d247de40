"""The board as it was: snapshots below `history/`, and boards read from any folder of results.

A snapshot is a folder `<as_of>-<first 8 digits of the digest>`. It holds manifest.json, scores.json
and ranks.json as `lb rescore` wrote them, and verdicts.parquet with the columns of KEPT alone.
history/index.json holds the order of the snapshots, the day on which each was kept, and a digest of
its verdicts, which the manifest does not have.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import orjson
import polars as pl
from pydantic import ValidationError

from leaderboard.board.snapshot_shapes import INDEX_FILE, MANIFEST_FILE, SnapshotEntry
from leaderboard.digest import digest_bytes
from leaderboard.errors import FilesError, Problem, collect_problems
from leaderboard.files.document import parse
from leaderboard.files.validation import read_shaped
from leaderboard.frames import RANKS, SCORES, VERDICTS
from leaderboard.store import write_atomic
from leaderboard.workspace import Workspace

INDEX: Final = "index.json"
MANIFEST: Final = "manifest.json"
VERDICTS_FILE: Final = "verdicts.parquet"
# Copied into a snapshot byte for byte. The manifest holds their digests.
COPIED: Final = ("scores.json", "ranks.json")
KEPT: Final = pl.Schema(
    {name: dtype for name, dtype in VERDICTS.items() if name not in ("detail", "judge_call")}
)

# The last digits of a float may differ between versions of a library.
_ROUNDED: Final = pl.col(pl.Float64).round(12)
_RESTORE: Final = "restore it from git: git checkout -- history"


@dataclass(frozen=True, slots=True)
class State:
    """A board at one time, from a snapshot or from a folder of results.

    `sequence` counts snapshots from 1. `metrics` names the ranked metric of each suite. `taken` is
    the day on which a snapshot was kept. `names` has names of submissions, as far as no earlier
    snapshot has them. Results have none of these, and old snapshots lack some.
    Verdicts (columns of KEPT) are read at first use.
    """

    name: str
    manifest: Mapping[str, Any]
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
        return str(self.manifest["digest"])

    @property
    def as_of(self) -> str | None:
        """The date of the newest submission, YYYY-MM-DD."""
        return None if self.manifest["as_of"] is None else str(self.manifest["as_of"])


# ---------------------------------------------------------------- reading


def load_index(workspace: Workspace) -> tuple[SnapshotEntry, ...]:
    """Reads history/index.json; empty without a history. Raises FilesError with all problems."""
    path = workspace.history / INDEX
    if not path.exists():
        return ()
    shown = workspace.shown(path)
    file, findings = read_shaped(INDEX_FILE, path, shown, workspace.root, _RESTORE)
    last = 0
    known: dict[str, SnapshotEntry] = {}
    for place, entry in enumerate(file.snapshots):
        if entry.sequence <= last:
            what = f"has number {entry.sequence} after {last}"
            fix = "number the snapshots in ascending order"
            findings.add(("snapshots", place, "sequence"), what, fix)
        last = max(last, entry.sequence)
        other = known.setdefault(entry.name, entry)
        if (other.digest, other.verdicts) != (entry.digest, entry.verdicts):
            what = f"names {entry.name} again with other digests"
            fix = "one folder holds one board: correct the digests"
            findings.add(("snapshots", place, "name"), what, fix)
    findings.raise_errors()
    return tuple(file.snapshots)


def load_history(workspace: Workspace) -> tuple[State, ...]:
    """Reads every snapshot in order.

    Raises FilesError with the problems of all of them, and of folders that the index lacks.
    """
    entries = load_index(workspace)
    listed = {entry.name for entry in entries}
    problems: list[Problem] = []
    for path in sorted(workspace.history.iterdir()) if workspace.history.is_dir() else ():
        if path.is_dir() and not path.name.startswith(".") and path.name not in listed:
            fix = "remove it, or restore the index from git"
            problems.append(Problem(workspace.shown(path), "is not in history/index.json", fix))
    states = []
    for entry in entries:
        with collect_problems(problems):
            states.append(load_snapshot(workspace, entry))
    if problems:
        raise FilesError(dict.fromkeys(problems))  # several entries may name one folder
    return tuple(states)


def load_snapshot(workspace: Workspace, entry: SnapshotEntry) -> State:
    """Reads the board of an entry of the index. Raises FilesError with all problems."""
    folder = workspace.history / entry.name
    return _read(folder, workspace.shown(folder), _RESTORE, entry)


def read_state(folder: Path, *, shown: str = "") -> State:
    """Reads the board in a folder of results.

    Raises FilesError if a file is missing, damaged, or has another digest than in the manifest.
    """
    return _read(folder, shown or folder.name, "run lb rescore again", None)


def _read(folder: Path, shown: str, fix: str, entry: SnapshotEntry | None) -> State:
    place = f"{shown}/{MANIFEST}"
    _read_checked(folder / MANIFEST, place, None, fix)
    _, findings = read_shaped(MANIFEST_FILE, folder / MANIFEST, place, folder, fix)
    manifest = parse(findings.data, place)
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
    if problems:
        raise FilesError(problems)

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


def read_manifest(data: bytes, shown: str) -> Mapping[str, Any]:
    """Reads a manifest that may be anybody's. Raises FilesError."""
    manifest = parse(data, shown)
    try:
        MANIFEST_FILE.validate_json(data)
    except ValidationError as error:
        what = "is damaged, or of another version"
        raise FilesError.about(shown, what, "build the site again") from error
    if not isinstance(manifest, dict):
        raise TypeError("a manifest is an object")
    return manifest


def read_verdict_table(data: bytes, shown: str, fix: str) -> pl.DataFrame:
    """Reads verdicts with the columns of KEPT. Raises FilesError."""
    try:
        columns = [pl.col(name).cast(dtype) for name, dtype in KEPT.items()]
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


# ---------------------------------------------------------------- keeping


def keep(
    workspace: Workspace,
    results: Path,
    label: str | None,
    metrics: Mapping[str, str],
    taken: str | None = None,
    *,
    names: Mapping[str, str] | None = None,
) -> tuple[SnapshotEntry, bool]:
    """Keeps the board in a folder of results as a snapshot, on the day `taken` (YYYY-MM-DD).

    `names` are the names of the submissions by id. Pages need them after a submission is removed.
    Returns the entry of the index, and whether anything was written: the newest snapshot is not
    written again, whatever its label or day.
    Raises FilesError if results or index are damaged, if there is no submission, or if the day is
    before that of another snapshot. It also raises FilesError if the same inputs gave other
    verdicts before: then a rule changed without a new rules version, and no digest could explain
    why a score moved.
    """
    state = read_state(results, shown=workspace.shown(results))
    entries = load_index(workspace)
    if state.as_of is None:
        shown = f"{workspace.shown(results)}/{MANIFEST}"
        raise FilesError.about(shown, "holds no submission", "there is nothing to save yet")
    known = next((entry for entry in reversed(entries) if entry.digest == state.digest), None)
    if known is not None:
        _refuse_other_verdicts(workspace, known, state)
        if known is entries[-1]:
            return known, False

    days = [entry.taken for entry in entries if entry.taken is not None]
    if taken is not None and days and taken < max(days):
        what = f"has a snapshot of {max(days)}, which is later than {taken}"
        fix = "give the day with --date, or correct `taken` of that snapshot"
        raise FilesError.about(f"history/{INDEX}", what, fix)

    placed = {
        "sequence": entries[-1].sequence + 1 if entries else 1,
        "label": label,
        "metrics": dict(sorted(metrics.items())),
        "taken": taken,
        "names": new_names(entries, names or {}),
    }
    if known is None:
        digests = _write_folder(workspace, entries, state, results)
        entry = SnapshotEntry.model_validate({**digests, **placed})
    else:
        entry = known.model_copy(update=placed)
    write_atomic(workspace.history / INDEX, _index((*entries, entry)))
    return entry, True


def new_names(entries: Iterable[SnapshotEntry], names: Mapping[str, str]) -> dict[str, str]:
    """Returns the names that the newest earlier entry with that submission does not have."""
    known: dict[str, str] = {}
    for entry in entries:
        known |= entry.names
    return {key: name for key, name in sorted(names.items()) if known.get(key) != name}


def same_verdicts(one: State, other: State) -> bool:
    """Returns whether two boards have the same verdicts and scores, but for rounding."""
    same_scores = one.scores.with_columns(_ROUNDED).equals(other.scores.with_columns(_ROUNDED))
    return same_scores and _sorted(one.verdicts).equals(_sorted(other.verdicts))


def _refuse_other_verdicts(workspace: Workspace, entry: SnapshotEntry, state: State) -> None:
    if same_verdicts(load_snapshot(workspace, entry), state):
        return
    what = (
        "has the same inputs, but other verdicts or scores: the rules changed without a new version"
    )
    fix = "raise RULES_VERSION in scoring/rules, then run lb rescore again"
    raise FilesError.about(f"history/{entry.name}", what, fix)


def _write_folder(
    workspace: Workspace, entries: Sequence[SnapshotEntry], state: State, results: Path
) -> dict[str, str]:
    """Writes the folder of a new board. Returns its name and digests for the index."""
    name = f"{state.as_of}-{state.digest[:8]}"
    if any(entry.name == name for entry in entries):
        what = f"exists already, for another board whose digest also begins with {state.digest[:8]}"
        fix = "change any input, for example add a space to a prompt, and score again"
        raise FilesError.about(f"history/{name}", what, fix)
    # Sorted rows have equal values next to each other, and need only a few bits each.
    buffer = io.BytesIO()
    _sorted(state.verdicts).write_parquet(
        buffer, compression="zstd", compression_level=19, statistics=False
    )
    folder = workspace.history / name
    for copied in (MANIFEST, *COPIED):
        write_atomic(folder / copied, (results / copied).read_bytes())
    write_atomic(folder / VERDICTS_FILE, buffer.getvalue())
    return {"name": name, "digest": state.digest, "verdicts": digest_bytes(buffer.getvalue())}


def _sorted(verdicts: pl.DataFrame) -> pl.DataFrame:
    return verdicts.sort("suite", "metric", "category", "case_id", "submission", "trial")


def _index(entries: Iterable[SnapshotEntry]) -> bytes:
    """Writes one snapshot a line, so that git merges branches line by line.

    Old lines stay as they are.
    """
    lines = []
    for entry in entries:
        empty = {name for name in ("taken", "names") if not getattr(entry, name)}
        fields = entry.model_dump(exclude=empty)
        lines.append("  " + orjson.dumps(fields, option=orjson.OPT_SORT_KEYS).decode())
    joined = ",\n".join(lines)
    return f'{{"schema": 1, "snapshots": [\n{joined}\n]}}\n'.encode()
