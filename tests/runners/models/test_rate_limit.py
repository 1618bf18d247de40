"""The rate limit, and retries of models."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from itertools import chain, repeat

import pytest

from leaderboard.network.retries import CallError, RetryPolicy
from runners.models.rate_limit import Clock, RateLimit, ask_with_retries
from tests.runners.model_board import InstantClock


@pytest.mark.parametrize(
    ("rate", "size", "seconds", "allowed"),
    [(1, 1, 1.0, True), (1, 1, 0.5, False), (2, 1, 0.5, True), (0.1, 1, 9.9, False)],
)
def test_tokens_arrive_at_the_rate(rate: float, size: float, seconds: float, allowed: bool) -> None:
    """The first call starts the clock and gets nothing. A token arrives after 1/rate seconds."""
    bucket = RateLimit(rate, size)
    assert (bucket.take(5.0), bucket.take(5.0 + seconds)) == (False, allowed)


def test_a_bucket_holds_no_more_than_its_size() -> None:
    """A bucket of ten never holds more, so that nine are left after one is taken."""
    bucket = RateLimit(60, 10)
    bucket.take(0.0)
    assert (bucket.take(100.0), bucket.tokens) == (True, 9.0)


def test_latency_is_that_of_the_successful_attempt() -> None:
    """The latency leaves out failed attempts and pauses."""
    clock = InstantClock()
    outcomes: Iterator[str] = chain(["fail"], repeat("fine"))

    async def ask() -> str:
        clock.time += 3.0
        outcome = next(outcomes)
        if outcome == "fail":
            raise CallError("busy", retryable=True)
        return outcome

    async def ready() -> None:
        """Takes no time."""

    asked = asyncio.run(ask_with_retries(ask, RetryPolicy(), clock, None, ready))
    assert asked == ("fine", 3.0)
    assert clock.slept == [1.0]


def test_the_system_clock_runs() -> None:
    """The system clock goes forward, and sleeping takes at least as long as requested."""
    clock = Clock()
    before = clock.now()
    asyncio.run(clock.sleep(0.01))
    assert clock.now() - before >= 0.009
