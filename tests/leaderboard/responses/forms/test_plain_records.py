"""Records that no particular harness writes."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from leaderboard.responses.forms.model_reply import ToolCall, UnreadableRecordError
from leaderboard.responses.forms.plain_records import TEXT_FIELDS, find_answer, read_plain
from leaderboard.responses.forms.provider_replies import ProviderReply
from leaderboard.types import Json
from tests.conftest import PROJECT
from tests.each_row import each_row

CALL = {"name": "add", "arguments": {"a": 1}}
SAID = {"role": "assistant", "content": "It is 3."}
TURNS = [{"role": "user", "content": "?"}, {"role": "assistant", "tool_calls": [CALL]}]
TURNS += [{"role": "tool", "content": "3"}]
ITEMS = [{"type": "message", "content": [{"type": "output_text", "text": "It is 3."}]}]


def calls(row: dict[str, Any]) -> Json:
    found = find_answer(row)
    assert isinstance(found, ProviderReply), found
    return [[call.name, call.arguments] for turn in found.turns for call in turn.reply.calls]


@each_row(
    "row",
    [
        {"tool_calls": [CALL]},
        {"tool_calls": None, "function_call": json.dumps(CALL)},
        {"tool_call": json.dumps(json.dumps(CALL))},
        {"tool_calls": str([{"type": "function", "function": {**CALL, "arguments": '{"a": 1}'}}])},
        {"tool_calls": "None", "function_call": str({**CALL, "id": None})},
        {"tool_calls": [CALL], "function_call": {"name": "add", "arguments": '{"a": 1}'}},
        {"calls": [{"functionCall": {"name": "add", "args": {"a": 1}}}]},
        {"calls": [{"type": "function", "function": CALL}]},
        {"tool_call": {"name": "add", "input": {"a": 1}}},
        {"tool_calls": [{"type": "function", "name": "add", "parameters": {"a": 1}}]},
        {"tool_calls": [{"function": {"name": "add", "parameters": {"a": 1}}}]},
        {"function_name": "add", "arguments": '{"a": 1}'},
        {"tool": "add", "tool_input": {"a": 1}},
        {"text": "", "toolCalls": [{"type": "tool-call", "toolName": "add", "args": {"a": 1}}]},
        {"content": "x", "tool_calls": [], "function_call": CALL},
        {"message": {"role": "assistant", "content": [{"toolUse": {**CALL, "input": {"a": 1}}}]}},
    ],
)
def test_calls_are_found_in_any_field(row: dict[str, Any]) -> None:
    """As objects, or texts in JSON or Python's spelling, in a provider's form or flat."""
    assert calls(row) == [["add", {"a": 1}]]


@each_row(
    ("row", "answer"),
    [
        ({"answer": "It is 3."}, "It is 3."),
        ({"response": [""]}, ""),
        ({"answer": 3}, "3"),
        ({"answer": True, "text": "Yes."}, "Yes."),
        ({"output": {"text": "It is 3."}}, "It is 3."),
        ({"output": [{"generated_text": "It is 3."}]}, "It is 3."),
        ({"answer": "x", "text": "x"}, "x"),
        ({"answer": ""}, ""),
        ({"note": "x"}, None),
        ({"answer": "{not JSON"}, "{not JSON"),
    ],
)
def test_the_only_text_is_the_answer(row: dict[str, Any], answer: str | None) -> None:
    """Empty fields are an empty answer, and unknown ones are none."""
    assert find_answer(row) == answer


@each_row(
    ("row", "what"),
    [
        ({"answer": "3", "prediction": "4"}, "different texts in 'answer' and 'prediction'"),
        ({"answer": "3", "model_answer": "4"}, "different texts in 'answer' and 'model_answer'"),
        ({"answer": "3", "model_output": "4"}, "different texts in 'answer' and 'model_output'"),
        ({"answer": "3", "output_text": "4"}, "different texts in 'answer' and 'output_text'"),
        ({"answer": "3", "pred": "4"}, "different texts in 'answer' and 'pred'"),
        ({"answer": ["3"], "response": "4"}, "different texts in 'answer' and 'response'"),
        ({"answer": {"text": "3"}, "pred": "4"}, "different texts in 'answer' and 'pred'"),
        ({"answer": {"text": "3", "pred": "4"}}, "different texts in 'text' and 'pred'"),
        ({"answer": ["3", "three"], "response": "4"}, "a value in 'answer' that is neither"),
        ({"messages": [SAID], "response": "4"}, "texts in 'messages' and 'response'"),
        ({"response": {"choices": [{"message": SAID}]}, "answer": "4"}, "texts in 'response' and"),
        ({"message": SAID, "result": "It is 4."}, "texts in 'message' and 'result'"),
        ({"answer": "3", "result": "pass"}, "texts in 'answer' and 'result'"),
        ({"message": SAID, "tool_calls": [CALL]}, "calls in 'message' and 'tool_calls'"),
        ({"content": "", "tool_calls": [CALL], "pred": "4"}, "texts in the record itself and"),
        ({"calls": CALL, "model_tool_calls": [{"name": "add"}]}, "calls in 'calls' and 'model_to"),
        ({"output": ["a", "b"]}, "a value in 'output' that is neither text nor a reply"),
        ({"output": [[1]]}, "a value in 'output' that is neither text nor a reply"),
        (
            {"tool_calls": "[{'name': Ellipsis}]"},
            "calls in 'tool_calls' that are not of a known form",
        ),
        ({"tool_calls": [1]}, "calls in 'tool_calls' that are not of a known form"),
        ({"tool_calls": [{"x": 1}]}, "calls in 'tool_calls' that are not of a known form"),
        ({"tool_calls": [{"name": "add", "params": {"a": 1}}]}, "calls in 'tool_calls' that are"),
        ({"answer": True}, "has true in 'answer', where the model's answer is expected"),
        ({"question": "Why?"}, "has no known answer field; its fields are 'question'"),
        ({}, "has no known answer field; it is empty"),
    ],
)
def test_what_may_be_wrong_is_refused(row: dict[str, Any], what: str) -> None:
    """A record is never scored by a guess."""
    with pytest.raises(UnreadableRecordError, match=what):
        read_plain(row)


@each_row(
    "row",
    [
        {"messages": [*TURNS, SAID], "output": "It is\n3."},
        {"messages": [*TURNS, SAID], "message": SAID, "tool_calls": [CALL]},
        {"object": "response", "output": ITEMS, "output_text": "It is 3.", "text": {"format": {}}},
        {"content": [{"type": "text", "text": "It is 3."}], "stop_reason": "end_turn"},
        {"role": "assistant", "content": "It is 3.", "function_call": {"name": None}},
        {"message": SAID, "result": "pass"},
        {"message": SAID, "result": "Incorrect"},
        {"message": SAID, "result": 1},
        {"message": SAID, "result": "0.5"},
    ],
)
def test_the_same_answer_may_be_in_several_fields(row: dict[str, Any]) -> None:
    """Also one turn of several, and with other blanks. Settings and grades are no answers."""
    found = find_answer(row)

    assert isinstance(found, ProviderReply)
    assert found.turns[-1].reply.text == "It is 3."


@each_row(
    ("response", "error"),
    [
        ({"type": "error", "error": {"type": "overloaded_error", "message": "busy"}}, "busy"),
        ({"error": {"message": "busy", "code": 429}}, "busy"),
        ({"error": {"code": 503, "status": "UNAVAILABLE", "message": "busy"}}, "busy"),
        ({"status_code": 500, "body": {"error": {"message": "busy"}}}, "busy"),
        (json.dumps({"error": {"message": "a text of the model"}}), None),
        ({"text": "It is 3.", "error": "a grader failed"}, None),
    ],
)
def test_an_error_in_place_of_a_reply_is_one_of_the_record(
    response: Json, error: str | None
) -> None:
    """Providers write it as the body. Beside an answer it is no error of the system."""
    assert read_plain({"id": "a", "response": response}).error == error


@each_row(
    ("row", "usage"),
    [
        (
            {"usage": {"input_tokens": "812"}, "cost_usd": "0.5"},
            {"input_tokens": 812, "cost_usd": 0.5},
        ),
        ({"usage": {"input_tokens": None}, "input_tokens": 12.0}, {"input_tokens": 12}),
        ({"usage": '{"prompt_tokens": 3}'}, {"input_tokens": 3}),
        ({"cost_usd": "$0.002", "input_tokens": "-"}, {"cost_usd": "$0.002"}),
    ],
)
def test_amounts_are_in_usage_or_beside_it(row: dict[str, Any], usage: Json) -> None:
    """What is no amount stays, so that a later check can name it."""
    assert read_plain({"id": "a", "answer": "3", **row}).extra == {"usage": usage}


STEPS = [["add", 4], {"tool": "add", "tool_input": {"a": 1}, "observation": None}]


@each_row(
    ("given", "text"),
    [
        ({"output": "It is 5."}, "It is 5."),
        ({"output": ""}, None),
        ({}, None),
        ({"message": {"role": "assistant", "content": "It is 5."}}, "It is 5."),
    ],
)
def test_steps_are_turns_before_the_answer(given: dict[str, Any], text: str | None) -> None:
    """Each is a call with its reply. A record is none of responses if it has no `id`."""
    found = find_answer({"case_id": "a", "intermediate_steps": STEPS, **given})

    assert isinstance(found, ProviderReply)
    *steps, last = found.turns
    made = [(*turn.reply.calls, *turn.observations) for turn in steps]
    assert made == [(ToolCall("", "add", {}), 4), (ToolCall("", "add", {"a": 1}), None)]
    assert (last.reply.text, last.reply.calls) == (text, ())


def test_calls_of_a_conversation_come_before_steps() -> None:
    """Both say the same."""
    messages = [{"role": "assistant", "content": None, "tool_calls": [CALL]}]

    assert calls({"messages": messages, "actual_steps": STEPS}) == [["add", {"a": 1}]]


def test_a_row_of_a_data_set_viewer_is_unpacked() -> None:
    """Its fields, its error and its amounts are those of the inner record."""
    inner = {"id": "c1", "epoch": 2, "error": {"message": "lost"}, "latency_s": 2}
    record = read_plain({"row_idx": 0, "row": inner})

    assert (record.ids, record.trial, record.error) == (("c1",), 2, "lost")
    assert record.extra == {"latency_s": 2.0}


def test_the_docs_list_every_field_of_a_text() -> None:
    """A submitter whose harness writes one of them need not rename it."""
    docs = (PROJECT / "docs" / "formats.md").read_text(encoding="utf-8")
    (row,) = (line for line in docs.splitlines() if line.startswith("| texts |"))

    assert sorted(re.findall(r"`(\w+)`", row)) == sorted(TEXT_FIELDS)
