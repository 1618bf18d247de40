"""The interface of agents: binding tools and answering."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from leaderboard.types import Json
from runners.agents.api_tool import ApiTool
from runners.agents.base import BaseAgent, FrameworkAgent
from runners.apis.catalogue import Catalogue
from runners.apis.executed_calls import AgentOutput
from tests.conftest import Folder
from tests.runners.agents.agents_board import ODD, TRAMS
from tests.runners.agents.tram_tools import NOWHERE, named


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


def test_the_folder_of_tools_is_read_as_a_catalogue(tmp_path: Path) -> None:
    """A missing folder is refused by its name."""
    (tmp_path / "odd.json").write_text(json.dumps(ODD), encoding="utf-8")
    agent = Plain()
    agent.bind_tools(tools_dir=str(tmp_path))
    assert agent.tools is not None
    assert ["Odd_names"] == [tool.name for tool in agent.tools]
    with pytest.raises(Exception, match="is not a folder of tools"):
        agent.bind_tools(tools_dir=tmp_path / "none")
