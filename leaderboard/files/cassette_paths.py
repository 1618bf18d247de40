"""Where recorded judge calls are: `cassettes/<judge>/<suite>/<owner>.json`, and nowhere else.

Scores, the manifest and `lb cassettes check` read the same list of files. Anything else below
`cassettes/` is a problem, because nobody would look at it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator
from pathlib import Path, PurePosixPath
from typing import Final, NamedTuple

from leaderboard.errors import Problem
from leaderboard.ids import SUBMISSION_ID

FOLDER: Final = "cassettes"
RECORDINGS: Final = "recordings.json"  # the calls that maintainers recorded
# It lists recordings of maintainers too, so it is beside their list, and not among the cassettes.
JOURNAL: Final = "recordings.journal"
# Owners that are no submissions. Scores use only the calls about labelled pairs.
LABELS: Final = "_labels"
PREFERENCES: Final = "_preferences"
SIMULATIONS: Final = "_virtual-apis"  # models that play APIs
OTHER_OWNERS: Final = frozenset({LABELS, PREFERENCES, SIMULATIONS})

_PLACE: Final = f"{FOLDER}/<judge>/<suite>/<submission>.json"
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
# What an interrupted write leaves.
_TEMPORARY: Final = re.compile(r"\..*\.tmp", re.DOTALL)


class CassettePath(NamedTuple):
    """The judge, suite and owner that a cassette's path names."""

    judge: str
    suite: str
    owner: str

    @classmethod
    def of(cls, file: str) -> CassettePath:
        """Reads the path of a cassette below the workspace, one of `cassette_files`."""
        _, judge, suite, name = file.split("/")
        return cls(judge, suite, name.removesuffix(".json"))


def relative_path(judge: str, suite: str, owner: str) -> str:
    """The cassette of an owner's calls at a suite to a judge, below the workspace."""
    return f"{FOLDER}/{judge}/{suite}/{owner}.json"


def cassette_path(file: str) -> CassettePath | None:
    """Reads a path below the workspace. Returns None if no cassette can be there."""
    path = PurePosixPath(file)
    if len(path.parts) != 4 or path.parts[0] != FOLDER or path.suffix != ".json":
        return None
    _, judge, suite, _ = path.parts
    owned = path.stem in OTHER_OWNERS or SUBMISSION_ID.fullmatch(path.stem)
    if not owned or not _NAME.fullmatch(judge) or not _NAME.fullmatch(suite):
        return None
    return CassettePath(judge, suite, path.stem)


def cassette_files(root: Path) -> tuple[str, ...]:
    """Every cassette of a workspace, as sorted paths below it."""
    regular = (file for file, is_regular in _entries(root) if is_regular)
    return tuple(sorted(file for file in regular if cassette_path(file) is not None))


def stray_files(
    root: Path, judges: Collection[str], suites: Collection[str], submissions: Collection[str]
) -> tuple[Problem, ...]:
    """A problem for everything below `cassettes/` that belongs to nobody.

    These are links, files of other names or at other depths, and cassettes of a judge, suite or
    submission that the workspace does not have.
    """
    problems = []
    for file, regular in sorted(_entries(root)):
        if is_leftover(file):
            continue
        path = cassette_path(file)
        fix = "run lb cassettes prune --unused, which keeps the calls that answers need"
        if not regular:
            what, fix = "is a link or not a regular file", "put the file itself in its place"
        elif path is None:
            what = "is not a cassette, and nothing else may be here"
            fix = f"move it to {_PLACE}, or remove it"
        elif path.judge not in judges:
            what = f"belongs to a judge that leaderboard.toml does not name: {path.judge}"
        elif path.suite not in suites:
            what = f"belongs to a suite that this board does not have: {path.suite}"
        elif path.owner not in OTHER_OWNERS and path.owner not in submissions:
            what = f"belongs to a submission that this board does not have: {path.owner}"
        else:
            continue
        problems.append(Problem(file, what, fix))
    return tuple(problems)


def is_leftover(file: str) -> bool:
    """Whether an interrupted write left this file."""
    return _TEMPORARY.fullmatch(file.rpartition("/")[2]) is not None


def leftovers(root: Path) -> tuple[str, ...]:
    """What interrupted recordings and writes left, sorted."""
    left = [file for file, _ in _entries(root) if is_leftover(file)]
    return tuple(sorted([*left, JOURNAL] if (root / JOURNAL).exists() else left))


def _entries(root: Path) -> Iterator[tuple[str, bool]]:
    """Yields everything below `cassettes/` but folders, and whether it is a regular file."""
    top = root / FOLDER
    if top.is_symlink() or (top.exists() and not top.is_dir()):
        yield FOLDER, False
        return
    folders = [top] if top.is_dir() else []
    while folders:
        with os.scandir(folders.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    folders.append(Path(entry.path))
                else:
                    file = Path(entry.path).relative_to(root).as_posix()
                    yield file, entry.is_file(follow_symlinks=False)
