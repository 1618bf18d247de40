"""The extras and the pinned requirements of the agent frameworks."""

from __future__ import annotations

import re
import subprocess
import tomllib
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from runners.agents.adapters import FRAMEWORKS
from runners.agents.agent_loading import framework_class
from tests.conftest import PROJECT

TOML = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))
METADATA: dict[str, Any] = TOML["project"]
FOLDER = PROJECT / "requirements/agents"
# What CrewAI keeps below the releases that this project asks models and judges with.
KEPT_BACK = {"google-genai", "openai", "pydantic"}


def pins(name: str) -> dict[str, Version]:
    """The version of each package in requirements/agents/<name>.txt."""
    text = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    found = re.findall(r"^([\w.-]+)==([^\s;]+)", text, re.MULTILINE)
    return {canonicalize_name(package): Version(version) for package, version in found}


@pytest.mark.parametrize("name", FRAMEWORKS)
def test_every_framework_is_pinned_with_hashes(name: str) -> None:
    """Each package has at least one sha256, and no line has an index address."""
    text = (FOLDER / f"{name}.txt").read_text(encoding="utf-8").replace("\\\n", " ")
    bare = [
        line for line in text.splitlines() if not re.search(r"--hash=sha256:[0-9a-f]{64}", line)
    ]
    assert [] == bare
    assert [] == re.findall(r"://|^-|--index|--find-links| @ ", text, re.MULTILINE)
    assert framework_class(name).distribution in pins(name)


@pytest.mark.parametrize("name", FRAMEWORKS)
def test_the_pins_satisfy_the_extra(name: str) -> None:
    """The pins fit the extra, and the project itself as far as CrewAI allows."""
    pinned = pins(name)
    extra = [Requirement(text) for text in METADATA["optional-dependencies"][name]]
    own = [
        Requirement(text)
        for text in METADATA["dependencies"]
        if name != "crewai" or Requirement(text).name not in KEPT_BACK
    ]
    wrong = [str(want) for want in (*extra, *own) if not satisfied(want, pinned)]
    assert [] == wrong


def satisfied(want: Requirement, pinned: dict[str, Version]) -> bool:
    found = pinned.get(canonicalize_name(want.name))
    return found is not None and found in want.specifier


def test_the_input_of_crewais_pins_follows_the_project() -> None:
    """It names every dependency but those that CrewAI holds back."""
    lines = (FOLDER / "crewai.in").read_text(encoding="utf-8").splitlines()
    named = {Requirement(line).name for line in lines if line and not line.startswith("#")}
    assert {Requirement(text).name for text in METADATA["dependencies"]} - KEPT_BACK <= named
    assert {"crewai"} <= named
    assert not KEPT_BACK & named


def test_the_script_knows_the_frameworks_and_no_others() -> None:
    """Another name is a usage error and installs nothing."""
    done = subprocess.run(
        [PROJECT / "scripts/agents", "crew"], capture_output=True, text=True, check=False
    )
    assert (2, f"usage: scripts/agents [{' '.join(FRAMEWORKS)}]\n") == (
        done.returncode,
        done.stderr,
    )
