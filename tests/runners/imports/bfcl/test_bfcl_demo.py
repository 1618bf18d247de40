"""A board of published results."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import polars as pl
import pytest

from leaderboard.errors import FilesError
from runners.imports.bfcl import bfcl_demo
from runners.imports.bfcl.bfcl_demo import clone_results, demo_bfcl, find_published
from runners.imports.bfcl.bfcl_package import PackageData
from scoring.rules import KINDS
from tests.conftest import Folder

CHECKED = Path(__file__).with_name("checked")
LINE = {"id": "multiple_0", "result": [{"pump_level": '{"level": 3}'}]}
RESULT = "result/m-FC/non_live/BFCL_v4_multiple_result.json"


def publish(monkeypatch: pytest.MonkeyPatch, address: str, commit: str) -> None:
    """Makes this repository the one of the published results."""
    monkeypatch.setattr(bfcl_demo, "REPOSITORY", address)
    monkeypatch.setattr(bfcl_demo, "COMMIT", commit)


def write(path: Path, content: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content) + "\n")


@pytest.fixture
def repository(tmp_path: Path) -> tuple[str, str]:
    """A git repository of the form of the published results, and its commit."""
    folder = tmp_path / "repository"
    write(folder / "2025-12-16" / RESULT, LINE)
    write(folder / "2025-12-16/result/m-FC/agentic/large_result.json", {})
    write(folder / "2024-07-06/result/old/x_result.json", {})

    def git(*arguments: str) -> str:
        user = ("-c", "user.name=A", "-c", "user.email=a@example.org")
        done = subprocess.run(
            ["git", *user, *arguments], cwd=folder, check=True, capture_output=True, text=True
        )
        return done.stdout.strip()

    git("init", "--quiet")
    git("config", "uploadpack.allowFilter", "true")
    git("add", ".")
    git("commit", "--quiet", "-m", "results")
    return folder.as_uri(), git("rev-parse", "HEAD")


@pytest.mark.large
def test_only_the_single_turn_categories_of_one_day_are_cloned(
    repository: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The clone has what the board needs, and is gone afterwards."""
    publish(monkeypatch, *repository)
    with clone_results() as folder:
        found = sorted(path for path in folder.rglob("*_result.json"))
        assert [path.relative_to(folder).as_posix() for path in found] == [f"2025-12-16/{RESULT}"]
    assert not folder.exists()


@pytest.mark.parametrize(
    ("address", "problem"),
    [
        ("http://127.0.0.1:9/results", "Failed to connect to 127.0.0.1 port 9"),
        ("absent", "does not appear to be a git repository"),
        ("repository", "not our ref 0000000000000000000000000000000000000001"),
        ("no git", "there is no git on the PATH (install git, or clone it yourself"),
    ],
    ids=["no network", "no repository", "no such commit", "no git"],
)
def test_a_failed_clone_names_the_way_out(
    tmp_path: Path,
    repository: tuple[str, str],
    monkeypatch: pytest.MonkeyPatch,
    address: str,
    problem: str,
) -> None:
    """The message has git's reason, and says which folder to bring."""
    given = {"absent": (tmp_path / "absent").as_uri(), "repository": repository[0]}
    if address == "no git":
        monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("no_proxy", "*")
    publish(monkeypatch, given.get(address, address), f"{1:040}")
    with pytest.raises(FilesError, match="--source DIR") as caught, clone_results():
        pass
    (found,) = map(str, caught.value.problems)
    assert "cannot be cloned: " in found
    assert problem in found


@pytest.mark.large
def test_a_hook_of_git_leads_nowhere_else(
    repository: tuple[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Git tells its hooks where their repository is. The clone is another one."""
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "other"))
    publish(monkeypatch, *repository)
    with clone_results() as folder:
        assert (folder / "2025-12-16" / RESULT).is_file()
    assert not (tmp_path / "other").exists()


def test_the_newest_day_is_taken(tmp_path: Path) -> None:
    """A folder has results itself, or in folders of days."""
    for day in ("2025-06-14", "2025-12-16", "2026-01-01-draft"):
        (tmp_path / day / "result").mkdir(parents=True)
    assert find_published(tmp_path).results == tmp_path / "2025-12-16/result"
    (tmp_path / "result").mkdir()
    assert find_published(tmp_path) == (tmp_path / "result", None)
    with pytest.raises(FilesError, match="contains no results"):
        find_published(tmp_path / "2025-12-16/result")


@pytest.mark.large
def test_without_a_folder_the_results_are_cloned(
    tmp_path: Path, repository: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The questions are those of the package of that day. A second board needs another folder."""
    asked = []

    @contextmanager
    def package(given: str) -> Iterator[PackageData]:
        asked.append(given)
        yield PackageData(CHECKED / "questions", CHECKED / "possible_answers")

    publish(monkeypatch, *repository)
    monkeypatch.setattr(bfcl_demo, "open_package", package)
    board = tmp_path / "board"
    report = demo_bfcl(board, None, None, KINDS)
    assert (report.suite_id, report.submissions) == ("bfcl_v4", (("m-fc", "written", 1),))
    card = json.loads((board / "submissions/m-fc/submission.json").read_text())
    assert (card["date"], asked) == ("2025-12-16", [bfcl_demo.PACKAGE])
    assert Folder(board).lb("rescore", "--offline").exit_code == 0
    with pytest.raises(FilesError, match="is not empty"):
        demo_bfcl(board, None, None, KINDS)


@pytest.mark.large
def test_the_published_results_of_2024(tmp_path: Path, real_files: Callable[[str], Path]) -> None:
    """One command makes the board of four models, with the published verdicts."""
    real = real_files("bfcl")
    folder = Folder(tmp_path / "the board")
    result = folder.lb("demo", "bfcl", "--source", str(real), "--out", str(folder.root))
    assert result.exit_code == 0, result.stderr
    assert f"next: cd '{folder.root}' && lb rescore" in result.stderr
    assert folder.lb("rescore", "--offline").exit_code == 0
    verdicts = pl.read_parquet(folder.root / "results/verdicts.parquet")
    expected = json.loads((real / "expected.json").read_text())
    assert verdicts.height == 4960
    for model, published in expected.items():
        failing = {case for part in published["categories"].values() for case in part["failing"]}
        found = verdicts.filter(submission=model.lower(), outcome="fail")["case_id"]
        assert set(found) == failing
