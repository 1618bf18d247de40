"""A tool of an agent: one API. It logs its own calls, so all agents have logs of the same form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from leaderboard.apis.api_definitions import ToolDefinition, argument_names
from leaderboard.responses.calls import UnreadableCallError, read_arguments
from leaderboard.types import Json
from runners.agents.call_log import CallLog
from runners.apis.api_client import DEFAULT_URL


@dataclass(frozen=True, slots=True)
class ApiTool:
    """One API as a tool of an agent: its description, and a function `tool(**arguments) -> text`.

    Some frameworks refuse parameters with a leading underscore. They are shown as `param_...`,
    and both names work. An argument that the model leaves out is not sent.
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
        """The API's category, tool_name and api_name, and the last two as original_name."""
        return {
            "category": self.definition.name.category,
            "tool_name": self.definition.name.tool,
            "api_name": self.definition.name.api,
            "original_name": self.definition.name.wrapper,
        }

    @property
    def parameters(self) -> dict[str, Json]:
        """The JSON Schema of the arguments."""
        declared = {item.name: item for item in self.definition.as_tool().parameters}
        shown = argument_names(declared)
        return {
            "type": "object",
            "properties": {name: dict(declared[own].schema) for name, own in shown.items()},
            "required": [name for name, own in shown.items() if declared[own].required],
        }

    def __call__(self, /, **arguments: Json) -> str:
        """Calls the API. Returns the text for the model, "Error: ..." if the call failed."""
        own_names = argument_names(item.name for item in self.definition.parameters)
        own = {own_names.get(name, name): value for name, value in arguments.items()}
        return self.log.carry_out(self.definition, self.server_url, own)

    def call_json(self, arguments: str) -> str:
        """Calls the API with arguments as JSON text. Text of anything else is not sent."""
        try:
            given = read_arguments(arguments)
        except UnreadableCallError as error:
            return f"Error: the arguments {error}"
        return self(**given)
