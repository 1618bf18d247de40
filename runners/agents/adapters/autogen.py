"""AutoGen: `autogen_agentchat.agents.AssistantAgent` over `autogen_ext.models.openai.OpenAIChatCompletionClient`."""

from __future__ import annotations

import asyncio
import warnings
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from runners.agents.base import INSTRUCTIONS, FrameworkAgent
from runners.agents.tool_tracking import ApiTool
from runners.apis.executed_calls import AgentOutput


class AutoGenAgent(FrameworkAgent):
    """One assistant per query. By default an assistant has one round of calls and no last word; here it has as many as any."""

    title = "AutoGen"
    packages = ("autogen_agentchat", "autogen_ext", "openai", "tiktoken")
    distribution = "autogen-agentchat"

    def converse(self, query: str, tools: Sequence[ApiTool]) -> AgentOutput:
        # Servers call a model by the name of its version, and some give another reason for an end: neither matters here.
        warnings.filterwarnings("ignore", r"(Resolved model|Finish reason) mismatch", UserWarning)
        return asyncio.run(self._converse(query, tools))

    async def _converse(self, query: str, tools: Sequence[ApiTool]) -> AgentOutput:
        from autogen_agentchat.agents import AssistantAgent

        client = self._client()
        assistant = AssistantAgent(
            "assistant",
            client,
            tools=[_tool(tool) for tool in tools],
            system_message=INSTRUCTIONS,
            max_tool_iterations=self.turns,
            reflect_on_tool_use=False,
        )
        try:
            result = await assistant.run(task=query)
        finally:
            await client.close()
        return _said(result.messages)

    def _client(self) -> Any:
        from autogen_core.models import ModelFamily
        from autogen_ext.models.openai import OpenAIChatCompletionClient

        given = {} if self.temperature is None else {"temperature": self.temperature}
        return OpenAIChatCompletionClient(
            model=self.model,
            base_url=self.base_url,
            api_key=self.api_key,
            timeout=self.timeout,
            max_retries=self.retries,
            # AgentOutput outright, because the client refuses a model that it does not know by name.
            model_info={
                "vision": False,
                "function_calling": True,
                "json_output": True,
                "family": ModelFamily.UNKNOWN,
                "structured_output": True,
            },
            **given,
        )


def _tool(tool: ApiTool) -> Any:
    from autogen_core.tools import BaseTool
    from pydantic import BaseModel

    class Tool(BaseTool):
        """Goes by the API's own schema: a model made of the parameters would not take every name."""

        def __init__(self) -> None:
            super().__init__(BaseModel, str, tool.name, tool.description)

        @property
        def schema(self) -> Mapping[str, Any]:
            return {
                "name": tool.name,
                "description": tool.description,
                "parameters": tool.parameters,
                "strict": False,
            }

        async def run(self, *_given: Any) -> str:
            raise NotImplementedError(f"{tool.name} is called with JSON")

        async def run_json(self, args: Mapping[str, Any], *_given: Any, **_named: Any) -> str:
            # Not in a thread of its own: so the calls of one turn are carried out in the order in which they were asked for.
            return tool(**args)

    return Tool()


def _said(messages: Sequence[Any]) -> AgentOutput:
    spoken = [message for message in messages if message.source != "user"]
    last = spoken[-1] if spoken else None
    # After the last round of calls the assistant has no word left, and their replies stand in for one.
    final = last.content if last is not None and last.type == "TextMessage" else None
    usage = [message.models_usage for message in spoken if message.models_usage]
    return AgentOutput(
        final,
        tuple(_remarks(spoken)),
        sum(part.prompt_tokens for part in usage) if usage else None,
        sum(part.completion_tokens for part in usage) if usage else None,
    )


def _remarks(messages: Sequence[Any]) -> Iterator[tuple[int, str]]:
    calls = 0
    for message in messages:
        if message.type == "ThoughtEvent":
            yield calls, message.content
        elif message.type == "ToolCallExecutionEvent":
            calls += len(message.content)
