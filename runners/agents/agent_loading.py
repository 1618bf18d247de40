"""Finds an agent: one of the five frameworks by its name, or a class in a Python file.

Before that, the telemetry of the frameworks is switched off.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.metadata
import importlib.util
import inspect
import os
import sys
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from leaderboard.errors import FilesError
from leaderboard.types import Json
from runners.agents.adapters import FRAMEWORKS
from runners.agents.base import BaseAgent, FrameworkAgent, error_line
from runners.run_defaults import MAX_TOOLS

# scripts/agents installs each framework here, in an environment of its own.
ENVIRONMENTS: Final = ".cache/agents"

TELEMETRY_OFF: Final[Mapping[str, str]] = {
    "DO_NOT_TRACK": "1",
    "OTEL_SDK_DISABLED": "true",
    "LANGSMITH_TRACING": "false",
    "LANGSMITH_TRACING_V2": "false",
    "LANGCHAIN_TRACING": "false",
    "LANGCHAIN_TRACING_V2": "false",
    "CREWAI_DISABLE_TELEMETRY": "true",
    "CREWAI_DISABLE_TRACKING": "true",
    "CREWAI_DISABLE_VERSION_CHECK": "true",
    "CREWAI_TRACING_ENABLED": "false",
    "AUTOGEN_DISABLE_RUNTIME_TRACING": "true",
    "OPENAI_AGENTS_DISABLE_TRACING": "1",
    "AGNO_TELEMETRY": "false",
    "ANONYMIZED_TELEMETRY": "false",
}


@dataclass(frozen=True, slots=True)
class AgentChoice:
    """An agent to run. `make` is its class.

    `name` goes onto the card: for a file without its folder. `framework` is title and version.
    `digest` is that of a file's text.
    """

    name: str
    title: str
    framework: str | None
    digest: str | None
    make: Callable[..., object]

    def create(self, **options: Json) -> object:
        """Makes the agent, with those options that its constructor has parameters for.

        Raises FilesError if the constructor fails.
        """
        try:
            agent = call_with_accepted(self.make, options)
            if isinstance(agent, FrameworkAgent):
                agent.load()
        except Exception as error:
            what = f"cannot be created: {error_line(error)}"
            raise FilesError.about(self.name, what, "fix the agent") from error
        # A class that sets no limit of its own takes as many tools as the run gives it.
        limit = options.get("max_tools")
        if isinstance(agent, BaseAgent) and agent.max_tools == MAX_TOOLS and limit:
            agent.max_tools = limit
        return agent


def call_with_accepted(function: Callable[..., Any], options: Mapping[str, Any]) -> Any:
    """Calls a function with those of the arguments that its signature accepts by name."""
    parameters = inspect.signature(function).parameters.values()
    if any(item.kind is item.VAR_KEYWORD for item in parameters):
        return function(**options)
    names = {item.name for item in parameters if item.kind is not item.POSITIONAL_ONLY}
    accepted = {name: value for name, value in options.items() if name in names}
    return function(**accepted)


def load_agent(named: str) -> AgentChoice:
    """The agent `langgraph` (or another framework) or `path/to/file.py:Class`.

    Raises FilesError.
    """
    if named in FRAMEWORKS:
        return _framework_agent(named)
    path, colon, name = named.rpartition(":")
    if not colon or not path.endswith(".py"):
        what = "is neither a framework nor a class in a file"
        fix = f"one of {', '.join(FRAMEWORKS)}, or path/to/file.py:Class"
        raise FilesError.about(f"--agent {named}", what, fix)
    return _file_agent(Path(path), name)


def framework_class(name: str) -> type[FrameworkAgent]:
    """The adapter of a framework, which need not be installed. Raises KeyError."""
    module, class_name = FRAMEWORKS[name]
    adapter = importlib.import_module(f"runners.agents.adapters.{module}")
    found: type[FrameworkAgent] = getattr(adapter, class_name)
    return found


def _framework_agent(name: str) -> AgentChoice:
    adapter = framework_class(name)
    missing = [package for package in adapter.packages if importlib.util.find_spec(package) is None]
    if missing:
        what = f"needs {adapter.title}, and {', '.join(missing)} is not installed here"
        fix = f"in a checkout: scripts/agents {name}, then {ENVIRONMENTS}/{name}/bin/lb run ..."
        if name != "crewai":  # pip refuses CrewAI beside this project.
            fix = f"pip install 'toolboard[{name}]'; or {fix}"
        raise FilesError.about(f"--agent {name}", what, fix)
    version = importlib.metadata.version(adapter.distribution)
    return AgentChoice(name, adapter.title, f"{adapter.title} {version}", None, adapter)


def _file_agent(path: Path, name: str) -> AgentChoice:
    if not path.is_file():
        fix = "name the file with the agent, path/to/file.py:Class"
        raise FilesError.about(str(path), "does not exist", fix)
    module = _run_file(path)
    found: Any = getattr(module, name, None)
    if not _is_agent(found):
        there = []
        for key, value in vars(module).items():
            if _is_agent(value) and value.__module__ == module.__name__:
                there.append(key)
        what = f"has no class {name or '(none named)'} with a method answer"
        fix = "write a class with a method answer(query)"
        if there:
            fix = f"choose one of: {', '.join(there)}"
        raise FilesError.about(str(path), what, fix)
    digest = hashlib.sha256(path.read_bytes()).hexdigest()[:16]
    return AgentChoice(f"{path.name}:{name}", name, None, digest, found)


def _is_agent(value: object) -> bool:
    return isinstance(value, type) and callable(getattr(value, "answer", None))


def _run_file(path: Path) -> ModuleType:
    """The file as a module. It can import what is in its folder. Raises FilesError."""
    folder = str(path.resolve().parent)
    if folder not in sys.path:
        sys.path.insert(0, folder)
    name = f"agent_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise FilesError.about(str(path), "cannot be imported", "name a Python file")
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[name]
        what = f"cannot be imported: {error_line(error)}"
        line = _line_in(path, error)
        raise FilesError.about(str(path), what, "fix the file", line=line) from error
    return module


def _line_in(path: Path, error: Exception) -> int | None:
    """The last line of the file that ran."""
    if isinstance(error, SyntaxError):
        return error.lineno
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if Path(frame.filename).resolve() == path.resolve()]
    return lines[-1] if lines else None


def switch_telemetry_off() -> None:
    """Sets the switches of all frameworks. Run it before any of them is imported.

    Agents reach only their model and their tools.
    """
    os.environ.update(TELEMETRY_OFF)
