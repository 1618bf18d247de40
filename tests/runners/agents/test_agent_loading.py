"""How --agent finds an agent, and how the agent is created."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from leaderboard.errors import FilesError
from runners.agents.adapters import FRAMEWORKS
from runners.agents.agent_loading import (
    TELEMETRY_OFF,
    framework_class,
    load_agent,
    switch_telemetry_off,
)
from runners.agents.base import FrameworkAgent
from tests.each_row import each_row

OWN = '''\
"""An agent, and what it needs."""
from beside import WORD

class Helper:
    pass

class Mine:
    def __init__(self, model="small", server_url="http://x/virtual", *, temperature=None):
        self.told = (model, server_url, temperature)

    def answer(self, query):
        return {"answer": {"final_answer": WORD, "answer_details": []}}

class Eager:
    def __init__(self, **options):
        self.told = options

    def answer(self, query):
        raise RuntimeError

class Broken:
    def __init__(self):
        raise ValueError("no   key")

    answer = None
    def answer(self, query):
        return {}
'''


@pytest.fixture
def file(tmp_path: Path) -> Iterator[Path]:
    """A file of agents, with a module of its own beside it."""
    (tmp_path / "beside.py").write_text('WORD = "Yes."\n', encoding="utf-8")
    path = tmp_path / "own_agents.py"
    path.write_text(OWN, encoding="utf-8")
    paths, modules = list(sys.path), set(sys.modules)
    yield path
    sys.path[:] = paths
    for name in set(sys.modules) - modules:
        del sys.modules[name]


def problem(named: str) -> str:
    with pytest.raises(FilesError) as raised:
        load_agent(named)
    return str(raised.value.problems[0])


@pytest.mark.parametrize("name", FRAMEWORKS)
def test_every_framework_has_an_adapter_that_loads_without_it(name: str) -> None:
    """The adapter imports its framework only when it runs."""
    found = framework_class(name)
    assert issubclass(found, FrameworkAgent)
    assert all((found.title, found.packages, found.distribution))
    assert not any(package in sys.modules for package in found.packages if package != "openai")


@pytest.mark.parametrize("name", FRAMEWORKS)
def test_a_missing_framework_is_reported(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The problem says what is missing and how to install it.

    CrewAI needs an environment of its own.
    """
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    said = problem(name)
    assert "is not installed here" in said
    assert f"scripts/agents {name}, then .cache/agents/{name}/bin/lb run ..." in said
    assert (name != "crewai") == (f"pip install 'toolboard[{name}]'" in said)


def test_an_installed_framework_is_named_with_its_release(monkeypatch: pytest.MonkeyPatch) -> None:
    """The title and the version of its distribution."""
    monkeypatch.setattr("importlib.util.find_spec", lambda _: object())
    monkeypatch.setattr("importlib.metadata.version", lambda name: {"agno": "3.1.10"}[name])
    choice = load_agent("agno")
    assert ("agno", "Agno", "Agno 3.1.10", None) == (
        choice.name,
        choice.title,
        choice.framework,
        choice.digest,
    )


def test_an_own_agent_is_a_class_in_a_file(file: Path) -> None:
    """It can import what is in its folder. The card has the file's name without the folder."""
    choice = load_agent(f"{file}:Mine")
    assert ("own_agents.py:Mine", "Mine", None) == (choice.name, choice.title, choice.framework)
    assert 16 == len(choice.digest or "")
    agent = choice.create(model="large", temperature=0.5, max_tools=3)
    assert ("large", "http://x/virtual", 0.5) == agent.told  # type: ignore[attr-defined]
    assert "Yes." == agent.answer("There?")["answer"]["final_answer"]  # type: ignore[attr-defined]


def test_an_agent_that_takes_everything_gets_everything(file: Path) -> None:
    """A constructor with ** gets all options."""
    assert {"model": "m", "max_tools": 3} == load_agent(f"{file}:Eager").create(
        model="m", max_tools=3
    ).told  # type: ignore[attr-defined]


def test_a_failing_constructor_is_a_problem(file: Path) -> None:
    """The problem has the agent's name and the exception."""
    with pytest.raises(
        FilesError, match=r"own_agents\.py:Broken: cannot be created: ValueError: no key"
    ):
        load_agent(f"{file}:Broken").create(model="m")


@each_row("named", ["crew", "own_agents.py", "agents.Mine", "mine.txt:Mine", ""])
def test_other_names_are_refused(named: str) -> None:
    """The problem lists the frameworks, and the form of a class in a file."""
    said = problem(named)
    assert "langgraph, crewai, autogen, openai-agents, agno, or path/to/file.py:Class" in said


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (
            "Other",
            r"has no class Other with a method answer \(choose one of: Mine, Eager, Broken\)",
        ),
        ("Helper", "has no class Helper with a method answer"),
        ("", r"has no class \(none named\)"),
        ("WORD", "has no class WORD"),
    ],
)
def test_a_class_without_answer_is_refused(file: Path, name: str, expected: str) -> None:
    """The problem lists the classes of the file that are agents."""
    with pytest.raises(FilesError, match=expected):
        load_agent(f"{file}:{name}")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x = 1\nclass Mine\n", ":2: cannot be imported: SyntaxError: "),
        (
            "\n\nimport no_such_module\n",
            ":3: cannot be imported: ModuleNotFoundError: No module named 'no_such_module'",
        ),
        ("def f():\n    return 1 / 0\n\nf()\n", ":2: cannot be imported: ZeroDivisionError: "),
    ],
)
def test_a_file_that_cannot_be_imported_is_reported_with_its_line(
    file: Path, text: str, expected: str
) -> None:
    """The problem has the last line that ran, and the exception."""
    file.write_text(text, encoding="utf-8")
    assert expected in problem(f"{file}:Mine")
    assert "does not exist" in problem(f"{file.with_name('none.py')}:Mine")


def test_the_telemetry_is_switched_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every variable is set, whatever its value was."""
    for name in TELEMETRY_OFF:
        monkeypatch.setenv(name, "whatever")
    switch_telemetry_off()
    import os

    assert dict(TELEMETRY_OFF) == {name: os.environ[name] for name in TELEMETRY_OFF}
