"""Lists of messages as turns, in the dialects of providers, LangChain, Inspect and the AI SDK.

Harnesses keep a whole conversation: the question, the model's turns, and the tools' replies.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from types import MappingProxyType
from typing import Final

from leaderboard.apis.api_names import FINISH
from leaderboard.responses.answer_text import answer_text
from leaderboard.responses.forms.ai_sdk_messages import model_messages
from leaderboard.responses.forms.anthropic_message import read_blocks
from leaderboard.responses.forms.gemini_content import read_parts
from leaderboard.responses.forms.model_reply import Reply, ToolCall, Turn, ending_of, member
from leaderboard.responses.forms.openai_chat import joined_parts, read_chat_message
from leaderboard.responses.forms.openai_responses import read_output_items
from leaderboard.responses.forms.texts_with_calls import looks_like_call
from leaderboard.texts.short_text import single_spaced
from leaderboard.types import Json, Tool

# Who says a message, by its `role`, or by the `type` that LangChain and OpenAI's items have.
_SPEAKERS: Final = MappingProxyType(
    {
        **dict.fromkeys(("assistant", "model", "ai", "function_call"), "model"),
        **dict.fromkeys(("user", "human"), "user"),
        **dict.fromkeys(("tool", "function", "function_call_output"), "tool"),
        **dict.fromkeys(("system", "developer", "reasoning"), "other"),
    }
)

# A tool's reply, with the id of its call, which may be empty.
_Result = tuple[str, Json]


# The messages of LangChain by the class that its dumps name.
_CLASSES: Final = MappingProxyType(
    {
        **dict.fromkeys(("AIMessage", "AIMessageChunk"), "ai"),
        **dict.fromkeys(("HumanMessage", "HumanMessageChunk"), "human"),
        **dict.fromkeys(("ToolMessage", "ToolMessageChunk"), "tool"),
        **dict.fromkeys(("SystemMessage", "SystemMessageChunk"), "system"),
    }
)


def without_constructor(item: Json) -> Json:
    """A message without what LangChain's `dumps` writes around it: `lc`, `type`, `id`, `kwargs`."""
    fields = member(item, "kwargs")
    path = member(item, "id")
    if not isinstance(fields, Mapping) or not isinstance(path, list) or not path:
        return item
    named = _CLASSES.get(path[-1]) if isinstance(path[-1], str) else None
    return {**fields, "type": named} if named else item


def is_conversation(value: Json) -> bool:
    """Whether a value is a list of messages, of which at least one is the model's."""
    if not isinstance(value, list) or not value:
        return False
    speakers = [_speaker(without_constructor(item)) for item in value]
    return "model" in speakers and None not in speakers


@dataclass(slots=True)
class _OpenTurn:
    """A turn to which tools may still reply: by the id of a call, and in the order of replies."""

    reply: Reply
    asked: str
    by_id: dict[str, Json] = field(default_factory=dict)
    listed: list[Json] = field(default_factory=list)

    def closed(self) -> Turn:
        return Turn(self.reply, _in_order(self.reply.calls, self.by_id, self.listed), self.asked)


def read_conversation(items: Sequence[Json]) -> tuple[Turn, ...]:
    """The model's turns, each with the tools' replies to its calls and the user's last message.

    Consecutive messages of the model are one turn: the Responses API writes each call as an item
    of its own, and some harnesses part a text from its calls.
    """
    turns: list[_OpenTurn] = []
    asked = ""
    before = None
    for item in chain.from_iterable(map(model_messages, map(without_constructor, items))):
        speaker = _speaker(item)
        results = _results(item)
        if speaker == "model":
            reply = _reply(item, len(turns))
            if before == "model":
                turns[-1].reply = _joined(turns[-1].reply, reply)
            else:
                turns.append(_OpenTurn(reply, asked))
        elif results and turns:
            turns[-1].by_id |= {call_id: result for call_id, result in results if call_id}
            turns[-1].listed += [result for _, result in results]
        elif speaker == "user":
            asked = message_text(item)
        if speaker != "other":
            before = speaker
    return tuple(turn.closed() for turn in turns)


def last_question(items: Sequence[Json]) -> str:
    """The text of the user's last message, which may have no role."""
    messages = map(without_constructor, reversed(items))
    asked = (item for item in messages if _speaker(item) in ("user", None))
    return next((text for item in asked if not _results(item) and (text := message_text(item))), "")


def message_text(message: Json) -> str:
    """The text of a message in any dialect, without what is around it."""
    content = joined_parts(member(_inner(message), "content", "parts"))
    return content.strip() if isinstance(content, str) else ""


def turns_after_question(
    turns: Sequence[Turn], questions: Sequence[str], last: str
) -> Sequence[Turn]:
    """The turns between the user's message that is the question and the user's next message.

    Those before may be examples that the harness showed to the model, and those after are further
    attempts. If no message is one of the `questions`, it is in the user's `last` one.
    """
    known = {question.strip() for question in questions}
    asked = next((turn.asked for turn in turns if turn.asked in known), last)
    return [turn for turn in turns if turn.asked == asked]


def turns_of_agent(
    turns: Sequence[Turn], question: str, last: str, tools: Sequence[Tool]
) -> Sequence[Turn]:
    """The turns of an agent from the question to its answer. Later turns are left out.

    The answer is the first turn that calls nothing, or `Finish`. If no message of the user has the
    question in it, the conversation starts with it. Some harnesses give each tool's reply as the
    user's message; then a turn with calls goes on.
    """
    asked = [single_spaced(turn.asked) for turn in turns]
    starts = [number for number, text in enumerate(asked) if single_spaced(question) in text]
    if not starts and single_spaced(question) in single_spaced(last):
        return []
    begun = turns[starts[0] :] if starts else turns
    ends = (number for number, turn in enumerate(begun, 1) if _is_answer(turn.reply, tools))
    return begun[: next(ends, len(begun))]


def _is_answer(reply: Reply, tools: Sequence[Tool]) -> bool:
    if reply.calls:
        return reply.calls[-1].name == FINISH
    return not looks_like_call(reply.text or "", tools)


def steps_of(turns: Sequence[Turn]) -> list[Json]:
    """All calls as steps with the tools' replies."""
    steps = []
    for turn in turns:
        for call, observation in zip(turn.reply.calls, turn.observations, strict=True):
            step: dict[str, Json] = {"tool": call.name, "tool_input": call.arguments}
            if observation is not None:
                step["observation"] = observation
            steps.append(step)
    return steps


def counted_turn(turns: Sequence[Turn], *, has_tools: bool) -> Turn:
    """The turn after a question that counts as the answer to it.

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
    text = "\n\n".join(texts) or None
    calls = (*before.calls, *reply.calls)
    return Reply(text, calls, ending=reply.ending)


def _speaker(item: Json) -> str | None:
    named = member(item, "role") or member(item, "type")
    if named == "message":
        named = member(item, "role")
    return _SPEAKERS.get(named) if isinstance(named, str) else None


def _inner(item: Json) -> Json:
    """The message itself, which LangChain's dumps have in `data`."""
    data = member(item, "data")
    return data if isinstance(data, Mapping) else item


def _reply(item: Mapping[str, Json], turn: int) -> Reply:
    """One message of the model."""
    if member(item, "type") in ("message", "function_call"):
        text, calls = read_output_items([item])
        calls = calls or read_blocks(member(item, "content"))[1]  # of Anthropic's body
        return Reply(text, calls, ending=ending_of(member(item, "stop_reason")))
    if isinstance(item.get("parts"), list):
        return Reply(*read_parts(item["parts"]))
    return read_message(_inner(item), turn)


def read_message(message: Json, turn: int = 0) -> Reply:
    """One message of a model, with its calls beside or among its content."""
    text, calls = read_chat_message(message, turn)
    calls = calls or read_blocks(member(message, "content"))[1]
    details = member(message, "response_metadata")  # LangChain's
    reasons = [member(place, "stop_reason", "finish_reason") for place in (message, details)]
    return Reply(text, calls, ending=ending_of(*reasons))


def _results(item: Json) -> list[_Result]:
    """The tools' replies in a message."""
    if member(item, "type") == "function_call_output":
        return [(_id(item, "call_id"), member(item, "output"))]
    speaker = _speaker(item)
    results: list[_Result] = []
    parts = member(item, "parts", "content")
    if isinstance(parts, list) and speaker in ("user", "tool"):
        for part in parts:
            results += filter(None, (_result_block(part), _function_response(part)))
    if speaker == "tool" and not results:
        return [_tool_message(item)]
    return results


def _id(place: Json, *keys: str) -> str:
    return str(member(place, *keys) or "")


def _tool_message(item: Json) -> _Result:
    """A message of OpenAI or LangChain that is one reply."""
    result = answer_text(member(item, "content"))
    error = member(member(item, "error"), "message")
    return _id(item, "tool_call_id"), result if error is None else result or error


def _function_response(part: Json) -> _Result | None:
    """A reply in a part of Gemini's."""
    answer = member(part, "functionResponse", "function_response")
    if answer is None:
        return None
    result = member(answer, "response")
    inner = member(result, "result", "output")
    return _id(answer, "id"), result if inner is None else inner


def _result_block(part: Json) -> _Result | None:
    """A reply in a block of Anthropic's, Bedrock's or the AI SDK's. It may be empty."""
    bedrock = member(part, "toolResult")
    if not bedrock and member(part, "type") not in ("tool_result", "tool-result"):
        return None
    block = bedrock or part
    return _id(block, "tool_use_id", "toolUseId", "toolCallId"), _result_in(block)


def _result_in(block: Json) -> Json:
    """The reply without what Bedrock and the AI SDK write around it."""
    result = member(block, "content", "output", "result")
    if isinstance(result, list) and len(result) == 1 and member(result[0], "json") is not None:
        return result[0]["json"]
    if member(result, "type") == "json":
        return result.get("value")
    if member(block, "content", "output") is None:
        return result  # as the AI SDK wrote it until version 4
    value = member(result, "value")
    return answer_text(result if value is None else value)
