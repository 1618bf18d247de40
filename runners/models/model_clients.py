"""The client of a model. An SDK is imported only for its own models."""

from __future__ import annotations

from collections.abc import AsyncIterator

import httpx2

from leaderboard.limits import REPLY_BYTES, megabytes
from leaderboard.network.endpoints import connection_options
from runners.models.model_interface import Model
from runners.models.model_settings import ModelSettings


def open_model(model: ModelSettings, key: str, timeout: float, connections: int) -> Model:
    """A client for the model, for use in an event loop. `timeout` is in seconds."""
    http = httpx2.AsyncClient(
        **connection_options(model.base_url, timeout),
        event_hooks={"response": [limit_reply]},
        limits=httpx2.Limits(max_connections=connections, max_keepalive_connections=connections),
    )
    if model.provider == "anthropic":
        from runners.models.anthropic_client import AnthropicModel  # noqa: PLC0415 - an extra

        return AnthropicModel(model, key, http, timeout)
    if model.provider in ("google", "vertex"):
        from runners.models.google_client import GoogleModel  # noqa: PLC0415 - takes half a second

        return GoogleModel(model, key, http, timeout)
    from runners.models.openai_client import OpenAiModel  # noqa: PLC0415 - takes half a second

    return OpenAiModel(model, key, http)


async def limit_reply(response: httpx2.Response) -> None:
    """Lets the reading of this reply fail beyond a limit, because a server may send without end."""
    if isinstance(response.stream, httpx2.AsyncByteStream):
        response.stream = _LimitedStream(response.stream)


class _LimitedStream(httpx2.AsyncByteStream):
    """A body that raises ReadError beyond the limit."""

    def __init__(self, stream: httpx2.AsyncByteStream) -> None:
        self._stream = stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        size = 0
        async for part in self._stream:
            size += len(part)
            if size > REPLY_BYTES:
                limit = megabytes(REPLY_BYTES)
                raise httpx2.ReadError(f"it is longer than {limit}, the limit of a reply")
            yield part

    async def aclose(self) -> None:
        await self._stream.aclose()
