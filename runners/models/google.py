"""Gemini models over google-genai, in their native protocol (generateContent)."""

from __future__ import annotations

from typing import Any, Final

import httpx2
from google import genai
from google.genai import errors as google_errors
from google.genai import types as google_types

from leaderboard.responses.forms.gemini_content import read_content
from leaderboard.responses.forms.model_reply import Reply, member, one_line
from leaderboard.retries import CallError, read_retry_after
from leaderboard.types import Json, Message
from runners.models.conversation import Conversation, body_of, status_error
from runners.tool_definitions import gemini_definitions

BASE_URL: Final = "https://generativelanguage.googleapis.com"
# Pinned, because the SDK's default changes between its versions.
API_VERSION: Final = "v1beta"
# An invalid key gets status 400, like a bad request. Only the details tell the difference.
_BAD_KEY: Final = ("API_KEY_INVALID", "API key not valid", "API key expired")


class GoogleModel:
    """A Gemini model. `settings` are fields of GenerateContentConfig. The caller retries."""

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
        options = google_types.HttpOptions(
            base_url=base_url,
            api_version=API_VERSION,
            timeout=max(int(timeout * 1000), 1),
            httpx_async_client=http,
        )
        # The client closes its connections when nothing refers to it.
        self._sdk = genai.Client(vertexai=False, api_key=api_key, http_options=options)

    async def ask(self, conversation: Conversation) -> Reply:
        try:
            response = await self._sdk.aio.models.generate_content(
                model=self._name, contents=conversation.query, config=self._config(conversation)
            )
        except google_errors.APIError as error:
            status = error.code or 0
            message = str(error.message or error.status or "")
            bad_key = status == 400 and any(sign in str(error.details) for sign in _BAD_KEY)
            headers = getattr(error.response, "headers", {})
            retry_after = read_retry_after(headers) or _retry_delay(error.details)
            raise status_error(
                status, message, hopeless=bad_key, retry_after=retry_after
            ) from error
        except (
            httpx2.HTTPError,
            google_errors.UnknownApiResponseError,
            UnicodeDecodeError,
        ) as error:
            cause = str(error) or type(error).__name__
            raise CallError(f"no reply: {one_line(cause)}", retryable=True) from error
        raw = response.sdk_http_response
        text = (raw.body if raw else None) or ""
        return read_content(body_of(text.encode("utf-8", "replace")))

    def _config(self, conversation: Conversation) -> google_types.GenerateContentConfig:
        """The configuration of one request. Conversations go out as plain JSON.

        The model's own turns must go back unchanged, with signatures and unknown fields. The SDK's
        types would drop those.
        """
        config: dict[str, Any] = dict(self._settings)
        if conversation.whole_system:
            config["system_instruction"] = conversation.whole_system
        if conversation.tools:
            config["tools"] = [gemini_definitions(conversation.tools)]
            config["tool_config"] = {"function_calling_config": {"mode": "AUTO"}}
        if conversation.turns or conversation.before:
            config["http_options"] = {"extra_body": {"contents": contents(conversation)}}
        return google_types.GenerateContentConfig(
            **config,
            should_return_http_response=True,
            automatic_function_calling=google_types.AutomaticFunctionCallingConfig(disable=True),
        )

    async def close(self) -> None:
        await self._sdk.aio.aclose()
        await self._http.aclose()


def _retry_delay(details: Json) -> float | None:
    """The seconds in `{"@type": ".../RetryInfo", "retryDelay": "17s"}`, an error detail."""
    for detail in member(member(details, "error"), "details") or ():
        delay = member(detail, "retryDelay")
        if isinstance(delay, str) and delay.endswith("s"):
            return read_retry_after({"retry-after": delay.removesuffix("s")})
    return None


def contents(conversation: Conversation) -> list[Json]:
    """A conversation as `contents`, with one item of function responses after each model's turn."""
    items: list[Json] = []
    for role, content in (*conversation.before, Message("user", conversation.query)):
        shown = "model" if role == "assistant" else role
        items.append({"role": shown, "parts": [{"text": content}]})
    for turn in conversation.turns:
        parts = []
        for call, observation in zip(turn.reply.calls, turn.observations, strict=True):
            answer = {"name": call.name, "response": {"result": observation}}
            if call.id:
                answer["id"] = call.id
            parts.append({"functionResponse": answer})
        items += [turn.reply.message, {"role": "user", "parts": parts}]
    return items
