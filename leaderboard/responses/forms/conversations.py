"""Lists of messages as turns, in the dialects of OpenAI, Anthropic, Gemini, LangChain and Inspect.

Harnesses keep a whole conversation: the question, the model's turns, and the tools' replies.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from leaderboard.responses.answer_text import answer_text
from leaderboard.responses.forms.anthropic_message import read_blocks
from leaderboard.responses.forms.gemini_content import read_parts
from leaderboard.responses.forms.model_reply import Reply, ToolCall, Turn, member
from leaderboard.responses.forms.openai_chat import read_chat_message
from leaderboard.responses.forms.openai_responses import read_output_items
from leaderboard.types import Json

# Who says a message, by its `role`, or by the `type` that LangChain and OpenAI's items have.
_SPEAKERS: Final = MappingProxyType(
    {
        **dict.fromkeys(("assistant", "model", "ai", "function_call"), "model"),
        **dict.fromkeys(("user", "human"), "user"),
        **dict.fromkeys(("tool", "function", "function_call_output"), "tool"),
        **dict.fromkeys(("system", "developer", "reasoning"), "other"),
    }
)


def is_conversation(value: Json) -> bool:
    """Returns whether a value is a list of messages, of which at least one is the model's."""
    if not isinstance(value, list) or not value:
        return False
    speakers = [_speaker(item) for item in value]
    return "model" in speakers and None not in speakers


def read_conversation(items: Sequence[Json], *, since_question: bool) -> tuple[Turn, ...]:
    """The model's turns, each with the tools' replies to its calls.

    `since_question`: only the turns after the user's last message, because those before may be
    examples that the harness showed to the model.
    """
    turns: list[tuple[Reply, dict[str, Json], list[Json]]] = []
    for item in items:
        speaker = _speaker(item)
        results = list(_results(item))
        if speaker == "model":
            reply = _reply(item, len(turns))
            # The Responses API writes each call of a turn as an item of its own.
            if turns and not turns[-1][1] and not turns[-1][2] and "type" in item:
                reply = _joined(turns.pop()[0], reply)
            turns.append((reply, {}, []))
        elif results and turns:
            for call_id, result in results:
                turns[-1][1].update({call_id: result} if call_id else {})
                turns[-1][2].append(result)
        elif speaker == "user" and since_question:
            turns = []
    return tuple(Turn(reply, _in_order(reply.calls, ids, listed)) for reply, ids, listed in turns)


def counted_turn(turns: Sequence[Turn], *, has_tools: bool) -> Turn:
    """Returns the turn that counts as the answer to a question.

    With tools it is the first, because nothing here has given the replies that later turns react
    to. Without tools it is the last.
    """
    return turns[0 if has_tools else -1]


def _in_order(
    calls: Sequence[ToolCall], by_id: Mapping[str, Json], listed: Sequence[Json]
) -> tuple[Json, ...]:
    """The tools' replies in the order of the calls: by id, or as they are listed."""
    if any(call.id in by_id for call in calls):
        return tuple(by_id.get(call.id) for call in calls)
    padded = [*listed, *([None] * len(calls))]
    return tuple(padded[: len(calls)])


def _joined(before: Reply, reply: Reply) -> Reply:
    texts = [text for text in (before.text, reply.text) if text]
    return Reply("".join(texts) or None, (*before.calls, *reply.calls))


def _speaker(item: Json) -> str | None:
    named = member(item, "role") or member(item, "type")
    if named == "message":
        named = member(item, "role")
    return _SPEAKERS.get(named) if isinstance(named, str) else None


def _reply(item: Mapping[str, Json], turn: int) -> Reply:
    """One message of the model."""
    if member(item, "type") in ("message", "function_call"):
        return Reply(*read_output_items([item]))
    if isinstance(item.get("parts"), list):
        return Reply(*read_parts(item["parts"]))
    inner = item["data"] if isinstance(item.get("data"), Mapping) else item  # LangChain's dumps
    text, calls = read_chat_message(inner, turn)
    if not calls:
        calls = read_blocks(member(inner, "content"))[1]
    return Reply(text, calls)


def _results(item: Json) -> list[tuple[str, Json]]:
    """The tools' replies in a message, each with the id of its call, which may be empty."""
    speaker = _speaker(item)
    if member(item, "type") == "function_call_output":
        return [(str(member(item, "call_id") or ""), member(item, "output"))]
    if speaker == "tool" and not isinstance(member(item, "parts"), list):
        result = answer_text(member(item, "content"))
        error = member(member(item, "error"), "message")
        return [(str(member(item, "tool_call_id") or ""), result or error)]
    found = []
    parts = member(item, "parts", "content")
    for part in parts if isinstance(parts, list) and speaker in ("user", "tool") else ():
        if member(part, "type") == "tool_result":
            content = answer_text(member(part, "content"))
            found.append((str(member(part, "tool_use_id") or ""), content))
        answer = member(part, "functionResponse", "function_response")
        if answer is not None:
            result = member(answer, "response")
            result = member(result, "result", "output") or result
            found.append((str(member(answer, "id") or ""), result))
    return found
