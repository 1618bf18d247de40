"""Agno: `agno.agent.Agent` over `agno.models.openai.OpenAIChat`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from leaderboard.responses.agent_steps import answer_text
from runners.agents.base import INSTRUCTIONS, AgentError, FrameworkAgent
from runners.agents.tool_tracking import ApiTool
from runners.apis.executed_calls import AgentOutput


class AgnoAgent(FrameworkAgent):
    """One agent per query, without memory, storage or telemetry."""

    title = "Agno"
    packages = ("agno", "openai")
    distribution = "agno"

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
            return _said(None, run)
        if run.status == RunStatus.error:  # the framework tells of what went wrong as of an answer
            raise AgentError(str(run.content))
        return _said(_last_words(run), run)

    def _model(self) -> Any:
        from agno.models.openai import OpenAIChat

        turns = self.turns

        class Model(OpenAIChat):
            """The framework sets the model no limit: it would be asked for ever if it never stops calling."""

            turns_left = turns

            def invoke(self, *given: Any, **named: Any) -> Any:
                self.turns_left -= 1
                if self.turns_left < 0:
                    raise AgentError(f"stopped after {turns} turns")
                return super().invoke(*given, **named)

        return Model(
            id=self.model,
            base_url=self.base_url,
            api_key=self.api_key,
            temperature=self.temperature,
            timeout=self.timeout,
            max_retries=self.retries,
            role_map={"system": "system", "user": "user", "assistant": "assistant", "tool": "tool"},
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


def _last_words(run: Any) -> str:
    """What the model said last; the framework's own `content` puts all that it said on the way in front of that."""
    spoken = [message for message in run.messages or () if message.role == "assistant"]
    return answer_text(spoken[-1].content if spoken else run.content) or ""


def _said(final: str | None, run: Any) -> AgentOutput:
    usage = run.metrics
    counts = (usage.input_tokens or None, usage.output_tokens or None) if usage else (None, None)
    return AgentOutput(final, tuple(_remarks(run.messages or ())), *counts)


def _remarks(messages: Sequence[Any]) -> Iterator[tuple[int, str]]:
    calls = 0
    for message in messages:
        if message.role == "assistant" and message.tool_calls:
            yield calls, answer_text(message.content) or ""
        calls += message.role == "tool"
