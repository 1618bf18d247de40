"""Agno: `agno.agent.Agent` over `agno.models.openai.OpenAIChat`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from leaderboard.responses.answer_text import answer_text
from runners.agents.api_tool import ApiTool
from runners.agents.base import INSTRUCTIONS, AgentError, FrameworkAgent
from runners.apis.executed_calls import AgentOutput


class AgnoAgent(FrameworkAgent):
    """One agent per query, without memory, storage or telemetry."""

    title = "Agno"
    packages = ("agno", "openai")
    distribution = "agno"
    modules = ("agno.agent", "agno.models.openai", "agno.tools.function")

    def converse(self, query: str, tools: Sequence[ApiTool]) -> AgentOutput:
        from agno.agent import Agent
        from agno.run.base import RunStatus

        model = self._model()
        agent = Agent(
            model=model,
            tools=[_tool(tool) for tool in tools],
            system_message=INSTRUCTIONS,
            telemetry=False,
            debug_mode=self.verbose,
        )
        run = agent.run(query, stream=False)
        if model.turns_left < 0:
            return _output(None, run)
        # Agno reports an error as if it were an answer.
        if run.status == RunStatus.error:
            raise AgentError(str(run.content))
        # Not the run's own `content`: it also has everything that the model said before.
        spoken = [message for message in run.messages or () if message.role == "assistant"]
        last = spoken[-1].content if spoken else run.content
        return _output(answer_text(last) or "", run)

    def _model(self) -> Any:
        from agno.models.openai import OpenAIChat

        turns = self.turns

        class Model(OpenAIChat):
            """Stops a model that never stops calling tools. Agno has no limit for it."""

            turns_left = turns

            def invoke(self, *given: Any, **named: Any) -> Any:
                self.turns_left -= 1
                if self.turns_left < 0:
                    raise AgentError(f"stopped after {turns} turns")
                return super().invoke(*given, **named)

        # Agno would call the system role "developer", which few servers know.
        roles = {role: role for role in ("system", "user", "assistant", "tool")}
        return Model(
            id=self.model, temperature=self.temperature, role_map=roles, **self.client_options
        )


def _tool(tool: ApiTool) -> Any:
    from agno.tools.function import Function

    def call(**arguments: Any) -> str:
        return tool(**arguments)

    return Function(
        name=tool.name,
        description=tool.description,
        parameters=tool.parameters,
        entrypoint=call,
        skip_entrypoint_processing=True,
        strict=False,
    )


def _output(final: str | None, run: Any) -> AgentOutput:
    remarks = tuple(_remarks(run.messages or ()))
    if not run.metrics:
        return AgentOutput(final, remarks)
    tokens = (run.metrics.input_tokens or None, run.metrics.output_tokens or None)
    return AgentOutput(final, remarks, *tokens)


def _remarks(messages: Sequence[Any]) -> Iterator[tuple[int, str]]:
    calls = 0
    for message in messages:
        if message.role == "assistant" and message.tool_calls:
            yield calls, answer_text(message.content) or ""
        calls += message.role == "tool"
