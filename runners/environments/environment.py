"""Small worlds that a system acts in: tools that run here, and a state that they change.

Whatever a system calls, it gets an answer that it can read and go on from. A call that cannot be carried out (a tool that
is not there, arguments that do not fit, a result that does not exist) is answered in words; a fault of this code is raised.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from leaderboard.types import Json, Parameter, Tool
from runners.tool_registry import ToolRegistry


class ToolError(Exception):
    """What a tool answers where it has no result. The text is the tool's answer, so it speaks to whoever called."""


@dataclass(frozen=True, slots=True)
class EnvironmentTool:
    """A tool as models are shown it, and the function that it runs: one keyword argument per parameter, JSON in and out."""

    tool: Tool
    function: Callable[..., Json]

    @property
    def name(self) -> str:
        return self.tool.name

    @property
    def description(self) -> str:
        return self.tool.description

    def invoke(self, arguments: Json = None) -> Json:
        """Runs the tool with an object of arguments (None: no arguments). Returns a copy of the result, or an error text."""
        try:
            return deepcopy(self.function(**_checked(self.tool, arguments)))
        except ToolError as error:
            return str(error)


@dataclass(frozen=True, slots=True)
class Environment:
    """The tools of one world, in the order that models see them, and how its state is read where it has one.

    Tools share the world they were made with: make a new environment for every case. Raises ValueError when two tools have
    the same name.
    """

    tools: tuple[EnvironmentTool, ...]
    reader: Callable[[], Json] | None = None

    def __post_init__(self) -> None:
        ToolRegistry(tool.tool for tool in self.tools)

    @property
    def has_state(self) -> bool:
        return self.reader is not None

    def read_state(self) -> Json:
        """A copy of the state as it is now; None when the environment has none."""
        return deepcopy(self.reader()) if self.reader is not None else None

    def call(self, name: str, arguments: Json = None) -> Json:
        """What the tool of that name answers: its result, or a text that says why there is none."""
        tool = next((tool for tool in self.tools if tool.name == name), None)
        if tool is None:
            known = ", ".join(tool.name for tool in self.tools)
            return f"ERROR: there is no tool named {_quoted(name)}; the tools are: {known}"
        return tool.invoke(arguments)

    def definitions(self, provider: str) -> Json:
        """The tools as a provider's requests carry them ("openai" or "gemini"; see `runners.tool_registry`)."""
        return ToolRegistry(tool.tool for tool in self.tools).definitions(provider)


# ---------------------------------------------------------------- tools from functions

_TYPES: Final[Mapping[type, str]] = MappingProxyType(
    {str: "string", int: "integer", float: "number"}
)


def tool_from_function(
    function: Callable[..., Json], parameters: Mapping[str, str] = MappingProxyType({})
) -> EnvironmentTool:
    """A tool named like the function. Its docstring, its annotations and the described `parameters` are what models see.

    So what a model is told of an argument's type cannot differ from what the function takes. Raises KeyError for an
    annotation that has no JSON type here or a parameter that is not described, ValueError without a docstring.
    """
    name, description = function.__name__, inspect.getdoc(function)
    if not description:
        raise ValueError(f"{name} has no docstring to describe it to models")
    signature = inspect.signature(function, eval_str=True)
    found = tuple(
        parameter(p.name, _TYPES[p.annotation], parameters[p.name])
        for p in signature.parameters.values()
    )
    return EnvironmentTool(Tool(name, " ".join(description.split()), found), function)


def parameter(name: str, kind: str, description: str) -> Parameter:
    """A required parameter of a JSON type."""
    return Parameter(
        name, kind, description, required=True, schema={"type": kind, "description": description}
    )


# ---------------------------------------------------------------- arguments


def _checked(tool: Tool, arguments: Json) -> dict[str, Json]:
    """The arguments as the function takes them. Raises ToolError where they do not fit the tool."""
    given = {} if arguments is None else arguments
    if not isinstance(given, Mapping):
        raise ToolError(
            f"ERROR: the arguments of {tool.name} must be an object, not {_kind(given)}"
        )
    unknown = [name for name in given if tool.parameter(name) is None]
    if unknown:
        raise ToolError(f"ERROR: {tool.name} has no argument {_quoted(unknown[0])}; {_usage(tool)}")
    missing = [p.name for p in tool.parameters if p.required and p.name not in given]
    if missing:
        raise ToolError(f"ERROR: {tool.name} needs the argument {missing[0]}; {_usage(tool)}")
    return {p.name: _typed(tool, p, given[p.name]) for p in tool.parameters if p.name in given}


def _usage(tool: Tool) -> str:
    names = ", ".join(p.name for p in tool.parameters)
    return f"its arguments are: {names}" if names else "it takes none"


def _typed(tool: Tool, declared: Parameter, value: Json) -> Json:
    """The value in the declared type: 3.0 is an integer too, and a number is computed with as a float."""
    fitting = _READERS[declared.type](value)
    if fitting is None:
        wanted = _KINDS[declared.type]
        raise ToolError(
            f"ERROR: the argument {declared.name} of {tool.name} must be {wanted}, not {_kind(value)}"
        )
    return fitting


def _text(value: Json) -> str | None:
    """A text. Half of a surrogate pair is no character, and could not be written to any file."""
    if not isinstance(value, str) or any("\ud800" <= character <= "\udfff" for character in value):
        return None
    return value


def _whole(value: Json) -> int | None:
    """An integer of at most 64 bits."""
    number = _finite(value)
    if number is None or not number.is_integer() or abs(number) >= 2**63:
        return None
    return int(value)


def _finite(value: Json) -> float | None:
    """A number that a float can hold."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


_READERS: Final[Mapping[str, Callable[[Json], Json]]] = MappingProxyType(
    {"string": _text, "integer": _whole, "number": _finite}
)
_KINDS: Final = MappingProxyType(
    {"string": "a text", "integer": "an integer", "number": "a number"}
)


def _kind(value: Json) -> str:
    """What a value is, in words. The value itself is left out: it may be endless."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, int | float):
        return "this number"
    if isinstance(value, str):
        return "this text"
    return "an object" if isinstance(value, Mapping) else "a list"


def _quoted(name: Json) -> str:
    """A name as it was given, in quotes, cut where it is long; what cannot be printed is escaped."""
    text = name if isinstance(name, str) else _kind(name)
    return repr(text if len(text) <= 80 else f"{text[:80]}...")
