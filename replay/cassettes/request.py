"""What makes two judge calls the same call: method, path and JSON body, and nothing else.

The host, the headers, the query string and the SDK's version are left out on purpose: they differ between those who record and
say nothing about what was asked. The path part of a `base_url` stays in: it is part of what every recorded request shows, and
stock vcrpy compares it too (`match_on` method, path, body). Fields that name the person who asks (`PERSONAL`) are sent, but are
neither recorded nor part of the identity.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlsplit

import orjson

from leaderboard.errors import JudgeError, Problem
from leaderboard.types import Json, JudgeSettings, Provider

METHOD: Final = "POST"
OPENAI_BASE_URL: Final = "https://api.openai.com/v1"
GOOGLE_BASE_URL: Final = "https://generativelanguage.googleapis.com"
# Pinned: the SDK's own default moves between its versions, and the path is part of the identity.
GOOGLE_API_VERSION: Final = "v1beta"
EMBEDDED_PATH: Final = "/v1/chat/completions"

PERSONAL: Final = frozenset({"user", "safety_identifier", "prompt_cache_key"})
# Of a Gemini request, what stands beside `generationConfig` and not inside it.
_BESIDE: Final = frozenset(
    {"safetySettings", "systemInstruction", "tools", "toolConfig", "cachedContent"}
)
_TAKEN: Final = frozenset({"model", "messages", "contents", "generationConfig", "stream"})
_LIMIT: Final = 2**63


class UnkeyableError(ValueError):
    """A body whose JSON has no single meaning, so that two different bodies could share a key."""


def path(judge: JudgeSettings) -> str:
    """The path that a judge's requests go to, for example `/v1/chat/completions`."""
    if judge.provider == "embedded":
        return EMBEDDED_PATH
    if judge.provider == "google":
        name = judge.model if "/" in judge.model else f"models/{judge.model}"
        return f"{_base_path(judge.base_url or GOOGLE_BASE_URL)}/{GOOGLE_API_VERSION}/{name}:generateContent"
    return f"{_base_path(judge.base_url or OPENAI_BASE_URL)}/chat/completions"


def _base_path(base_url: str) -> str:
    return urlsplit(base_url).path.rstrip("/")


def provider_of(request_path: str) -> Provider:
    """Whose protocol a recorded request speaks, told by its path alone."""
    return "google" if request_path.endswith(":generateContent") else "openai"


def body(judge: JudgeSettings, prompt: str) -> dict[str, Json]:
    """The JSON body of one judge call, as the SDK sends it, without the `PERSONAL` fields.

    Raises JudgeError where the judge's settings name a field that the call itself fills in.
    """
    _refuse_taken(judge)
    if judge.provider == "google":
        return {
            "contents": [{"role": "user", "parts": [{"text": prompt}]}],
            **google_settings(judge.settings),
        }
    settings = {name: value for name, value in judge.settings.items() if name not in PERSONAL}
    return {"model": judge.model, "messages": [{"role": "user", "content": prompt}], **settings}


def google_settings(settings: Mapping[str, Json]) -> dict[str, Json]:
    """A Gemini judge's settings as they stand in a request: top names in camel case, values untouched, nothing `PERSONAL`.

    >>> google_settings({"max_output_tokens": 200, "safety_settings": []})
    {'safetySettings': [], 'generationConfig': {'maxOutputTokens': 200}}
    """
    named = {_camel(name): value for name, value in settings.items() if name not in PERSONAL}
    beside = {name: value for name, value in named.items() if name in _BESIDE}
    inside = {name: value for name, value in named.items() if name not in _BESIDE}
    return {**beside, "generationConfig": inside} if inside else beside


def _camel(name: str) -> str:
    return re.sub(r"_([a-z0-9])", lambda match: match[1].upper(), name)


def _refuse_taken(judge: JudgeSettings) -> None:
    names = (
        judge.settings if judge.provider != "google" else {_camel(name) for name in judge.settings}
    )
    if taken := sorted(_TAKEN.intersection(names)):
        what = f"judge {judge.name!r}: its settings hold {', '.join(taken)}, which every call fills in itself"
        raise JudgeError(Problem("leaderboard.toml", what, "take it out of the judge's settings"))


def canonical(value: Json) -> bytes:
    """One JSON text per meaning: sorted keys, no blanks, UTF-8, whole numbers written without a fraction.

    Raises UnkeyableError for numbers beyond 64 bits, NaN, infinities, lone surrogates, keys that are no strings.
    """
    try:
        return orjson.dumps(_normal(value), option=orjson.OPT_SORT_KEYS)
    except (TypeError, RecursionError) as error:
        raise UnkeyableError(_in_words(error)) from error


def _normal(value: Any) -> Any:
    kind = type(value)
    if kind is str or kind is bool or value is None:
        return value
    if kind is dict:
        return {name: item if type(item) is str else _normal(item) for name, item in value.items()}
    if kind is list or kind is tuple:
        return [item if type(item) is str else _normal(item) for item in value]
    if kind is float or kind is int:
        return _number(value)
    if isinstance(value, Mapping):
        return _normal(dict(value))
    raise UnkeyableError(f"{kind.__name__} is no JSON value")


def _number(value: float) -> float:
    # orjson reads an integer over 64 bits as a float, so every number out there may be one: none of them can be told apart.
    if not -_LIMIT <= value < _LIMIT:
        raise UnkeyableError(f"the number {value!r} is NaN or does not fit into 64 bits")
    return int(value) if value == int(value) else value


def _in_words(error: Exception) -> str:
    if "surrogate" in str(error) or "UTF-8" in str(error):
        return "a text holds a lone surrogate, which no UTF-8 can carry"
    return str(error) or "nested too deep"


def key(method: str, request_path: str, request_body: Json) -> str:
    """The identity of a request: sha256, in hex, over upper-cased method, path and canonical body without `PERSONAL` fields.

    Raises UnkeyableError (see `canonical`).
    """
    if isinstance(request_body, dict) and not PERSONAL.isdisjoint(request_body):
        request_body = {name: value for name, value in request_body.items() if name not in PERSONAL}
    digest = hashlib.sha256(_head(method, request_path))
    digest.update(canonical(request_body))
    return digest.hexdigest()


def _head(method: str, request_path: str) -> bytes:
    return f"{method.upper()}\n{request_path}\n".encode()


class Keyer:
    """The keys of one judge's calls. Everything but the prompt is made canonical once: a key costs a few microseconds."""

    __slots__ = ("_after", "_before", "judge")

    def __init__(self, judge: JudgeSettings) -> None:
        """Raises JudgeError where the settings cannot stand in a request."""
        self.judge = judge
        try:
            before, after = _around_the_prompt(judge)
        except UnkeyableError as error:
            what = f"judge {judge.name!r}: its settings cannot be sent: {error}"
            raise JudgeError(Problem("leaderboard.toml", what, "use plain JSON values")) from error
        self._before = hashlib.sha256(_head(METHOD, path(judge)) + before)
        self._after = after

    def key(self, prompt: str) -> str:
        """The key of the call that puts this prompt to the judge. Raises UnkeyableError for a lone surrogate."""
        digest = self._before.copy()
        try:
            digest.update(orjson.dumps(prompt))
        except TypeError as error:
            raise UnkeyableError(_in_words(error)) from error
        digest.update(self._after)
        return digest.hexdigest()


def _around_the_prompt(judge: JudgeSettings) -> tuple[bytes, bytes]:
    mark = "prompt"
    while (whole := canonical(body(judge, mark))).count(quoted := orjson.dumps(mark)) != 1:
        mark += "?"  # the settings happen to hold that very word
    before, _, after = whole.partition(quoted)
    return before, after
