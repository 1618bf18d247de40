"""What a site was built from, kept in the cache folder: an unchanged site is not built again.

A site is unchanged if every input has the same bytes, the code included, and if every file of the
site is as the build left it.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Final

import orjson

from leaderboard.digest import digest_bytes, digest_of, folder_digest
from leaderboard.packaged_docs import docs_folder
from leaderboard.store import write_atomic
from leaderboard.types import Json
from leaderboard.workspace import Workspace

_PROJECT: Final = Path(__file__).parent.parent
_PACKAGES: Final = ("cli", "leaderboard", "replay", "runners", "scoring", "site_templates")
_LIBRARIES: Final = ("jinja2", "markdown-it-py", "markupsafe", "polars")
_FOLDERS: Final = (
    *("audits", "cassettes", "datasets", "docs", "history"),
    *("prompts", "rules", "submissions", "theme"),
)
_FILES: Final = ("CITATION.cff", "Makefile", "leaderboard.toml", "recordings.json")


def inputs_digest(workspace: Workspace, results: Path, *options: str | None) -> str:
    """The sha256 of everything that decides the bytes of a site.

    `options` are those of the build. Raises OSError if a file cannot be read.
    """
    root = workspace.root
    code = [folder_digest(_PROJECT / package) for package in _PACKAGES]
    data = [folder_digest(root / folder) for folder in _FOLDERS]
    files = [_file_digest(root / name) for name in (*_FILES, *_logo(workspace))]
    return digest_of(
        [
            [version(name) for name in _LIBRARIES],
            [*code, folder_digest(docs_folder()), *data, folder_digest(results), *files],
            list(options),
        ]
    )


def _logo(workspace: Workspace) -> Iterator[str]:
    """The path of the logo that leaderboard.toml names."""
    try:
        site = tomllib.loads(workspace.settings.read_text(encoding="utf-8"))["site"]
        yield str(site["logo"])
    except (OSError, ValueError, KeyError, TypeError):
        return  # there is none, or loading the settings reports what is wrong


def _file_digest(file: Path) -> str | None:
    return digest_bytes(file.read_bytes()) if file.is_file() else None


def unchanged_files(cache: Path, site: Path, inputs: str) -> int:
    """The number of files of a site that the last build made from these inputs.

    0 if the inputs were others, or if a file of the site has changed since.
    """
    try:
        kept = orjson.loads(_place(cache, site).read_bytes())
    except (OSError, orjson.JSONDecodeError):
        return 0
    files = _files_of(site)
    return len(files) if kept == {"inputs": inputs, "files": files} else 0


def remember(cache: Path, site: Path, inputs: str) -> None:
    """Keep what `unchanged_files` needs. Raises OSError."""
    state = {"inputs": inputs, "files": _files_of(site)}
    write_atomic(_place(cache, site), orjson.dumps(state))


def _place(cache: Path, site: Path) -> Path:
    return cache / f"site-{digest_of(str(site.resolve()))[:16]}.json"


def _files_of(site: Path) -> dict[str, Json]:
    """Mode, size and time of change (ns) of every file of a site."""
    files: dict[str, Json] = {}
    for folder, _, names in os.walk(site.resolve()):
        for name in names:
            path = f"{folder}/{name}"
            found = os.lstat(path)
            files[path] = [found.st_mode, found.st_size, found.st_mtime_ns]
    return files
