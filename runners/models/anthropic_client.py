"""Anthropic's models over its SDK (Messages API)."""

from __future__ import annotations

from dataclasses import replace

import anthropic
import httpx2

from leaderboard.network.endpoints import ADDRESSES
from leaderboard.network.retries import read_retry_after
from leaderboard.responses.forms.anthropic_message import NO_CREDIT, read_anthropic_body
from leaderboard.responses.forms.model_reply import Reply, member
from leaderboard.types import Json
from runners.models.model_interface import Conversation
from runners.models.model_settings import ModelSettings
from runners.models.request_bodies import anthropic_body
from runners.models.server_errors import body_of, no_reply, refuse_error, status_error


class AnthropicModel:
    """A model asked through Anthropic's SDK. The caller retries."""

    def __init__(
        self, model: ModelSettings, api_key: str, http: httpx2.AsyncClient, timeout: float
    ) -> None:
        self._model = model
        self._http = http
        self._sdk = anthropic.AsyncAnthropic(
            api_key=api_key,
            base_url=model.base_url or ADDRESSES["anthropic"],
            max_retries=0,
            timeout=timeout,  # without one, the SDK refuses long replies that are not streamed
            http_client=http,
            default_headers=dict(model.headers),
        )

    async def ask(self, conversation: Conversation) -> Reply:
        body = anthropic_body(self._model, conversation)
        # The SDK's types do not have every field of the API.
        extra = {name: body.pop(name) for name in ("temperature",) if name in body}
        extra |= self._model.extra_body
        create = self._sdk.messages.with_raw_response.create
        try:
            raw = await create(**body, extra_body=extra or None)
        except anthropic.APIStatusError as error:
            message = member(member(error.body, "error"), "message")
            if not isinstance(message, str):
                message = error.response.text or error.message
            raise status_error(
                error.status_code,
                message,
                hopeless=NO_CREDIT in message,
                means=402 if NO_CREDIT in message else None,
                retry_after=read_retry_after(error.response.headers),
                location=error.response.headers.get("location"),
            ) from error
        except anthropic.AnthropicError as error:
            cause = str(error.__cause__ or error) or str(error)
            timed_out = isinstance(error, anthropic.APITimeoutError)
            raise no_reply(cause, timed_out=timed_out) from error
        said = body_of(raw.http_response.content)
        reply = read_reply(said)
        has_content = isinstance(said.get("content"), list)
        refuse_error(
            reply,
            said.get("error"),
            None if has_content else "it contains no content",
            retry_after=read_retry_after(raw.http_response.headers),
        )
        return reply

    async def close(self) -> None:
        await self._sdk.close()
        await self._http.aclose()


def read_reply(body: Json) -> Reply:
    """A reply with its turn for the next request: all blocks, thoughts and signatures included."""
    message = {"role": "assistant", "content": member(body, "content")}
    return replace(read_anthropic_body(body), message=message, body=body)
