"""UI messages of the AI SDK, which keep the texts, calls and results of all steps in `parts`.

Source: ai-sdk.dev/docs/reference/ai-sdk-core/ui-message. Version 4 has a call in `toolInvocation`
of a part, and its first releases had a list `toolInvocations` instead of parts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from leaderboard.responses.forms.model_reply import UnreadableRecordError, member
from leaderboard.types import Json

_CALL: Final = "tool-"
_CALLS: Final = (_CALL, "dynamic-tool")
# How the types of parts start that hold no text and no call of a model.
_OTHERS: Final = ("reasoning", "file", "source", "step-start", "data-")


def is_ui_message(message: Json) -> bool:
    """Whether a message has parts with a type. Those of Gemini have none."""
    return any(_kind(part) for part in _parts(message))


def refuse_unknown_parts(messages: Sequence[Json]) -> None:
    """Raises UnreadableRecordError for parts of other types, which may be calls."""
    for message in messages:
        for part in _parts(message):
            kind = _kind(part)
            if kind not in ("", "text") and not kind.startswith((*_CALLS, *_OTHERS)):
                what = f"has a part of type {kind!r}, which is not of a known form"
                fix = "write the messages as the provider sent them"
                raise UnreadableRecordError(what, fix)


def model_messages(message: Json) -> list[Json]:
    """A UI message as the messages to which the AI SDK converts it; any other message as it is.

    Each step is a message with its texts and calls, and one with the results of the calls.
    """
    if not is_ui_message(message):
        return [message]
    role = member(message, "role") or member(message, "type")
    messages: list[Json] = []
    for step in _steps(_parts(message)):
        content = [_call(part) if _is_call(part) else part for part in step]
        results = [result for part in step if _is_call(part) for result in _results(part)]
        messages.append({"role": role, "content": content})
        if results:
            messages.append({"role": "tool", "content": results})
    return messages


def _parts(message: Json) -> Sequence[Json]:
    parts = member(message, "parts")
    if isinstance(parts, list):
        return parts
    calls = member(message, "toolInvocations")
    if not isinstance(calls, list) or not calls:
        return ()
    text: Json = {"type": "text", "text": member(message, "content")}
    return [*({"type": "tool-invocation", "toolInvocation": call} for call in calls), text]


def _steps(parts: Sequence[Json]) -> list[list[Json]]:
    """The texts and calls of each step. A text after a call is of the next step."""
    steps: list[list[Json]] = [[]]
    for part in parts:
        is_text = _kind(part) == "text"
        follows_call = bool(steps[-1]) and _is_call(steps[-1][-1])
        if _kind(part) == "step-start" or (is_text and follows_call):
            steps.append([])
        if is_text or _is_call(part):
            steps[-1].append(part)
    return [step for step in steps if step] or [[]]


def _kind(part: Json) -> str:
    kind = member(part, "type")
    return kind if isinstance(kind, str) else ""


def _is_call(part: Json) -> bool:
    return _kind(part).startswith(_CALLS)


def _inner(part: Mapping[str, Json]) -> Mapping[str, Json]:
    """The call in a part, which version 4 nests."""
    call = part.get("toolInvocation")
    return call if isinstance(call, Mapping) else part


def _call(part: Mapping[str, Json]) -> Json:
    call = _inner(part)
    name = member(call, "toolName") or _kind(part).removeprefix(_CALL)
    arguments = member(call, "input", "args")
    return {
        "type": "tool-call",
        "toolCallId": member(call, "toolCallId"),
        "toolName": name,
        "input": arguments,
    }


def _results(part: Mapping[str, Json]) -> list[Json]:
    """The result of a call, if there is one."""
    call = _inner(part)
    keys = [key for key in ("output", "result", "errorText") if key in call]
    block = {"type": "tool-result", "toolCallId": member(call, "toolCallId")}
    return [{**block, "output": {"type": "json", "value": call[key]}} for key in keys[:1]]
