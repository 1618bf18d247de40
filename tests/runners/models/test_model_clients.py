"""The clients of models."""

from __future__ import annotations

import asyncio

from runners.models.model_clients import open_model
from runners.models.model_interface import Conversation, Model
from runners.models.model_settings import ModelSettings
from tests.runners.model_board import KEY
from tests.runners.scripted_server import echo, serving


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
