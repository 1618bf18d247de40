"""OpenAI's Responses API: a reply's body, and the items of its output."""

from __future__ import annotations

from typing import Final

from leaderboard.responses.forms.model_reply import (
    Reply,
    ToolCall,
    ending_of,
    error_message,
    member,
    one_line,
    text_of,
    tokens,
    tool_call,
)
from leaderboard.types import Json

ITEM_TYPES: Final = frozenset({"message", "function_call", "reasoning", "custom_tool_call"})


def read_responses_body(body: Json) -> Reply:
    """All messages and function calls of a response, without its reasoning.

    A response that failed may hold half a text, which is no answer.
    """
    text, calls = read_output_items(member(body, "output"))
    status = member(body, "status")
    reason = member(member(body, "incomplete_details"), "reason")
    failure = f"the reply is {status}" if ending_of(status) else None
    if reason is not None:
        failure = f"the reply is incomplete: {one_line(str(reason))}"
    error = error_message(member(body, "error"))
    if error or status == "failed":
        text, calls, failure = None, (), error or "the reply failed"
    usage = member(body, "usage")
    return Reply(
        text=text,
        calls=calls,
        failure=None if text or calls else failure,
        input_tokens=tokens(member(usage, "input_tokens")),
        output_tokens=tokens(member(usage, "output_tokens")),
        model=text_of(member(body, "model")),
        ending=ending_of(reason, status),
    )


def read_output_items(items: Json) -> tuple[str | None, tuple[ToolCall, ...]]:
    """The text and the calls of a list of output items."""
    texts: list[str] = []
    calls = []
    for item in items if isinstance(items, list) else ():
        kind = member(item, "type")
        if kind == "message":
            texts += _texts(member(item, "content"))
        elif kind in ("function_call", "custom_tool_call"):
            arguments = member(item, "arguments", "input")
            calls.append(tool_call(member(item, "call_id", "id"), member(item, "name"), arguments))
    return text_of("".join(texts)), tuple(calls)


def _texts(content: Json) -> list[str]:
    if isinstance(content, str):
        return [content]
    parts = content if isinstance(content, list) else ()
    texts = (member(part, "text", "refusal") for part in parts)
    return [text for text in texts if isinstance(text, str)]
