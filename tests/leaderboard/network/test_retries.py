"""The retry policy of requests to models and judges."""

from __future__ import annotations

import pytest

from leaderboard.network.retries import CallError, RetryPolicy, call_with_retries, read_retry_after
from tests.each_row import each_row


def test_pauses_double_up_to_a_limit() -> None:
    """Pauses last 1, 2, 4, ... seconds, at most 60. A server may ask for up to two minutes."""
    policy = RetryPolicy()
    assert [policy.pause(failed, None) for failed in (1, 2, 3, 7, 500)] == [
        1.0,
        2.0,
        4.0,
        60.0,
        60.0,
    ]
    assert [policy.pause(1, asked) for asked in (0.0, 7.5, 3600.0, -3.0)] == [0.0, 7.5, 120.0, 0.0]


@each_row(
    ("header", "seconds"),
    [
        ("7", 7.0),
        ("0.25", 0.25),
        ("Wed, 21 Oct 2015 07:28:00 GMT", 0.0),
        ("soon", None),
        ("", None),
        ("nan", None),
    ],
)
def test_retry_after_is_read_as_seconds_or_a_date(header: str, seconds: float | None) -> None:
    """The header holds seconds or a date, where a past date means now. Anything else is ignored."""
    assert read_retry_after({"retry-after": header}) == seconds
    assert read_retry_after({"retry-after": header, "retry-after-ms": "1500"}) == 1.5


@pytest.mark.parametrize(
    ("errors", "slept"),
    [
        ([], []),
        ([CallError("busy", retryable=True)] * 2, [1.0, 2.0]),
        ([CallError("busy", retryable=True, retry_after=7.0)], [7.0]),
    ],
)
def test_a_call_is_repeated_after_retryable_errors(
    errors: list[CallError], slept: list[float]
) -> None:
    """The call returns its reply after the pauses that the policy asks for."""
    left, pauses = list(errors), list[float]()

    def call() -> str:
        if left:
            raise left.pop()
        return "fine"

    assert call_with_retries(call, RetryPolicy(attempts=3), pauses.append) == "fine"
    assert pauses == slept


@pytest.mark.parametrize(("retryable", "calls"), [(True, 3), (False, 1)])
def test_the_last_error_is_raised(retryable: bool, calls: int) -> None:
    """A retryable error is raised after the last attempt, any other one at once."""
    made = []

    def call() -> str:
        made.append(1)
        raise CallError(f"attempt {len(made)}", retryable=retryable)

    with pytest.raises(CallError, match=f"attempt {calls}"):
        call_with_retries(call, RetryPolicy(attempts=3), lambda _: None)
    assert len(made) == calls
