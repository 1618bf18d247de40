"""The settings of a model that is asked: which, where, and with which key."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from leaderboard.errors import ToolboardError
from leaderboard.network.endpoints import KEY_VARIABLES, NO_KEY, find_api_key, shown_address
from leaderboard.network.secret_keys import remember_key
from leaderboard.types import Json

ModelProvider = Literal["openai", "google", "vertex", "anthropic"]

# Anthropic's API requires a limit. Its models say more than this only when they think long.
_ANTHROPIC_TOKENS: Final = 8192
_PROJECT: Final = "GOOGLE_CLOUD_PROJECT"
# Names of secrets, and what random keys look like, in the bodies of requests.
_SECRET_NAME: Final = re.compile(r"key|token|secret|passw|auth|credential", re.IGNORECASE)
_RANDOM: Final = re.compile(r"(?=.*\d)(?=.*[A-Za-z])[\w.+/=-]{16,}")


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
    def secrets(self) -> tuple[str, ...]:
        """Texts that no file may contain, even if a server repeats them."""
        found = [part for value in self.headers.values() for part in (value, *value.split())]
        return tuple(dict.fromkeys([*found, *_secrets_in(self.extra_body, "")]))

    @property
    def reply_limit(self) -> int | None:
        """The most tokens of a reply; None if the server decides."""
        default = _ANTHROPIC_TOKENS if self.provider == "anthropic" else None
        return self.max_tokens or default

    @property
    def title(self) -> str:
        """The model as the command line writes it, for example `openai:NAME`."""
        return f"{self.provider}:{self.name}"

    @property
    def endpoint(self) -> str | None:
        """The address for a card; None: the usual one."""
        return None if self.base_url is None else shown_address(self.base_url).rstrip("/")


def _secrets_in(value: Json, name: str) -> Iterator[str]:
    """The texts in a request body that may be secrets, by their names or by what they look like."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _secrets_in(inner, str(key))
    elif isinstance(value, list):
        for inner in value:
            yield from _secrets_in(inner, name)
    elif isinstance(value, str) and (_SECRET_NAME.search(name) or _RANDOM.fullmatch(value)):
        yield value


def key_names(model: ModelSettings) -> tuple[str, ...]:
    """The environment variables that may hold the key."""
    return (model.api_key_env,) if model.api_key_env else KEY_VARIABLES[model.provider]


def remember_usual_keys() -> None:
    """Makes `without_known_keys` remove the keys of all providers that the environment has.

    A value that has only letters is a placeholder, and answers may have the same word.
    """
    for names in KEY_VARIABLES.values():
        for name in names:
            value = os.environ.get(name, "").strip()
            if not value.replace("-", "").isalpha():
                remember_key(value)


def api_key(model: ModelSettings) -> str:
    """The key from the environment. A server on this computer needs none.

    Empty for Vertex AI with the account of this computer. Raises MissingKeyError.
    """
    for secret in model.secrets:
        remember_key(secret)
    names = key_names(model)
    found = find_api_key(model.api_key_env, names, model.base_url)
    is_account = model.provider == "vertex" and os.environ.get(_PROJECT)
    if is_account and (found is None or found[1] == NO_KEY):
        return ""
    if found is None:
        what = f"needs a key, and the environment variable {' or '.join(names)} is not set"
        fix = f"export {names[0]}=..., or name another variable with --api-key-env"
        if model.provider == "vertex":
            fix += f"; or set {_PROJECT} and GOOGLE_CLOUD_LOCATION to use your gcloud account"
        raise MissingKeyError.about(model.title, what, fix)
    name, value = found
    if not value.isascii() or not value.isprintable() or " " in value:
        what = "contains spaces or characters that no key has"
        raise MissingKeyError.about(name, what, "set it to the key alone")
    return value
