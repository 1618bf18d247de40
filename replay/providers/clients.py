"""Asking a judge live, over the providers' own SDKs. Imported only when something has to be recorded."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, Protocol
from urllib.parse import parse_qsl

import httpx2
import openai
from google import genai
from google.genai import errors as google_errors
from google.genai import types as google_types

from leaderboard.endpoints import NO_KEY, find_api_key, is_loopback
from leaderboard.errors import JudgeError, Problem
from leaderboard.types import JudgeSettings
from replay.cassettes import request
from replay.providers.reply import text_of

_KEYS: Final[Mapping[str, tuple[str, ...]]] = {
    "openai": ("OPENAI_API_KEY",),
    "google": ("GEMINI_API_KEY", "GOOGLE_API_KEY"),
}
# Answers that no repetition changes: the key, the model's name or the address is wrong.
_HOPELESS: Final = frozenset({401, 403, 404, 405})


@dataclass(frozen=True, slots=True)
class Patience:
    """How often a call is tried in all, how long (seconds) one try may take, and the first pause, which doubles each time."""

    attempts: int = 5
    timeout: float = 120.0
    first_pause: float = 1.0


class CallError(Exception):
    """A judge call that got no reply after all its tries. `hopeless`: every other call to this judge would end alike."""

    def __init__(self, message: str, *, hopeless: bool) -> None:
        super().__init__(message)
        self.hopeless = hopeless


class Client(Protocol):
    """A judge that can be asked."""

    def ask(self, prompt: str) -> str:
        """What the judge says to a prompt. Raises CallError."""

    def close(self) -> None:
        """Let go of the connections."""


def open_client(
    judge: JudgeSettings, base_url: str | None = None, patience: Patience | None = None
) -> Client:
    """A client for a judge; `base_url` goes before the judge's own (the embedded judge has a new one each time).

    Raises JudgeError naming the environment variable when the key is missing.
    """
    address = base_url or judge.base_url
    kind = _GoogleClient if judge.provider == "google" else _OpenAiClient
    return kind(judge, address, _api_key(judge), patience or Patience())


def _api_key(judge: JudgeSettings) -> str:
    if judge.provider == "embedded":
        return NO_KEY
    names = (judge.api_key_env,) if judge.api_key_env else _KEYS[judge.provider]
    found = find_api_key(judge.api_key_env, names, judge.base_url)
    if found is not None:
        return found[1]
    variables = " or ".join(names)
    what = f"judge {judge.name!r} needs a key: the environment variable {variables} is not set"
    raise JudgeError(Problem("leaderboard.toml", what, "set it, or score with --record-mode none"))


def _http_client(address: str | None, patience: Patience) -> httpx2.Client:
    """The connections under both SDKs. Loopback never goes through a proxy; nothing is asked for compressed."""
    direct = is_loopback(address)
    return httpx2.Client(
        timeout=patience.timeout,
        trust_env=not direct,
        follow_redirects=False,
        headers={"accept-encoding": "identity"},
        limits=httpx2.Limits(max_connections=None, max_keepalive_connections=64),
    )


class _OpenAiClient:
    def __init__(
        self, judge: JudgeSettings, address: str | None, api_key: str, patience: Patience
    ) -> None:
        self._judge = judge
        self._http = _http_client(address, patience)
        base_url, _, query = (address or request.OPENAI_BASE_URL).partition("?")
        self._sdk = openai.OpenAI(
            api_key=api_key,
            base_url=base_url,
            default_query=dict(parse_qsl(query)),
            max_retries=patience.attempts - 1,
            timeout=patience.timeout,
            http_client=self._http,
        )

    def ask(self, prompt: str) -> str:
        request.body(self._judge, prompt)  # refuses settings that the call itself fills in
        try:
            completion = self._sdk.chat.completions.create(
                model=self._judge.model,
                messages=[{"role": "user", "content": prompt}],
                extra_body=dict(self._judge.settings),
            )
        except openai.APIStatusError as error:
            raise _call_error(self._judge, error.status_code, error.message) from error
        except openai.OpenAIError as error:
            raise _call_error(self._judge, None, str(error)) from error
        except ValueError as error:  # the SDK cannot make sense of what came back
            raise _odd_reply(self._judge, error) from error
        return text_of("openai", completion.model_dump(mode="json", warnings=False))

    def close(self) -> None:
        self._sdk.close()
        self._http.close()


class _GoogleClient:
    def __init__(
        self, judge: JudgeSettings, address: str | None, api_key: str, patience: Patience
    ) -> None:
        if address and "?" in address:
            what = f"judge {judge.name!r}: base_url holds a query, which the Gemini SDK cannot send"
            raise JudgeError(
                Problem("leaderboard.toml", what, "leave out what stands from the question mark on")
            )
        self._judge = judge
        self._http = _http_client(address, patience)
        pause = patience.first_pause
        retry = google_types.HttpRetryOptions(
            attempts=patience.attempts, initial_delay=pause, jitter=pause
        )
        options = google_types.HttpOptions(
            base_url=address or request.GOOGLE_BASE_URL,
            api_version=request.GOOGLE_API_VERSION,
            timeout=int(patience.timeout * 1000),
            retry_options=retry,
            httpx_client=self._http,
        )
        # Kept for as long as it is used: a client that nobody refers to closes its connections.
        self._sdk = genai.Client(vertexai=False, api_key=api_key, http_options=options)

    def ask(self, prompt: str) -> str:
        request.body(self._judge, prompt)
        extra = google_types.HttpOptions(extra_body=request.google_settings(self._judge.settings))
        try:
            response = self._sdk.models.generate_content(
                model=self._judge.model,
                contents=prompt,
                config=google_types.GenerateContentConfig(http_options=extra),
            )
        except google_errors.APIError as error:
            raise _call_error(
                self._judge, error.code, str(error.message or error.status)
            ) from error
        except httpx2.HTTPError as error:
            raise _call_error(self._judge, None, str(error) or type(error).__name__) from error
        except ValueError as error:  # the SDK's models do not know what came back
            raise _odd_reply(self._judge, error) from error
        return text_of("google", response.model_dump(mode="json", by_alias=True, exclude_none=True))

    def close(self) -> None:
        self._sdk.close()
        self._http.close()


def _call_error(judge: JudgeSettings, status: int | None, message: str) -> CallError:
    said = " ".join(message.split())[:300]
    answered = f"answered {status}" if status else "could not be reached"
    return CallError(f"judge {judge.name!r} {answered}: {said}", hopeless=status in _HOPELESS)


def _odd_reply(judge: JudgeSettings, error: ValueError) -> CallError:
    return CallError(
        f"judge {judge.name!r} sent a reply that its SDK cannot read: {' '.join(str(error).split())[:300]}",
        hopeless=False,
    )


# What a recording needs of this module, so that tests and `lb audit` can put another in its place.
Opener = Callable[[JudgeSettings, str | None], Client]
