"""The requests that models get, as each provider's API takes them. Needs no SDK.

`lb run` sends them, and `lb requests` writes them for one's own harness or a batch API.
"""

from __future__ import annotations

from leaderboard.types import Json, Message
from runners.apis.api_client import as_text
from runners.models.model_interface import Conversation
from runners.models.model_settings import ModelSettings
from runners.models.tool_definitions import (
    anthropic_definitions,
    gemini_definitions,
    openai_definitions,
)


def openai_body(model: ModelSettings, conversation: Conversation) -> dict[str, Json]:
    """The body of a chat completion."""
    body: dict[str, Json] = {"model": model.name, "messages": messages(conversation)}
    # OpenAI's own models refuse `max_tokens`, and many compatible servers know nothing else.
    limit = "max_tokens" if model.base_url else "max_completion_tokens"
    body |= _given(
        temperature=model.temperature,
        seed=model.seed,
        reasoning_effort=model.reasoning_effort,
        **{limit: model.max_tokens},
    )
    if conversation.tools:
        body |= {"tools": openai_definitions(conversation.tools), "tool_choice": "auto"}
    return body


def anthropic_body(model: ModelSettings, conversation: Conversation) -> dict[str, Json]:
    """The body of a request to the Messages API."""
    body: dict[str, Json] = {
        "model": model.name,
        "max_tokens": model.reply_limit,
        "messages": _anthropic_messages(conversation),
    }
    body |= _given(temperature=model.temperature)
    if conversation.whole_system:
        body["system"] = conversation.whole_system
    if model.reasoning_effort is not None:
        body["output_config"] = {"effort": model.reasoning_effort}
    if conversation.tools:
        definitions = anthropic_definitions(conversation.tools)
        body |= {"tools": definitions, "tool_choice": {"type": "auto"}}
    return body


def gemini_body(model: ModelSettings, conversation: Conversation) -> dict[str, Json]:
    """The body of a generateContent request. The model's name is part of its address."""
    body: dict[str, Json] = {"contents": contents(conversation)}
    if conversation.whole_system:
        part = {"text": conversation.whole_system}
        body["system_instruction"] = {"role": "user", "parts": [part]}
    if conversation.tools:
        body["tools"] = [gemini_definitions(conversation.tools)]
        body["tool_config"] = {"function_calling_config": {"mode": "AUTO"}}
    settings = _given(
        temperature=model.temperature, max_output_tokens=model.max_tokens, seed=model.seed
    )
    if model.reasoning_effort is not None:
        settings["thinking_config"] = {"thinking_level": model.reasoning_effort.upper()}
    return {**body, "generation_config": settings} if settings else body


def _given(**settings: Json) -> dict[str, Json]:
    return {name: value for name, value in settings.items() if value is not None}


def messages(conversation: Conversation) -> list[Json]:
    """A conversation as OpenAI's `messages`, with one tool message for each call of a turn."""
    items: list[Json] = []
    if conversation.whole_system:
        items.append({"role": "system", "content": conversation.whole_system})
    items += _said(conversation)
    # The protocol wants the answers right after the turn with the calls, in the same order.
    for turn in conversation.turns:
        items.append(turn.reply.message)
        for call, answer in zip(turn.reply.calls, turn.observations, strict=True):
            items.append({"role": "tool", "tool_call_id": call.id, "content": as_text(answer)})
    return items


def contents(conversation: Conversation) -> list[Json]:
    """A conversation as Gemini's `contents`, with one item of function responses after a turn."""
    items: list[Json] = []
    for message in _said(conversation):
        role = "model" if message["role"] == "assistant" else message["role"]
        items.append({"role": role, "parts": [{"text": message["content"]}]})
    for turn in conversation.turns:
        parts = []
        for call, observation in zip(turn.reply.calls, turn.observations, strict=True):
            answer = {"name": call.name, "response": {"result": observation}}
            if call.id:
                answer["id"] = call.id
            parts.append({"functionResponse": answer})
        items += [turn.reply.message, {"role": "user", "parts": parts}]
    return items


def _anthropic_messages(conversation: Conversation) -> list[Json]:
    items: list[Json] = list(_said(conversation))
    for turn in conversation.turns:
        results = [
            {"type": "tool_result", "tool_use_id": call.id, "content": as_text(answer)}
            for call, answer in zip(turn.reply.calls, turn.observations, strict=True)
        ]
        items += [turn.reply.message, {"role": "user", "content": results}]
    return items


def _said(conversation: Conversation) -> list[dict[str, str]]:
    """The earlier messages and the question."""
    asked = Message("user", conversation.query)
    return [{"role": role, "content": text} for role, text in (*conversation.before, asked)]
