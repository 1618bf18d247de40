"""A limit for the bodies of a model's replies, because a server may send without end."""

from __future__ import annotations

from collections.abc import AsyncIterator

import httpx2

from leaderboard.limits import REPLY_BYTES, megabytes


async def limit_reply(response: httpx2.Response) -> None:
    """Lets the reading of this reply fail beyond the limit."""
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
