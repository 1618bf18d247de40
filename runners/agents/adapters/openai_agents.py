"""The OpenAI Agents SDK: `agents.Agent` and `agents.Runner`, over chat completions."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from typing import Any

from runners.agents.api_tool import ApiTool
from runners.agents.base import INSTRUCTIONS, FrameworkAgent
from runners.apis.executed_calls import AgentOutput


class OpenAiAgentsAgent(FrameworkAgent):
    """One agent per query, without tracing."""

    title = "OpenAI Agents SDK"
    packages = ("agents", "openai")
    distribution = "openai-agents"
    modules = ("agents", "openai")

    def converse(self, query: str, tools: Sequence[ApiTool]) -> AgentOutput:
        return asyncio.run(self._converse(query, tools))

    async def _converse(self, query: str, tools: Sequence[ApiTool]) -> AgentOutput:
        from agents import (
            Agent,
            MaxTurnsExceeded,
            ModelSettings,
            OpenAIChatCompletionsModel,
            RunConfig,
            Runner,
        )
        from openai import AsyncOpenAI

        client = AsyncOpenAI(**self.client_options)
        agent = Agent(
            name="assistant",
            instructions=INSTRUCTIONS,
            model=OpenAIChatCompletionsModel(self.model, client),
            model_settings=ModelSettings(temperature=self.temperature),
            tools=[_tool(tool) for tool in tools],
        )
        config = RunConfig(tracing_disabled=True, tool_not_found_behavior="return_error_to_model")
        try:
            async with client:
                result = await Runner.run(agent, query, max_turns=self.turns, run_config=config)
        except MaxTurnsExceeded as stopped:
            return _output(None, stopped.run_data)
        return _output(str(result.final_output or ""), result)


def _tool(tool: ApiTool) -> Any:
    from agents import FunctionTool

    async def invoke(_context: Any, arguments: str) -> str:
        # Not in a thread: the calls of a turn must run in the order of the requests.
        return tool.call_json(arguments)

    return FunctionTool(
        tool.name, tool.description, tool.parameters, invoke, strict_json_schema=False
    )


def _output(final: str | None, run: Any) -> AgentOutput:
    """The output of a result, or of the data of a run that was stopped."""
    usage = run.context_wrapper.usage
    tokens = (usage.input_tokens or None, usage.output_tokens or None)
    return AgentOutput(final, tuple(_remarks(run.new_items)), *tokens)


def _remarks(items: Sequence[Any]) -> Iterator[tuple[int, str]]:
    """Every text but the last, which is the answer."""
    from agents import ItemHelpers

    calls = 0
    for number, item in enumerate(items):
        if item.type == "message_output_item" and number < len(items) - 1:
            yield calls, ItemHelpers.text_message_output(item)
        calls += item.type == "tool_call_output_item"
