"""Every path that differs between two folders, and what it holds. Links are never followed."""

from __future__ import annotations

import filecmp
import os
import re
import stat
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from leaderboard.board.board_changes import How
from leaderboard.errors import FilesError
from leaderboard.ids import SUBMISSION_ID
from leaderboard.proposals.harmless_git import run_git
from leaderboard.texts.short_text import cut

# What commands make in a workspace. Without git nobody can tell it from what is proposed.
_MADE: Final = frozenset({".git", ".venv", ".cache", "results", "_site"})

_UNTRACKED: Final = ("--others", "--exclude-standard")  # what git would track

_OWN_CASSETTE: Final = re.compile(r"cassettes/[^/]+/[^/]+/([^/]+)\.json")

# What a path holds, in the order of a report, by the first pattern that matches it.
_KINDS: Final = tuple(
    (kind, re.compile(pattern, re.DOTALL))
    for kind, pattern in (
        ("workflows", r"\.github/.*|action\.ya?ml"),
        ("rules", r"(scoring/)?rules/.*"),
        ("code", r"(cli|leaderboard|replay|runners|scoring|site_templates)/.*"),
        (
            "installation and scripts",
            r"(\.ci|\.venv|\.cache|scripts|requirements)/.*|Makefile|pyproject\.toml|.*\.(py|pth|sh)",
        ),
        ("git settings", r"(.*/)?(\.git[a-z]*(/.*)?|HEAD)"),
        ("hidden files", r"(.*/)?\..*"),
        ("settings of the board", r"leaderboard\.toml"),
        ("recordings of maintainers", r"recordings\.(json|journal)"),
        ("labels", r"prompts/[^/]+/labels/.*"),
        ("prompts", r"prompts/.*"),
        ("datasets", r"datasets/.*"),
        ("other submissions", r"submissions/.*"),
        ("judge calls of others", r"cassettes/.*"),
        ("history", r"history/.*"),
        ("audits", r"audits/.*"),
        ("tests", r"(tests|benchmarks)/.*"),
        ("docs", r"docs/.*|[^/]*\.(md|cff)|LICENSE"),
        ("other files", r".*"),
    )
)
LINKS: Final = "symbolic links and submodules"
PROGRAMS: Final = "executable files"

Form = Literal["file", "program", "link", "other"]


@dataclass(frozen=True, slots=True)
class PathChange:
    """A path that was added, removed or changed. `kind` says what it holds.

    The path is below the board, or begins with ".." if it is elsewhere in the repository.
    """

    path: str
    how: How
    kind: str


@dataclass(frozen=True, slots=True)
class Proposal:
    """What a proposal changes.

    `submission` is the one submission that it brings, or None. `replaces` is True if the base has
    that submission already. `own` are the paths of its folder and its cassettes, `outside` are all
    others. A link, an executable file and a hidden file are always outside. `behind` is True if git
    shows that it lacks the newest commit of the base: some changes may be those of the base.
    """

    submission: str | None
    replaces: bool
    own: tuple[PathChange, ...]
    outside: tuple[PathChange, ...]
    behind: bool = False


def compare_folders(base: Path, proposed: Path) -> Proposal:
    """Compares the files of two boards, byte by byte. Nothing in them is executed.

    Boards at the same place in two repositories are compared with all files of these. Files of the
    base that git does not track are nobody's proposal. Raises FilesError if a board is reached by a
    link of its repository, if a path cannot be read, or if git cannot list a repository.
    """
    base, proposed = _place(base), _place(proposed)
    tops = _top(base), _top(proposed)
    # An export of a branch has no .git, and holds what the branch holds.
    made = frozenset() if (tops[0] / ".git").exists() else _MADE
    if tops[0] == tops[1] or base.relative_to(tops[0]) != proposed.relative_to(tops[1]):
        tops = base, proposed
    old, new = _forms(base, tops[0], _MADE), _forms(proposed, tops[1], made)
    notes = _own_notes(base, tops[0])
    old = {path: form for path, form in old.items() if path in new or path not in notes}
    changed: dict[str, How] = {}
    for path in sorted(old.keys() | new.keys()):
        if path not in old:
            changed[path] = "added"
        elif path not in new:
            changed[path] = "removed"
        elif old[path] != new[path] or not _equal(base, proposed, path, new[path]):
            changed[path] = "changed"

    owners = {owner_of(path) for path in old if path.startswith("submissions/")}
    submission = _submission(changed, owners)
    own: list[PathChange] = []
    outside: list[PathChange] = []
    for path, how in changed.items():
        form = new.get(path, "file")
        mine = form == "file" and submission is not None and owner_of(path) == submission
        (own if mine else outside).append(PathChange(path, how, _kind(path, form)))
    replaces = submission is not None and submission in owners
    behind = bool(outside) and _is_behind(base, proposed)
    return Proposal(submission, replaces, tuple(own), tuple(outside), behind)


def _is_behind(base: Path, proposed: Path) -> bool:
    """Whether the history of a proposal is known, and lacks the newest commit of the base."""
    newest = (run_git(base, "rev-parse", "HEAD") or b"").decode().strip()
    if not newest or run_git(proposed, "rev-parse", "--is-shallow-repository") != b"false\n":
        return False
    return run_git(proposed, "merge-base", "--is-ancestor", newest, "HEAD") is None


def _place(board: Path) -> Path:
    """Where a board is. A repository could lead a link to any other folder."""
    written = Path(os.path.normpath(board.absolute()))
    for place in (written, *written.parents):
        if place.is_symlink() and any((above / ".git").exists() for above in place.parents):
            what = "is a link, and not a folder of its repository"
            raise FilesError.about(str(place), what, "do not merge it; name the folder itself")
    return written.resolve()


def _submission(paths: Iterable[str], known: Collection[str | None]) -> str | None:
    """The submission that changed paths bring: the first new one, or else the first."""
    owners = sorted({owner for path in paths if (owner := owner_of(path)) is not None})
    new = [owner for owner in owners if owner not in known]
    return next(iter(new or owners), None)


def owner_of(path: str) -> str | None:
    """The submission that a path belongs to: its folder, or its cassette.

    A hidden file belongs to none. A `.gitattributes` could hide the other files from a reader.
    """
    steps = path.split("/")
    if any(step.startswith(".") for step in steps):
        return None
    owner = steps[1] if steps[0] == "submissions" and len(steps) > 2 else None
    if found := _OWN_CASSETTE.fullmatch(path):
        owner = found[1]
    return owner if owner is not None and SUBMISSION_ID.fullmatch(owner) else None


def kind_of(path: str) -> str:
    """What a path holds, in the words of a report."""
    inside = re.sub(r"^(\.\./)+", "", path)
    return next(kind for kind, pattern in _KINDS if pattern.fullmatch(inside))


def kinds_in_order() -> tuple[str, ...]:
    """Every kind of path, the most dangerous first."""
    return (LINKS, PROGRAMS, *(kind for kind, _ in _KINDS))


def _kind(path: str, form: Form) -> str:
    if form == "program" and owner_of(path) is not None:
        return PROGRAMS
    return kind_of(path) if form in {"file", "program"} else LINKS


def _top(board: Path) -> Path:
    """The folder of the repository that a board is in, or else the board."""
    return next((place for place in (board, *board.parents) if (place / ".git").exists()), board)


def _forms(root: Path, top: Path, made: Collection[str]) -> Mapping[str, Form]:
    """The form of every file below `top` that a proposal may consist of, seen from `root`.

    Paths are relative to `root`, which is `top` or a folder in it. Without git, what is `made` by
    commands is left out.
    """
    if (top / ".git").exists():
        paths = sorted(_listed_by_git(root, top, "--cached", *_UNTRACKED))
    else:
        paths = [*_walk(root, top, made)]
    return {path: form for path in paths if (form := _form(root, path)) is not None}


def _own_notes(base: Path, top: Path) -> set[str]:
    """The files of a checkout that its repository does not have, if it has any."""
    if not (top / ".git").exists() or not _listed_by_git(base, top, "--cached"):
        return set()
    return _listed_by_git(base, top, *_UNTRACKED)


def _listed_by_git(root: Path, top: Path, *options: str) -> set[str]:
    """The paths that git lists. Raises FilesError if it lists none of a repository.

    Without git, files would be left out that commands make, and that a proposal may hold as well.
    """
    listed = run_git(top, "ls-files", "-z", *options)
    if listed is None:
        fix = f"install git, and follow what `git -C {top} status` says"
        raise FilesError.about(str(top), "is a repository that git cannot list", fix)
    names = {os.fsdecode(name).rstrip("/") for name in listed.split(b"\0") if name}
    return {os.path.relpath(top / name, root) for name in names}


def _walk(root: Path, top: Path, made: Collection[str]) -> Iterator[str]:
    for folder, folders, names in os.walk(top):
        place = Path(folder)
        skipped = set(made) if place in (root, top) else set()
        links = {name for name in folders if (place / name).is_symlink()}
        folders[:] = [name for name in folders if name not in links | skipped]
        for name in {*links, *names} - skipped:
            yield Path(os.path.relpath(place / name, root)).as_posix()


def _form(root: Path, path: str) -> Form | None:
    """What a path is, without following a link; None if nothing is there.

    Raises FilesError for a path that git can write, and nobody can open: it would stop every
    command.
    """
    place = root
    try:
        for step in path.split("/")[:-1]:
            place /= step
            if place.is_symlink():
                return "link"
        mode = (root / path).lstat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        what = f"cannot be read: {error.strerror}"
        raise FilesError.about(cut(path), what, "do not merge it") from error
    if stat.S_ISLNK(mode):
        return "link"
    if not stat.S_ISREG(mode):
        return "other"
    return "program" if mode & 0o100 else "file"


def _equal(base: Path, proposed: Path, path: str, form: Form) -> bool:
    """Whether a path of the same form has the same content in two folders."""
    if form == "other":  # a submodule, with its commit
        commits = [run_git(one, "ls-files", "--stage", "--", path) for one in (base, proposed)]
        return commits[0] is not None and commits[0] == commits[1]
    old, new = base / path, proposed / path
    if form == "link":
        return old.is_symlink() and new.is_symlink() and old.readlink() == new.readlink()
    return filecmp.cmp(old, new, shallow=False)
