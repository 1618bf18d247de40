"""The package with the questions of BFCL."""

from __future__ import annotations

import subprocess
import zipfile
from pathlib import Path
from typing import Any

import pytest

from leaderboard.errors import FilesError
from runners.imports.bfcl.bfcl_package import open_package

DATA = "bfcl_eval/data/"


def wheel(path: Path, members: dict[str, str]) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in members.items():
            archive.writestr(name, text)
    return path


def test_only_the_questions_and_answers_are_unpacked(tmp_path: Path) -> None:
    """Code, other data and paths that lead elsewhere stay in the wheel."""
    members = {
        f"{DATA}BFCL_v4_multiple.json": "{}",
        f"{DATA}possible_answer/BFCL_v4_multiple.json": "[]",
        f"{DATA}../../../BFCL_v4_multiple.json": "no",
        f"{DATA}unused_datasets/BFCL_v4_rest.json": "no",
        "bfcl_eval/__init__.py": "no",
    }
    with open_package(str(wheel(tmp_path / "a.whl", members))) as data:
        assert [path.name for path in data.questions.iterdir() if path.is_file()] == [
            "BFCL_v4_multiple.json"
        ]
        assert (data.possible_answers / "BFCL_v4_multiple.json").read_text() == "[]"
        folder = data.questions
    assert not folder.exists()


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("absent.whl", "cannot be read as a wheel"),
        ("text.whl", "cannot be read as a wheel"),
        ("damaged.whl", "cannot be read as a wheel"),
        ("other.whl", "contains no questions of BFCL"),
        ("folder", "cannot be read as a wheel"),
    ],
)
def test_another_file_is_refused(tmp_path: Path, name: str, problem: str) -> None:
    """A file that is no such wheel is one clear problem."""
    (tmp_path / "text.whl").write_text("no zip")
    (tmp_path / "folder").mkdir()
    wheel(tmp_path / "other.whl", {"a.py": ""})
    damaged = tmp_path / "damaged.whl"
    with zipfile.ZipFile(damaged, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(f"{DATA}BFCL_v4_multiple.json", "".join(map(str, range(1000))))
    start, end = damaged.read_bytes()[:100], damaged.read_bytes()[200:]
    damaged.write_bytes(start + b"\xff" * 100 + end)
    with pytest.raises(FilesError, match=problem), open_package(str(tmp_path / name)):
        pass


def test_pip_downloads_a_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a file, pip gets the newest version or the given one, and nothing that it needs."""
    asked = []

    def run(command: list[str], **_options: Any) -> subprocess.CompletedProcess[str]:
        asked.append(command)
        target = Path(command[command.index("--dest") + 1])
        wheel(target / "bfcl_eval-1.whl", {f"{DATA}BFCL_v4_multiple.json": "{}"})
        return subprocess.CompletedProcess(command, 0, "", "")

    monkeypatch.setattr(subprocess, "run", run)
    for given in ("", "2026.3.23"):
        with open_package(given) as data:
            assert (data.questions / "BFCL_v4_multiple.json").is_file()
    assert [command[-1] for command in asked] == ["bfcl-eval", "bfcl-eval==2026.3.23"]
    assert all("--no-deps" in command and "--only-binary" in command for command in asked)


def test_a_failed_download_names_the_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a network the message says which file to bring."""

    def run(command: list[str], **_options: Any) -> subprocess.CompletedProcess[str]:
        return subprocess.CompletedProcess(command, 1, "", "WARNING: x\nERROR: no route\n")

    monkeypatch.setattr(subprocess, "run", run)
    with pytest.raises(FilesError) as caught, open_package(""):
        pass
    assert str(caught.value.problems[0]) == (
        "bfcl-eval: cannot be downloaded with pip: ERROR: no route"
        " (download its wheel, and name it: --package FILE)"
    )
