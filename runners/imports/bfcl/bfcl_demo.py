"""`lb demo bfcl`: a new board of published results of real models."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

from leaderboard.errors import FilesError
from leaderboard.kinds import Kinds
from runners.imports.bfcl.bfcl_import import import_bfcl
from runners.imports.bfcl.bfcl_package import PackageData, open_package
from runners.imports.bfcl.bfcl_results import DAY
from runners.imports.import_writer import ImportReport
from runners.init.new_board import board_settings, write_board

# Where BFCL publishes what models answered, and the version of its package at that time.
REPOSITORY: Final = "https://github.com/HuanzhiMao/BFCL-Result"
COMMIT: Final = "6830ed13035c0cfee9aa7a9a0ffed70f10b3dd50"
PACKAGE: Final = "2025.12.17"
_WANTED: Final = ("/2025-12-16/result/*/live/", "/2025-12-16/result/*/non_live/")
# A hook of git sets these. They would lead git to the repository that it runs in.
_OF_A_REPOSITORY: Final = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE")
_TITLE: Final = "Function calling, published results"
_ABOUT: Final = (
    "What real models answered in the Berkeley Function Calling Leaderboard, from the results that "
    "it publishes. Scored again by code alone: no judge decides anything here."
)


class Published(NamedTuple):
    """Where the results of models are, and the questions, if the same folder has them."""

    results: Path
    data: PackageData | None


@contextmanager
def clone_results() -> Iterator[Path]:
    """A clone of the results at one commit, single-turn categories alone, while it is open.

    Raises FilesError if git cannot make it.
    """
    with TemporaryDirectory(prefix="toolboard-results-") as folder:
        for command in (
            ("init", "--quiet"),
            ("remote", "add", "origin", REPOSITORY),
            ("sparse-checkout", "set", "--no-cone", *_WANTED),
            ("fetch", "--quiet", "--depth", "1", "--filter=blob:none", "origin", COMMIT),
            ("checkout", "--quiet", "FETCH_HEAD"),
        ):
            _git(command, folder)
        yield Path(folder)


def _git(command: tuple[str, ...], folder: str) -> None:
    """Runs git, which asks nobody for a password. Raises FilesError if it fails."""
    fix = "clone it yourself, and name the folder: --source DIR"
    try:
        done = subprocess.run(  # noqa: S603 - no shell
            ["git", *command],  # noqa: S607 - the git of the user
            cwd=folder,
            env=_git_environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
        )
    except FileNotFoundError as error:
        what = "cannot be cloned: there is no git on the PATH"
        raise FilesError.about(REPOSITORY, what, f"install git, or {fix}") from error
    if done.returncode:
        lines = [line for line in done.stderr.splitlines() if line.startswith(("fatal:", "error:"))]
        what = f"cannot be cloned: {lines[0] if lines else 'git failed'}"
        raise FilesError.about(REPOSITORY, what, fix)


def _git_environment() -> dict[str, str]:
    """The environment without another repository, and with messages in English."""
    kept = {name: value for name, value in os.environ.items() if name not in _OF_A_REPOSITORY}
    return {**kept, "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}


def find_published(source: Path) -> Published:
    """The results in a folder: its own `result/`, or that of the newest day among its folders."""
    days = sorted(path for path in source.iterdir() if DAY.fullmatch(path.name))
    for folder in (source, *reversed(days)):
        if (folder / "result").is_dir():
            data = PackageData(folder / "questions", folder / "possible_answer")
            return Published(folder / "result", data if data.questions.is_dir() else None)
    fix = "name a folder with result/, or with folders of days that have one"
    raise FilesError.about(str(source), "contains no results", fix)


def demo_bfcl(
    board: Path,
    source: Path | None,
    package: str | None,
    kinds: Kinds,
    date: str | None = None,
) -> ImportReport:
    """Makes the new folder `board`, with the suite and a submission for each model.

    Without `source`, the published results are cloned. `package` is as in `open_package`. Raises
    FilesError, and then leaves nothing behind.
    """
    with _opened(source) as folder:
        published = find_published(folder)
        with _questions(published, package or (PACKAGE if source is None else "")) as questions:
            reports: list[ImportReport] = []

            def fill(root: Path) -> None:
                made = import_bfcl(root, published.results, *questions, kinds=kinds, date=date)
                reports.append(made)

            settings = board_settings(_TITLE, _ABOUT)
            write_board(board, {"leaderboard.toml": settings}, fill)
    return reports[0]


def _opened(source: Path | None) -> AbstractContextManager[Path]:
    return clone_results() if source is None else nullcontext(source)


def _questions(published: Published, package: str) -> AbstractContextManager[PackageData]:
    return open_package(package) if published.data is None else nullcontext(published.data)
