"""The log of steps in an environment: it carries out each call, and notes it with its result."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from leaderboard.types import Json, Tool
from runners.environments.environment import Environment

# The tool of a step whose call names no tool. LangChain's agents write the same.
_NAMELESS: Final = "invalid_tool"


@dataclass(slots=True)
class StepLog:
    """The environment of one case, and the steps taken in it so far."""

    environment: Environment
    steps: list[Json] = field(default_factory=list)

    @property
    def tools(self) -> tuple[Tool, ...]:
        return tuple(tool.tool for tool in self.environment.tools)

    def call(self, name: str, arguments: Json, problem: str | None = None) -> Json:
        """The tool's answer. A call with a `problem` is not carried out; its answer is an error."""
        if problem is None:
            observation = self.environment.call(name, arguments)
        else:
            observation = f"ERROR: {problem}"
        action = {"tool": name or _NAMELESS, "tool_input": arguments}
        self.steps.append({"action": action, "observation": observation})
        return observation

    def record(self, output: str | None) -> dict[str, Json]:
        """The record's fields: the final answer, the steps, and the state if there is one."""
        fields: dict[str, Json] = {"output": output, "intermediate_steps": self.steps}
        if self.environment.has_state:
            fields["state"] = self.environment.read_state()
        return fields
