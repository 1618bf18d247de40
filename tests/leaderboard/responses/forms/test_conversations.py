"""Conversations in every dialect: who says what, and which reply answers which call."""

from __future__ import annotations

from typing import Any

from leaderboard.responses.forms.conversations import (
    is_conversation,
    last_question,
    read_conversation,
)
from leaderboard.responses.forms.provider_replies import read_provider_reply
from tests.each_row import each_row

ARGUMENTS = {"unit": "m"}


def said(text: str) -> dict[str, Any]:
    """A message as an item of the Responses API."""
    content = [{"type": "output_text", "text": text}]
    return {"type": "message", "role": "assistant", "content": content}


DIALECTS: dict[str, list[dict[str, Any]]] = {
    "OpenAI": [
        {"role": "developer", "content": "Be brief."},
        {"role": "user", "content": "How far?"},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": "c", "function": {"name": "f", "arguments": '{"unit": "m"}'}}],
        },
        {"role": "tool", "tool_call_id": "c", "content": [{"type": "text", "text": "3"}]},
        {"role": "assistant", "content": "3 m"},
    ],
    "Responses items": [
        {"role": "user", "content": "How far?"},
        {"type": "reasoning", "summary": []},
        {"type": "function_call", "call_id": "c", "name": "f", "arguments": '{"unit": "m"}'},
        {"type": "function_call_output", "call_id": "c", "output": "3"},
        {
            "type": "message",
            "role": "assistant",
            "content": [{"type": "output_text", "text": "3 m"}],
        },
    ],
    "Anthropic": [
        {"role": "user", "content": "How far?"},
        {
            "role": "assistant",
            "content": [{"type": "tool_use", "id": "c", "name": "f", "input": ARGUMENTS}],
        },
        {
            "role": "user",
            "content": [{"type": "tool_result", "tool_use_id": "c", "content": "3"}],
        },
        {"role": "assistant", "content": [{"type": "text", "text": "3 m"}]},
    ],
    "Anthropic bodies": [
        {"role": "user", "content": "How far?"},
        {
            "type": "message",
            "role": "assistant",
            "content": [{"type": "tool_use", "id": "c", "name": "f", "input": ARGUMENTS}],
            "stop_reason": "tool_use",
        },
        {
            "role": "user",
            "content": [{"type": "tool_result", "tool_use_id": "c", "content": "3"}],
        },
        {"type": "message", "role": "assistant", "content": [{"type": "text", "text": "3 m"}]},
    ],
    "Bedrock": [
        {"role": "user", "content": [{"text": "How far?"}]},
        {
            "role": "assistant",
            "content": [{"toolUse": {"toolUseId": "c", "name": "f", "input": ARGUMENTS}}],
        },
        {
            "role": "user",
            "content": [{"toolResult": {"toolUseId": "c", "content": [{"text": "3"}]}}],
        },
        {"role": "assistant", "content": [{"text": "3 m"}]},
    ],
    "AI SDK": [
        {"role": "user", "content": "How far?"},
        {
            "role": "assistant",
            "content": [
                {"type": "tool-call", "toolCallId": "c", "toolName": "f", "input": ARGUMENTS}
            ],
        },
        {
            "role": "tool",
            "content": [
                {
                    "type": "tool-result",
                    "toolCallId": "c",
                    "toolName": "f",
                    "output": {"type": "text", "value": "3"},
                }
            ],
        },
        {"role": "assistant", "content": [{"type": "text", "text": "3 m"}]},
    ],
    "AI SDK 4": [
        {"role": "user", "content": "How far?"},
        {
            "role": "assistant",
            "content": [
                {"type": "tool-call", "toolCallId": "c", "toolName": "f", "args": ARGUMENTS}
            ],
        },
        {
            "role": "tool",
            "content": [{"type": "tool-result", "toolCallId": "c", "result": "3"}],
        },
        {"role": "assistant", "content": "3 m"},
    ],
    "AI SDK's UI messages": [
        {"role": "user", "parts": [{"type": "text", "text": "How far?"}]},
        {
            "role": "assistant",
            "parts": [
                {"type": "step-start"},
                {"type": "tool-f", "toolCallId": "c", "input": ARGUMENTS, "output": "3"},
                {"type": "step-start"},
                {"type": "text", "text": "3 m"},
            ],
        },
    ],
    "Gemini": [
        {"role": "user", "parts": [{"text": "How far?"}]},
        {"role": "model", "parts": [{"functionCall": {"name": "f", "args": ARGUMENTS}}]},
        {
            "role": "user",
            "parts": [{"functionResponse": {"name": "f", "response": {"result": "3"}}}],
        },
        {"role": "model", "parts": [{"text": "3 m"}]},
    ],
    "LangChain": [
        {"type": "human", "content": "How far?"},
        {"type": "ai", "content": "", "tool_calls": [{"name": "f", "args": ARGUMENTS, "id": "c"}]},
        {"type": "tool", "tool_call_id": "c", "content": "3"},
        {"type": "ai", "data": {"content": "3 m"}},
    ],
    "older LangChain": [
        {"type": "human", "content": "How far?"},
        {
            "type": "ai",
            "content": "",
            "tool_calls": [],
            "additional_kwargs": {"function_call": {"name": "f", "arguments": '{"unit": "m"}'}},
        },
        {"type": "function", "name": "f", "content": "3"},
        {"type": "ai", "content": "3 m"},
    ],
    "Inspect": [
        {"role": "user", "content": "How far?"},
        {
            "role": "assistant",
            "content": "",
            "tool_calls": [{"id": "c", "function": "f", "arguments": ARGUMENTS}],
        },
        {"role": "tool", "tool_call_id": "c", "function": "f", "content": "3"},
        {"role": "assistant", "content": [{"type": "reasoning"}, {"type": "text", "text": "3 m"}]},
    ],
}


@each_row("dialect", DIALECTS)
def test_every_dialect_has_the_same_turns(dialect: str) -> None:
    """A call with the tool's reply, and then a text, both to the same question."""
    items = DIALECTS[dialect]
    assert is_conversation(items)
    calling, saying = read_conversation(items)
    [call] = calling.reply.calls
    assert ("f", ARGUMENTS, ("3",)) == (call.name, call.arguments, calling.observations)
    assert ("3 m", ()) == (saying.reply.text, saying.reply.calls)
    assert "How far?" == calling.asked == saying.asked == last_question(items)


def bedrock(content: list[Any]) -> dict[str, Any]:
    return {"role": "user", "content": [{"toolResult": {"toolUseId": "c", "content": content}}]}


def sdk(result: dict[str, Any]) -> dict[str, Any]:
    block = {"type": "tool-result", "toolCallId": "c", **result}
    return {"role": "tool", "content": [block]}


def gemini(response: dict[str, Any]) -> dict[str, Any]:
    return {"role": "user", "parts": [{"functionResponse": {"name": "f", "response": response}}]}


@each_row(
    ("message", "reply"),
    [
        (bedrock([{"json": [{"id": 3}]}]), [{"id": 3}]),
        (bedrock([{"json": {}}]), {}),
        (bedrock([{"json": 1}, {"json": 2}]), '[{"json":1},{"json":2}]'),
        (bedrock([{"text": ""}]), ""),
        (bedrock(["json"]), "json"),
        (sdk({"output": {"type": "json", "value": []}}), []),
        (sdk({"output": {"type": "json", "value": {"id": 3}}}), {"id": 3}),
        (sdk({"output": {"type": "text", "value": ""}}), ""),
        (sdk({"output": {"type": "error-text", "value": "No."}}), "No."),
        (sdk({"output": {"type": "content", "value": [{"type": "text", "text": "3"}]}}), "3"),
        (sdk({"result": []}), []),
        (gemini({"result": []}), []),
        (gemini({"output": ""}), ""),
        (gemini({"distance": 3}), {"distance": 3}),
        ({"role": "tool", "tool_call_id": "c", "content": ""}, ""),
        ({"role": "tool", "content": "", "error": {"message": "No."}}, "No."),
    ],
)
def test_a_reply_of_a_tool_is_what_the_tool_said(message: dict[str, Any], reply: Any) -> None:
    """Also if it is empty: without what Bedrock, the AI SDK and Gemini write around it."""
    calling = {"role": "assistant", "tool_calls": [{"id": "c", "name": "f", "args": {}}]}
    [turn] = read_conversation([calling, message])

    assert turn.observations == (reply,)


def test_a_call_that_langchain_could_not_parse_counts() -> None:
    """It is beside the calls that it could parse, as in OpenAI's form."""
    valid = {"id": "c", "name": "f", "args": ARGUMENTS}
    invalid = {"id": "d", "name": "f", "args": '{"unit": '}
    message = {"type": "ai", "content": "", "tool_calls": [valid], "invalid_tool_calls": [invalid]}
    [turn] = read_conversation([message])

    first, second = turn.reply.calls
    assert (first.id, first.problem) == ("c", None)
    assert (second.id, second.arguments) == ("d", '{"unit": ')
    assert second.problem

    alone = read_provider_reply({**message, "tool_calls": []})
    assert alone is not None
    assert [call.id for call in alone.turns[0].reply.calls] == ["d"]


def test_calls_that_are_items_of_their_own_are_one_turn() -> None:
    """The Responses API writes two calls of one turn, and its text, as three items."""
    call = {"type": "function_call", "call_id": "c", "name": "f", "arguments": "{}"}
    output = {"type": "function_call_output", "call_id": "d", "output": "2"}
    items = [said("x"), call, {**call, "call_id": "d"}, output]
    [turn] = read_conversation(items)
    assert ("x", 2) == (turn.reply.text, len(turn.reply.calls))
    assert (None, "2") == turn.observations


def dumped(name: str, **fields: Any) -> Any:
    path = ["langchain", "schema", "messages", name]
    return {"lc": 1, "type": "constructor", "id": path, "kwargs": fields}


def test_messages_that_langchain_dumped_are_read() -> None:
    """Their class says who speaks, if their `type` does not."""
    call = {"name": "f", "args": {"a": 1}, "id": "c"}
    messages = [
        dumped("SystemMessage", content="Be brief."),
        dumped("HumanMessage", content="How far?", type="human"),
        dumped("AIMessage", content="", tool_calls=[call]),
        dumped("ToolMessage", content="3", tool_call_id="c"),
        dumped("AIMessageChunk", content="3 m", type="AIMessageChunk"),
    ]
    calling, answering = read_conversation(messages)

    assert is_conversation(messages)
    assert not is_conversation([dumped("PromptTemplate", content="x"), messages[2]])
    assert last_question(messages) == "How far?"
    assert (calling.asked, calling.observations, answering.reply.text) == (
        "How far?",
        ("3",),
        "3 m",
    )
    assert [(read.name, read.arguments) for read in calling.reply.calls] == [("f", {"a": 1})]


def test_consecutive_messages_of_the_model_are_one_turn() -> None:
    """Some harnesses part a text from the calls of the same turn."""
    calling = {"role": "assistant", "tool_calls": [{"name": "f", "args": {}}]}
    asked = {"role": "user", "content": "How far?"}
    [turn] = read_conversation([asked, {"role": "assistant", "content": "I look."}, calling])

    assert ("I look.", 1) == (turn.reply.text, len(turn.reply.calls))


@each_row(
    "value",
    [None, [], "text", [{"role": "user", "content": "x"}], [{"role": "assistant"}, {"role": "x"}]],
)
def test_other_values_are_no_conversations(value: Any) -> None:
    """A conversation has a turn of the model, and nobody unknown in it."""
    assert not is_conversation(value)
