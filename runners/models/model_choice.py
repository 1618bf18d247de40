"""Which model is asked, where, and with which key. An SDK is imported only for its own models."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, Literal

from leaderboard.endpoints import NO_KEY, find_api_key, is_loopback, shown_address
from leaderboard.errors import Problem, ToolboardError
from leaderboard.types import Json
from runners.models.conversation import Model

ModelProvider = Literal["openai", "google", "anthropic"]

_KEYS: Final[Mapping[ModelProvider, tuple[str, ...]]] = MappingProxyType(
    {
        "openai": ("OPENAI_API_KEY",),
        "google": ("GEMINI_API_KEY", "GOOGLE_API_KEY"),
        "anthropic": ("ANTHROPIC_API_KEY",),
    }
)


class ModelError(ToolboardError):
    """A model cannot be asked: a refused key, an unknown model, or an address without an answer."""


class MissingKeyError(ModelError):
    """The environment contains no key for a provider."""


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """The model to ask.

    `base_url` None is the provider's usual address, `temperature` None leaves it to the server.
    `api_key_env` names another environment variable with the key. `max_tokens`, `reasoning_effort`
    and `seed` are not set if None. `extra_body` is added to every request body, `headers` to every
    request. Both may hold secrets, so no file contains their values.
    """

    provider: ModelProvider
    name: str
    base_url: str | None = None
    api_key_env: str | None = None
    temperature: float | None = 0.0
    max_tokens: int | None = None
    reasoning_effort: str | None = None
    seed: int | None = None
    extra_body: Mapping[str, Json] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """The model as the command line writes it, for example `openai:NAME`."""
        return f"{self.provider}:{self.name}"

    @property
    def endpoint(self) -> str | None:
        """The address for a card; None: the usual one."""
        return None if self.base_url is None else shown_address(self.base_url)


def submission_id_of(name: str) -> str:
    """A submission's id for a model's name: `qwen-qwen3-8b` for `Qwen/Qwen3-8B`."""
    return re.sub(r"[^a-z0-9._-]+", "-", name.lower()).strip("._-")[:64].rstrip("._-")


def api_key(model: ModelSettings) -> str:
    """The key from the environment. A server on this computer needs none.

    Raises MissingKeyError.
    """
    names = (model.api_key_env,) if model.api_key_env else _KEYS[model.provider]
    found = find_api_key(model.api_key_env, names, model.base_url)
    if found is None:
        what = f"needs a key, and the environment variable {' or '.join(names)} is not set"
        fix = f"export {names[0]}=..., or name another variable with --api-key-env"
        raise MissingKeyError(Problem(model.title, what, fix))
    name, value = found
    if not value.isascii() or not value.isprintable() or " " in value:
        what = "contains blanks or characters that no key has"
        raise MissingKeyError(Problem(name, what, "set it to the key alone"))
    return value


def hide(text: str, key: str) -> str:
    """The text without the key, which a server may have repeated."""
    return text.replace(key, "[key]") if len(key) >= 8 and key != NO_KEY else text


def scrub(value: Json, key: str) -> Json:
    """A JSON value without the key, which a server may have repeated."""
    written = json.dumps(value, ensure_ascii=False)
    hidden = hide(written, key)
    return value if hidden == written else json.loads(hidden)


def open_model(model: ModelSettings, key: str, timeout: float, connections: int) -> Model:
    """A client for the model, for use in an event loop. `timeout` is in seconds."""
    import httpx2  # noqa: PLC0415 - a run of a baseline needs no network

    http = httpx2.AsyncClient(
        timeout=timeout,
        trust_env=not is_loopback(model.base_url),  # no proxy leads to this computer
        follow_redirects=False,
        limits=httpx2.Limits(max_connections=connections, max_keepalive_connections=connections),
    )
    if model.provider == "google":
        from runners.models import google  # noqa: PLC0415 - takes half a second

        return google.GoogleModel(model, key, http, timeout)
    from runners.models import openai  # noqa: PLC0415 - takes half a second

    return openai.OpenAiModel(model, key, http)
