"""Environments: tools that run in this process, and the state that they change.

A system gets a readable answer to every call. A call that cannot be carried out (an unknown tool,
unsuitable arguments, no result) is answered in words. A fault of this code raises an exception.
"""

from __future__ import annotations

import inspect
import math
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from leaderboard.texts.short_text import single_spaced
from leaderboard.types import Json, Parameter, Tool


class ToolError(Exception):
    """A tool has no result. The text is the tool's answer to the system that called it."""


@dataclass(frozen=True, slots=True)
class EnvironmentTool:
    """A tool as models see it, and its function: one keyword argument per parameter, JSON out."""

    tool: Tool
    function: Callable[..., Json]

    @property
    def name(self) -> str:
        return self.tool.name


@dataclass(frozen=True, slots=True)
class Environment:
    """The tools in the order that models see, and the reader of the state if there is a state.

    The tools change what they share, so every case needs a new environment. Raises ValueError when
    two tools have the same name.
    """

    tools: tuple[EnvironmentTool, ...]
    reader: Callable[[], Json] | None = None
    by_name: Mapping[str, EnvironmentTool] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "by_name", {tool.name: tool for tool in self.tools})
        for name, count in Counter(tool.name for tool in self.tools).items():
            if count > 1:
                raise ValueError(f"{count} tools of the environment are named {name!r}")

    @property
    def has_state(self) -> bool:
        return self.reader is not None

    def read_state(self) -> Json:
        """A copy of the current state; None when the environment has no state."""
        return None if self.reader is None else deepcopy(self.reader())

    def call(self, name: str, arguments: Json = None) -> Json:
        """The answer of a tool: its result, or a text that says why there is no result."""
        tool = self.by_name.get(name)
        if tool is None:
            known = ", ".join(self.by_name)
            return f"ERROR: there is no tool named {_quoted(name)}; the tools are: {known}"
        try:
            # A caller that changes the result must not change the world behind it.
            return deepcopy(tool.function(**_checked_arguments(tool.tool, arguments)))
        except ToolError as error:
            return str(error)

    def refuses(self, name: str, arguments: Json) -> bool:
        """Whether a tool of the environment cannot be called with these arguments."""
        try:
            _checked_arguments(self.by_name[name].tool, arguments)
        except ToolError:
            return True
        return False


_JSON_TYPES: Final[Mapping[type, str]] = {str: "string", int: "integer", float: "number"}
_TYPE_NAMES: Final[Mapping[str, str]] = {
    "string": "a text",
    "integer": "an integer",
    "number": "a number",
}


def tool_from_function(
    function: Callable[..., Json], parameters: Mapping[str, str] = MappingProxyType({})
) -> EnvironmentTool:
    """A tool with the function's name, docstring and annotations; `parameters` describes each one.

    Models see the types that the function takes, because both come from its annotations. Raises
    KeyError for an annotation without a JSON type and for a parameter without a description,
    ValueError for a function without a docstring.
    """
    name, description = function.__name__, inspect.getdoc(function)
    if not description:
        raise ValueError(f"{name} has no docstring to describe it to models")
    signature = inspect.signature(function, eval_str=True)
    found = tuple(
        parameter(p.name, _JSON_TYPES[p.annotation], parameters[p.name])
        for p in signature.parameters.values()
    )
    return EnvironmentTool(Tool(name, single_spaced(description), found), function)


def parameter(name: str, json_type: str, description: str) -> Parameter:
    """A required parameter."""
    schema = {"type": json_type, "description": description}
    return Parameter(name, json_type, description, required=True, schema=schema)


def _checked_arguments(tool: Tool, arguments: Json) -> dict[str, Json]:
    """The arguments in their declared types. Raises ToolError when they do not fit the tool."""
    given = {} if arguments is None else arguments
    if not isinstance(given, Mapping):
        what = f"must be an object, not {_described(given)}"
        raise ToolError(f"ERROR: the arguments of {tool.name} {what}")
    names = [p.name for p in tool.parameters]
    for name in given:
        if name not in names:
            what = f"has no argument {_quoted(name)}"
            raise ToolError(f"ERROR: {tool.name} {what}; {_usage(names)}")
    for name in names:
        if name not in given:
            raise ToolError(f"ERROR: {tool.name} needs the argument {name}; {_usage(names)}")
    typed = {}
    for declared in tool.parameters:
        value = given[declared.name]
        typed[declared.name] = _fitting(declared.type, value)
        if typed[declared.name] is None:
            what = f"must be {_TYPE_NAMES[declared.type]}, not {_described(value)}"
            raise ToolError(f"ERROR: the argument {declared.name} of {tool.name} {what}")
    return typed


def _usage(names: Sequence[str]) -> str:
    return f"its arguments are: {', '.join(names)}" if names else "it takes none"


def _fitting(json_type: str, value: Json) -> Json:
    """The value in a declared type; None when it does not fit.

    3.0 is an integer too, an integer has at most 64 bits, and every number becomes a float.
    """
    if json_type == "string":
        # Half of a surrogate pair cannot be written to a file.
        is_text = isinstance(value, str) and not re.search("[\ud800-\udfff]", value)
        return value if is_text else None
    # In Python, True is an integer. In JSON it is not.
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    if json_type == "number":
        return number if math.isfinite(number) else None
    return int(value) if number.is_integer() and abs(number) < 2**63 else None


def _described(value: Json) -> str:
    """A value's type in words. Messages do not repeat the value, because it may be very long."""
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
    """A name in quotes, shortened, with escapes for what cannot be printed."""
    text = name if isinstance(name, str) else _described(name)
    return repr(text if len(text) <= 80 else f"{text[:80]}...")
