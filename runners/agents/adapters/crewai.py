"""CrewAI: a crew of one agent with one task, over its own client of OpenAI-compatible servers."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from runners.agents.api_tool import ApiTool
from runners.agents.base import INSTRUCTIONS, FrameworkAgent
from runners.apis.executed_calls import AgentOutput

_UNLIMITED: Final = 1_000_000
# Replaces an empty answer, which CrewAI would report as an error.
_EMPTY_ANSWER: Final = " "


class _StoppedError(Exception):
    """The model used all its turns and still calls tools."""


class CrewAiAgent(FrameworkAgent):
    """One crew per query. CrewAI adds its own words (role, goal, task) to the instructions."""

    title = "CrewAI"
    packages = ("crewai", "openai")
    distribution = "crewai"
    modules = ("crewai", "crewai.llms.providers.openai.completion")

    def converse(self, query: str, tools: Sequence[ApiTool]) -> AgentOutput:
        _silence()
        from crewai import Agent, Crew, Task
        from crewai.tools.tool_failure import ToolExecutionFailedError

        # CrewAI lower-cases names, which could make two of ours equal. So it gets numbers.
        by_number = {f"api_{number}": tool for number, tool in enumerate(tools)}
        remarks: list[tuple[int, str]] = []
        model = self._model(by_number, _listener(tools, remarks))
        agent = Agent(
            role="Assistant",
            goal="Answer the question of the user.",
            backstory=INSTRUCTIONS,
            llm=model,
            tools=[_tool(name, tool) for name, tool in by_number.items()],
            max_iter=self.turns + 1,
            max_retry_limit=0,  # A retry after an error would repeat all calls.
            cache=False,
            verbose=self.verbose,
        )
        task = Task(
            description="{query}",
            expected_output="The answer to the question, in plain words.",
            agent=agent,
        )
        crew = Crew(agents=[agent], tasks=[task], cache=False, verbose=self.verbose, tracing=False)
        text: str | None = None
        try:
            final = str(crew.kickoff(inputs={"query": query}).raw)
            text = final if final.strip() else ""
        except (_StoppedError, ToolExecutionFailedError):
            pass  # The second one means that the model repeats the same call.
        usage = model.get_token_usage_summary()
        tokens = (usage.prompt_tokens or None, usage.completion_tokens or None)
        return AgentOutput(text, tuple(remarks), *tokens)

    def _model(self, by_number: Mapping[str, ApiTool], listener: Any) -> Any:
        from crewai.llms.providers.openai.completion import OpenAICompletion

        numbers = {tool.name: number for number, tool in by_number.items()}
        turns = self.turns

        class Model(OpenAICompletion):
            """Shows the model our names and schemas: in CrewAI's, every parameter is required."""

            turns_left: int = turns

            def call(self, messages: Any, *given: Any, **options: Any) -> Any:
                self.turns_left -= 1
                if self.turns_left < 0:
                    raise _StoppedError(f"stopped after {turns} turns")
                if not isinstance(messages, str):
                    messages = [_with_our_names(message, by_number) for message in messages]
                reply = super().call(messages, *given, **options)
                for call in reply if isinstance(reply, list) else ():
                    call.function.name = numbers.get(call.function.name, call.function.name)
                return reply or _EMPTY_ANSWER

            def _convert_tools_for_interference(self, tools: Any) -> list[dict[str, Any]]:
                return [_definition(by_number[tool["function"]["name"]]) for tool in tools]

        return Model(
            model=self.model,
            temperature=self.temperature,
            interceptor=listener,
            **self.client_options,
        )


def _silence() -> None:
    """Turns off CrewAI's log. It repeats errors that are in the record."""
    logging.getLogger("crewai").setLevel(logging.CRITICAL)
    root = logging.getLogger()
    if _is_not_of_crewai not in root.filters:
        root.addFilter(_is_not_of_crewai)


def _is_not_of_crewai(record: logging.LogRecord) -> bool:
    return "crewai" not in Path(record.pathname).parts


def _listener(tools: Sequence[ApiTool], remarks: list[tuple[int, str]]) -> Any:
    """Collects the texts that come with calls, which CrewAI drops."""
    from crewai.llms.hooks.base import BaseInterceptor

    class Listener(BaseInterceptor):
        def on_outbound(self, message: Any) -> Any:
            return message

        def on_inbound(self, message: Any) -> Any:
            text = _text_beside_calls(message.read())
            if text:
                remarks.append((len(tools[0].log.calls) if tools else 0, text))
            return message

    return Listener()


def _text_beside_calls(body: bytes) -> str | None:
    """The text of a chat completion that also has calls."""
    try:
        message = json.loads(body)["choices"][0]["message"]
        return str(message["content"]) if message["tool_calls"] and message["content"] else None
    except (ValueError, KeyError, IndexError, TypeError):
        return None


def _definition(tool: ApiTool) -> dict[str, Any]:
    function = {"name": tool.name, "description": tool.description, "parameters": tool.parameters}
    return {"type": "function", "function": function}


def _with_our_names(message: Mapping[str, Any], by_number: Mapping[str, ApiTool]) -> dict[str, Any]:
    """A message with our names in place of CrewAI's numbers."""
    renamed = dict(message)
    if renamed.get("name") in by_number:
        renamed["name"] = by_number[renamed["name"]].name
    calls = []
    for call in renamed.get("tool_calls") or ():
        function = dict(call["function"])
        if function["name"] in by_number:
            function["name"] = by_number[function["name"]].name
        calls.append({**call, "function": function})
    if calls:
        renamed["tool_calls"] = calls
    return renamed


def _tool(name: str, tool: ApiTool) -> Any:
    from crewai.tools import BaseTool
    from pydantic import BaseModel

    class Tool(BaseTool):
        def run(self, /, *_given: Any, **arguments: Any) -> str:
            """Replaces CrewAI's method, which does not allow an argument named self."""
            return tool(**arguments)

        def _run(self, /, *_given: Any, **arguments: Any) -> str:
            return tool(**arguments)

    # With a limit, CrewAI runs the calls of a turn in order. Without, it runs them all at once.
    return Tool(
        name=name, description=tool.description, args_schema=BaseModel, max_usage_count=_UNLIMITED
    )
