"""Anthropic's Messages API: a reply's body, and content blocks."""

from __future__ import annotations

from typing import Final

from leaderboard.responses.forms.model_reply import (
    Reply,
    ToolCall,
    ending_of,
    lost_call,
    member,
    text_of,
    tokens,
    tool_call,
    total_tokens,
)
from leaderboard.types import Json

BLOCK_TYPES: Final = frozenset({"text", "tool_use", "thinking", "redacted_thinking"})
# In the message of an error: the account has no credit, so no later attempt succeeds.
NO_CREDIT: Final = "credit balance"
_INPUT_TOKENS: Final = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
# Why a reply has neither text nor a call. With another reason the model simply said nothing.
_FAILURES: Final = {
    "max_tokens": "the reply was cut off before it said anything: max_tokens",
    "model_context_window_exceeded": "the reply was cut off: model_context_window_exceeded",
    "refusal": "the reply was withheld: refusal",
}


def read_anthropic_body(body: Json) -> Reply:
    """The text and the calls of a message, without its thoughts."""
    text, calls = read_blocks(member(body, "content"))
    usage = member(body, "usage")
    reason = text_of(member(body, "stop_reason"))
    failure = None if text or calls else _FAILURES.get(reason or "")
    return Reply(
        text=text,
        calls=calls,
        failure=lost_call(reason, calls) or failure,
        input_tokens=total_tokens(member(usage, name) for name in _INPUT_TOKENS),
        output_tokens=tokens(member(usage, "output_tokens")),
        model=text_of(member(body, "model")),
        ending=ending_of(reason),
    )


def read_blocks(blocks: Json) -> tuple[str | None, tuple[ToolCall, ...]]:
    """The text and the calls of a list of content blocks.

    Also as Bedrock (`toolUse`) and the AI SDK (`tool-call`) write them.
    """
    texts = []
    calls = []
    for block in blocks if isinstance(blocks, list) else ():
        kind = member(block, "type")
        bedrock = member(block, "toolUse")
        if kind in ("text", None) and isinstance(member(block, "text"), str):
            texts.append(block["text"])
        elif bedrock or kind in ("tool_use", "tool-call"):
            call = bedrock or block
            call_id = member(call, "id", "toolUseId", "toolCallId")
            name = member(call, "name", "toolName")
            calls.append(tool_call(call_id, name, member(call, "input", "args")))
    return text_of("".join(texts)), tuple(calls)
