"""Models behind the OpenAI chat-completions protocol: OpenAI itself, and by their address vLLM, Ollama, llama.cpp, others."""

from __future__ import annotations

import json
from typing import Any, Final

import httpx2
import openai

from leaderboard.retries import FATAL_STATUSES, RETRYABLE_STATUSES, CallError, read_retry_after
from leaderboard.types import Json
from runners.models.conversation import (
    NO_CALL_ID,
    Conversation,
    Exchange,
    Reply,
    ToolCall,
    body_of,
    first,
    member,
    one_line,
    tokens,
    tool_call,
)
from runners.tool_registry import openai_definitions

BASE_URL: Final = "https://api.openai.com/v1"
# Of a model's own turn, what the next request gives back. Reasoning models on other servers want their thoughts again.
_ECHOED: Final = ("content", "reasoning_content", "reasoning")
# Says that there is no money left, which no pause mends.
_NO_QUOTA: Final = "insufficient_quota"


class OpenAiModel:
    """A model asked over the OpenAI SDK. Retries are the caller's; `settings` go into every request as they are."""

    def __init__(
        self, name: str, api_key: str, base_url: str, http: httpx2.AsyncClient, **settings: Json
    ) -> None:
        self._name = name
        self._settings = settings
        self._http = http
        self._sdk = openai.AsyncOpenAI(
            api_key=api_key, base_url=base_url, max_retries=0, http_client=http
        )

    async def ask(self, conversation: Conversation) -> Reply:
        request: dict[str, Any] = {
            "model": self._name,
            "messages": messages(conversation),
            **self._settings,
        }
        if conversation.tools:
            request |= {"tools": openai_definitions(conversation.tools), "tool_choice": "auto"}
        try:
            raw = await self._sdk.chat.completions.with_raw_response.create(**request)
        except openai.APIStatusError as error:
            raise _status_error(error) from error
        except openai.OpenAIError as error:
            raise CallError(
                f"no reply: {one_line(str(error.__cause__ or error) or str(error))}", retryable=True
            ) from error
        try:
            body = body_of(raw.http_response.content)
        except ValueError as error:
            raise CallError(str(error), retryable=True) from error
        return read_reply(body, len(conversation.exchanges))

    async def close(self) -> None:
        await self._sdk.close()
        await self._http.aclose()


def _status_error(error: openai.APIStatusError) -> CallError:
    status = error.status_code
    broke = _NO_QUOTA in {error.code, error.type}
    said = member(
        error.body, "message"
    )  # the SDK's own message is the whole body, in Python's spelling
    return CallError(
        f"answered {status}: {one_line(said if isinstance(said, str) else error.response.text or error.message)}",
        retryable=status in RETRYABLE_STATUSES and not broke,
        fatal=status in FATAL_STATUSES or broke,
        retry_after=read_retry_after(error.response.headers),
    )


# ---------------------------------------------------------------- requests


def messages(conversation: Conversation) -> list[Json]:
    """A conversation as `messages`: system, user, then the model's turns with one tool message for each of their calls."""
    opening = [{"role": "system", "content": conversation.system}] if conversation.system else []
    turns = [message for exchange in conversation.exchanges for message in _turn(exchange)]
    return [*opening, {"role": "user", "content": conversation.query}, *turns]


def _turn(exchange: Exchange) -> list[Json]:
    answers = [
        {"role": "tool", "tool_call_id": call.id, "content": _text(observation)}
        for call, observation in zip(exchange.reply.calls, exchange.observations, strict=True)
    ]
    return [exchange.reply.message, *answers]


def _text(observation: Json) -> str:
    return (
        observation if isinstance(observation, str) else json.dumps(observation, ensure_ascii=False)
    )


# ---------------------------------------------------------------- replies


def read_reply(body: Json, turn: int = 0) -> Reply:
    """A chat completion as a Reply: its first choice's text and all calls of it. `turn` numbers calls that have no id."""
    choice = first(member(body, "choices"))
    message = member(choice, "message")
    given = member(message, "tool_calls")
    written = (
        given
        if isinstance(given, list)
        else [call]
        if (call := member(message, "function_call"))
        else []
    )
    calls = tuple(_call(item, turn, position) for position, item in enumerate(written))
    text = _said(message)
    usage = member(body, "usage")
    model = member(body, "model")
    return Reply(
        text=text,
        calls=calls,
        message=_echo(message, written, calls),
        body=body,
        failure=None if text or calls else _failure(choice),
        input_tokens=tokens(member(usage, "prompt_tokens")),
        output_tokens=tokens(member(usage, "completion_tokens")),
        model=model if isinstance(model, str) else None,
    )


def _call(item: Json, turn: int, position: int) -> ToolCall:
    """A call, wrapped in `function` as today or bare as in the protocol's first form."""
    function = member(item, "function") or item
    call_id = member(item, "id") or NO_CALL_ID.format(turn=turn, position=position)
    return tool_call(call_id, member(function, "name"), member(function, "arguments"))


def _said(message: Json) -> str | None:
    """The text of a message; a refusal is what the model has to say."""
    content = member(message, "content")
    if isinstance(content, list):  # some compatible servers send parts
        content = "".join(text for part in content if isinstance(text := member(part, "text"), str))
    said = content if isinstance(content, str) and content.strip() else member(message, "refusal")
    return said if isinstance(said, str) and said.strip() else None


def _failure(choice: Json) -> str | None:
    """Why there is neither text nor a call; None where the model simply said nothing."""
    if choice is None:
        return "the reply holds no choice"
    reason = member(choice, "finish_reason")
    if reason == "content_filter":
        return "the reply was withheld: content_filter"
    if reason == "length":
        return "the reply was cut off before it said anything: length"
    return None


def _echo(message: Json, written: list[Json], calls: tuple[ToolCall, ...]) -> Json:
    """The model's turn as the next request carries it. Servers refuse a history with arguments that are no JSON object."""
    echo: dict[str, Json] = {"role": "assistant"}
    echo |= {name: message[name] for name in _ECHOED if member(message, name) is not None}
    if calls:
        echo["tool_calls"] = [
            _echoed_call(item, call) for item, call in zip(written, calls, strict=True)
        ]
    return echo


def _echoed_call(item: Json, call: ToolCall) -> Json:
    arguments = json.dumps({} if call.problem else call.arguments, ensure_ascii=False)
    function = {"name": call.name, "arguments": arguments}
    extra = (
        {} if not isinstance(item, dict) or "function" not in item else item
    )  # provider's own keys go back, too
    return {**extra, "id": call.id, "type": "function", "function": function}
