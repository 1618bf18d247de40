"""AutoGen: `AssistantAgent` over `OpenAIChatCompletionClient`."""

from __future__ import annotations

import asyncio
import warnings
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from runners.agents.api_tool import ApiTool
from runners.agents.base import INSTRUCTIONS, FrameworkAgent
from runners.apis.executed_calls import AgentOutput


class AutoGenAgent(FrameworkAgent):
    """One assistant per query, with as many rounds of calls as other agents have.

    AutoGen's default is one round, and no answer after it.
    """

    title = "AutoGen"
    packages = ("autogen_agentchat", "autogen_ext", "openai", "tiktoken")
    distribution = "autogen-agentchat"
    modules = ("autogen_agentchat.agents", "autogen_ext.models.openai")

    def converse(self, query: str, tools: Sequence[ApiTool]) -> AgentOutput:
        # AutoGen warns if a server names a model's version, or another reason for the end of a
        # reply, than it expects.
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
        return _output(result.messages)

    def _client(self) -> Any:
        from autogen_core.models import ModelFamily
        from autogen_ext.models.openai import OpenAIChatCompletionClient

        given = {} if self.temperature is None else {"temperature": self.temperature}
        # Without these the client refuses a model whose name it does not know.
        model_info = {
            "vision": False,
            "function_calling": True,
            "json_output": True,
            "family": ModelFamily.UNKNOWN,
            "structured_output": True,
        }
        return OpenAIChatCompletionClient(
            model=self.model, model_info=model_info, **self.client_options, **given
        )


def _tool(tool: ApiTool) -> Any:
    from autogen_core.tools import BaseTool
    from pydantic import BaseModel

    class Tool(BaseTool):
        """Shows the API's own schema. A pydantic model of it would not accept every name."""

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
            # Not in a thread: the calls of a turn must run in the order of the requests.
            return tool(**args)

    return Tool()


def _output(messages: Sequence[Any]) -> AgentOutput:
    spoken = [message for message in messages if message.source != "user"]
    last = spoken[-1] if spoken else None
    # After its last round of calls an assistant returns their replies instead of an answer.
    final = last.content if last is not None and last.type == "TextMessage" else None
    remarks = tuple(_remarks(spoken))
    usage = [message.models_usage for message in spoken if message.models_usage]
    if not usage:
        return AgentOutput(final, remarks)
    input_tokens = sum(part.prompt_tokens for part in usage)
    return AgentOutput(final, remarks, input_tokens, sum(part.completion_tokens for part in usage))


def _remarks(messages: Sequence[Any]) -> Iterator[tuple[int, str]]:
    calls = 0
    for message in messages:
        if message.type == "ThoughtEvent":
            yield calls, message.content
        elif message.type == "ToolCallExecutionEvent":
            calls += len(message.content)
