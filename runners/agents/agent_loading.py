"""Which agent is meant: one of the five frameworks by its name, or a class in a Python file."""

from __future__ import annotations

import hashlib
import importlib
import importlib.metadata
import importlib.util
import inspect
import sys
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import Any, Final

from leaderboard.errors import FilesError, Problem
from leaderboard.types import Json
from runners.agents.base import FrameworkAgent

# name (as on the command line, and of the extra that installs it) -> module and class of its adapter
FRAMEWORKS: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        "langgraph": ("langgraph", "LangGraphAgent"),
        "crewai": ("crewai", "CrewAiAgent"),
        "autogen": ("autogen", "AutoGenAgent"),
        "openai-agents": ("openai_agents", "OpenAiAgentsAgent"),
        "agno": ("agno", "AgnoAgent"),
    }
)
# Where scripts/agents puts the frameworks, each in an environment of its own.
ENVIRONMENTS: Final = ".cache/agents"


@dataclass(frozen=True, slots=True)
class AgentChoice:
    """An agent that can be made. `name` is what a card says of it: of a file only its last part.

    `framework` is title and version; `digest` is of the file's text, where it is one's own. `make` is the class.
    """

    name: str
    title: str
    framework: str | None
    digest: str | None
    make: Callable[..., object]

    def made(self, **options: Json) -> object:
        """The agent, made with those of the options that it takes by name. Raises FilesError where making it fails."""
        try:
            return self.make(**_taken(self.make, options))
        except Exception as error:
            raise FilesError(
                Problem(self.name, f"cannot be made: {_line(error)}", "mend the agent")
            ) from error


def load_agent(named: str) -> AgentChoice:
    """The agent of that name: `langgraph` and its like, or `path/to/file.py:Class`. Raises FilesError."""
    if named in FRAMEWORKS:
        return _framework(named)
    path, colon, name = named.rpartition(":")
    if not colon or not path.endswith(".py"):
        fix = f"one of {', '.join(FRAMEWORKS)}, or path/to/file.py:Class"
        raise FilesError(Problem(f"--agent {named}", "is no framework and no class in a file", fix))
    return _own(Path(path), name)


def framework_class(name: str) -> type[FrameworkAgent]:
    """The adapter of a framework, whether or not the framework is installed. Raises KeyError."""
    module, title = FRAMEWORKS[name]
    found: type[FrameworkAgent] = getattr(
        importlib.import_module(f"runners.agents.adapters.{module}"), title
    )
    return found


def _framework(name: str) -> AgentChoice:
    adapter = framework_class(name)
    missing = [package for package in adapter.packages if importlib.util.find_spec(package) is None]
    if missing:
        what = f"needs {adapter.title}, and {', '.join(missing)} is not installed here"
        raise FilesError(Problem(f"--agent {name}", what, _where(name)))
    version = importlib.metadata.version(adapter.distribution)
    return AgentChoice(name, adapter.title, f"{adapter.title} {version}", None, adapter)


def _where(name: str) -> str:
    """How to come by a framework."""
    own = f"scripts/agents {name}, then {ENVIRONMENTS}/{name}/bin/lb run ..."
    return own if name == "crewai" else f"pip install -e '.[{name}]'; or {own}"


def _own(path: Path, name: str) -> AgentChoice:
    if not path.is_file():
        raise FilesError(
            Problem(
                str(path), "is not there", "name the file with the agent, path/to/file.py:Class"
            )
        )
    module = _module(path)
    found = getattr(module, name, None)
    if not isinstance(found, type) or not callable(getattr(found, "answer", None)):
        there = [key for key, value in vars(module).items() if _is_agent(value, module)]
        fix = (
            f"there are: {', '.join(there)}"
            if there
            else "write a class with a method answer(query)"
        )
        raise FilesError(
            Problem(str(path), f"has no class {name or '(none named)'} with a method answer", fix)
        )
    digest = hashlib.sha256(path.read_bytes()).hexdigest()[:16]
    return AgentChoice(f"{path.name}:{name}", name, None, digest, found)


def _is_agent(value: object, module: ModuleType) -> bool:
    return (
        isinstance(value, type)
        and value.__module__ == module.__name__
        and callable(getattr(value, "answer", None))
    )


def _module(path: Path) -> ModuleType:
    """The file, run as a module; what lies beside it can be imported by it. Raises FilesError."""
    folder = str(path.resolve().parent)
    if folder not in sys.path:
        sys.path.insert(0, folder)
    name = f"agent_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise FilesError(Problem(str(path), "cannot be imported", "name a Python file"))
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[name]
        line = _line_in(path, error)
        raise FilesError(
            Problem(str(path), f"cannot be imported: {_line(error)}", "mend the file", line=line)
        ) from error
    return module


def _line_in(path: Path, error: Exception) -> int | None:
    """The last line of the file that was being run."""
    if isinstance(error, SyntaxError):
        return error.lineno
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if Path(frame.filename).resolve() == path.resolve()]
    return lines[-1] if lines else None


def _line(error: Exception) -> str:
    said = " ".join(str(error).split())
    return f"{type(error).__name__}: {said}" if said else type(error).__name__


def _taken(make: Callable[..., object], options: Mapping[str, Any]) -> dict[str, Any]:
    """Those of the options that a class's constructor has parameters for."""
    parameters = inspect.signature(make).parameters.values()
    if any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters):
        return dict(options)
    by_name = {
        parameter.name
        for parameter in parameters
        if parameter.kind is not parameter.POSITIONAL_ONLY
    }
    return {name: value for name, value in options.items() if name in by_name}
