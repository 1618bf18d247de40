"""Which model is asked, where and with what key. The SDKs are imported when one is opened, each only for its own models."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal
from urllib.parse import urlsplit

from leaderboard.endpoints import LOOPBACK_HOSTS, NO_KEY, find_api_key, is_loopback
from leaderboard.errors import Problem, ToolboardError
from leaderboard.types import Json
from runners.models.conversation import Model

Provider = Literal["openai", "google"]

_KEYS: Final[Mapping[Provider, tuple[str, ...]]] = MappingProxyType(
    {"openai": ("OPENAI_API_KEY",), "google": ("GEMINI_API_KEY", "GOOGLE_API_KEY")}
)
_HIDDEN: Final = "[key]"


class ModelError(ToolboardError):
    """A model cannot be asked: the key is refused, there is no such model, or its address does not answer."""


class MissingKeyError(ModelError):
    """The environment holds no key for a provider."""


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """A model to be asked. `temperature` None leaves the choice to the server, `base_url` None means the usual address.

    `api_key_env` names the environment variable that holds the key, where it is not the provider's usual one.
    """

    provider: Provider
    name: str
    base_url: str | None = None
    api_key_env: str | None = None
    temperature: float | None = 0.0

    @property
    def title(self) -> str:
        """As the command line writes it, `openai:NAME` for example."""
        return f"{self.provider}:{self.name}"

    @property
    def endpoint(self) -> str | None:
        """The address as a card may tell it: no user, query or fragment, and of this computer no port. None: the usual one."""
        if self.base_url is None:
            return None
        parts = urlsplit(self.base_url)
        host = parts.hostname or ""
        named = (
            "localhost"
            if host in LOOPBACK_HOSTS
            else f"{host}:{parts.port}"
            if parts.port
            else host
        )
        return f"{parts.scheme}://{named}{parts.path.rstrip('/')}"


def submission_id_of(name: str) -> str:
    """A submission's id out of a model's name: `Qwen/Qwen3-8B` as `qwen-qwen3-8b`."""
    return re.sub(r"[^a-z0-9._-]+", "-", name.lower()).strip("._-")[:64].rstrip("._-")


def api_key(model: ModelSettings) -> str:
    """The key out of the environment. Raises MissingKeyError; a server on this computer is asked without one."""
    names = (model.api_key_env,) if model.api_key_env else _KEYS[model.provider]
    found = find_api_key(model.api_key_env, names, model.base_url)
    if found is not None:
        return _checked(*found)
    what = f"needs a key, and the environment variable {' or '.join(names)} is not set"
    raise MissingKeyError(
        Problem(
            model.title, what, f"export {names[0]}=..., or name another variable with --api-key-env"
        )
    )


def _checked(name: str, value: str) -> str:
    if value.isascii() and value.isprintable() and " " not in value:
        return value
    raise MissingKeyError(
        Problem(name, "holds blanks or characters that no key has", "set it to the key alone")
    )


def hide(text: str, key: str) -> str:
    """Text in which the key, should a server have repeated it, cannot be read."""
    return text.replace(key, _HIDDEN) if len(key) >= 8 and key != NO_KEY else text


def scrub(value: Json, key: str) -> Json:
    """A JSON value without the key in it, should a model's reply hold it."""
    written = json.dumps(value, ensure_ascii=False)
    hidden = hide(written, key)
    return value if hidden == written else json.loads(hidden)


def open_model(model: ModelSettings, key: str, timeout: float, connections: int) -> Model:
    """The model, ready to be asked within an event loop. `timeout` is in seconds."""
    import httpx2  # noqa: PLC0415 - a run of a baseline needs no network

    direct = is_loopback(model.base_url)
    http = httpx2.AsyncClient(
        timeout=timeout,
        trust_env=not direct,  # this computer is never asked through a proxy
        follow_redirects=False,
        limits=httpx2.Limits(max_connections=connections, max_keepalive_connections=connections),
    )
    settings: dict[str, Json] = (
        {} if model.temperature is None else {"temperature": model.temperature}
    )
    if model.provider == "google":
        from runners.models import google  # noqa: PLC0415 - half a second, and only for its own models

        return google.GoogleModel(
            model.name, key, model.base_url or google.BASE_URL, http, timeout, **settings
        )
    from runners.models import openai  # noqa: PLC0415 - the same

    return openai.OpenAiModel(model.name, key, model.base_url or openai.BASE_URL, http, **settings)
