"""A model asked one question in plain words: which tools it would choose. Any release of the OpenAI SDK from 1 on will do."""

from __future__ import annotations

from runners.agents.base import OPENAI_URL
from runners.apis.selector import Complete
from runners.models.model_choice import ModelSettings


def completing(model: ModelSettings, key: str, timeout: float, retries: int) -> Complete:
    """A plain `prompt -> text`; None where no reply came. `timeout` is in seconds."""
    import openai  # noqa: PLC0415 - half a second, and only for who lets a model choose

    sdk = openai.OpenAI(
        api_key=key, base_url=model.base_url or OPENAI_URL, timeout=timeout, max_retries=retries
    )
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
