"""The snapshots of a board, below `history/`.

A snapshot is a folder `<as_of>-<first 8 digits of the digest>`. It holds manifest.json, scores.json
and ranks.json as `lb rescore` wrote them, and verdicts.parquet with SNAPSHOT_COLUMNS alone.
history/index.json holds the order of the snapshots, the day on which each was kept, and a digest of
its verdicts, which the manifest does not have.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import orjson

from leaderboard.board.board_state import (
    RESTORE,
    VERDICTS_FILE,
    State,
    in_snapshot_order,
    read_state,
    same_verdicts,
)
from leaderboard.board.snapshot_shapes import INDEX_FILE, SnapshotEntry
from leaderboard.digest import digest_bytes
from leaderboard.errors import FilesError, Problem, collect_problems, raise_any
from leaderboard.files.shaped_files import read_shaped
from leaderboard.machine.atomic_files import write_atomic
from leaderboard.workspace import MANIFEST, Workspace

INDEX: Final = "index.json"
# Copied into a snapshot byte for byte. The manifest holds their digests.
_COPIED: Final = ("scores.json", "ranks.json")


# ---------------------------------------------------------------- reading


def load_index(workspace: Workspace) -> tuple[SnapshotEntry, ...]:
    """Reads history/index.json; empty without a history. Raises FilesError with all problems."""
    path = workspace.history / INDEX
    if not path.exists():
        return ()
    shown = workspace.shown(path)
    file, findings = read_shaped(INDEX_FILE, path, shown, workspace.root, RESTORE)
    last = 0
    by_name: dict[str, SnapshotEntry] = {}
    for place, entry in enumerate(file.snapshots):
        if entry.sequence <= last:
            what = f"has number {entry.sequence} after {last}"
            fix = "number the snapshots in ascending order"
            findings.add(("snapshots", place, "sequence"), what, fix)
        last = max(last, entry.sequence)
        other = by_name.setdefault(entry.name, entry)
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
    problems = [*_unlisted(workspace, entries)]
    states = []
    for entry in entries:
        with collect_problems(problems):
            states.append(load_snapshot(workspace, entry))
    if problems:
        raise FilesError(dict.fromkeys(problems))  # several entries may name one folder
    return tuple(states)


def _unlisted(
    workspace: Workspace, entries: Sequence[SnapshotEntry], interrupted: str = ""
) -> Iterator[Problem]:
    """Yields the folders that the index lacks, but for the one that an interrupted command left."""
    listed = {interrupted, *(entry.name for entry in entries)}
    for path in sorted(workspace.history.iterdir()) if workspace.history.is_dir() else ():
        if path.is_dir() and not path.name.startswith(".") and path.name not in listed:
            fix = "remove it, or restore the index from git"
            yield Problem(workspace.shown(path), "is not in history/index.json", fix)


def load_snapshot(workspace: Workspace, entry: SnapshotEntry) -> State:
    """Reads the board of an entry of the index. Raises FilesError with all problems."""
    folder = workspace.history / entry.name
    return read_state(folder, workspace.shown(folder), entry)


def find_snapshot(entries: Sequence[SnapshotEntry], name: str) -> SnapshotEntry | None:
    """The newest snapshot with this name, number or label, or whose digest begins so.

    `latest` is the newest of all. The start of a digest has 4 digits or more.
    """
    for entry in reversed(entries):
        by_digest = len(name) >= 4 and entry.digest.startswith(name)
        if by_digest or name in {"latest", entry.name, str(entry.sequence), entry.label}:
            return entry
    return None


# ---------------------------------------------------------------- keeping


def keep(
    workspace: Workspace,
    results: Path,
    *,
    label: str | None,
    metrics: Mapping[str, str],
    taken: str | None,
    names: Mapping[str, str],
) -> tuple[SnapshotEntry, bool]:
    """Keeps the board in a folder of results as a snapshot, on the day `taken` (YYYY-MM-DD).

    `names` are the names of the submissions by id. Pages need them after a submission is removed.
    Returns the entry of the index, and whether anything was written: the newest snapshot is not
    written again, whatever its label or day.
    Raises FilesError if results or index are damaged, if a snapshot is missing from the index or
    from the folder, if there is no submission, or if the day is before that of another snapshot. It
    also raises FilesError if the same inputs gave other
    verdicts before: then a rule changed without a new rules version, and no digest could explain
    why a score moved.
    """
    state = read_state(results, workspace.shown(results))
    entries = load_index(workspace)
    if state.as_of is None:
        shown = f"{workspace.shown(results)}/{MANIFEST}"
        raise FilesError.about(shown, "holds no submission", "there is nothing to save yet")
    equal = next((entry for entry in reversed(entries) if entry.digest == state.digest), None)
    if equal is not None:
        _refuse_other_verdicts(workspace, equal, state)
        if equal is entries[-1]:
            return equal, False
    raise_any(_gaps(workspace, entries, state))

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
        "names": dict(sorted(names.items())),
    }
    if equal is None:
        digests = _write_folder(workspace, entries, state, results)
        entry = SnapshotEntry.model_validate({**digests, **placed})
    else:
        entry = equal.model_copy(update=placed)
    write_atomic(workspace.history / INDEX, _index((*entries, entry)))
    return entry, True


def _gaps(
    workspace: Workspace, entries: Sequence[SnapshotEntry], state: State
) -> Iterator[Problem]:
    """Yields what a history lacks: a new snapshot would seem to follow what is left of it."""
    yield from _unlisted(workspace, entries, _name_of(state))
    for entry in entries:
        folder = workspace.history / entry.name
        if not folder.is_dir():
            yield Problem(workspace.shown(folder), "is in history/index.json, but missing", RESTORE)


def _name_of(state: State) -> str:
    """The name of a board's folder in the history."""
    return f"{state.as_of}-{state.digest[:8]}"


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
    name = _name_of(state)
    if any(entry.name == name for entry in entries):
        what = f"exists already, for another board whose digest also begins with {state.digest[:8]}"
        fix = "change any input, for example add a space to a prompt, and score again"
        raise FilesError.about(f"history/{name}", what, fix)
    buffer = io.BytesIO()
    in_snapshot_order(state.verdicts).write_parquet(
        buffer, compression="zstd", compression_level=19, statistics=False
    )
    folder = workspace.history / name
    for copied in (MANIFEST, *_COPIED):
        write_atomic(folder / copied, (results / copied).read_bytes())
    write_atomic(folder / VERDICTS_FILE, buffer.getvalue())
    return {"name": name, "digest": state.digest, "verdicts": digest_bytes(buffer.getvalue())}


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
