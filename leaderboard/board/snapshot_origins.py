"""Whether proposed snapshots agree with what the board was, by its files and its git history."""

from __future__ import annotations

import subprocess
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from leaderboard.board.history import INDEX, State, load_index, load_snapshot
from leaderboard.board.snapshot_shapes import SnapshotEntry
from leaderboard.digest import digest_bytes
from leaderboard.errors import FilesError, Problem
from leaderboard.files.document import read_bytes
from leaderboard.workspace import Workspace

_KEEP: Final = "a maintainer keeps snapshots with lb snapshot"
_RESTORE: Final = "restore it from the base: an old snapshot never changes"


def check_snapshots(
    base: Workspace, proposed: Workspace, derived: Mapping[str, State]
) -> Iterator[Problem]:
    """Yields a problem for every snapshot of `proposed` that does not agree with the base.

    `base` is a git checkout, if its git history is to be searched. `derived` holds the boards that
    were scored now, by the digest of their inputs. Raises FilesError for a damaged index.
    """
    old, new = load_index(base), load_index(proposed)
    if new[: len(old)] != old:
        what = "changes or removes snapshots that the base has"
        yield Problem(f"history/{INDEX}", what, _RESTORE)
    kept = {entry.name for entry in old}
    for name in sorted(kept):
        if _files(base.history / name) != _files(proposed.history / name):
            yield Problem(f"history/{name}", "differs from this snapshot of the base", _RESTORE)
    days = [entry.taken for entry in old if entry.taken is not None]
    for entry in new:
        if entry.name not in kept:
            yield from _check_new(base, proposed, entry, max(days, default=""), derived)


def _files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()} if folder.is_dir() else {}


def _check_new(
    base: Workspace,
    proposed: Workspace,
    entry: SnapshotEntry,
    newest: str,
    derived: Mapping[str, State],
) -> Iterator[Problem]:
    shown = f"history/{entry.name}"
    try:
        state = load_snapshot(proposed, entry)
    except FilesError as error:
        yield from error.problems
        return
    if entry.taken is not None and entry.taken < newest:
        what = f"is dated {entry.taken}, before the snapshot of {newest} that the base has"
        yield Problem(shown, what, _KEEP)
    known = derived.get(state.digest)
    if known is not None:
        if not known.scores.equals(state.scores) or not known.ranks.equals(state.ranks):
            what = "has other scores or ranks than these files give"
            yield Problem(shown, what, _KEEP)
        return
    unknown = [
        path for path, digest in _inputs(state) if not _was_committed(base, proposed, path, digest)
    ]
    if unknown:
        more = f" and {len(unknown) - 1:,} more files" if len(unknown) > 1 else ""
        what = f"names a version of {unknown[0]}{more} that no commit of the base has"
        yield Problem(shown, what, _KEEP)
    else:
        yield Problem(shown, "is not the board of these files", _KEEP)


def _inputs(state: State) -> Iterator[tuple[str, str]]:
    """Yields path and digest of every submitted file that a snapshot says it was made from."""
    for files in state.manifest["submissions"].values():
        yield from files.items()
    yield from state.manifest["cassettes"].items()


def _was_committed(base: Workspace, proposed: Workspace, path: str, digest: str) -> bool:
    if not path.startswith(("submissions/", "cassettes/")):
        return False
    for workspace in (base, proposed):
        try:
            if digest_bytes(read_bytes(workspace.root / path, path, workspace.root)) == digest:
                return True
        except FilesError:
            continue
    return any(digest_bytes(data) == digest for data in _versions(base.root, path))


def _versions(root: Path, path: str) -> Iterator[bytes]:
    """Yields every content that a file ever had in a git checkout; none without git."""
    log = _git(root, "log", "--format=", "--raw", "--no-abbrev", "--no-renames", "-m", "--", path)
    # :100644 100644 <old blob> <new blob> M\t<path>
    blobs = dict.fromkeys(line.split()[3] for line in log.decode("utf-8", "replace").splitlines())
    for blob in blobs:
        data = _git(root, "cat-file", "blob", blob)
        try:
            yield zlib.decompress(data, zlib.MAX_WBITS | 16) if path.endswith(".gz") else data
        except zlib.error:
            continue


def _git(root: Path, *arguments: str) -> bytes:
    try:
        done = subprocess.run(["git", *arguments], cwd=root, capture_output=True, check=True)  # noqa: S603, S607
    except (OSError, subprocess.CalledProcessError):
        return b""
    return done.stdout
