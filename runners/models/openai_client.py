"""Models behind the OpenAI chat-completions protocol: OpenAI, vLLM, Ollama, llama.cpp, …"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import httpx2
import openai

from leaderboard.network.endpoints import ADDRESSES
from leaderboard.network.retries import read_retry_after
from leaderboard.responses.forms.model_reply import Reply, ToolCall, first, member
from leaderboard.responses.forms.openai_chat import read_chat, written_calls
from leaderboard.types import Json
from runners.models.model_interface import Conversation
from runners.models.model_settings import ModelSettings
from runners.models.request_bodies import openai_body
from runners.models.server_errors import body_of, no_reply, refuse_error, status_error

# What the next request repeats of a model's turn. Some servers want the thoughts of their models.
_ECHOED: Final = ("content", "reasoning_content", "reasoning")
# The account has no money left, so no later attempt succeeds.
_NO_QUOTA: Final = "insufficient_quota"


class OpenAiModel:
    """A model asked through the OpenAI SDK. The caller retries."""

    def __init__(self, model: ModelSettings, api_key: str, http: httpx2.AsyncClient) -> None:
        self._model = model
        self._http = http
        self._sdk = openai.AsyncOpenAI(
            api_key=api_key,
            base_url=model.base_url or ADDRESSES["openai"],
            max_retries=0,
            http_client=http,
            default_headers=dict(model.headers),
        )

    async def ask(self, conversation: Conversation) -> Reply:
        body = openai_body(self._model, conversation)
        extra = dict(self._model.extra_body)
        try:
            raw = await self._sdk.chat.completions.with_raw_response.create(
                **body, extra_body=extra or None
            )
        except openai.APIStatusError as error:
            # The SDK's own message is the whole body, written as a Python value.
            message = member(error.body, "message")
            if not isinstance(message, str):
                message = error.response.text or error.message
            raise status_error(
                error.status_code,
                message,
                hopeless=_NO_QUOTA in {error.code, error.type},
                retry_after=read_retry_after(error.response.headers),
                location=error.response.headers.get("location"),
            ) from error
        except openai.OpenAIError as error:
            cause = str(error.__cause__ or error) or str(error)
            timed_out = isinstance(error, openai.APITimeoutError)
            raise no_reply(cause, timed_out=timed_out) from error
        reply = read_reply(body_of(raw.http_response.content), len(conversation.turns))
        _refuse_error(reply, read_retry_after(raw.http_response.headers))
        return reply

    async def close(self) -> None:
        await self._sdk.close()
        await self._http.aclose()


def _refuse_error(reply: Reply, retry_after: float | None) -> None:
    """Raises CallError for a reply without a choice, or one whose choice an error ended.

    Such a choice may hold half a text.
    """
    choice = first(member(reply.body, "choices"))
    error = member(reply.body, "error") or member(choice, "error")
    missing = "it contains no choice" if choice is None else None
    if member(choice, "finish_reason") == "error":
        missing = "it ended early"
    no_credit = _NO_QUOTA in (member(error, "code"), member(error, "type"))
    refuse_error(reply, error, missing, no_credit=no_credit, retry_after=retry_after)


def read_reply(body: Json, turn: int = 0) -> Reply:
    """A reply with its turn for the next request. `turn` numbers calls that have no id."""
    reply = read_chat(body, turn)
    message = member(first(member(body, "choices")), "message")
    return replace(reply, message=_echo(message, reply.calls), body=body)


def _echo(message: Json, calls: Sequence[ToolCall]) -> Json:
    """The model's turn for the next request. Servers refuse arguments that are no JSON object."""
    echo: dict[str, Json] = {"role": "assistant"}
    echo |= {name: message[name] for name in _ECHOED if member(message, name) is not None}
    if not calls:
        return echo
    echo["tool_calls"] = []
    for item, call in zip(written_calls(message), calls, strict=True):
        arguments = json.dumps({} if call.problem else call.arguments, ensure_ascii=False)
        function = {"name": call.name, "arguments": arguments}
        # The provider's own keys go back too.
        own_keys = item if isinstance(item, dict) and "function" in item else {}
        echoed = {**own_keys, "id": call.id, "type": "function", "function": function}
        echo["tool_calls"].append(echoed)
    return echo
