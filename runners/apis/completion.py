"""A model as a plain function from a prompt to a text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from runners.models.model_choice import ModelSettings

OPENAI_URL: Final = "https://api.openai.com/v1"

# Gives the model's text, or None if there is no reply.
Complete = Callable[[str], str | None]


def open_completion(model: ModelSettings, key: str, timeout: float, retries: int) -> Complete:
    """A model of any OpenAI-compatible server. `timeout` is in seconds.

    Works with every release of the OpenAI SDK from 1 on, because frameworks pin older ones.
    """
    import openai  # noqa: PLC0415 - takes half a second, and is needed only if a model chooses

    base_url = model.base_url or OPENAI_URL
    sdk = openai.OpenAI(api_key=key, base_url=base_url, timeout=timeout, max_retries=retries)
    temperature = openai.omit if model.temperature is None else model.temperature

    def complete(prompt: str) -> str | None:
        messages = [{"role": "user", "content": prompt}]
        try:
            reply = sdk.chat.completions.create(
                model=model.name,
                messages=messages,  # type: ignore[arg-type]
                temperature=temperature,
            )
        except openai.OpenAIError:
            return None
        return reply.choices[0].message.content if reply.choices else None

    return complete
