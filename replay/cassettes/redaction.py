"""What may stand in a cassette: an allowlist, on both sides of an exchange. Everything else is left out before it is written.

A denylist forgets the next header that carries an organisation's id; an allowlist cannot. Kept are what the identity of a
request needs (method, path, canonical body), what vcrpy needs to replay it (status, content type), and of a reply what is read
from it: the text of each choice, why it ended, the model that answered, the token counts. Ids, times, fingerprints, ratings and
signatures differ with every call and say nothing about the verdict; without them two recordings of one reply are the same
bytes.

Cleaning twice is cleaning once: vcrpy runs these hooks again whenever it loads a cassette.
"""

from __future__ import annotations

import copy
from typing import Any, Final
from urllib.parse import urlsplit

import orjson

from leaderboard.types import Json
from replay.cassettes import request
from replay.cassettes.request import UnkeyableError

HEADERS: Final = frozenset({"content-type"})
_LOOPBACK: Final = frozenset({"localhost", "127.0.0.1", "::1", "0.0.0.0"})  # noqa: S104 - a name to compare with, not to bind
_OPENAI_TOKENS: Final = ("prompt_tokens", "completion_tokens", "total_tokens")
_GOOGLE_TOKENS: Final = (
    "promptTokenCount",
    "candidatesTokenCount",
    "thoughtsTokenCount",
    "totalTokenCount",
)


class UnrecordableError(ValueError):
    """An exchange that cannot be kept; the message says why."""


def clean(interaction: Json) -> dict[str, Json]:
    """An interaction as vcrpy stores it, with nothing in it that a cassette must not hold.

    Raises UnrecordableError where the exchange is no successful JSON call to a judge.
    """
    return {
        "request": clean_request(interaction["request"]),
        "response": clean_response(interaction["response"]),
    }


def clean_request(sent: Json) -> dict[str, Json]:
    """A stored request: method, address without query, content type, canonical body without personal fields."""
    return {
        "method": str(sent["method"]).upper(),
        "uri": clean_uri(str(sent["uri"])),
        "headers": clean_headers(sent.get("headers")),
        "body": _clean_body(sent.get("body")),
    }


def clean_response(got: Json) -> dict[str, Json]:
    """A stored response: status, content type, and of the body what is read from it. Its body must be decoded."""
    code = got["status"]["code"]
    if not 200 <= code < 300:
        raise UnrecordableError(f"the judge answered {code}")
    reply = _parsed(got["body"].get("string"), "reply")
    return {
        "status": {"code": code, "message": str(got["status"].get("message") or "OK")},
        "headers": clean_headers(got.get("headers")),
        "body": {"string": request.canonical(clean_reply(reply)).decode()},
    }


def clean_uri(uri: str) -> str:
    """An address without user, query and fragment; a loopback host loses its port, which is another one each time."""
    parts = urlsplit(uri)
    host = parts.hostname or ""
    if host in _LOOPBACK:
        host = "localhost"
    elif parts.port:
        host = f"{host}:{parts.port}"
    return f"{parts.scheme}://{host}{parts.path}"


def clean_headers(headers: Json) -> dict[str, list[str]]:
    """The headers of the allowlist, named in lower case; parameters of the content type are left out."""
    kept: dict[str, list[str]] = {}
    for name, value in dict(headers or {}).items():
        if str(name).lower() in HEADERS:
            first = value[0] if isinstance(value, (list, tuple)) else value
            kept[str(name).lower()] = [str(first).partition(";")[0].strip().lower()]
    return kept


def _clean_body(body: Json) -> str:
    sent = _parsed(body, "request")
    if isinstance(sent, dict):
        sent = {name: value for name, value in sent.items() if name not in request.PERSONAL}
    try:
        return request.canonical(sent).decode()
    except UnkeyableError as error:
        raise UnrecordableError(f"its request has no single meaning: {error}") from error


def _parsed(body: Any, side: str) -> Json:
    try:
        return orjson.loads(body)
    except (orjson.JSONDecodeError, TypeError) as error:
        raise UnrecordableError(f"its {side} is no JSON") from error


def clean_reply(reply: Json) -> dict[str, Json]:
    """Of a reply's JSON, what is read from it. Raises UnrecordableError where there is no choice and no candidate in it."""
    if isinstance(reply, dict) and isinstance(reply.get("choices"), list):
        return _openai_reply(reply)
    if isinstance(reply, dict) and (
        isinstance(reply.get("candidates"), list) or isinstance(reply.get("promptFeedback"), dict)
    ):
        return _google_reply(reply)
    raise UnrecordableError("its reply holds no choice")


def _openai_reply(reply: dict[str, Json]) -> dict[str, Json]:
    choices = [choice for choice in reply["choices"] if isinstance(choice, dict)]
    kept = {
        "object": "chat.completion",
        "choices": [
            {
                "index": position,
                "finish_reason": choice.get("finish_reason"),
                "message": {
                    "role": "assistant",
                    **_texts(choice.get("message"), "content", "refusal"),
                },
            }
            for position, choice in enumerate(choices)
        ],
    }
    return _with_rest(kept, reply, "model", "usage", _OPENAI_TOKENS)


def _google_reply(reply: dict[str, Json]) -> dict[str, Json]:
    kept: dict[str, Json] = {
        "candidates": [
            _candidate(item) for item in reply.get("candidates") or () if isinstance(item, dict)
        ]
    }
    feedback = reply.get("promptFeedback")
    if isinstance(feedback, dict) and isinstance(feedback.get("blockReason"), str):
        kept["promptFeedback"] = {"blockReason": feedback["blockReason"]}
    return _with_rest(kept, reply, "modelVersion", "usageMetadata", _GOOGLE_TOKENS)


def _candidate(item: dict[str, Json]) -> dict[str, Json]:
    content = item.get("content")
    parts = content.get("parts") if isinstance(content, dict) else None
    spoken = [
        {"text": part["text"]}
        for part in parts or ()
        if isinstance(part, dict) and isinstance(part.get("text"), str) and not part.get("thought")
    ]
    kept: dict[str, Json] = {"content": {"role": "model", "parts": spoken}}
    return {**kept, **_texts(item, "finishReason")}


def _texts(value: Json, *names: str) -> dict[str, Json]:
    return {
        name: value[name]
        for name in names
        if isinstance(value, dict) and isinstance(value.get(name), (str, list))
    }


def _with_rest(
    kept: dict[str, Json], reply: dict[str, Json], model: str, usage: str, tokens: tuple[str, ...]
) -> dict[str, Json]:
    counts = reply.get(usage)
    counted = {
        name: counts[name]
        for name in tokens
        if isinstance(counts, dict) and type(counts.get(name)) is int
    }
    kept.update(_texts(reply, model))
    return {**kept, usage: counted} if counted else kept


# ---------------------------------------------------------------- the same as vcrpy's hooks


def before_record_request(sent: Any) -> Any:
    """A hook for vcrpy: a cleaned copy of a vcr.request.Request, or None (not recorded) where it is no JSON call."""
    cleaned = copy.copy(sent)
    body = sent.body
    try:
        stored = clean_request(
            {"method": sent.method, "uri": sent.uri, "headers": dict(sent.headers), "body": body}
        )
    except UnrecordableError:
        return None
    cleaned.method, cleaned.uri, cleaned.headers, cleaned.body = (
        stored["method"],
        stored["uri"],
        stored["headers"],
        stored["body"],
    )
    return cleaned


def before_record_response(got: Any) -> Any:
    """A hook for vcrpy: a cleaned copy of a decoded response, its body as bytes, or None (not recorded) for an error."""
    try:
        stored = clean_response(got)
    except UnrecordableError:
        return None
    stored["body"] = {"string": stored["body"]["string"].encode()}
    return stored
