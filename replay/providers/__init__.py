"""The providers of judges: one module each, and one line in the table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from leaderboard.errors import JudgeError
from leaderboard.judge_providers import EMBEDDED_MODEL, Provider
from leaderboard.network.endpoints import KEY_VARIABLES, NO_KEY, find_api_key
from leaderboard.network.retries import RetryPolicy
from leaderboard.types import Json, JudgeSettings
from replay.providers import anthropic, embedded, google, openai
from replay.providers.interface import Client, ProviderModule

# In the order in which a recorded request is tried: the embedded judge shares OpenAI's protocol.
PROVIDERS: Final[Mapping[Provider, ProviderModule]] = {
    "openai": openai,
    "google": google,
    "anthropic": anthropic,
    "embedded": embedded,
}


def provider_of_path(path: str, model: Json = None) -> ProviderModule:
    """The provider whose protocol a recorded request uses, by its path.

    The embedded judge is found only with the `model` that was asked. Without it, its requests are
    OpenAI's, which reads the same texts in replies.
    """
    if model == EMBEDDED_MODEL and embedded.owns_path(path):
        return embedded
    for provider in PROVIDERS.values():
        if provider.owns_path(path):
            return provider
    return openai


def open_client(judge: JudgeSettings, policy: RetryPolicy | None = None) -> Client:
    """Opens a client for a judge.

    Raises JudgeError if the key is missing, and names the environment variable.
    """
    provider = PROVIDERS[judge.provider]
    policy = policy or RetryPolicy()
    return Client(judge, provider, provider.connect(judge, _api_key(judge), policy), policy)


def _api_key(judge: JudgeSettings) -> str:
    usual = KEY_VARIABLES.get(judge.provider)
    if usual is None:
        return NO_KEY
    found = find_api_key(judge.api_key_env, usual, judge.base_url)
    if found is not None:
        return found[1]
    names = judge.api_key_env or " or ".join(usual)
    what = f"judge {judge.name!r} needs a key: the environment variable {names} is not set"
    raise JudgeError.about("leaderboard.toml", what, "set it, or score with --record-mode none")
