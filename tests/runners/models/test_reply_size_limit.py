"""The limit of a reply's body."""

from __future__ import annotations

import pytest

from leaderboard.network.retries import RetryPolicy
from runners.models import reply_size_limit
from tests.runners.model_board import Bench
from tests.runners.scripted_server import for_query, said


def test_a_reply_without_end_fails_its_case(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not read into memory, and the other cases are answered."""
    monkeypatch.setattr(reply_size_limit, "REPLY_BYTES", 2**20)
    long = for_query("feet", lambda seen: said(seen, "x" * 2**21))
    report, server = bench.run(long, retry_policy=RetryPolicy(attempts=2, timeout=5))

    assert report.errors == ("A002: no reply: it is longer than 1 MB, the limit of a reply",)
    assert (report.answers, len(server.seen)) == (5, 6)
    assert {request.headers["accept-encoding"] for request in server.seen} == {"identity"}
