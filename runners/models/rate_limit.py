"""Asking at a limited rate, with retries. Tests pass a clock of their own, so they never wait."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TypeVar

from leaderboard.network.retries import CallError, RetryPolicy

_Answer = TypeVar("_Answer")


class Clock:
    """The computer's clock: seconds that never go backwards, and a way to sleep."""

    def now(self) -> float:
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


@dataclass(slots=True)
class RateLimit:
    """A token bucket: each request takes a token, and `rate` tokens arrive per second.

    The bucket holds `size` tokens at most and starts empty, so the first request waits like every
    other.
    """

    rate: float
    size: float = 1.0
    tokens: float = 0.0
    _last: float | None = field(default=None, repr=False)

    def take(self, now: float) -> bool:
        """Takes a token at this moment, if there is a whole one. The first call starts the flow."""
        elapsed = 0.0 if self._last is None else max(now - self._last, 0.0)
        self._last = now if self._last is None else max(now, self._last)
        self.tokens = min(self.tokens + elapsed * self.rate, self.size)
        # A wait of exactly 1/rate must be enough despite rounding errors.
        if self.tokens < 1 - 1e-9:
            return False
        self.tokens = max(self.tokens - 1, 0.0)
        return True

    async def wait(self, clock: Clock) -> None:
        """Returns when a token was taken."""
        while not self.take(clock.now()):
            await clock.sleep((1 - self.tokens) / self.rate)


async def ask_with_retries(
    ask: Callable[[], Awaitable[_Answer]],
    policy: RetryPolicy,
    clock: Clock,
    limit: RateLimit | None,
    ready: Callable[[], Awaitable[None]],
) -> tuple[_Answer, float]:
    """The answer and the seconds that the successful attempt took.

    Each attempt begins when `ready` has returned; a wait for it is no part of these seconds. Raises
    the last CallError when the policy gives up.
    """
    attempt = 1
    while True:
        if limit is not None:
            await limit.wait(clock)
        await ready()
        started = clock.now()
        try:
            async with asyncio.timeout(policy.timeout):
                return await ask(), clock.now() - started
        except TimeoutError:
            unit = "second" if policy.timeout == 1 else "seconds"
            what = f"no reply within {policy.timeout:g} {unit}"
            error = CallError(what, retryable=True, timed_out=True)
        except CallError as refused:
            error = refused
        if policy.gives_up(attempt, error):
            raise error
        await clock.sleep(policy.pause(attempt, error.retry_after))
        attempt += 1
