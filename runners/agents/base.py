"""The interface of agents: they are bound to tools, asked a query, and answer."""

from __future__ import annotations

import importlib
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from pathlib import Path
from typing import Any, ClassVar, Final

from leaderboard.apis.api_definitions import ToolDefinition
from leaderboard.network.endpoints import ADDRESSES
from leaderboard.network.secret_keys import redact_live
from leaderboard.texts.short_text import single_spaced
from leaderboard.types import Json
from runners.agents.api_tool import ApiTool
from runners.agents.call_log import CallLog
from runners.apis.api_client import DEFAULT_URL
from runners.apis.catalogue import load_catalogue
from runners.apis.executed_calls import AgentOutput, make_answer
from runners.run_defaults import MAX_TOOLS, RETRIES, STEP_LIMIT, TIMEOUT

STOPPED: Final = "before it gave a final answer"
DEFAULT_MODEL: Final = "gpt-4o-mini"
# The instructions of every framework. Some add words of their own around them.
INSTRUCTIONS: Final = (
    "Answer the user's question with the help of the tools. Call the tools that are needed, with"
    " arguments taken from the question or from earlier replies; then answer in plain words, with"
    " what the tools replied."
)


class AgentError(Exception):
    """An agent could not answer: its model gave no reply, or the framework failed."""


def error_line(error: Exception) -> str:
    """The type and the message of an exception on one line."""
    words = redact_live(single_spaced(str(error)))
    return f"{type(error).__name__}: {words}" if words else type(error).__name__


class BaseAgent(ABC):
    """An agent. A subclass answers queries in `answer`, with the tools in `tools`.

    A tool is a function of keyword arguments that returns the reply as text. A subclass need not
    call this class's `__init__`.
    """

    max_tools: int = MAX_TOOLS
    tools: Sequence[ApiTool] | None = None

    def bind_tools(
        self,
        tools: Sequence[ToolDefinition | ApiTool] | None = None,
        tools_dir: str | Path | None = None,
        server_url: str = DEFAULT_URL,
    ) -> None:
        """Sets the tools for the next query: `tools`, or else all of the folder `tools_dir`.

        Raises ValueError without either, or if `tools` is not a list of tools; RuntimeError for
        more than `max_tools`; FilesError for a folder that cannot be read.
        """
        if tools is None and tools_dir is None:
            raise ValueError("bind_tools needs tools, or tools_dir")
        found = load_catalogue(Path(str(tools_dir))).definitions if tools is None else tools
        if not isinstance(found, list | tuple):
            raise ValueError(f"tools is a {type(tools).__name__}, not a list of tools")  # noqa: TRY004 - as the interface has it
        for tool in found:
            if not isinstance(tool, ToolDefinition | ApiTool):
                raise ValueError(f"tools has a {type(tool).__name__}, which is not a tool")  # noqa: TRY004
        if len(found) > self.max_tools:
            limit = f"the {self.max_tools} that this agent takes (max_tools)"
            raise RuntimeError(f"{len(found)} tools are more than {limit}")
        log = self._new_log()
        self.tools = tuple(
            tool if isinstance(tool, ApiTool) else ApiTool(tool, server_url, log) for tool in found
        )

    @abstractmethod
    def answer(self, query: str) -> dict[str, Json]:
        """The answer to a query.

        `{"answer": {"final_answer": text, "answer_details": [node, ...]}, "called_apis": [[tool,
        api], ...]}`. Without `called_apis`, the nodes show the calls.
        """

    def __call__(self, query: str) -> dict[str, Json]:
        return self.answer(query)

    def _new_log(self) -> CallLog:
        """The log of the tools that `bind_tools` makes."""
        return CallLog()


@dataclass(eq=False)
class FrameworkAgent(BaseAgent):
    """An agent of a framework. A subclass runs the framework in `converse`.

    `step_limit` is the number of calls for one query. After that the tools ask the model to
    answer. `timeout` is in seconds, for a reply of the model or of an API.
    """

    # The framework's title, the packages that it needs, the one that has its version, and the
    # modules that `converse` uses.
    title: ClassVar[str]
    packages: ClassVar[tuple[str, ...]]
    distribution: ClassVar[str]
    modules: ClassVar[tuple[str, ...]]

    model: str = DEFAULT_MODEL
    server_url: str = DEFAULT_URL
    temperature: float | None = 0.0
    verbose: bool = False
    max_tools: int = MAX_TOOLS
    _: KW_ONLY
    base_url: str | None = None
    api_key: str | None = None
    step_limit: int = STEP_LIMIT
    timeout: float = TIMEOUT
    retries: int = RETRIES

    def load(self) -> None:
        """Imports the framework, which may take seconds that are no part of an answer."""
        for module in self.modules:
            importlib.import_module(module)

    @abstractmethod
    def converse(self, query: str, tools: Sequence[ApiTool]) -> AgentOutput:
        """Lets the framework answer a query with these tools."""

    def bind_tools(
        self,
        tools: Sequence[ToolDefinition | ApiTool] | None = None,
        tools_dir: str | Path | None = None,
        server_url: str | None = None,  # default: the constructor's
    ) -> None:
        super().bind_tools(tools, tools_dir, server_url or self.server_url)

    def answer(self, query: str) -> dict[str, Json]:
        """The answer, with the calls that the tools carried out.

        Raises ValueError before bind_tools.
        """
        if self.tools is None:
            raise ValueError("bind_tools comes before answer")
        logs = {id(tool.log): tool.log for tool in self.tools}.values()
        for log in logs:
            log.clear()
        output = self.converse(query, self.tools)
        answer = make_answer(output, [call for log in logs for call in log.calls])
        if output.text is None:
            answer["stopped"] = STOPPED
        return answer

    @property
    def client_options(self) -> dict[str, Any]:
        """The options of the OpenAI client that every framework wraps."""
        return {
            "base_url": self.base_url or ADDRESSES["openai"],
            "api_key": self.api_key,
            "timeout": self.timeout,
            "max_retries": self.retries,
        }

    @property
    def turns(self) -> int:
        """How often the model may speak: once per allowed call, and then to answer."""
        return self.step_limit + 3

    def _new_log(self) -> CallLog:
        return CallLog(self.step_limit, self.timeout)
