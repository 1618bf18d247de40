"""A site that was built earlier, in a folder or at an address: what it declares, and its files.

Nothing that a site holds is trusted. Every read is bounded in size, and an address also in time.
"""

from __future__ import annotations

import http.client
import json
import stat
import time
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal
from urllib.parse import quote

import polars as pl
from pydantic import BaseModel, ConfigDict, ValidationError

from leaderboard.board.board_state import State, read_rows, read_verdict_table
from leaderboard.board.manifest_shape import WrittenManifest, read_manifest
from leaderboard.errors import FilesError
from leaderboard.files.field_types import WebAddress
from leaderboard.files.json_files import parse
from leaderboard.frames import RANKS, SCORES
from site_templates.links import MANIFEST_PATH
from site_templates.write_tree import MARKER, is_added

Differs = Literal["differs", "missing", "unexpected"]  # a file of a site

_MOST_BYTES: Final = 64 * 1024 * 1024  # of a manifest or a table
_BLOCK: Final = 1 << 16
_SECONDS: Final = 30  # without a byte
_MOST_SECONDS: Final = 900  # for a whole site
_AT_ONCE: Final = 8
_NO_SITE: Final = "name the folder that lb build wrote, or the address of a published site"


class SiteMarker(BaseModel):
    """toolboard.json: what a site was built with. Older sites have no addresses in it."""

    model_config = ConfigDict(strict=True, extra="ignore")
    site: str
    base_url: WebAddress | None = None
    repository: WebAddress | None = None


@dataclass(frozen=True, slots=True)
class PublishedSite:
    """A site by its folder or address, and what it was built with."""

    name: str
    base_url: str | None
    repository: str | None

    @property
    def is_remote(self) -> bool:
        return is_address(self.name)

    def manifest(self) -> WrittenManifest:
        """Its manifest: a digest of every input. Raises FilesError."""
        return read_manifest(self._needed(MANIFEST_PATH), self._shown(MANIFEST_PATH))

    def state(self) -> State:
        """Its board as `lb diff` compares it. Raises FilesError."""
        tables = {}
        for name, schema in (("scores", SCORES), ("ranks", RANKS)):
            path = f"data/{name}.json"
            file = parse(self._needed(path), self._shown(path))
            rows = file.get(name) if isinstance(file, dict) else None
            tables[name] = read_rows(json.dumps(rows).encode(), schema, self._shown(path), _NO_SITE)
        path = "data/verdicts.parquet"

        def read_verdicts() -> pl.DataFrame:
            return read_verdict_table(self._needed(path), self._shown(path), _NO_SITE)

        return State(self.name, self.manifest(), tables["scores"], tables["ranks"], read_verdicts)

    def differing(self, built: Path) -> dict[str, Differs]:
        """How files differ from those in a folder, by name, sorted.

        A folder is searched for further files too, except those that a build keeps.
        Of an address only the expected files are read.
        """
        expected = {
            path.relative_to(built).as_posix(): path for path in built.rglob("*") if path.is_file()
        }
        if not self.is_remote:
            root = Path(self.name)
            present = {
                path.relative_to(root).as_posix() for path in root.rglob("*") if not path.is_dir()
            }
            present = {name for name in present if not is_added(name.partition("/")[0])}
            differences: dict[str, Differs] = dict.fromkeys(expected.keys() - present, "missing")
            differences |= dict.fromkeys(present - expected.keys(), "unexpected")
            both = present & expected.keys()
            changed = [name for name in both if not _same(root / name, built / name)]
            differences |= dict.fromkeys(changed, "differs")
            return dict(sorted(differences.items()))
        end = time.monotonic() + _MOST_SECONDS

        def compare(name: str) -> Differs | None:
            content = expected[name].read_bytes()
            read = _fetch(self.name, name, len(content), end)
            if read is None:
                return "missing"
            return None if read == content else "differs"

        names = sorted(expected)
        with ThreadPoolExecutor(_AT_ONCE) as pool:
            compared = zip(names, pool.map(compare, names), strict=True)
            return {name: how for name, how in compared if how is not None}

    def _needed(self, path: str) -> bytes:
        data = _read(self.name, path)
        if data is None:
            raise FilesError.about(self._shown(path), "is missing", _NO_SITE)
        return data

    def _shown(self, path: str) -> str:
        return f"{self.name.rstrip('/')}/{path}"


def _same(file: Path, expected: Path) -> bool:
    """Whether a file of a site is as expected. A link, a device or a pipe is not opened."""
    status = file.lstat()
    if not stat.S_ISREG(status.st_mode) or status.st_size != expected.stat().st_size:
        return False
    return file.read_bytes() == expected.read_bytes()


def is_address(name: str) -> bool:
    """Whether a site is named by its address."""
    return name.startswith(("http://", "https://"))


def is_site(folder: Path) -> bool:
    """Whether a folder says that it is a site of this project."""
    return (folder / MARKER).is_file()


def open_site(name: str) -> PublishedSite:
    """Opens a site by its folder or address. Raises FilesError if there is no site."""
    data = _read(name, MARKER)
    if data is None:
        what = f"is not a site: it has no {MARKER}"
        raise FilesError.about(name, what, _NO_SITE)
    try:
        marker = SiteMarker.model_validate_json(data)
    except ValidationError as error:
        what = "is not a site of this project: its toolboard.json has another form"
        raise FilesError.about(name, what, _NO_SITE) from error
    if marker.site != "toolboard":
        raise FilesError.about(name, "is not a site of this project", _NO_SITE)
    return PublishedSite(name, marker.base_url, marker.repository)


def _read(name: str, path: str) -> bytes | None:
    """A file of a site, None without one. Raises FilesError if it is too large."""
    if is_address(name):
        data = _fetch(name, path, _MOST_BYTES, time.monotonic() + _MOST_SECONDS)
    else:
        file = Path(name) / path
        if not file.is_file():
            return None
        with file.open("rb") as opened:
            data = opened.read(_MOST_BYTES + 1)
    if data is not None and len(data) > _MOST_BYTES:
        raise FilesError.about(f"{name}/{path}", "is larger than 64 MB", _NO_SITE)
    return data


def _fetch(address: str, path: str, most: int, end: float) -> bytes | None:
    """The first `most` + 1 bytes of a file; None if the server does not have it.

    Raises FilesError if the server cannot be reached, fails, or takes too long.
    """
    url = f"{address.rstrip('/')}/{quote(path)}"
    try:
        with _opener().open(url, timeout=_SECONDS) as reply:
            data = b""
            while len(data) <= most and (block := reply.read(min(_BLOCK, most + 1 - len(data)))):
                data += block
                if time.monotonic() > end:
                    what = f"was not read within {_MOST_SECONDS // 60} minutes"
                    raise FilesError.about(address, what, "check the address and the network")
            return data
    except urllib.error.HTTPError as error:
        if error.code in {404, 410}:
            return None
        raise FilesError.about(url, f"has the status {error.code}", "try again later") from error
    except (OSError, ValueError, http.client.HTTPException) as error:
        reason = getattr(error, "reason", None) or error
        what, fix = f"cannot be read: {reason}", "check the address and the network"
        raise FilesError.about(url, what, fix) from error


def _opener() -> urllib.request.OpenerDirector:
    """Opens http and https addresses alone. A redirect leads to no other scheme."""
    opener = urllib.request.OpenerDirector()
    for handler in (
        urllib.request.ProxyHandler(),
        urllib.request.HTTPHandler(),
        urllib.request.HTTPSHandler(),
        urllib.request.HTTPRedirectHandler(),
        urllib.request.HTTPDefaultErrorHandler(),
        urllib.request.HTTPErrorProcessor(),
    ):
        opener.add_handler(handler)
    opener.addheaders = [("User-Agent", "toolboard"), ("Accept-Encoding", "identity")]
    return opener
