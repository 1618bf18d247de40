"""The wheel holds every file of the packages, and makes a board without the checkout."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import tomllib
import venv
from pathlib import Path
from zipfile import ZipFile

import pytest

from leaderboard.packaged_docs import doc_pages
from tests.conftest import PROJECT, Folder

pytestmark = pytest.mark.large

PYPROJECT = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))
PACKAGES = PYPROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
DEPENDENCIES = sysconfig.get_path("purelib")

# Python runs this module at the start of every process in the environment that the wheel is in.
GUARD = f"""\
import sys

def refuse(event, arguments):
    path = str(arguments[0]) if event == "open" else ""
    if path.startswith({str(PROJECT) + os.sep!r}) and not path.startswith({DEPENDENCIES!r}):
        raise RuntimeError("a file of the checkout was opened: " + path)

sys.addaudithook(refuse)
"""


def run(*words: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    return subprocess.run(words, cwd=cwd, env=clean, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this project, built without a network and without an environment of its own."""
    out = tmp_path_factory.mktemp("wheel")
    done = run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", out, cwd=PROJECT)
    assert done.returncode == 0, done.stderr
    (built,) = out.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def lb(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The command `lb` in a new environment: the wheel, and the dependencies of this one."""
    environment = tmp_path_factory.mktemp("environment")
    venv.create(environment, with_pip=False)
    python = environment / "bin" / "python"
    pip: list[str | Path] = [
        sys.executable,
        "-m",
        "pip",
        "--python",
        python,
        "--disable-pip-version-check",
    ]
    done = run(*pip, "install", "-qq", "--no-deps", "--no-index", wheel, cwd=environment)
    assert done.returncode == 0, done.stderr

    # A folder that a .pth file names is searched, but its own .pth files are not read. So the
    # editable installation beside the dependencies, which leads to the checkout, has no effect.
    (packages,) = environment.glob("lib/python*/site-packages")
    (packages / "checkout_guard.py").write_text(GUARD, encoding="utf-8")
    (packages / "dependencies.pth").write_text(
        f"import checkout_guard\n{DEPENDENCIES}\n", encoding="utf-8"
    )
    return environment / "bin" / "lb"


def test_the_wheel_holds_every_file_of_the_packages(wheel: Path) -> None:
    """Modules, templates, assets and data files are all packed, and nothing else."""
    packed = {name for name in ZipFile(wheel).namelist() if ".dist-info/" not in name}
    files = {
        path.relative_to(PROJECT).as_posix()
        for package in PACKAGES
        for path in (PROJECT / package).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }

    documents = PYPROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    pages = {path.relative_to(PROJECT).as_posix() for path in doc_pages().values()}
    assert set(documents) == pages
    assert packed == files | set(documents.values())


def test_the_guard_refuses_the_checkout(lb: Path, tmp_path: Path) -> None:
    """Otherwise the next test would prove nothing."""
    python = lb.with_name("python")
    done = run(python, "-c", f"open({str(PROJECT / 'README.md')!r})", cwd=tmp_path)

    assert "a file of the checkout was opened" in done.stderr


def test_the_wheel_starts_a_board_in_an_empty_folder(lb: Path, tmp_path: Path) -> None:
    """The demo and the documentation need no file of the checkout."""
    look = tmp_path / "look"
    for words in (["init", "look", "--demo"], ["rescore"], ["build"], ["docs", "kinds"]):
        done = run(lb, *words, cwd=tmp_path if words[0] == "init" else look)
        assert done.returncode == 0, done.stderr

    assert "# Kinds of suites" in done.stdout
    assert (look / "_site" / "submissions" / "program-sum.html").is_file()


def test_the_wheel_makes_a_board(lb: Path, folder: Folder) -> None:
    """Validates, records with the embedded judge, scores again offline, and builds the site."""
    calls = [{"id": "A001", "model_function_call": None, "model_text": "It is 3.28 yards."}]
    texts = [{"id": "B001", "model_text": "Paris."}, {"id": "B002", "model_text": "It was 1969."}]
    folder.submission("m1", calls + texts)

    for words in (["validate"], ["rescore"], ["rescore", "--offline"], ["build"], ["verify"]):
        done = run(lb, *words, cwd=folder.root)
        assert done.returncode == 0, done.stderr

    site = folder.tree("_site")
    assert b"Test board" in site["index.html"]
    assert {"submissions/m1.html", "cases/small/A001.html"} <= site.keys()
    assert {"docs/methodology.html", "docs/submitting.html"} <= site.keys()
    assert [name for name, page in site.items() if b"make site" in page] == []
