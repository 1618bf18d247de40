"""LangGraph: `langchain.agents.create_agent` over `langchain_openai.ChatOpenAI`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from leaderboard.responses.answer_text import answer_text
from runners.agents.api_tool import ApiTool
from runners.agents.base import INSTRUCTIONS, FrameworkAgent
from runners.apis.executed_calls import AgentOutput


class LangGraphAgent(FrameworkAgent):
    """One agent graph per query. Its tools run one after the other."""

    title = "LangGraph"
    packages = ("langgraph", "langchain", "langchain_openai")
    distribution = "langgraph"
    modules = ("langchain.agents.middleware", "langchain_openai")

    def converse(self, query: str, tools: Sequence[ApiTool]) -> AgentOutput:
        from langchain.agents import create_agent
        from langchain_openai import ChatOpenAI
        from langgraph.errors import GraphRecursionError

        given = {} if self.temperature is None else {"temperature": self.temperature}
        model = ChatOpenAI(
            model=self.model,
            use_responses_api=False,
            stream_usage=False,
            **self.client_options,
            **given,
        )
        agent = create_agent(
            model,
            [_tool(tool) for tool in tools],
            system_prompt=INSTRUCTIONS,
            middleware=[_answer_unreadable_calls()],
            debug=self.verbose,
        )
        # Each turn takes three steps of the graph: the model, the middleware and the tools.
        config = {"recursion_limit": 3 * self.turns, "max_concurrency": 1}
        inputs = {"messages": [("user", query)]}
        messages: list[Any] = []
        try:
            for state in agent.stream(inputs, config=config, stream_mode="values"):
                messages = state["messages"]
        except GraphRecursionError:
            return _output(messages, stopped=True)
        return _output(messages, stopped=False)


def _answer_unreadable_calls() -> Any:
    """Tells the model about arguments that are not JSON.

    LangGraph would end the run after such a turn.
    """
    from langchain.agents.middleware import AgentMiddleware, hook_config
    from langchain_core.messages import ToolMessage

    class Middleware(AgentMiddleware):
        @hook_config(can_jump_to=["model"])
        def after_model(self, state: Any, runtime: Any) -> dict[str, Any] | None:  # noqa: ARG002 - LangChain's name
            last = state["messages"][-1]
            if not last.invalid_tool_calls:
                return None
            error = "Error: the arguments are not a JSON object"
            messages = [
                ToolMessage(error, tool_call_id=call["id"], name=call["name"])
                for call in last.invalid_tool_calls
            ]
            # If the turn also has good calls, the graph continues with the tools by itself.
            return {"messages": messages} | ({} if last.tool_calls else {"jump_to": "model"})

    return Middleware()


def _tool(tool: ApiTool) -> Any:
    from langchain_core.tools import BaseTool

    class Tool(BaseTool):
        def _run(self, /, **arguments: Any) -> str:
            return tool(**arguments)

    return Tool(
        name=tool.name,
        description=tool.description,
        args_schema=tool.parameters,
        metadata=dict(tool.metadata),
    )


def _output(messages: Sequence[Any], *, stopped: bool) -> AgentOutput:
    spoken = [message for message in messages if message.type == "ai"]
    final = None if stopped or not spoken else answer_text(spoken[-1].content) or ""
    remarks = tuple(_remarks(messages))
    usage = [message.usage_metadata for message in spoken if message.usage_metadata]
    if not usage:
        return AgentOutput(final, remarks)
    input_tokens = sum(part["input_tokens"] for part in usage)
    return AgentOutput(final, remarks, input_tokens, sum(part["output_tokens"] for part in usage))


def _remarks(messages: Sequence[Any]) -> Iterator[tuple[int, str]]:
    calls = 0
    for message in messages:
        if message.type == "ai" and (message.tool_calls or message.invalid_tool_calls):
            yield calls, answer_text(message.content) or ""
        calls += message.type == "tool"
