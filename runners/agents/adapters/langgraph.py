"""LangGraph: `langchain.agents.create_agent` over `langchain_openai.ChatOpenAI`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from leaderboard.responses.agent_steps import answer_text
from runners.agents.base import INSTRUCTIONS, FrameworkAgent
from runners.agents.tool_tracking import ApiTool
from runners.apis.executed_calls import AgentOutput


class LangGraphAgent(FrameworkAgent):
    """One agent graph per query, its tools run one after the other."""

    title = "LangGraph"
    packages = ("langgraph", "langchain", "langchain_openai")
    distribution = "langgraph"

    def converse(self, query: str, tools: Sequence[ApiTool]) -> AgentOutput:
        from langchain.agents import create_agent
        from langchain_openai import ChatOpenAI
        from langgraph.errors import GraphRecursionError

        given = {} if self.temperature is None else {"temperature": self.temperature}
        model = ChatOpenAI(
            model=self.model,
            base_url=self.base_url,
            api_key=self.api_key,
            timeout=self.timeout,
            max_retries=self.retries,
            use_responses_api=False,
            stream_usage=False,
            **given,
        )
        agent = create_agent(
            model,
            [_tool(tool) for tool in tools],
            system_prompt=INSTRUCTIONS,
            middleware=[_unreadable_calls()],
            debug=self.verbose,
        )
        # A turn of the model, the look at what came, and the round of calls that follows are three steps of the graph.
        config = {"recursion_limit": 3 * self.turns, "max_concurrency": 1}
        messages: list[Any] = []
        try:
            for state in agent.stream(
                {"messages": [("user", query)]}, config=config, stream_mode="values"
            ):
                messages = state["messages"]
        except GraphRecursionError:
            return _said(messages, stopped=True)
        return _said(messages, stopped=False)


def _unreadable_calls() -> Any:
    """Tells the model of calls whose arguments are no JSON; the framework would take such a turn for the last one."""
    from langchain.agents.middleware import AgentMiddleware, hook_config
    from langchain_core.messages import ToolMessage

    class Middleware(AgentMiddleware):
        @hook_config(can_jump_to=["model"])
        def after_model(self, state: Any, runtime: Any) -> dict[str, Any] | None:  # noqa: ARG002 - named so by the framework
            said = state["messages"][-1]
            if not said.invalid_tool_calls:
                return None
            told = "Error: the arguments are no JSON object"
            answers = [
                ToolMessage(told, tool_call_id=call["id"], name=call["name"])
                for call in said.invalid_tool_calls
            ]
            return (
                {"messages": answers}
                if said.tool_calls
                else {"messages": answers, "jump_to": "model"}
            )

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


def _said(messages: Sequence[Any], *, stopped: bool) -> AgentOutput:
    spoken = [message for message in messages if message.type == "ai"]
    final = None if stopped or not spoken else answer_text(spoken[-1].content) or ""
    usage = [message.usage_metadata for message in spoken if message.usage_metadata]
    return AgentOutput(
        final,
        tuple(_remarks(messages)),
        sum(part["input_tokens"] for part in usage) if usage else None,
        sum(part["output_tokens"] for part in usage) if usage else None,
    )


def _remarks(messages: Sequence[Any]) -> Iterator[tuple[int, str]]:
    calls = 0
    for message in messages:
        if message.type == "ai" and (message.tool_calls or message.invalid_tool_calls):
            yield calls, answer_text(message.content) or ""
        calls += message.type == "tool"
