"""The wheel holds every file of the packages, and makes a board without the checkout."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import tomllib
import venv
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from tests.conftest import PROJECT, Folder
from tests.replay.judge_server import judge_server

pytestmark = pytest.mark.large

PYPROJECT = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))
PACKED = PYPROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]
PACKAGES, INCLUDED = PACKED["packages"], PACKED["force-include"]
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

    docs = (path for path in (PROJECT / "docs").rglob("*") if path.is_file())
    documents = {f"leaderboard/{path.relative_to(PROJECT).as_posix()}" for path in docs}
    prompts = {target for source, target in INCLUDED.items() if source.startswith("prompts/")}
    assert packed == files | documents | prompts


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


def started(lb: Path, root: Path, kind: str, *records: dict[str, Any]) -> Folder:
    """A board that `lb init` starts in a new folder, with one submission of these records."""
    done = run(lb, "init", "board", "--kind", kind, cwd=root)
    assert done.returncode == 0, done.stderr
    made = Folder(root / "board")
    made.submission("m1", list(records), suite="questions")
    return made


def to_site(lb: Path, made: Folder, *rescore: str) -> dict[str, bytes]:
    """Validates, scores, builds and verifies with the installed command. Returns the site."""
    steps = (["validate"], ["rescore", *rescore], ["rescore", "--offline"], ["build"], ["verify"])
    for words in steps:
        done = run(lb, *words, cwd=made.root)
        assert done.returncode == 0, done.stderr
    return made.tree("_site")


def test_the_wheel_scores_with_a_rule_of_the_board(lb: Path, tmp_path: Path) -> None:
    """`lb init --kind own` writes a rule with a passing test; a model is asked; pages name it."""
    made = started(lb, tmp_path, "own", {"id": "hello", "model_text": "Hello there"})
    tested = run(sys.executable, "-m", "pytest", "-q", "rules", cwd=made.root)
    assert "2 passed" in tested.stdout
    with judge_server(say=lambda _: "Good bye now") as server:
        words = ["run", "--model", "openai:small", "--base-url", f"{server.url}/v1"]
        card = ["--id", "asked", "--organization", "Org"]
        done = run(lb, *words, *card, "--suite", "questions", cwd=made.root)
        assert done.returncode == 0, done.stderr
    site = to_site(lb, made)

    assert b"rule word_count (rules/word_count.py), digest " in site["cases/questions/hello.html"]
    assert b"Expected 2 words, got 3." in site["cases/questions/hello.html"]
    assert b"The answer has 3 words." in site["cases/questions/goodbye.html"]


def test_the_wheel_records_a_judge_with_labels_of_the_board(lb: Path, tmp_path: Path) -> None:
    """A judge on loopback is asked once. Then its labels count without it."""
    records = [{"id": "decline", "model_text": "No."}, {"id": "refund", "model_text": "Please."}]
    made = started(lb, tmp_path, "judged", *records)
    grade = {"No.": "bad", "Please.": "partly"}
    with judge_server(
        say=lambda prompt: next(g for t, g in grade.items() if t in prompt)
    ) as server:
        settings = (made.root / "leaderboard.toml").read_text("utf-8")
        made.write("leaderboard.toml", settings.replace("http://127.0.0.1:8000", server.url))
        done = run(lb, "rescore", cwd=made.root)
        assert done.returncode == 0, done.stderr
        assert len(server.asked) == 2
    site = to_site(lb, made, "--offline")

    assert b"Judged partly." in site["cases/questions/refund.html"]
    assert b"good (1), partly (0.5), bad (0)" in site["cases/questions/decline.html"]
    assert b"not ranked: the judge is not validated here" in site["index.html"]


def test_the_wheel_shows_reported_scores_as_reported(lb: Path, tmp_path: Path) -> None:
    """Scores from elsewhere reach the site, and are never called anything else."""
    records = [
        {"id": "table", "metrics": {"accuracy": 0.5}},
        {"id": "train", "metrics": {"accuracy": None}},
    ]
    made = started(lb, tmp_path, "reported", *records)
    site = to_site(lb, made)

    assert b"Reported: 0.5. It is not derived here." in site["cases/questions/table.html"]
    assert b"reported, not derived here" in site["index.html"]
    assert b"reported, not derived here" in site["badges/m1.svg"]
