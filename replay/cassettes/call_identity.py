"""The identity of a judge call: method, path and JSON body, and nothing else.

Host, headers, query string and the SDK's version are left out: they differ between the people who
record, and do not change the question. The path part of a `base_url` stays: every recorded request
shows it, and stock vcrpy compares it too (`match_on` method, path, body). `PERSONAL_FIELDS` are
sent, but neither recorded nor part of the identity.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any, Final

import orjson

from leaderboard.errors import JudgeError
from leaderboard.judge_providers import PERSONAL_FIELDS
from leaderboard.types import Json, JudgeSettings
from replay.providers import PROVIDERS
from replay.providers.interface import camel_case

METHOD: Final = "POST"
_LIMIT: Final = 2**63


class UnkeyableError(ValueError):
    """A body whose JSON has no single meaning, so that two different bodies could share a key."""


def path(judge: JudgeSettings) -> str:
    """The path of a judge's requests, `/v1/chat/completions` for example."""
    return PROVIDERS[judge.provider].path(judge)


def body(judge: JudgeSettings, prompt: str) -> dict[str, Json]:
    """The JSON body of a judge call as the SDK sends it, without the `PERSONAL_FIELDS`.

    Raises JudgeError if the judge's settings name a field that the call itself fills in.
    """
    provider = PROVIDERS[judge.provider]
    taken = sorted(provider.CALL_FIELDS.intersection(map(camel_case, judge.settings)))
    if taken:
        fields = ", ".join(taken)
        what = f"judge {judge.name!r}: its settings contain {fields}, which every call sets"
        raise JudgeError.about("leaderboard.toml", what, "remove it from the judge's settings")
    return provider.body(judge, prompt)


def canonical(value: Json) -> bytes:
    """One JSON text per meaning: sorted keys, no blanks, UTF-8, whole floats as integers.

    Raises UnkeyableError for numbers beyond 64 bits, NaN, infinities, lone surrogates, and keys
    that are not strings.
    """
    try:
        return orjson.dumps(_normal(value), option=orjson.OPT_SORT_KEYS)
    except (TypeError, RecursionError) as error:
        raise UnkeyableError(_reason(error)) from error


def _normal(value: Any) -> Any:
    kind = type(value)
    if kind is str or kind is bool or value is None:
        return value
    if kind is dict:
        return {name: _normal(item) for name, item in value.items()}
    if kind is list or kind is tuple:
        return [_normal(item) for item in value]
    if kind is float or kind is int:
        # orjson reads an integer beyond 64 bits as a float, so a large float may represent one.
        if not -_LIMIT <= value < _LIMIT:
            raise UnkeyableError(f"the number {value!r} is NaN or does not fit into 64 bits")
        return int(value) if value == int(value) else value
    if isinstance(value, Mapping):
        return _normal(dict(value))
    raise UnkeyableError(f"{kind.__name__} is not a JSON value")


def _reason(error: Exception) -> str:
    if "surrogate" in str(error) or "UTF-8" in str(error):
        return "a text holds a lone surrogate, which UTF-8 cannot encode"
    return str(error) or "nested too deep"


def without_personal_fields(request_body: Json) -> Json:
    if isinstance(request_body, dict) and not PERSONAL_FIELDS.isdisjoint(request_body):
        return {name: item for name, item in request_body.items() if name not in PERSONAL_FIELDS}
    return request_body


def key(method: str, request_path: str, request_body: Json) -> str:
    """The identity of a request: a sha256, in hex, over method, path and canonical body.

    Raises UnkeyableError (see `canonical`).
    """
    head = f"{method.upper()}\n{request_path}\n".encode()
    return hashlib.sha256(head + canonical(without_personal_fields(request_body))).hexdigest()


class Keyer:
    """The keys of one judge's calls.

    Everything but the prompt is hashed or made canonical once, so a key costs microseconds.
    """

    def __init__(self, judge: JudgeSettings) -> None:
        """Raises JudgeError if the settings cannot be part of a request."""
        self.judge = judge
        mark = "prompt"
        try:
            whole = canonical(body(judge, mark))
            # The settings may hold the very word that marks the prompt's place.
            while whole.count(orjson.dumps(mark)) != 1:
                mark += "?"
                whole = canonical(body(judge, mark))
        except UnkeyableError as error:
            what = f"judge {judge.name!r}: its settings cannot be sent: {error}"
            raise JudgeError.about("leaderboard.toml", what, "use plain JSON values") from error
        before, _, self._after = whole.partition(orjson.dumps(mark))
        self._before = hashlib.sha256(f"{METHOD}\n{path(judge)}\n".encode() + before)

    def key(self, prompt: str) -> str:
        """The key of a call with this prompt. Raises UnkeyableError (lone surrogate)."""
        digest = self._before.copy()
        try:
            digest.update(orjson.dumps(prompt))
        except TypeError as error:
            raise UnkeyableError(_reason(error)) from error
        digest.update(self._after)
        return digest.hexdigest()
