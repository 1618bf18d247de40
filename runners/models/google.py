"""Gemini models over google-genai, in their native protocol (generateContent)."""

from __future__ import annotations

from typing import Any, Final

import httpx2
from google import genai
from google.genai import errors as google_errors
from google.genai import types as google_types

from leaderboard.retries import FATAL_STATUSES, RETRYABLE_STATUSES, CallError, read_retry_after
from leaderboard.types import Json
from runners.models.conversation import (
    Conversation,
    Exchange,
    Reply,
    body_of,
    first,
    member,
    one_line,
    tokens,
    tool_call,
)
from runners.tool_registry import gemini_definitions

BASE_URL: Final = "https://generativelanguage.googleapis.com"
# Pinned: the SDK's own default moves between its versions.
API_VERSION: Final = "v1beta"
# A key that is not valid is answered with 400, like a bad request; the details tell them apart.
_BAD_KEY: Final = ("API_KEY_INVALID", "API key not valid", "API key expired")
# How a candidate ends that says what it has to say.
_ENDINGS: Final = frozenset({None, "STOP", "FINISH_REASON_UNSPECIFIED"})


class GoogleModel:
    """A Gemini model asked over google-genai. Retries are the caller's; `settings` are fields of GenerateContentConfig."""

    def __init__(
        self,
        name: str,
        api_key: str,
        base_url: str,
        http: httpx2.AsyncClient,
        timeout: float,
        **settings: Json,
    ) -> None:
        self._name = name
        self._settings = settings
        self._http = http
        self._secret = api_key
        options = google_types.HttpOptions(
            base_url=base_url,
            api_version=API_VERSION,
            timeout=max(int(timeout * 1000), 1),
            httpx_async_client=http,
        )
        # Kept for as long as it is used: a client that nobody refers to closes its connections.
        self._sdk = genai.Client(vertexai=False, api_key=api_key, http_options=options)

    async def ask(self, conversation: Conversation) -> Reply:
        try:
            response = await self._sdk.aio.models.generate_content(
                model=self._name, contents=conversation.query, config=self._config(conversation)
            )
        except google_errors.APIError as error:
            raise _status_error(error) from error
        except (
            httpx2.HTTPError,
            google_errors.UnknownApiResponseError,
            UnicodeDecodeError,
        ) as error:
            raise CallError(
                f"no reply: {one_line(str(error) or type(error).__name__)}", retryable=True
            ) from error
        raw = response.sdk_http_response
        try:
            body = body_of(((raw.body if raw else None) or "").encode("utf-8", "replace"))
        except ValueError as error:
            raise CallError(str(error), retryable=True) from error
        return read_reply(body)

    def _config(self, conversation: Conversation) -> google_types.GenerateContentConfig:
        """One request's configuration. From the second turn on the contents go out as plain JSON.

        What the model said must come back exactly as it was, signatures and unknown fields included; the SDK's own types
        would not let those through.
        """
        config: dict[str, Any] = dict(self._settings)
        if conversation.system:
            config["system_instruction"] = conversation.system
        if conversation.tools:
            config["tools"] = [gemini_definitions(conversation.tools)]
            config["tool_config"] = {"function_calling_config": {"mode": "AUTO"}}
        if conversation.exchanges:
            config["http_options"] = {"extra_body": {"contents": contents(conversation)}}
        return google_types.GenerateContentConfig(
            **config,
            should_return_http_response=True,
            automatic_function_calling=google_types.AutomaticFunctionCallingConfig(disable=True),
        )

    async def close(self) -> None:
        await self._sdk.aio.aclose()
        await self._http.aclose()


def _status_error(error: google_errors.APIError) -> CallError:
    status = error.code or 0
    said = str(error.message or error.status or "")
    bad_key = status == 400 and any(sign in str(error.details) for sign in _BAD_KEY)
    headers = getattr(error.response, "headers", {})
    return CallError(
        f"answered {status}: {one_line(said)}",
        retryable=status in RETRYABLE_STATUSES,
        fatal=status in FATAL_STATUSES or bad_key,
        retry_after=read_retry_after(headers) or _retry_delay(error.details),
    )


def _retry_delay(details: Json) -> float | None:
    """The pause that Google's error details ask for: `{"@type": ".../RetryInfo", "retryDelay": "17s"}`."""
    for detail in member(member(details, "error"), "details") or ():
        delay = member(detail, "retryDelay")
        if isinstance(delay, str) and delay.endswith("s"):
            return read_retry_after({"retry-after": delay.removesuffix("s")})
    return None


# ---------------------------------------------------------------- requests


def contents(conversation: Conversation) -> list[Json]:
    """A conversation as `contents`: the query, then the model's turns with one turn of function responses after each."""
    opening = {"role": "user", "parts": [{"text": conversation.query}]}
    return [opening, *(turn for exchange in conversation.exchanges for turn in _turns(exchange))]


def _turns(exchange: Exchange) -> list[Json]:
    answers = zip(exchange.reply.calls, exchange.observations, strict=True)
    parts = [
        {
            "functionResponse": {
                **({"id": call.id} if call.id else {}),
                "name": call.name,
                "response": {"result": observation},
            }
        }
        for call, observation in answers
    ]
    return [exchange.reply.message, {"role": "user", "parts": parts}]


# ---------------------------------------------------------------- replies


def read_reply(body: Json) -> Reply:
    """A generateContent reply as a Reply: all parts of its first candidate, thoughts left out, in either spelling."""
    candidate = first(member(body, "candidates"))
    content = member(candidate, "content")
    given = member(content, "parts")
    parts = given if isinstance(given, list) else []
    spoken = [
        text
        for part in parts
        if not member(part, "thought") and isinstance(text := member(part, "text"), str)
    ]
    written = [
        call
        for part in parts
        if (call := member(part, "functionCall", "function_call")) is not None
    ]
    calls = tuple(
        tool_call(member(call, "id"), member(call, "name"), member(call, "args", "arguments"))
        for call in written
    )
    text = "".join(spoken)
    usage = member(body, "usageMetadata", "usage_metadata")
    model = member(body, "modelVersion", "model_version")
    return Reply(
        text=text if text.strip() else None,
        calls=calls,
        message={**content, "role": "model"}
        if isinstance(content, dict)
        else {"role": "model", "parts": []},
        body=body,
        failure=None if text.strip() or calls else _failure(body, candidate),
        input_tokens=tokens(member(usage, "promptTokenCount", "prompt_token_count")),
        output_tokens=_output_tokens(usage),
        model=model if isinstance(model, str) else None,
    )


def _output_tokens(usage: Json) -> int | None:
    """What the model wrote, thoughts included: they are paid for alike."""
    written = tokens(member(usage, "candidatesTokenCount", "candidates_token_count"))
    thought = tokens(member(usage, "thoughtsTokenCount", "thoughts_token_count"))
    return None if written is None and thought is None else (written or 0) + (thought or 0)


def _failure(body: Json, candidate: Json) -> str | None:
    """Why there is neither text nor a call; None where the model simply said nothing."""
    blocked = member(
        member(body, "promptFeedback", "prompt_feedback"), "blockReason", "block_reason"
    )
    if isinstance(blocked, str):
        return f"the prompt was blocked: {one_line(blocked)}"
    if candidate is None:
        return "the reply holds no candidate"
    reason = member(candidate, "finishReason", "finish_reason")
    if reason in _ENDINGS:
        return None
    message = member(candidate, "finishMessage", "finish_message")
    more = f" ({one_line(message)})" if isinstance(message, str) else ""
    return f"the reply ended with {one_line(str(reason))}{more}"
