"""Gemini models over google-genai, in their native protocol (generateContent)."""

from __future__ import annotations

from typing import Any, Final

import httpx2
from google import genai
from google.genai import errors as google_errors
from google.genai import types as google_types

from leaderboard.network.endpoints import ADDRESSES, gemini_options
from leaderboard.network.retries import read_retry_after
from leaderboard.responses.forms.gemini_content import read_content
from leaderboard.responses.forms.model_reply import Reply, first, member
from leaderboard.types import Json
from runners.models.model_interface import Conversation
from runners.models.model_settings import ModelSettings
from runners.models.request_bodies import gemini_body
from runners.models.server_errors import body_of, no_reply, refuse_error, status_error

# An invalid key gets status 400, like a bad request. Only the details tell the difference.
_BAD_KEY: Final = ("API_KEY_INVALID", "API key not valid", "API key expired")


class GoogleModel:
    """A Gemini model. The caller retries."""

    def __init__(
        self, model: ModelSettings, api_key: str, http: httpx2.AsyncClient, timeout: float
    ) -> None:
        self._model = model
        self._http = http
        options = google_types.HttpOptions(
            base_url=model.base_url
            or (None if model.provider == "vertex" else ADDRESSES["google"]),
            headers=dict(model.headers),
            httpx_async_client=http,
            **gemini_options(model.base_url, timeout),
        )
        # The client closes its connections when nothing refers to it.
        self._sdk = genai.Client(
            vertexai=model.provider == "vertex",
            # Vertex AI also takes the account of this computer, with a project and a location.
            api_key=api_key or None,
            http_options=options,
        )

    async def ask(self, conversation: Conversation) -> Reply:
        try:
            response = await self._sdk.aio.models.generate_content(
                model=self._model.name,
                contents=conversation.query,
                config=self._config(conversation),
            )
        except google_errors.APIError as error:
            status = error.code or 0
            message = str(error.message or error.status or "")
            bad_key = status == 400 and any(sign in str(error.details) for sign in _BAD_KEY)
            headers = getattr(error.response, "headers", {})
            retry_after = read_retry_after(headers) or _retry_delay(error.details)
            raise status_error(
                status,
                message,
                hopeless=bad_key,
                retry_after=retry_after,
                means=401 if bad_key else None,
                location=headers.get("location"),
            ) from error
        except (
            httpx2.HTTPError,
            google_errors.UnknownApiResponseError,
            UnicodeDecodeError,
        ) as error:
            cause = str(error) or type(error).__name__
            timed_out = isinstance(error, httpx2.TimeoutException)
            raise no_reply(cause, timed_out=timed_out) from error
        raw = response.sdk_http_response
        text = (raw.body if raw else None) or ""
        said = body_of(text.encode("utf-8", "replace"))
        reply = read_content(said)
        is_blocked = member(said, "promptFeedback", "prompt_feedback") is not None
        has_candidate = first(said.get("candidates")) is not None
        refuse_error(
            reply,
            said.get("error"),
            None if has_candidate or is_blocked else "it contains no candidate",
            retry_after=_retry_delay(said),
        )
        return reply

    def _config(self, conversation: Conversation) -> google_types.GenerateContentConfig:
        """The configuration of one request. Conversations go out as plain JSON.

        The model's own turns must go back unchanged, with signatures and unknown fields. The SDK's
        types would drop those.
        """
        body = gemini_body(self._model, conversation)
        turns = body.pop("contents")
        config: dict[str, Any] = {**body.pop("generation_config", {}), **body}
        extra = dict(self._model.extra_body)
        if conversation.turns or conversation.before:
            extra["contents"] = turns
        if extra:
            config["http_options"] = {"extra_body": extra}
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
