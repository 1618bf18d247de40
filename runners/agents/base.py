"""What an agent is: it is bound to tools, it is asked, it answers. The answer carries what its tools did."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Final

from leaderboard.apis.api_definitions import ToolDefinition
from leaderboard.apis.api_names import FINISH
from leaderboard.types import Json
from runners.agents.tool_tracking import STEP_LIMIT, ApiTool, CallLog, Executed
from runners.apis.api_client import DEFAULT_URL
from runners.apis.catalogue import load_catalogue
from runners.apis.selector import DEFAULT_MAX_TOOLS

DEFAULT_MODEL: Final = "gpt-4o-mini"
OPENAI_URL: Final = "https://api.openai.com/v1"
# What every framework is told, in these words; some wrap it in words of their own.
INSTRUCTIONS: Final = (
    "Answer the user's question with the help of the tools. Call the tools that are needed, with arguments taken from the "
    "question or from earlier replies; then answer in plain words, with what the tools replied."
)


class AgentError(Exception):
    """An agent could not answer: its model gave no reply, or the framework came to an error."""


class BaseAgent(ABC):
    """An agent of any make: a subclass says how a query is answered, in `answer`.

    `tools` holds what it is bound to, each a function of keyword arguments that gives the tool's reply as text. A subclass need
    not call this class's `__init__`.
    """

    max_tools: int = DEFAULT_MAX_TOOLS
    tools: Sequence[ApiTool] | None = None

    def bind_tools(
        self,
        tools: Sequence[ToolDefinition | ApiTool] | None = None,
        tools_dir: str | Path | None = None,
        server_url: str = DEFAULT_URL,
    ) -> None:
        """Gives the agent its tools for the next query: those chosen for it, or all of a folder.

        Raises ValueError without either, or for `tools` that are no list of tools; RuntimeError for more than `max_tools`;
        FilesError for a folder that cannot be read.
        """
        found = _tools(tools, tools_dir)
        if len(found) > self.max_tools:
            raise RuntimeError(
                f"{len(found)} tools are more than the {self.max_tools} that this agent takes (max_tools)"
            )
        log = CallLog(self._step_limit())
        self.tools = tuple(
            tool if isinstance(tool, ApiTool) else ApiTool(tool, server_url, log) for tool in found
        )

    @abstractmethod
    def answer(self, query: str) -> dict[str, Json]:
        """The answer to a query.

        `{"answer": {"final_answer": text, "answer_details": [node, ...]}, "called_apis": [[tool, api], ...]}`; called_apis may
        be left out, and the nodes say it then.
        """

    def __call__(self, query: str) -> dict[str, Json]:
        return self.answer(query)

    def _step_limit(self) -> int:
        return STEP_LIMIT


def _tools(tools: object, tools_dir: str | Path | None) -> Sequence[ToolDefinition | ApiTool]:
    if tools is None and tools_dir is None:
        raise ValueError("bind_tools needs tools, or tools_dir")
    if tools is None:
        return load_catalogue(Path(str(tools_dir))).definitions
    if not isinstance(tools, list | tuple):
        raise ValueError(f"tools is a {type(tools).__name__}, and no list of tools")  # noqa: TRY004 - as the interface has it
    if wrong := [
        type(tool).__name__ for tool in tools if not isinstance(tool, ToolDefinition | ApiTool)
    ]:
        raise ValueError(f"tools holds a {wrong[0]}, which is no tool of a catalogue")
    return tools


@dataclass(frozen=True, slots=True)
class Said:
    """What a framework's run came to.

    `text` is the final answer, None where the agent was stopped before it gave one. `remarks` are texts that came with calls,
    each with the number of calls carried out before it.
    """

    text: str | None
    remarks: tuple[tuple[int, str], ...] = ()
    input_tokens: int | None = None
    output_tokens: int | None = None


class FrameworkAgent(BaseAgent):
    """An agent of a framework. A subclass says in `converse` how the framework answers with the tools; all else is here.

    `step_limit` is how many calls may be carried out for one query; then the tools tell the model to answer.
    """

    # The framework's title, the packages that it needs, and the one whose version stands for it.
    title: ClassVar[str]
    packages: ClassVar[tuple[str, ...]]
    distribution: ClassVar[str]

    def __init__(
        self,
        model: str = DEFAULT_MODEL,
        server_url: str = DEFAULT_URL,
        temperature: float | None = 0.0,
        verbose: bool = False,
        max_tools: int = DEFAULT_MAX_TOOLS,
        *,
        base_url: str | None = None,
        api_key: str | None = None,
        step_limit: int = STEP_LIMIT,
        timeout: float = 120.0,
        retries: int = 4,
    ) -> None:
        self.model = model
        self.server_url = server_url
        self.temperature = temperature
        self.verbose = verbose
        self.max_tools = max_tools
        self.base_url = base_url or OPENAI_URL
        self.api_key = api_key
        self.step_limit = step_limit
        self.timeout = timeout
        self.retries = retries

    @abstractmethod
    def converse(self, query: str, tools: Sequence[ApiTool]) -> Said:
        """Lets the framework answer a query with these tools."""

    def bind_tools(
        self,
        tools: Sequence[ToolDefinition | ApiTool] | None = None,
        tools_dir: str | Path | None = None,
        server_url: str | None = None,  # none: the constructor's
    ) -> None:
        super().bind_tools(tools, tools_dir, server_url or self.server_url)

    def answer(self, query: str) -> dict[str, Json]:
        """The answer, its nodes and its called_apis being what the tools carried out. Raises ValueError before bind_tools."""
        if self.tools is None:
            raise ValueError("bind_tools comes before answer")
        logs = {id(tool.log): tool.log for tool in self.tools}.values()
        for log in logs:
            log.clear()
        said = self.converse(query, self.tools)
        answer = answer_of(said, [call for log in logs for call in log.calls])
        return (
            answer
            if said.text is not None
            else {**answer, "stopped": "before it gave a final answer"}
        )

    @property
    def turns(self) -> int:
        """How often the model may speak: once for every call that is allowed, and to answer when it is told that none is."""
        return self.step_limit + 3

    def _step_limit(self) -> int:
        return self.step_limit


# ---------------------------------------------------------------- answers


def answer_of(said: Said, calls: Sequence[Executed]) -> dict[str, Json]:
    """An answer in StableToolBench's form. Without a final text there is no Finish: the agent was stopped."""
    details = list(_nodes(said, calls))
    if said.text is not None:
        details.append(finish_node(said.text))
    answer: dict[str, Json] = {
        "answer": {"final_answer": said.text or "", "answer_details": details},
        "called_apis": called_apis(calls),
    }
    usage = {"input_tokens": said.input_tokens, "output_tokens": said.output_tokens}
    told = {name: tokens for name, tokens in usage.items() if tokens is not None}
    return {**answer, "usage": told} if told else answer


def called_apis(calls: Sequence[Executed]) -> list[Json]:
    """The calls carried out as `[tool, api, "ok"]`, or "error" in the last place, in order and with repeats."""
    return [[*call.pair, "ok" if call.outcome.ok else "error"] for call in calls]


def _nodes(said: Said, calls: Sequence[Executed]) -> Iterator[Json]:
    for number in range(len(calls) + 1):
        remarks = (text for place, text in said.remarks if min(place, len(calls)) == number)
        yield from (_node("assistant", text) for text in remarks if text.strip())
        if number < len(calls):
            yield call_node(calls[number])


def call_node(call: Executed) -> Json:
    """A tool node: JSON text with the wrapper name, the arguments, the reply as the model read it, and the explicit pair."""
    message: dict[str, Json] = {
        "name": call.tool.original_name,
        "arguments": call.arguments,
        "response": call.outcome.text,
    }
    message |= {"tool_name": call.pair[0], "api_name": call.pair[1]}
    if not call.outcome.ok:
        message["error"] = call.outcome.error
    return _node("tool", json.dumps(message, ensure_ascii=False))


def finish_node(final_answer: str) -> Json:
    """The node that says that the agent came to an end by itself."""
    arguments: Mapping[str, Json] = {"return_type": "give_answer", "final_answer": final_answer}
    return _node(
        "tool",
        json.dumps({"name": FINISH, "arguments": arguments, "response": ""}, ensure_ascii=False),
    )


def _node(role: str, message: str) -> Json:
    return {"role": role, "message": message, "next": []}
