"""Executed calls, and the answers that record them."""

from __future__ import annotations

import json

from runners.apis.executed_calls import AgentOutput, finish_node, make_answer


def test_without_a_final_answer_there_is_no_finish() -> None:
    """The agent was stopped. Tokens are recorded if they are known."""
    expected = {
        "answer": {"final_answer": "", "answer_details": []},
        "called_apis": [],
        "usage": {"input_tokens": 5},
    }
    assert expected == make_answer(AgentOutput(None, input_tokens=5), ())


def test_a_finish_is_a_node_of_a_tool() -> None:
    """Its message is JSON text with the final answer."""
    node = finish_node("Line 3 — at 18:04.")
    assert ("tool", []) == (node["role"], node["next"])
    assert {
        "name": "Finish",
        "arguments": {"return_type": "give_answer", "final_answer": "Line 3 — at 18:04."},
        "response": "",
    } == json.loads(node["message"])


def test_remarks_come_before_the_calls_that_they_belong_to() -> None:
    """Blank ones are left out, and remarks after the last call come before the Finish."""
    output = AgentOutput("Done.", ((0, "I look."), (0, "  "), (9, "Found.")))
    details = make_answer(output, ())["answer"]["answer_details"]
    assert ["I look.", "Found."] == [node["message"] for node in details[:-1]]
    assert 3 == len(details)
