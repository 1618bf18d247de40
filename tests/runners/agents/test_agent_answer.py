"""What an agent of any make gives back, looked through and made a record."""

from __future__ import annotations

from typing import Any

import pytest

from leaderboard.apis.api_answers import read_answer
from leaderboard.types import Json
from runners.agents.agent_answer import BadAnswerError, answer_case, check_answer
from runners.apis.catalogue import load_catalogue
from runners.apis.selector import Selection
from tests.conftest import Folder
from tests.runners.agents.agents_board import add_suite

NOWHERE = "http://127.0.0.1:9/virtual"


class Agent:
    """An agent without tools, with an answer of any kind."""

    def __init__(self, given: Any) -> None:
        self.given = given

    def answer(self, _query: str) -> Any:
        if isinstance(self.given, Exception):
            raise self.given
        return self.given


class Calling(Agent):
    """An agent that calls each of its tools once, and then answers."""

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
    """A record without the time it took."""
    answered = answer_case(agent, "There?", selection, NOWHERE, 30)
    assert answered.ok == ("error" not in answered.fields)
    return {name: value for name, value in answered.fields.items() if name != "latency_s"}


def test_an_agent_without_tools_is_asked_as_it_is(selection: Selection) -> None:
    """Any object with answer() will do; it is told of no tools, and what it says it called is taken."""
    record = asked(Agent(answer(called_apis=[["A", "b"], ["A", "c", "error"]])), selection)
    expected = {
        "answer": {"final_answer": "Yes.", "answer_details": []},
        "called_apis": [["A", "b"], ["A", "c", "error"]],
    }
    assert {**expected, "tools": None} == record


def test_what_the_tools_carried_out_goes_before_what_an_agent_says(selection: Selection) -> None:
    """An agent with tools cannot have called what they did not."""
    record = asked(Calling(answer(called_apis=[["Made", "up"]])), selection)
    assert [[*tool.pair, "error"] for tool in selection.tools] == record["called_apis"]
    assert (2, "keywords") == (record["tools"], record["selected_by"])


def test_what_an_agent_raises_is_the_records_error(selection: Selection) -> None:
    """With its type and its first words on one line, and every call that was carried out before."""
    record = asked(Calling(RuntimeError("no\nlight " + "x" * 1000)), selection)
    assert record["error"].startswith("RuntimeError: no light xxx")
    assert 500 == len(record["error"])
    assert (2, 2) == (len(record["called_apis"]), len(record["answer"]["answer_details"]))


def test_ctrl_c_is_nobodys_error(selection: Selection) -> None:
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
def test_what_is_no_answer_is_said_to_be_none(
    given: Any, expected: str, selection: Selection
) -> None:
    """The error says what is wrong with it."""
    with pytest.raises(BadAnswerError, match=expected):
        check_answer(given)
    assert asked(Agent(given), selection)["error"].startswith("BadAnswerError: ")


@pytest.mark.parametrize(
    "message", ["[1]", '"x"', "7", "null", '{"name": null}', "{'name'", None, [1]]
)
def test_a_04_a_message_that_holds_no_call_is_a_node_without_one(message: Json) -> None:
    """JSON of any other kind, no name, or no JSON at all: the answer is kept, and tells of no call."""
    fields = check_answer(answer(details=[{"role": "tool", "message": message, "next": []}]))
    assert 1 == len(fields["answer"]["answer_details"])
    assert () == read_answer(fields).calls


def test_a_15_called_apis_that_are_null_are_absent() -> None:
    """They are left out, so that the nodes are read; tuples are lists."""
    assert "called_apis" not in check_answer(answer(called_apis=None))
    assert [["A", "b"]] == check_answer(answer(called_apis=(("A", "b"),)))["called_apis"]


def test_a_16_not_tracked_is_not_none_called(selection: Selection) -> None:
    """An agent that lists no calls has no called_apis; one that says it made none has an empty list."""
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
    """Content parts become their text, so that the answer is text whatever a framework gives."""
    assert expected == check_answer(answer(given))["answer"]["final_answer"]


def test_a_single_node_is_a_list_of_one() -> None:
    """As the interface allows."""
    assert [{"role": "tool"}] == check_answer(answer(details={"role": "tool"}))["answer"][
        "answer_details"
    ]
