"""What a cassette may hold: an allowlist for both sides of an exchange.

A denylist misses the next header that carries an organisation's id; an allowlist cannot. A
cassette keeps what the identity of a request needs (method, path, canonical body), what vcrpy
needs for replaying (status, content type), and what is read from a reply: texts, the reason why
they ended, the model, token counts. Ids, times and fingerprints differ with every call, so
without them two recordings of one reply are the same bytes.

What is read from a reply is up to its provider: `clean_reply` of each module in
`replay/providers/`. A key that a judge repeats in its texts is replaced.

Cleaning a clean exchange changes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import urlsplit

from leaderboard.files.json_files import parse_value
from leaderboard.network.endpoints import shown_address
from leaderboard.network.secret_keys import redact_json
from leaderboard.responses.forms.model_reply import member
from leaderboard.types import Json
from replay.cassettes import call_identity
from replay.providers import provider_of_path

ALLOWED_HEADERS: Final = frozenset({"content-type"})
_JSON: Final = "application/json"
_PHRASES: Final = {status.value: status.phrase for status in HTTPStatus}


class UnrecordableError(ValueError):
    """An exchange that cannot be kept; the message says why."""


def clean(interaction: Json) -> dict[str, Json]:
    """An interaction, as vcrpy stores it, with nothing that a cassette must not hold.

    Raises UnrecordableError if the exchange is not a successful JSON call to a judge, and others
    for an interaction that `cassette_file.exchange` cannot read.
    """
    path = urlsplit(str(interaction["request"]["uri"])).path
    sent = clean_request(interaction["request"])
    model = member(parse_value(sent["body"]), "model")
    return {"request": sent, "response": clean_response(interaction["response"], path, model)}


def clean_request(sent: Json) -> dict[str, Json]:
    """Keeps method, address without query, content type, and body without personal fields."""
    body = call_identity.without_personal_fields(_parsed(sent.get("body"), "request"))
    try:
        uri = shown_address(str(sent["uri"]))
    except ValueError as error:
        raise UnrecordableError(f"its address cannot be read: {error}") from error
    return {
        "method": str(sent["method"]).upper(),
        "uri": uri,
        "headers": clean_headers(sent.get("headers")),
        "body": _canonical(body, "request"),
    }


def clean_response(got: Json, path: str, model: Json) -> dict[str, Json]:
    """Keeps status, content type, and what is read from a reply. The body must be decoded."""
    code = got["status"]["code"]
    if not 200 <= code < 300:
        raise UnrecordableError(f"the judge answered {code}")
    parsed = _parsed(got["body"].get("string"), "reply")
    reply = redact_json(clean_reply(parsed, path, model), live=True)
    return {
        "status": {"code": code, "message": _PHRASES.get(code, "OK")},
        "headers": clean_headers(got.get("headers")),
        "body": {"string": _canonical(reply, "reply")},
    }


def clean_reply(reply: Json, path: str, model: Json) -> dict[str, Json]:
    """Keeps what the provider of the request's path and model reads from a reply.

    Raises UnrecordableError for errors, and for a reply of another provider.
    """
    provider = provider_of_path(path, model)
    why = provider.failure(reply)
    if why:
        raise UnrecordableError(f"its body is not a reply: {why}")
    return provider.clean_reply(reply)


def clean_headers(headers: Json) -> dict[str, list[str]]:
    """Keeps only the header `content-type`, always as `application/json`."""
    if not isinstance(headers or {}, Mapping):
        raise UnrecordableError("its headers are not an object")
    names = (str(name).lower() for name in headers or ())
    return {name: [_JSON] for name in names if name in ALLOWED_HEADERS}


def _parsed(body: Any, side: str) -> Json:
    try:
        return parse_value(body)
    except (ValueError, TypeError) as error:
        raise UnrecordableError(f"its {side} is not JSON") from error


def _canonical(value: Json, side: str) -> str:
    try:
        return call_identity.canonical(value).decode()
    except call_identity.UnkeyableError as error:
        raise UnrecordableError(f"its {side} has no single meaning: {error}") from error
