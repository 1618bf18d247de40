"""The answers of agents, checked and made into records."""

from __future__ import annotations

import json
from typing import Any

import pytest

from leaderboard.apis.api_answers import read_answer
from leaderboard.types import Json
from runners.agents.agent_answer import BadAnswerError, answer_case, check_answer
from runners.agents.base import STOPPED
from runners.agents.call_log import CallLog, NoCallsLeftError
from runners.agents.tool_selector import Selection
from runners.apis.catalogue import load_catalogue
from tests.conftest import Folder
from tests.each_row import each_row
from tests.runners.agents.agents_board import add_suite

NOWHERE = "http://127.0.0.1:9/virtual"


class Agent:
    """An agent without tools that returns any value."""

    def __init__(self, given: Any) -> None:
        self.given = given

    def answer(self, _query: str) -> Any:
        if isinstance(self.given, Exception):
            raise self.given
        return self.given


class Calling(Agent):
    """An agent that calls each of its tools once and then answers."""

    def bind_tools(self, tools: Any, server_url: str) -> None:
        self.tools, self.server_url = tools, server_url

    def answer(self, query: str) -> Any:
        for tool in self.tools:
            tool()
        return super().answer(query)


def answer(text: Json = "Yes.", details: Json = (), **more: Any) -> dict[str, Any]:
    return {"answer": {"final_answer": text, "answer_details": details}, **more}


@pytest.fixture
def selection(folder: Folder) -> Selection:
    add_suite(folder)
    return Selection(
        load_catalogue(folder.root / "datasets/apis/tools").definitions[:2], "keywords"
    )


def asked(agent: Any, selection: Selection) -> dict[str, Any]:
    """A record without its latency."""
    answered = answer_case(agent, "There?", selection, NOWHERE, CallLog(30))
    assert answered.ok == ("error" not in answered.fields)
    return {name: value for name, value in answered.fields.items() if name != "latency_s"}


def test_an_agent_without_bind_tools_gets_no_tools(selection: Selection) -> None:
    """Any object with answer() is an agent. The APIs that it reports count."""
    record = asked(Agent(answer(called_apis=[["A", "b"], ["A", "c", "error"]])), selection)
    expected = {
        "answer": {"final_answer": "Yes.", "answer_details": []},
        "called_apis": [["A", "b"], ["A", "c", "error"]],
    }
    assert {**expected, "tools": None} == record


def test_executed_calls_win_over_reported_calls(selection: Selection) -> None:
    """An agent with tools cannot have called what they did not."""
    record = asked(Calling(answer(called_apis=[["Made", "up"]])), selection)
    assert [[*tool.name.pair, "error"] for tool in selection.tools] == record["called_apis"]
    assert (2, "keywords") == (record["tools"], record["selected_by"])


def test_the_record_has_every_call_whatever_the_agent_repeats(selection: Selection) -> None:
    """Calls with replies, and a Finish, although the agent lists nothing, or something else."""
    invented = {"role": "tool", "message": '{"name": "Made_up", "response": "7"}', "next": []}
    spoke = {"role": "assistant", "message": "Well.", "next": [invented]}
    silent = asked(Calling(answer()), selection)
    calls = read_answer(silent).calls or ()
    assert [*(tool.name.wrapper for tool in selection.tools), "Finish"] == [
        call.name for call in calls
    ]
    assert all(call.result for call in calls[:-1])
    details = silent["answer"]["answer_details"]
    talking = asked(Calling(answer(details=[spoke])), selection)["answer"]["answer_details"]
    assert [{**spoke, "next": []}, *details] == talking
    assert details == asked(Calling(answer(details=details)), selection)["answer"]["answer_details"]


class Endless(Calling):
    """An agent whose model never answers. A framework raises an error of its own."""

    def answer(self, _query: str) -> Any:
        try:
            while True:
                self.tools[0]()
        except NoCallsLeftError as error:
            raise self.given or error from error


def test_an_agent_that_never_answers_is_stopped(selection: Selection) -> None:
    """Like those of the frameworks: with all its calls, without an answer, an error or a Finish."""
    for own_error in (None, ValueError("the tool failed")):
        record = asked(Endless(own_error), selection)
        assert (record["stopped"], record["answer"]["final_answer"]) == (STOPPED, "")
        assert len(record["called_apis"]) == len(read_answer(record).calls or ()) == 30


def test_only_an_agent_that_answers_has_finished(selection: Selection) -> None:
    """Neither an empty answer nor one that was stopped gets a Finish. Its own one stays."""
    for given in (answer(""), answer(stopped="by its limit")):
        names = [call.name for call in read_answer(asked(Calling(given), selection)).calls or ()]
        assert "Finish" not in names
    arguments = {"return_type": "give_up_and_restart", "final_answer": ""}
    message = json.dumps({"name": "Finish", "arguments": arguments, "response": ""})
    own = {"role": "tool", "message": message, "next": []}
    record = asked(Calling(answer("Sorry.", [own])), selection)
    assert own == record["answer"]["answer_details"][-1]
    assert "give_up_and_restart" == read_answer(record).calls[-1].arguments["return_type"]  # type: ignore[index]


def test_bind_tools_may_take_what_it_likes(selection: Selection) -> None:
    """It gets those of `tools` and `server_url` that its signature names."""

    class Narrow(Calling):
        def bind_tools(self, tools: Any) -> None:  # type: ignore[override]
            self.tools = tools

    assert 2 == len(asked(Narrow(answer()), selection)["called_apis"])


def test_an_exception_is_the_error_of_the_record(selection: Selection) -> None:
    """The error has the type and the message on one line. Calls made before it are kept."""
    record = asked(Calling(RuntimeError("no\nlight " + "x" * 1000)), selection)
    assert record["error"].startswith("RuntimeError: no light xxx")
    assert 500 == len(record["error"])
    assert (2, 2) == (len(record["called_apis"]), len(record["answer"]["answer_details"]))


def test_ctrl_c_is_not_an_error_of_the_record(selection: Selection) -> None:
    """It ends the run."""
    with pytest.raises(KeyboardInterrupt):
        asked(_Interrupted(), selection)


class _Interrupted:
    def answer(self, _query: str) -> Any:
        raise KeyboardInterrupt


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("Yes.", "returned a str, not a dict"),
        ({"final_answer": "Yes."}, "without an object under answer"),
        ({"answer": {"final_answer": "Yes."}}, "returned no answer_details"),
        (answer(details=["Finish"]), "answer_details has a str, which is not a node"),
        (answer(called_apis="A b"), "called_apis is a str"),
        (answer(called_apis=[["A"]]), r"called_apis has .*'A'.*, which is not \[tool, api\]"),
        (answer(details=[{"role": "tool", "message": object()}]), "what JSON cannot represent"),
        (answer(details=[{"role": "tool", "message": float("nan")}]), "what JSON cannot represent"),
    ],
)
def test_a_return_value_of_another_form_is_an_error(
    given: Any, expected: str, selection: Selection
) -> None:
    """The error says what is wrong."""
    with pytest.raises(BadAnswerError, match=expected):
        check_answer(given)
    assert asked(Agent(given), selection)["error"].startswith("BadAnswerError: ")


@each_row("message", ["[1]", '"x"', "7", "null", '{"name": null}', "{'name'", None, [1]])
def test_a_04_a_message_without_a_call_is_a_node_without_one(message: Json) -> None:
    """Whatever the message contains, the answer is kept and has no call."""
    fields = check_answer(answer(details=[{"role": "tool", "message": message, "next": []}]))
    assert 1 == len(fields["answer"]["answer_details"])
    assert () == read_answer(fields).calls


def test_a_15_called_apis_that_are_null_are_absent() -> None:
    """Null is left out, so that the nodes count. Tuples become lists."""
    assert "called_apis" not in check_answer(answer(called_apis=None))
    assert [["A", "b"]] == check_answer(answer(called_apis=(("A", "b"),)))["called_apis"]


def test_a_16_unknown_calls_differ_from_no_calls(selection: Selection) -> None:
    """An agent that reports no calls has no called_apis.

    One that reports none has an empty list.
    """
    assert "called_apis" not in asked(Agent(answer()), selection)
    assert [] == asked(Agent(answer(called_apis=[])), selection)["called_apis"]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (
            [{"type": "text", "text": "At 18:04"}, {"type": "text", "text": " and 18:10."}],
            "At 18:04 and 18:10.",
        ),
        (["At ", {"type": "image_url", "image_url": "x"}, {"text": "18:04"}], "At 18:04"),
        (None, ""),
        (18, "18"),
    ],
)
def test_a_65_a_final_answer_in_parts_is_flattened(given: Json, expected: str) -> None:
    """Content parts become one text."""
    assert expected == check_answer(answer(given))["answer"]["final_answer"]


def test_a_single_node_is_a_list_of_one() -> None:
    """The interface allows a node without a list."""
    assert [{"role": "tool"}] == check_answer(answer(details={"role": "tool"}))["answer"][
        "answer_details"
    ]
