"""CrewAI: a crew of one agent with one task, over its own client of OpenAI-compatible servers."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from runners.agents.base import INSTRUCTIONS, FrameworkAgent
from runners.agents.tool_tracking import ApiTool
from runners.apis.executed_calls import AgentOutput

_WITHOUT_END: Final = 1_000_000
# Stands for an answer without a word, which the framework would take for an error.
_NOTHING: Final = " "


class _StoppedError(Exception):
    """The model had as many turns as it may have, and still calls tools."""


class CrewAiAgent(FrameworkAgent):
    """One crew per query. The framework's own words (role, goal, task) come around the instructions."""

    title = "CrewAI"
    packages = ("crewai", "openai")
    distribution = "crewai"

    def converse(self, query: str, tools: Sequence[ApiTool]) -> AgentOutput:
        _hush()
        from crewai import Agent, Crew, Task
        from crewai.tools.tool_failure import ToolExecutionFailedError

        # The framework writes names in small letters, under which two of ours may be one: inside, they have numbers.
        named = {f"api_{number}": tool for number, tool in enumerate(tools)}
        heard: list[tuple[int, str]] = []
        model = self._model(named, _listener(tools, heard))
        agent = Agent(
            role="Assistant",
            goal="Answer the question of the user.",
            backstory=INSTRUCTIONS,
            llm=model,
            tools=[_tool(name, tool) for name, tool in named.items()],
            max_iter=self.turns + 1,
            max_retry_limit=0,  # else it begins again after an error, and calls what it has called before
            cache=False,
            verbose=self.verbose,
        )
        task = Task(
            description="{query}",
            expected_output="The answer to the question, in plain words.",
            agent=agent,
        )
        crew = Crew(agents=[agent], tasks=[task], cache=False, verbose=self.verbose, tracing=False)
        try:
            final = str(crew.kickoff(inputs={"query": query}).raw)
        except (
            _StoppedError,
            ToolExecutionFailedError,
        ):  # the second: the same call, again and again
            final = None
        usage = model.get_token_usage_summary()
        text = final if final is None or final.strip() else ""
        return AgentOutput(
            text, tuple(heard), usage.prompt_tokens or None, usage.completion_tokens or None
        )

    def _model(self, named: Mapping[str, ApiTool], listener: Any) -> Any:
        from crewai.llms.providers.openai.completion import OpenAICompletion

        shown = {tool.name: name for name, tool in named.items()}
        turns = self.turns

        class Model(OpenAICompletion):
            """Shows the model our names and schemas: the framework's own make every parameter a required one."""

            turns_left: int = turns

            def call(self, messages: Any, *given: Any, **options: Any) -> Any:
                self.turns_left -= 1
                if self.turns_left < 0:
                    raise _StoppedError(f"stopped after {turns} turns")
                said = super().call(_renamed(messages, named), *given, **options)
                for call in said if isinstance(said, list) else ():
                    call.function.name = shown.get(call.function.name, call.function.name)
                return said or _NOTHING

            def _convert_tools_for_interference(self, tools: Any) -> list[dict[str, Any]]:
                return [_definition(named[tool["function"]["name"]]) for tool in tools]

        return Model(
            model=self.model,
            base_url=self.base_url,
            api_key=self.api_key,
            temperature=self.temperature,
            timeout=self.timeout,
            max_retries=self.retries,
            interceptor=listener,
        )


def _hush() -> None:
    """What goes wrong stands in the record; the framework tells it several times more."""
    logging.getLogger("crewai").setLevel(logging.CRITICAL)
    root = logging.getLogger()
    if _not_of_crewai not in root.filters:
        root.addFilter(_not_of_crewai)


def _not_of_crewai(record: logging.LogRecord) -> bool:
    return "crewai" not in Path(record.pathname).parts


def _listener(tools: Sequence[ApiTool], heard: list[tuple[int, str]]) -> Any:
    """Notes what the model says along with its calls, which the framework drops."""
    from crewai.llms.hooks.base import BaseInterceptor

    class Listener(BaseInterceptor):
        def on_outbound(self, message: Any) -> Any:
            return message

        def on_inbound(self, message: Any) -> Any:
            text = _said_with_calls(message.read())
            if text:
                heard.append((len(tools[0].log.calls) if tools else 0, text))
            return message

    return Listener()


def _said_with_calls(body: bytes) -> str | None:
    """The text of a chat completion that has calls, too."""
    try:
        message = json.loads(body)["choices"][0]["message"]
        return str(message["content"]) if message["tool_calls"] and message["content"] else None
    except (ValueError, KeyError, IndexError, TypeError):
        return None


def _definition(tool: ApiTool) -> dict[str, Any]:
    function = {"name": tool.name, "description": tool.description, "parameters": tool.parameters}
    return {"type": "function", "function": function}


def _renamed(messages: Any, named: Mapping[str, ApiTool]) -> Any:
    """The conversation with our names in it."""
    if isinstance(messages, str):
        return messages
    return [_renamed_message(message, named) for message in messages]


def _renamed_message(message: Mapping[str, Any], named: Mapping[str, ApiTool]) -> dict[str, Any]:
    renamed = dict(message)
    if renamed.get("name") in named:
        renamed["name"] = named[renamed["name"]].name
    if renamed.get("tool_calls"):
        renamed["tool_calls"] = [_renamed_call(call, named) for call in renamed["tool_calls"]]
    return renamed


def _renamed_call(call: Mapping[str, Any], named: Mapping[str, ApiTool]) -> dict[str, Any]:
    function = dict(call["function"])
    if function["name"] in named:
        function["name"] = named[function["name"]].name
    return {**call, "function": function}


def _tool(name: str, tool: ApiTool) -> Any:
    from crewai.tools import BaseTool
    from pydantic import BaseModel

    class Tool(BaseTool):
        def run(self, /, *_given: Any, **arguments: Any) -> str:
            """In place of the framework's own, which has no room for an argument named self."""
            return tool(**arguments)

        def _run(self, /, *_given: Any, **arguments: Any) -> str:
            return tool(**arguments)

    # A limit, however high, makes the framework carry out the calls of one turn in order, and not all at once.
    return Tool(
        name=name, description=tool.description, args_schema=BaseModel, max_usage_count=_WITHOUT_END
    )
