"""Nodes of executions in their four encodings."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leaderboard.apis.executions import finish_arguments, reply_failed, tool_nodes, tool_reply
from leaderboard.types import Call
from tests.each_row import each_row

MESSAGE = {
    "name": "next_departures_for_tramline",
    "arguments": '{"stop": "Harbour Square"}',
    "response": '{"error": "", "response": "18:04 line 3"}',
}
CALL = Call("next_departures_for_tramline", {"stop": "Harbour Square"}, "18:04 line 3")


def node(message: Any, *children: Any, role: str = "tool") -> dict[str, Any]:
    return {"role": role, "message": message, "next": list(children)}


def calls(details: Any) -> list[Call]:
    return [found.call for found in tool_nodes(details)]


E1 = json.dumps({"name": CALL.name, "arguments": CALL.arguments, "response": CALL.result})


@pytest.mark.parametrize(
    "message",
    [E1, MESSAGE, json.dumps(MESSAGE), str(MESSAGE), {**MESSAGE, "arguments": str(CALL.arguments)}],
    ids=["E1", "E2", "E2 as text", "Python", "Python arguments"],
)
def test_every_encoding_is_the_same_call(message: Any) -> None:
    """JSON text, an object with text inside, and Python's spelling of it."""
    assert [CALL] == calls([node(message)])


def test_steps_as_text() -> None:
    """E4: numbered lines in Python's spelling; what a model said in between is no call."""
    steps = [f"Step 1: {MESSAGE}", "Step 2: Let me see.", "It is late."]
    text = "\n".join([*steps, "Final step: {'name': 'Finish', 'arguments': '{}', 'response': ''}"])
    assert [CALL, Call("Finish", {}, "")] == calls(text)


def test_cut_text_keeps_its_beginning() -> None:
    """E3: text cut at 100 characters leaves the name and, for Finish, how it ended."""
    finish = str(
        {
            "name": "Finish",
            "arguments": '{\n "return_type": "give_answer",\n "final_answer": "At 18:04 with',
            "response": "",
        }
    )
    found = tool_nodes([node(str(MESSAGE)[:100]), node(finish[:100])])
    assert [True, True] == [one.truncated for one in found]
    assert [CALL.name, "Finish"] == [one.call.name for one in found]
    assert "give_answer" == found[1].call.arguments["return_type"]
    assert [False] == [one.truncated for one in tool_nodes([node(str(MESSAGE))])]


def test_python_text_with_an_apostrophe() -> None:
    """Python uses double quotes for text with a single quote."""
    message = {"name": "GET Video's page", "arguments": "{}", "response": ""}
    assert ["GET Video's page"] == [call.name for call in calls([node(str(message))])]
    assert ["GET Video's page"] == [call.name for call in calls([node(str(message)[:-3])])]


def test_nested_and_flat_lists_come_out_in_order() -> None:
    """A node before its children, children in order, however deep; other roles are no calls."""
    leaves = [{"name": name, "arguments": {}, "response": "r"} for name in "abcd"]
    deep = node(leaves[0], node("I think.", node(leaves[1]), role="assistant"), node(leaves[2]))
    nested = node("", node("", deep, role="user"), role="system")
    assert ["a", "b", "c", "d"] == [call.name for call in calls([nested, node(leaves[3])])]
    assert ["a", "b", "c"] == [call.name for call in calls(nested)], "one root is a list of one"
    assert ["a", "b", "c"] == [call.name for call in calls(json.dumps([nested]))], "and may be text"


@each_row(
    "message",
    [
        "[1]",
        '"x"',
        "17",
        "null",
        "",
        "no call",
        [1],
        17,
        None,
        {"name": None},
        {"name": ""},
        {"name": ["x"]},
        {},
        "{'name': ",
    ],
)
def test_what_is_no_call_is_none(message: Any) -> None:
    """A message of another shape is skipped, and later nodes are still read."""
    assert [CALL] == calls([node(message, node(MESSAGE))])


@each_row(
    "details",
    [
        None,
        3,
        "",
        "[",
        "[1, 2]",
        [None, 3, "x"],
        {},
        {"next": 4},
        [{"role": "tool"}],
        [[node(MESSAGE)]],
    ],
)
def test_what_is_no_execution_holds_no_call(details: Any) -> None:
    """No value raises an exception."""
    assert [] == calls(details)


def test_an_error_beside_the_response_belongs_to_it() -> None:
    """Some write it into the message instead of the response."""
    (found,) = calls([node({"name": "x", "arguments": {}, "response": "Error: no", "error": "no"})])
    assert ({"error": "no", "response": "Error: no"}, True) == (
        found.result,
        reply_failed(found.result),
    )


QUOTED = '{"return_type": "give_answer", "final_answer": "a "quoted" word"}'


@each_row(
    ("given", "arguments"),
    [
        ({"a": 1}, {"a": 1}),
        ('{"a": 1}', {"a": 1}),
        ("{'a': None}", {"a": None}),
        ("", {}),
        (None, {}),
        ("plain words", {"input": "plain words"}),
        ([1], {"input": [1]}),
        (
            '{"return_type": "give_answer", "final_answer": "it\n',
            {"return_type": "give_answer", "final_answer": "it\n"},
        ),
        (QUOTED, {"return_type": "give_answer", "final_answer": 'a "quoted" word'}),
    ],
)  # fmt: skip
def test_arguments_become_an_object(given: Any, arguments: dict[str, Any]) -> None:
    """Text of an object is parsed, broken arguments of Finish are repaired, the rest is `input`."""
    (call,) = calls([node({"name": "Finish", "arguments": given, "response": ""})])
    assert arguments == call.arguments


@each_row(
    ("response", "reply"),
    [
        ('{"error": "", "response": {"a": 1}}', {"a": 1}),
        ({"error": "", "response": "x"}, "x"),
        ({"response": "x"}, "x"),
        ({"error": "no", "response": ""}, {"error": "no", "response": ""}),
        ({"error": "", "response": "x", "more": 1}, {"error": "", "response": "x", "more": 1}),
        ('{"a": 1}', '{"a": 1}'),
        ("{", "{"),
        ("18:04", "18:04"),
    ],
)
def test_what_a_tool_said(response: Any, reply: Any) -> None:
    """The envelope of a reply without an error is taken off; all else stays as it is."""
    assert reply == tool_reply(response)


@each_row(
    ("reply", "failed"),
    [
        ("18:04", False),
        ("", True),
        ("  ", True),
        ("Error: Server returned status 500", True),
        ("No errors: all fine", False),
        ({"error": "no", "response": ""}, True),
        ({"error": "", "x": 1}, False),
        ({}, True),
        ([], True),
        ([1], False),
        (0, False),
        (False, False),
        (None, None),
        ("{'error': 'time out", True),
        ('{"error": "time', True),
        ('{"error": "", "resp', False),
        ('{"err', None),
        ("{", None),
        ('{"error": "', None),
    ],
)
def test_failures_are_told_apart(reply: Any, failed: bool | None) -> None:
    """Errors and empty replies are failures; text that is cut too early is unknown."""
    assert failed is reply_failed(reply)


@pytest.mark.large
@given(st.text(max_size=200))
def test_no_text_breaks_the_reader(text: str) -> None:
    """Any message and any details."""
    tool_nodes([node(text), node({"name": text, "arguments": text, "response": text})])
    assert tool_nodes(text) == ()


@each_row("filler", [" ", "'", "' ", "'}", "return_type ", "\\'", "'final_answer': '"])
def test_t12_a_broken_final_answer_is_read_in_linear_time(filler: str) -> None:
    """200 kB of blanks or quotes in broken text take no longer than other text."""
    text = "{'return_type': 'give_answer', 'final_answer': 'x" + filler * (200_000 // len(filler))
    start = time.monotonic()
    finish_arguments(text + "x")
    assert time.monotonic() - start < 2


@each_row(
    ("text", "answer"),
    [
        ("'final_answer': 'yes'}", "yes"),
        ("'final_answer': 'yes' }} \n", "yes"),
        ("'final_answer': 'it\\'s'", "it\\'s"),
        ("'final_answer': 'cut off at\\'", "cut off at\\'"),
        ('"final_answer": "cut off', "cut off"),
    ],
)
def test_broken_text_keeps_its_answer(text: str, answer: str) -> None:
    """The closing quote and braces go, and an answer that was cut off is kept."""
    found = finish_arguments(f"return_type: give_answer {text}")
    assert found == {"return_type": "give_answer", "final_answer": answer}
