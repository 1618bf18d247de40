"""Gemini's generateContent: a reply's body, and the parts of a content.

Servers write field names in camelCase or in snake_case; both are read.
"""

from __future__ import annotations

from typing import Final

from leaderboard.responses.forms.model_reply import (
    Reply,
    ToolCall,
    ending_of,
    first,
    member,
    one_line,
    text_of,
    tokens,
    tool_call,
    total_tokens,
)
from leaderboard.types import Json

# The finish reasons of candidates that are complete.
_COMPLETE: Final = frozenset({"STOP", "FINISH_REASON_UNSPECIFIED"})


def read_content(body: Json) -> Reply:
    """All parts of the first candidate of a generateContent reply, without its thoughts."""
    candidate = first(member(body, "candidates"))
    content = member(candidate, "content")
    text, calls = read_parts(member(content, "parts"))
    reason = member(candidate, "finishReason", "finish_reason")
    usage = member(body, "usageMetadata", "usage_metadata")
    # Thoughts are counted apart, and cost as much as other tokens.
    written = (
        member(usage, "candidatesTokenCount", "candidates_token_count"),
        member(usage, "thoughtsTokenCount", "thoughts_token_count"),
    )
    turn = content if isinstance(content, dict) else {"parts": []}
    return Reply(
        text=text,
        calls=calls,
        message={**turn, "role": "model"},
        body=body,
        failure=None if text or calls else _failure(body, candidate),
        input_tokens=tokens(member(usage, "promptTokenCount", "prompt_token_count")),
        output_tokens=total_tokens(written),
        model=text_of(member(body, "modelVersion", "model_version")),
        ending=ending_of(reason),
    )


def read_parts(parts: Json) -> tuple[str | None, tuple[ToolCall, ...]]:
    """The text and the calls of a list of parts, without thoughts."""
    texts, calls = [], []
    for part in parts if isinstance(parts, list) else ():
        part_text = member(part, "text")
        if isinstance(part_text, str) and not member(part, "thought"):
            texts.append(part_text)
        call = member(part, "functionCall", "function_call")
        if call is not None:
            arguments = member(call, "args", "arguments")
            calls.append(tool_call(member(call, "id"), member(call, "name"), arguments))
    return text_of("".join(texts)), tuple(calls)


def _failure(body: Json, candidate: Json) -> str | None:
    """Why a reply has neither text nor a call; None if the model simply said nothing."""
    feedback = member(body, "promptFeedback", "prompt_feedback")
    blocked = member(feedback, "blockReason", "block_reason")
    if isinstance(blocked, str):
        return f"the prompt was blocked: {one_line(blocked)}"
    if candidate is None:
        return "the reply contains no candidate"
    reason = member(candidate, "finishReason", "finish_reason")
    if reason is None or (isinstance(reason, str) and reason in _COMPLETE):
        return None
    message = member(candidate, "finishMessage", "finish_message")
    more = f" ({one_line(message)})" if isinstance(message, str) else ""
    return f"the reply ended with {one_line(str(reason))}{more}"
