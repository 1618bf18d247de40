"""The clients of models."""

from __future__ import annotations

import asyncio

import pytest

from leaderboard.network.retries import RetryPolicy
from runners.models import model_clients
from runners.models.model_clients import open_model
from runners.models.model_interface import Conversation, Model
from runners.models.model_settings import ModelSettings
from tests.runners.model_board import KEY, Bench
from tests.runners.scripted_server import echo, for_query, said, serving


def test_an_opened_model_closes_its_connections() -> None:
    """An opened model answers in an event loop, and can be closed."""

    async def once(server_url: str) -> str | None:
        model: Model = open_model(ModelSettings("openai", "scripted-1", server_url), KEY, 5, 2)
        try:
            return (await model.ask(Conversation("", "Hi", ()))).text
        finally:
            await model.close()

    with serving(echo) as server:
        assert asyncio.run(once(server.openai)) == "About Hi"


def test_a_reply_without_end_fails_its_case(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not read into memory, and the other cases are answered."""
    monkeypatch.setattr(model_clients, "REPLY_BYTES", 2**20)
    long = for_query("feet", lambda seen: said(seen, "x" * 2**21))
    report, server = bench.run(long, retry_policy=RetryPolicy(attempts=2, timeout=5))

    assert report.errors == ("A002: no reply: it is longer than 1 MB, the limit of a reply",)
    assert (report.answers, len(server.seen)) == (5, 6)
    assert {request.headers["accept-encoding"] for request in server.seen} == {"identity"}
