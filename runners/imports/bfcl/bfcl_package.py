"""The package `bfcl-eval`, which carries BFCL's questions and possible answers."""

from __future__ import annotations

import re
import subprocess
import sys
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

from leaderboard.errors import FilesError

PACKAGE: Final = "bfcl-eval"
_VERSION: Final = re.compile(r"[0-9]+(?:\.[0-9]+)+")
_DATA: Final = re.compile(r"bfcl_eval/data/(?P<name>(?:possible_answer/)?BFCL_v[0-9]+_\w+\.json)")
_LARGEST: Final = 200_000_000  # bytes of one file; the largest has 4 MB


class PackageData(NamedTuple):
    """The folders of questions and of possible answers."""

    questions: Path
    possible_answers: Path


@contextmanager
def open_package(given: str) -> Iterator[PackageData]:
    """The data of a wheel, unpacked while the context is open.

    `given` is a wheel, a version to download with pip, or "" for the newest one. Raises FilesError
    if pip cannot download it, or if the file is not such a wheel.
    """
    with TemporaryDirectory(prefix="toolboard-bfcl-") as name:
        folder = Path(name)
        wheel = Path(given) if given and not _VERSION.fullmatch(given) else _download(given, folder)
        yield _unpack(wheel, folder / "data")


def _download(version: str, folder: Path) -> Path:
    wanted = f"{PACKAGE}=={version}" if version else PACKAGE
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"]
    command += ["--no-deps", "--only-binary", ":all:", "--dest", str(folder), wanted]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - no shell
    wheels = sorted(folder.glob("*.whl"))
    if done.returncode or not wheels:
        lines = done.stderr.strip().splitlines()
        what = f"cannot be downloaded with pip: {lines[-1] if lines else 'no wheel came'}"
        raise FilesError.about(wanted, what, "download its wheel, and name it: --package FILE")
    return wheels[0]


def _unpack(wheel: Path, folder: Path) -> PackageData:
    """Writes the data files of a wheel to a folder. Nothing else of it is read."""
    (folder / "possible_answer").mkdir(parents=True)
    found = False
    try:
        with zipfile.ZipFile(wheel) as archive:
            for member in archive.infolist():
                match = _DATA.fullmatch(member.filename)
                if match is None:
                    continue
                with archive.open(member) as file:
                    # The size that a member declares may be wrong.
                    data = file.read(_LARGEST)
                (folder / match["name"]).write_bytes(data)
                found = True
    except (OSError, EOFError, zipfile.BadZipFile, zlib.error, RuntimeError) as error:
        what = f"cannot be read as a wheel: {error}"
        raise FilesError.about(str(wheel), what, f"name a wheel of {PACKAGE}") from error
    if not found:
        what, fix = "contains no questions of BFCL", f"name a wheel of {PACKAGE}"
        raise FilesError.about(str(wheel), what, fix)
    return PackageData(folder, folder / "possible_answer")
