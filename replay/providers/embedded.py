"""The embedded judge as a provider: it speaks the OpenAI protocol on loopback, and needs no key."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace
from typing import Final

from leaderboard.judge_providers import EMBEDDED_MODEL
from leaderboard.network.retries import RetryPolicy
from leaderboard.types import Json, JudgeSettings
from replay.providers import openai
from replay.providers.interface import Connection, no_text

CALL_FIELDS: Final = openai.CALL_FIELDS

owns_path = openai.owns_path
body = openai.body
reply_text = openai.reply_text
failure = openai.failure


def clean_reply(reply: Json) -> dict[str, Json]:
    """Keeps the text alone, which can be computed again. The rest is the same in all replies."""
    message = {"role": "assistant", "content": reply_text(reply)}
    choice = {"index": 0, "finish_reason": "stop", "message": message}
    return {"object": "chat.completion", "choices": [choice], "model": EMBEDDED_MODEL}


def path(judge: JudgeSettings) -> str:  # noqa: ARG001 - the interface of a provider's module
    return "/v1/chat/completions"


def recompute(judge: JudgeSettings, prompt: str) -> str:
    """The judge's reply, without its server."""
    from replay.lexical.embedded_judge import judge as decide

    if judge.model != EMBEDDED_MODEL:
        return no_text(f"this judge is {EMBEDDED_MODEL}, no other")
    return decide(prompt)


def connect(judge: JudgeSettings, api_key: str, policy: RetryPolicy) -> Connection:
    """Starts the judge's server if there is no address. Closing what is opened ends it."""
    from replay.lexical.embedded_judge import serving

    with ExitStack() as stack:
        address = judge.base_url or stack.enter_context(serving())
        connection = openai.connect(replace(judge, base_url=address), api_key, policy)
        return Connection(connection.send, (*connection.opened, stack.pop_all()))
