"""OpenAI's chat completions, which most servers speak: a reply's body, and single messages."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from leaderboard.responses.forms.model_reply import (
    Reply,
    ToolCall,
    ending_of,
    error_message,
    first,
    lost_call,
    member,
    text_of,
    tokens,
    tool_call,
)
from leaderboard.types import Json

# Why a reply has neither text nor a call. With another reason the model simply said nothing.
_FAILURES: Final = MappingProxyType(
    {
        "content_filter": "the reply was withheld: content_filter",
        "length": "the reply was cut off before it said anything: length",
    }
)


def read_chat(body: Json, turn: int = 0) -> Reply:
    """The first choice of a chat completion. `turn` numbers calls that have no id.

    A choice that an error ended may hold half a text, which is no answer.
    """
    choice = first(member(body, "choices"))
    text, calls = read_chat_message(member(choice, "message"), turn)
    text = text or text_of(member(choice, "text"))  # the older protocol of plain completions
    reason = text_of(member(choice, "finish_reason"))
    failure = None if text or calls else _FAILURES.get(reason or "")
    if choice is None:
        failure = "the reply contains no choice"
    elif member(choice, "message", "text") is None:
        failure = "the reply contains no message"
    error = error_message(member(body, "error") or member(choice, "error"))
    if error or reason == "error":
        text, calls, failure = None, (), error or "the reply ended early: error"
    usage = member(body, "usage")
    return Reply(
        text=text,
        calls=calls,
        failure=lost_call(reason, calls) or failure,
        input_tokens=tokens(member(usage, "prompt_tokens")),
        output_tokens=tokens(member(usage, "completion_tokens")),
        model=text_of(member(body, "model")),
        ending=ending_of(reason),
    )


def read_chat_message(message: Json, turn: int = 0) -> tuple[str | None, tuple[ToolCall, ...]]:
    """The text and the calls of a message. `turn` numbers calls that have no id.

    Calls are also read as LangChain (`args`) and Inspect (`function` is the name) write them, and
    those of custom tools, whose `input` is text.
    """
    calls = []
    for position, item in enumerate(written_calls(message)):
        inner = member(item, "function", "custom")
        function = inner if isinstance(inner, Mapping) else item
        name = inner if isinstance(inner, str) else member(function, "name")
        arguments = member(function, "arguments", "args", "input", "parameters")
        # Inspect writes {} for arguments that it cannot read, and the text of them in its error.
        arguments = text_of(member(item, "parse_error")) or arguments
        calls.append(tool_call(member(item, "id") or f"call_{turn}_{position}", name, arguments))
    text = text_of(joined_parts(member(message, "content")))
    return text or text_of(member(message, "refusal")), tuple(calls)


def joined_parts(content: Json) -> Json:
    """A content as one text, if it is written in parts, as by some compatible servers."""
    if not isinstance(content, list):
        return content
    texts = [part if isinstance(part, str) else member(part, "text") for part in content]
    return "".join(text for text in texts if isinstance(text, str))


def written_calls(message: Json) -> list[Json]:
    """The calls of a message as they were written, also in the protocol's first form.

    Older versions of LangChain keep them in `additional_kwargs`, newer ones keep those that are
    not JSON in `invalid_tool_calls`, beside the others.
    """
    for holder in (message, member(message, "additional_kwargs")):
        valid = _listed(member(holder, "tool_calls")) or _listed(member(holder, "function_call"))
        if written := [*valid, *_listed(member(holder, "invalid_tool_calls"))]:
            return written
    return []


def _listed(calls: Json) -> list[Json]:
    if not calls:
        return []
    return calls if isinstance(calls, list) else [calls]
