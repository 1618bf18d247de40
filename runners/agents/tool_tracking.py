"""What an agent's tools did. The tools themselves write it down, so that it is the same for every framework.

A call that a model asked for and that never ran (arguments that are no object, a tool that does not exist) is not in the log;
one that ran and failed is, with its error.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from leaderboard.apis.api_definitions import ToolDefinition, argument_names
from leaderboard.apis.api_names import Pair
from leaderboard.types import Json
from runners.apis.api_client import DEFAULT_URL, ApiOutcome, call_api

STEP_LIMIT: Final = 30
_USED_UP: Final = "Error: no more calls are allowed. Answer with what you have."


@dataclass(frozen=True, slots=True)
class Executed:
    """One call that was carried out: of which API, with what arguments (as the API names them), and what it came to."""

    tool: ToolDefinition
    arguments: Mapping[str, Json]
    outcome: ApiOutcome

    @property
    def pair(self) -> Pair:
        return self.tool.pair


class CallLog:
    """The calls of one answer, in the order in which they were begun. `most` is how many there may be."""

    def __init__(self, most: int = STEP_LIMIT) -> None:
        self._most = most
        self._lock = threading.RLock()
        self._calls: list[Executed] = []
        self._refused = 0

    @property
    def calls(self) -> tuple[Executed, ...]:
        with self._lock:
            return tuple(self._calls)

    @property
    def refused(self) -> int:
        """How many calls came after the last one that was allowed; none of them was carried out."""
        return self._refused

    def clear(self) -> None:
        with self._lock:
            self._calls.clear()
            self._refused = 0

    def carry_out(self, tool: ApiTool, arguments: Mapping[str, Json]) -> str:
        """Calls the API and notes it; what the model is told. One call at a time, as they come."""
        with self._lock:
            if len(self._calls) >= self._most:
                self._refused += 1
                return _USED_UP
            outcome = call_api(tool.server_url, tool.definition.name, arguments)
            self._calls.append(Executed(tool.definition, arguments, outcome))
        return outcome.text


@dataclass(frozen=True, slots=True)
class ApiTool:
    """One API as a tool of an agent: what a model is shown of it, and a plain function `tool(**arguments) -> text`.

    Parameters with a leading underscore, which some frameworks refuse, are shown as `param_...`; both names are taken. What the
    model leaves out is left out.
    """

    definition: ToolDefinition
    server_url: str = DEFAULT_URL
    log: CallLog = field(default_factory=CallLog)

    @property
    def name(self) -> str:
        """The name that a model is shown."""
        return self.definition.sanitised_name

    @property
    def description(self) -> str:
        return self.definition.description

    @property
    def metadata(self) -> Mapping[str, str]:
        """Which API it is: category, tool_name, api_name, and both as one in original_name."""
        of = self.definition
        names = {
            "tool_name": of.tool_name,
            "api_name": of.api_name,
            "original_name": of.original_name,
        }
        return {"category": of.category, **names}

    @property
    def parameters(self) -> dict[str, Json]:
        """The JSON Schema of its arguments. A number may be whole, and stays so; only what is required is required."""
        own = {parameter.name: parameter for parameter in self.definition.as_tool().parameters}
        shown = argument_names(own)
        return {
            "type": "object",
            "properties": {name: dict(own[given].schema) for name, given in shown.items()},
            "required": [name for name, given in shown.items() if own[given].required],
        }

    def __call__(self, /, **arguments: Json) -> str:
        """Calls the API with these arguments; the text that a model is told, "Error: ..." where it came to an error."""
        own = argument_names(parameter.name for parameter in self.definition.parameters)
        return self.log.carry_out(
            self, {own.get(name, name): value for name, value in arguments.items()}
        )

    def call_json(self, arguments: str) -> str:
        """The same for arguments that come as JSON text. What is no JSON object is not carried out; the text says so."""
        try:
            given: Any = json.loads(arguments) if arguments.strip() else {}
        except ValueError as error:
            return f"Error: the arguments are no JSON: {error}"
        return (
            self(**given) if isinstance(given, dict) else "Error: the arguments are no JSON object"
        )
