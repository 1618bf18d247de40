"""Proposed snapshots must agree with those of the base and with the board as scored now."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from leaderboard.board.board_state import State, same_verdicts
from leaderboard.board.snapshot_shapes import SnapshotEntry
from leaderboard.board.snapshots import INDEX, load_index, load_snapshot
from leaderboard.errors import FilesError, Problem
from leaderboard.workspace import Workspace

_KEEP: Final = "a maintainer keeps snapshots with lb snapshot"
_RESTORE: Final = "restore it from the base: an old snapshot never changes"


def check_snapshots(
    base: Workspace, proposed: Workspace, derived: Mapping[str, State], latest: str
) -> Iterator[Problem]:
    """Yields a problem for every snapshot of `proposed` that does not agree with the base.

    `derived` holds the boards that were scored now, by the digest of their inputs, with the names
    and metrics that a snapshot of them keeps. `latest` is the last day (YYYY-MM-DD) on which a
    snapshot can be taken. Raises FilesError for a damaged index.
    """
    old, new = load_index(base), load_index(proposed)
    if new[: len(old)] != old:
        what = "changes or removes snapshots that the base has"
        yield Problem(f"history/{INDEX}", what, _RESTORE)
    for name in sorted({entry.name for entry in old}):
        if _files(base.history / name) != _files(proposed.history / name):
            yield Problem(f"history/{name}", "differs from this snapshot of the base", _RESTORE)
    days = [entry.taken for entry in old if entry.taken is not None]
    for entry in new:
        if entry in old:
            continue
        shown = f"history/{entry.name}"
        taken = entry.taken or latest
        if taken < max(days, default=""):
            what = f"is dated {taken}, before the snapshot of {max(days)} that the base has"
            yield Problem(shown, what, _KEEP)
        if taken > latest:
            yield Problem(shown, f"is dated {taken}, which is in the future", _KEEP)
        yield from _check_new(proposed, entry, derived)


def _check_new(
    proposed: Workspace, entry: SnapshotEntry, derived: Mapping[str, State]
) -> Iterator[Problem]:
    """Yields a problem if this entry is not a board that was scored now."""
    try:
        state = load_snapshot(proposed, entry)
    except FilesError as error:
        yield from error.problems
        return
    equal = derived.get(state.digest)
    if equal is None:
        yield Problem(f"history/{entry.name}", "is not the board of these files", _KEEP)
        return
    differing = _differing(state, equal)
    if differing:
        what = f"does not have the {differing} that these files give"
        yield Problem(f"history/{entry.name}", what, _KEEP)


def _differing(state: State, other: State) -> str:
    """The names of the parts of a snapshot that differ from the board as scored now."""
    same = {
        "inputs": {**state.manifest, "results": None} == {**other.manifest, "results": None},
        "verdicts or scores": same_verdicts(state, other),
        "ranks": state.ranks.equals(other.ranks),
        "metrics": state.metrics == other.metrics,
        "names of submissions": state.names == other.names,
    }
    return " and ".join(part for part, equal in same.items() if not equal)


def _files(folder: Path) -> dict[str, bytes | None]:
    """The content of every file of a snapshot by name; None for what is no file."""
    paths = sorted(folder.iterdir()) if folder.is_dir() else []
    return {path.name: path.read_bytes() if path.is_file() else None for path in paths}
