"""When to repeat a request to a model or a judge: the policy, and the error that it looks at.

Nothing is random: the pauses double, or are as long as the server asks.
"""

from __future__ import annotations

import email.utils
import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeVar

Reply = TypeVar("Reply")
ReplyForm = Literal["web page", "event stream"]

# Statuses that another attempt may change. Some gateways answer 409 for "busy".
RETRYABLE_STATUSES: Final = frozenset({408, 409, 425, 429, *range(500, 600)})
# Statuses that every other request would get too: the key, the model's name or the address is
# wrong. A redirect is a wrong address.
FATAL_STATUSES: Final = frozenset({401, 403, 404, 405, *range(300, 400)})


class CallError(Exception):
    """A request that got no reply.

    `retryable`: another attempt may succeed. `fatal`: every other request would fail too.
    `retry_after`: the pause in seconds that the server asks for. `status`: what the server
    answered, if it did. `timed_out`: it did not answer in time. `taken`: the tokens in and out that
    a refused reply reports, None for a side that it does not. `form`: what a reply is in place of
    JSON, if that can be seen.
    """

    taken: tuple[int | None, int | None] | None = None
    form: ReplyForm | None = None

    def __init__(
        self,
        message: str,
        *,
        retryable: bool = False,
        fatal: bool = False,
        retry_after: float | None = None,
        status: int | None = None,
        timed_out: bool = False,
    ) -> None:
        super().__init__(message)
        self.retryable = retryable
        self.fatal = fatal
        self.retry_after = retry_after
        self.status = status
        self.timed_out = timed_out


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How often a request is made, how long one attempt may take, and the pauses between them.

    All times are in seconds. The first pause doubles with each attempt, up to the longest one.
    A server's Retry-After replaces the doubled pause, up to `longest_wait`.
    """

    attempts: int = 5
    timeout: float = 120.0
    first_pause: float = 1.0
    longest_pause: float = 60.0
    longest_wait: float = 120.0

    def gives_up(self, attempt: int, error: CallError) -> bool:
        """Whether the error of this attempt (from 1) is final."""
        return not error.retryable or attempt >= self.attempts

    def pause(self, attempt: int, retry_after: float | None) -> float:
        """The seconds to wait after this failed attempt (from 1)."""
        if retry_after is not None:
            return min(max(retry_after, 0.0), self.longest_wait)
        # The exponent is capped because a float overflows beyond it.
        return min(self.first_pause * 2.0 ** min(attempt - 1, 60), self.longest_pause)


def call_with_retries(
    call: Callable[[], Reply],
    policy: RetryPolicy,
    sleep: Callable[[float], None],
) -> Reply:
    """Repeats a call until it returns. Raises the last CallError when the policy gives up."""
    attempt = 1
    while True:
        try:
            return call()
        except CallError as error:
            if policy.gives_up(attempt, error):
                raise
            sleep(policy.pause(attempt, error.retry_after))
        attempt += 1


def read_retry_after(headers: Mapping[str, str]) -> float | None:
    """Reads from a reply's headers in how many seconds to try again; None if they do not say."""
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
