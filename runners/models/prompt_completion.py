"""A model as a plain function from a prompt to a text."""

from __future__ import annotations

import weakref
from collections.abc import Callable

from leaderboard.network.endpoints import ADDRESSES, is_loopback
from leaderboard.network.retries import CallError
from leaderboard.texts.short_text import single_spaced
from leaderboard.types import Json
from runners.models.model_settings import ModelSettings

# Gives the model's text, which may be empty. Raises CallError if there is no reply.
Complete = Callable[[str], str]


def open_completion(
    model: ModelSettings,
    key: str,
    timeout: float,
    retries: int,
    *,
    system: str | None = None,
    **settings: Json,
) -> Complete:
    """A model of any OpenAI-compatible server. `timeout` is in seconds.

    `system` is its system prompt; `settings` go into every request as they are. May be called from
    many threads at once. Works with every release of the OpenAI SDK from 1 on, because frameworks
    pin older ones.
    """
    import openai  # noqa: PLC0415 - takes half a second, and is needed only if a model chooses

    base_url = model.base_url or ADDRESSES["openai"]
    # No proxy leads to this computer.
    http = openai.DefaultHttpxClient(trust_env=not is_loopback(base_url), timeout=timeout)
    sdk = openai.OpenAI(api_key=key, base_url=base_url, max_retries=retries, http_client=http)
    temperature = openai.omit if model.temperature is None else model.temperature

    def complete(prompt: str) -> str:
        messages = [{"role": "user", "content": prompt}]
        if system is not None:
            messages.insert(0, {"role": "system", "content": system})
        try:
            reply = sdk.chat.completions.create(
                model=model.name,
                messages=messages,  # type: ignore[arg-type]
                temperature=temperature,
                extra_body=settings or None,
            )
        except openai.OpenAIError as error:
            raise CallError(single_spaced(str(error.__cause__ or error))) from error
        return (reply.choices[0].message.content or "") if reply.choices else ""

    weakref.finalize(complete, sdk.close)
    return complete
