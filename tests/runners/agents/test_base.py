"""The interface of agents: binding tools, answering, and the log of their calls."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from leaderboard.apis.api_definitions import ToolDefinition
from leaderboard.types import Json
from runners.agents.base import BaseAgent, FrameworkAgent
from runners.agents.tool_tracking import ApiTool, CallLog
from runners.apis.api_server import make_app, serving
from runners.apis.catalogue import Catalogue, load_catalogue
from runners.apis.executed_calls import AgentOutput, make_answer
from runners.apis.reply_cache import ApiCache
from runners.apis.virtual_apis import VirtualApis
from tests.conftest import Folder
from tests.runners.agents.agents_board import ODD, TRAMS, add_suite

NOWHERE = "http://127.0.0.1:9/virtual"


class Scripted(FrameworkAgent):
    """An agent whose framework is a function of its tools by name."""

    title = "Scripted"
    packages = ()
    distribution = "pytest"

    def __init__(self, play: Callable[[dict[str, ApiTool]], AgentOutput], **options: Any) -> None:
        super().__init__(**options)
        self.play = play

    def converse(self, query: str, tools: Sequence[ApiTool]) -> AgentOutput:  # noqa: ARG002 - an adapter
        return self.play({tool.name: tool for tool in tools})


class Plain(BaseAgent):
    """An agent that does not call the `__init__` of its base class."""

    def __init__(self) -> None:
        self.framework = object()

    def answer(self, query: str) -> dict[str, Json]:
        return {"answer": {"final_answer": f"About {query}", "answer_details": []}}


@pytest.fixture
def board(folder: Folder) -> Folder:
    add_suite(folder)
    return folder


@pytest.fixture
def catalogue(board: Folder) -> Catalogue:
    return load_catalogue(board.root / "datasets/apis/tools")


def named(catalogue: Catalogue, name: str) -> ToolDefinition:
    return next(found for found in catalogue.definitions if found.sanitised_name == name)


# ---------------------------------------------------------------- binding


def test_an_agent_needs_tools_or_a_folder_of_them() -> None:
    """Neither is a ValueError, and so is anything but a list of tools."""
    with pytest.raises(ValueError, match="needs tools, or tools_dir"):
        Plain().bind_tools()
    with pytest.raises(ValueError, match="tools is a dict, not a list of tools"):
        Plain().bind_tools(tools={"a": 1})  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="has a str, which is not a tool"):
        Plain().bind_tools(tools=["TramLine"])  # type: ignore[list-item]


def test_chosen_tools_win_over_a_folder(board: Folder, catalogue: Catalogue) -> None:
    """Without chosen tools the whole folder is bound. Binding again replaces the tools."""
    agent = Plain()
    agent.bind_tools(tools_dir=board.root / "datasets/apis/tools")
    assert agent.tools is not None
    assert len(catalogue) == len(agent.tools)
    agent.bind_tools(tools=catalogue.definitions[:2], tools_dir=board.root / "datasets/apis/tools")
    assert 2 == len(agent.tools)


def test_no_agent_takes_more_than_max_tools(catalogue: Catalogue) -> None:
    """More than max_tools (default 120) is a RuntimeError."""
    assert 120 == Scripted(lambda _: AgentOutput("")).max_tools == Plain().max_tools
    agent = Scripted(lambda _: AgentOutput(""), max_tools=1)
    with pytest.raises(RuntimeError, match="2 tools are more than the 1"):
        agent.bind_tools(catalogue.definitions[:2])


def test_no_agent_answers_before_it_is_bound(catalogue: Catalogue) -> None:
    """The agent of a framework refuses. After binding, even to no tools, it answers."""
    agent = Scripted(lambda _: AgentOutput("Yes."))
    with pytest.raises(ValueError, match="bind_tools comes before answer"):
        agent.answer("There?")
    agent.bind_tools([])
    assert agent("There?") == agent.answer("There?")
    assert "About it" == Plain()("it")["answer"]["final_answer"]


def test_bind_tools_may_name_another_server(catalogue: Catalogue) -> None:
    """Without one, the constructor's server is used."""
    agent = Scripted(lambda _: AgentOutput(""), server_url="http://127.0.0.1:1/virtual")
    for given, expected in ((None, "http://127.0.0.1:1/virtual"), (NOWHERE, NOWHERE)):
        agent.bind_tools(catalogue.definitions[:1], server_url=given)
        assert agent.tools is not None
        assert expected == agent.tools[0].server_url


# ---------------------------------------------------------------- tools


def test_a_tool_shows_what_a_model_needs(catalogue: Catalogue) -> None:
    """It has a name, a description, metadata and parameters without leading underscores."""
    tool = ApiTool(named(catalogue, "Odd_names"))
    assert ("Odd_names", "Takes parameters of awkward names.") == (tool.name, tool.description)
    names = {
        "category": "Data, Odd",
        "tool_name": "Odd",
        "api_name": "names",
        "original_name": "Odd_names",
    }
    assert names == tool.metadata
    assert ["count"] == tool.parameters["required"]
    assert ["count", "param_limit", "self"] == list(tool.parameters["properties"])[:3]


@pytest.mark.parametrize("name", ["param_limit", "_limit"])
def test_a_parameter_is_sent_under_its_own_name(catalogue: Catalogue, name: str) -> None:
    """The model may use either name."""
    log = CallLog()
    ApiTool(named(catalogue, "Tram-Line_7_next_departures"), NOWHERE, log)(
        stop="Harbour", **{name: 2}
    )
    assert {"stop": "Harbour", "_limit": 2} == log.calls[0].arguments


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ("[1]", "Error: the arguments are not an object"),
        ('{"a', "Error: the arguments are text that is not JSON:"),
    ],
)
def test_arguments_that_are_not_an_object_are_not_sent(
    catalogue: Catalogue, arguments: str, expected: str
) -> None:
    """The model is told, and the log stays empty."""
    log = CallLog()
    assert ApiTool(catalogue.definitions[0], NOWHERE, log).call_json(arguments).startswith(expected)
    assert () == log.calls


def test_empty_arguments_are_an_empty_object(board: Folder, catalogue: Catalogue) -> None:
    """Some servers send empty text for a tool without parameters."""
    apis = VirtualApis(ApiCache(board.root / "datasets/apis/cache"), catalogue)
    with serving(make_app(apis)) as url:
        tool = ApiTool(named(catalogue, "Tram-Line_7_news"), url)
        assert '["works at Glassworks"]' == tool.call_json("") == tool()


def test_calls_beyond_the_limit_are_refused(catalogue: Catalogue) -> None:
    """The model is told to answer. A cleared log has room again."""
    log = CallLog(most=1)
    tool = ApiTool(catalogue.definitions[0], NOWHERE, log)
    tool()
    assert "Error: no more calls are allowed. Answer with what you have." == tool()
    assert 1 == len(log.calls)
    log.clear()
    assert not log.calls


# ---------------------------------------------------------------- answers


def test_every_answer_has_only_its_own_calls(catalogue: Catalogue) -> None:
    """The calls for the previous query are cleared."""
    agent = Scripted(lambda tools: AgentOutput(next(iter(tools.values()))()))
    agent.bind_tools(catalogue.definitions[:1], server_url=NOWHERE)
    assert 1 == len(agent.answer("one")["called_apis"]) == len(agent.answer("two")["called_apis"])


def test_a_61_no_call_and_no_remark_is_dropped(catalogue: Catalogue) -> None:
    """The details have a call without a reply, with its error, and the text beside it."""
    agent = Scripted(
        lambda tools: (
            tools["Tram-Line_7_news"](),
            AgentOutput("None.", ((0, "I will look."), (7, "Hm."), (1, " "))),
        )[1]
    )
    agent.bind_tools([named(catalogue, "Tram-Line_7_news")], server_url=NOWHERE)
    answer = agent.answer("News?")
    details = answer["answer"]["answer_details"]
    assert ["assistant", "tool", "assistant", "tool"] == [node["role"] for node in details]
    call = json.loads(details[1]["message"])
    assert call["response"] == f"Error: {call['error']}"
    assert "refused" in call["error"]
    assert [[TRAMS["tool_name"], "news", "error"]] == answer["called_apis"]


def test_without_a_final_answer_there_is_no_finish() -> None:
    """The agent was stopped. Tokens are recorded if they are known."""
    expected = {
        "answer": {"final_answer": "", "answer_details": []},
        "called_apis": [],
        "usage": {"input_tokens": 5},
    }
    assert expected == make_answer(AgentOutput(None, input_tokens=5), ())


def test_the_folder_of_tools_is_read_as_a_catalogue(tmp_path: Path) -> None:
    """A missing folder is refused by its name."""
    (tmp_path / "odd.json").write_text(json.dumps(ODD), encoding="utf-8")
    agent = Plain()
    agent.bind_tools(tools_dir=str(tmp_path))
    assert agent.tools is not None
    assert ["Odd_names"] == [tool.name for tool in agent.tools]
    with pytest.raises(Exception, match="is not a folder of tools"):
        agent.bind_tools(tools_dir=tmp_path / "none")
