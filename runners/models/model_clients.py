"""The client of a model. An SDK is imported only for its own models."""

from __future__ import annotations

from leaderboard.network.endpoints import is_loopback, trusted_certificates
from runners.models.model_interface import Model
from runners.models.model_settings import ModelSettings


def open_model(model: ModelSettings, key: str, timeout: float, connections: int) -> Model:
    """A client for the model, for use in an event loop. `timeout` is in seconds."""
    import httpx2  # noqa: PLC0415 - a run of a baseline needs no network

    from runners.models.reply_size_limit import limit_reply  # noqa: PLC0415 - needs httpx2

    trust_env = not is_loopback(model.base_url)  # no proxy leads to this computer
    http = httpx2.AsyncClient(
        timeout=timeout,
        trust_env=trust_env,
        verify=trusted_certificates(trust_env=trust_env),
        follow_redirects=False,
        headers={"accept-encoding": "identity"},  # the limit counts bytes as they are sent
        event_hooks={"response": [limit_reply]},
        limits=httpx2.Limits(max_connections=connections, max_keepalive_connections=connections),
    )
    if model.provider == "anthropic":
        from runners.models.anthropic_client import AnthropicModel  # noqa: PLC0415 - an extra

        return AnthropicModel(model, key, http, timeout)
    if model.provider in ("google", "vertex"):
        from runners.models.google_client import GoogleModel  # noqa: PLC0415 - takes half a second

        return GoogleModel(model, key, http, timeout)
    from runners.models.openai_client import OpenAiModel  # noqa: PLC0415 - takes half a second

    return OpenAiModel(model, key, http)
