"""How long and how often a model is asked for one reply: tries, pauses, deadlines, and a limit on requests a second.

Nothing is random: the pauses double, or are as long as the server asks. The clock is handed in, so that tests need not wait.
"""

from __future__ import annotations

import asyncio
import email.utils
import math
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Final, Protocol, TypeVar

Answer = TypeVar("Answer")

# Statuses that another try may change. 409 is some gateways' "busy".
PASSING: Final = frozenset({408, 409, 425, 429, *range(500, 600)})
# Statuses that no case can change: the key, the model's name or the address is wrong (a redirect is a wrong address, too).
HOPELESS: Final = frozenset({401, 403, 404, 405, *range(300, 400)})


class CallError(Exception):
    """A request that got no reply. `passing`: another try may; `hopeless`: every other case would end alike."""

    def __init__(
        self,
        message: str,
        *,
        passing: bool = False,
        hopeless: bool = False,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message)
        self.passing = passing
        self.hopeless = hopeless
        self.retry_after = retry_after


class Clock(Protocol):
    """Seconds that only grow, and a way to let some pass."""

    def now(self) -> float: ...

    async def sleep(self, seconds: float) -> None: ...


class SystemClock:
    """The computer's own clock."""

    def now(self) -> float:
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


@dataclass(frozen=True, slots=True)
class Patience:
    """Tries in all, seconds that one try may take, and the pauses between them (seconds): the first, doubled each time, capped.

    A server's Retry-After goes before the doubled pause, up to `longest_wait`.
    """

    tries: int = 5
    timeout: float = 120.0
    first_pause: float = 1.0
    longest_pause: float = 60.0
    longest_wait: float = 120.0

    def pause(self, failed: int, retry_after: float | None = None) -> float:
        """Seconds to wait after the `failed`-th failed try (from 1)."""
        if retry_after is not None:
            return min(max(retry_after, 0.0), self.longest_wait)
        return min(self.first_pause * 2.0 ** min(failed - 1, 60), self.longest_pause)


def retry_after(headers: Mapping[str, str]) -> float | None:
    """What a reply's headers say about when to try again, in seconds; None where they say nothing that can be read."""
    for name, divisor in (("retry-after-ms", 1000), ("retry-after", 1)):
        text = headers.get(name, "").strip()
        try:
            seconds = float(text) / divisor
        except ValueError:
            seconds = _seconds_until(text)
        if math.isfinite(seconds):
            return seconds
    return None


def _seconds_until(date: str) -> float:
    try:
        moment = email.utils.parsedate_to_datetime(date)
    except ValueError:
        return math.nan
    return max(moment.timestamp() - time.time(), 0.0)


@dataclass(slots=True)
class RateLimit:
    """A bucket of tokens, one for each request: `rate` flow in each second, at most `size` are kept. It starts empty.

    So the first request waits like every other, and there is never a burst of more than `size`. Raises ValueError for a rate
    that is not above 0.
    """

    rate: float
    size: float = 1.0
    tokens: float = 0.0
    _last: float | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        if not (self.rate > 0 and math.isfinite(self.rate)):
            raise ValueError("a rate is a number of requests a second, above 0")

    def take(self, now: float) -> bool:
        """Takes a token at this moment, if there is a whole one. The first call starts the flow."""
        elapsed = 0.0 if self._last is None else max(now - self._last, 0.0)
        self._last = now if self._last is None else max(now, self._last)
        self.tokens = min(self.tokens + elapsed * self.rate, self.size)
        if (
            self.tokens < 1 - 1e-9
        ):  # a wait of exactly 1/rate must do, whatever the floats make of it
            return False
        self.tokens = max(self.tokens - 1, 0.0)
        return True

    async def wait(self, clock: Clock) -> None:
        """Comes back when a token was taken."""
        while not self.take(clock.now()):
            await clock.sleep((1 - self.tokens) / self.rate)


async def ask_patiently(
    ask: Callable[[], Awaitable[Answer]],
    patience: Patience,
    clock: Clock,
    limit: RateLimit | None = None,
) -> tuple[Answer, float]:
    """The answer, and the seconds that the try which gave it took. Raises the last CallError when there is none."""
    for attempt in range(1, patience.tries + 1):
        if limit is not None:
            await limit.wait(clock)
        begun = clock.now()
        try:
            async with asyncio.timeout(patience.timeout):
                return await ask(), clock.now() - begun
        except TimeoutError:
            error = CallError(f"no reply within {patience.timeout:g} seconds", passing=True)
        except CallError as refused:
            error = refused
        if not error.passing or attempt == patience.tries:
            raise error
        await clock.sleep(patience.pause(attempt, error.retry_after))
    raise ValueError("a call is tried at least once")
