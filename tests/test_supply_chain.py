"""Checks of the pins, and what a release is built from. No test needs the network."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from datetime import date
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.conftest import PROJECT

REQUIREMENTS = PROJECT / "requirements"
TODAY = date(2026, 11, 22)

# What pip-audit 2.10.1 writes. The index did not know the second package.
REPORT: dict[str, Any] = {
    "dependencies": [
        {
            "name": "Jinja2",
            "version": "3.1.4",
            "vulns": [
                {
                    "id": "PYSEC-2024-0001",
                    "fix_versions": ["3.1.5"],
                    "aliases": ["CVE-2024-56326", "GHSA-q2x7-8rv6-6q7h"],
                }
            ],
        },
        {
            "name": "idna",
            "skip_reason": "Dependency not found on PyPI and could not be audited: idna (3.20)",
        },
        {"name": "click", "version": "8.5.1", "vulns": []},
    ],
    "fixes": [],
}

# What the package index says of a project, shortened.
PROJECT_PAGE = {
    "files": [
        {"filename": "idna-3.7.tar.gz", "upload-time": "2024-04-11T03:34:43.276Z"},
        {"filename": "idna-3.8-py3-none-any.whl", "upload-time": "2024-08-23T18:50:56.124Z"},
        {"filename": "idna-3.8.tar.gz", "upload-time": "2024-08-24T18:51:00.902Z"},
        {"filename": "idna-3.9.tar.gz", "upload-time": "2026-11-01T00:00:00Z"},
        {"filename": "idna-4.0rc1.tar.gz", "upload-time": "2026-01-01T00:00:00Z"},
        {
            "filename": "idna-5.0.tar.gz",
            "upload-time": "2026-02-01T00:00:00Z",
            "yanked": "a mistake",
        },
        {"filename": "idna-6.exe", "upload-time": "2026-02-01T00:00:00Z"},
        {"filename": "idna-7.0.tar.gz"},
    ]
}


@pytest.fixture(scope="module")
def script() -> ModuleType:
    """scripts/check_pins as a module. No compiled copy is left beside it."""
    path = PROJECT / "scripts" / "check_pins"
    spec = spec_from_loader("check_pins", SourceFileLoader("check_pins", str(path)))
    assert spec is not None
    module = module_from_spec(spec)
    exec(compile(path.read_text(encoding="utf-8"), path, "exec"), module.__dict__)
    return module


def test_every_pin_is_checked(script: ModuleType) -> None:
    """A pin for another system or another Python counts too. pip-audit alone would skip it."""
    pins = script.read_pins(sorted(REQUIREMENTS.rglob("*.txt")))
    lines = {
        line.split(" ")[0].split(";")[0]
        for path in REQUIREMENTS.rglob("*.txt")
        for line in path.read_text(encoding="utf-8").splitlines()
        if line and not line.startswith((" ", "#"))
    }

    assert {f"{name}=={version}" for name, version in pins} == lines
    assert len({version for name, version in pins if name == "numpy"}) > 1


def test_no_list_names_a_package_twice(script: ModuleType) -> None:
    """pip-audit gets each version of a package in another list, and each pin once."""
    pins = script.read_pins(sorted(REQUIREMENTS.rglob("*.txt")))
    lists = script.without_repeats(pins)

    assert [len(part) - len({name for name, _ in part}) for part in lists] == [0] * len(lists)
    assert sorted(pin for part in lists for pin in part) == sorted(pins)


def test_pip_audit_gets_pins_without_markers(
    script: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The list that it reads holds names and versions only, and its report comes back."""
    tool = tmp_path / "pip-audit"
    tool.write_text(
        f'#!/bin/sh\nfor last; do :; done\ncp "$last" {tmp_path}/read\necho \'{{"fixes": []}}\'\n',
        encoding="utf-8",
    )
    tool.chmod(0o755)
    monkeypatch.setattr("sys.executable", str(tmp_path / "python"))

    assert script.audit([("click", "8.5.1"), ("idna", "3.20")]) == {"fixes": []}
    assert (tmp_path / "read").read_text(encoding="utf-8") == "click==8.5.1\nidna==3.20\n"


def test_a_failure_of_pip_audit_is_shown(
    script: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If pip-audit writes no report, the check ends with its message."""
    tool = tmp_path / "pip-audit"
    tool.write_text("#!/bin/sh\necho 'no route to host' >&2\nexit 1\n", encoding="utf-8")
    tool.chmod(0o755)
    monkeypatch.setattr("sys.executable", str(tmp_path / "python"))

    with pytest.raises(SystemExit, match="no route to host"):
        script.audit([("click", "8.5.1")])


def test_advisories_are_errors(script: ModuleType) -> None:
    """Each advisory is a line with its names and the version that fixes it."""
    assert list(script.advisories([("jinja2", "3.1.4"), ("click", "8.5.1")], REPORT)) == [
        "jinja2 3.1.4: PYSEC-2024-0001, CVE-2024-56326, GHSA-q2x7-8rv6-6q7h. Fixed in 3.1.5."
    ]


@pytest.mark.parametrize("pin", [("idna", "3.20"), ("click", "8.5.0"), ("polars", "2.1.0")])
def test_a_pin_that_was_not_looked_up_is_an_error(script: ModuleType, pin: tuple[str, str]) -> None:
    """pip-audit itself says "No known vulnerabilities found" about a package it cannot find."""
    (line,) = script.advisories([pin], REPORT)

    assert line.startswith(f"{pin[0]} {pin[1]} could not be checked.")


def test_an_old_pin_is_a_warning(script: ModuleType) -> None:
    """The line counts the days since the first newer version, and names the newest."""
    assert script.age(("idna", "3.7"), PROJECT_PAGE, TODAY) == (
        "idna 3.7 has been out of date for 821 days. The newest is 3.9."
    )


@pytest.mark.parametrize("version", ["3.8", "3.9", "8"])
def test_a_young_or_newest_pin_is_no_warning(script: ModuleType, version: str) -> None:
    """A version of the last 90 days, a pre-release and a withdrawn version make no pin old."""
    assert script.age(("idna", version), PROJECT_PAGE, TODAY) is None


def test_a_project_that_cannot_be_read_is_a_warning(
    script: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The check of ages goes on with the next project."""

    def read(name: str) -> dict[str, Any]:
        if name == "click":
            raise OSError("timed out")
        return PROJECT_PAGE

    monkeypatch.setattr(script, "read_project", read)

    assert [
        line.split(" ")[0:5] for line in script.ages({("click", "1"), ("idna", "3.7")}, TODAY)
    ] == [
        ["The", "age", "of", "click", "is"],
        ["idna", "3.7", "has", "been", "out"],
    ]


@pytest.mark.parametrize(("pin", "status"), [("jinja2==3.1.4", 1), ("click==8.5.1", 0)])
def test_only_errors_fail(
    script: ModuleType, pin: str, status: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An advisory fails the run, an old pin does not. Both are annotations in a hosted run."""
    (tmp_path / "site.txt").write_text(f"{pin}\n", encoding="utf-8")
    newer = {"files": [{"filename": "a-9.tar.gz", "upload-time": "2020-01-01T00:00:00Z"}]}
    printed: list[str] = []
    monkeypatch.setattr(script, "REQUIREMENTS", tmp_path)
    monkeypatch.setattr(script, "audit", lambda _: REPORT)
    monkeypatch.setattr(script, "read_project", lambda _: newer)
    monkeypatch.setattr(script, "print", printed.append, raising=False)
    monkeypatch.setenv("GITHUB_ACTIONS", "true")

    assert script.main() == status
    levels = [line.split("::")[1] for line in printed[:-1]]
    assert levels == ["error"] * status + ["warning"]
    assert printed[-1] == f"1 pins: {status} errors, 1 warnings"


def test_foreign_text_stays_on_one_line(
    script: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A text from the index cannot become a log command of its own."""
    monkeypatch.setenv("GITHUB_ACTIONS", "true")

    assert script.shown("error", "a\n::notice::b 5%0A") == "::error::a ::notice::b 5%250A"


# ---------------------------------------------------------------- release


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A git checkout with the release script, and stand-ins for the tools that it uses."""
    folder = tmp_path / "a checkout"
    for name in ("scripts/release", "requirements/site.txt", "pyproject.toml"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(PROJECT / name, folder / name)
    (folder / ".gitignore").write_text("/.cache/\n", encoding="utf-8")
    tools = {
        "python": '[ "$1" = -c ] && echo 0.1.0 || echo $SOURCE_DATE_EPOCH >.cache/release/a.whl',
        "cyclonedx-py": 'for last; do :; done; echo "$*" >"$last"',
    }
    for name, text in tools.items():
        path = folder / ".cache" / "supply" / "bin" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
        path.chmod(0o755)
    git = [
        "git",
        "-c",
        "user.name=A",
        "-c",
        "user.email=a@example.org",
        "-c",
        "commit.gpgsign=false",
    ]
    for arguments in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "A state"]):
        subprocess.run(
            [*git, *arguments],
            cwd=folder,
            check=True,
            env={**os.environ, "GIT_COMMITTER_DATE": "2026-11-22T00:00:00Z"},
        )
    return folder


def release(checkout: Path, tag: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["scripts/release", tag], cwd=checkout, capture_output=True, text=True, check=False
    )


def test_a_release_has_packages_components_and_checksums(checkout: Path) -> None:
    """The date inside the files is that of the commit, and the components are the board's pins."""
    done = release(checkout, "v0.1.0")
    made = checkout / ".cache" / "release"

    assert done.returncode == 0, done.stderr
    assert sorted(path.name for path in made.iterdir()) == [
        "SHA256SUMS",
        "a.whl",
        "toolboard.cdx.json",
    ]
    assert (made / "a.whl").read_text(encoding="utf-8") == "1795305600\n"
    components = (made / "toolboard.cdx.json").read_text(encoding="utf-8")
    assert components.startswith("requirements requirements/site.txt --pyproject pyproject.toml")
    sums = (made / "SHA256SUMS").read_text(encoding="utf-8")
    assert re.findall(r"^[0-9a-f]{64}  (.*)$", sums, re.MULTILINE) == [
        "a.whl",
        "toolboard.cdx.json",
    ]


def test_a_release_of_another_version_or_of_changed_files_is_refused(checkout: Path) -> None:
    """The tag must name the version in pyproject.toml, and the checkout must be clean."""
    other = release(checkout, "v9")
    (checkout / "pyproject.toml").write_text("", encoding="utf-8")
    changed = release(checkout, "v0.1.0")

    assert (other.returncode, changed.returncode) == (1, 1)
    assert other.stderr == (
        "The tag is v9, but pyproject.toml has version 0.1.0. Tag the commit v0.1.0.\n"
    )
    assert changed.stderr.startswith("The checkout has changes.")


def test_a_release_needs_a_tag(checkout: Path) -> None:
    """Without a tag the script names its usage, and no line of its own."""
    done = subprocess.run(
        ["scripts/release"], cwd=checkout, capture_output=True, text=True, check=False
    )

    assert (done.returncode, done.stderr) == (2, "usage: scripts/release TAG\n")
