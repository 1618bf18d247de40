"""Cassette files: recorded HTTP exchanges as stock vcrpy loads them with `serializer="json"`.

    {"interactions": [
    {"request": {…}, "response": {…}},
    {"request": {…}, "response": {…}}
    ], "version": 1}

One exchange per line, ASCII, sorted by key: git packs such files well, a diff shows one line per judge call, and no locale can
misread them. Reading takes any layout that vcrpy's JSON serializer writes.
"""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import orjson

from leaderboard.errors import FilesError, Problem
from leaderboard.files.document import locate, parse, read_bytes
from leaderboard.store import write_atomic
from leaderboard.types import Json
from replay.cassettes import request
from replay.providers.reply import text_of

FOLDER: Final = "cassettes"
_FIRST: Final = b'{"interactions": [\n'
_LAST: Final = b'\n], "version": 1}\n'
_EMPTY: Final = b'{"interactions": [\n], "version": 1}\n'
_FIX: Final = "restore it from version control, or delete it and record again"


@dataclass(frozen=True, slots=True)
class Exchange:
    """One recorded exchange, read. `body` is the parsed request body; `reply` the response body as text."""

    method: str
    path: str
    body: Json
    status: int
    reply: str

    @property
    def key(self) -> str:
        """The identity of the request, always computed from what was sent. Raises request.UnkeyableError."""
        return request.key(self.method, self.path, self.body)

    @property
    def ok(self) -> bool:
        return 200 <= self.status < 300

    @property
    def text(self) -> str:
        """What the judge said (see reply.text_of)."""
        try:
            reply = orjson.loads(self.reply)
        except orjson.JSONDecodeError:
            return "[no text in the judge's reply: it is no JSON]"
        return text_of(request.provider_of(self.path), reply)

    @property
    def prompt(self) -> str:
        """The text that was put to the judge, empty where the body has another shape."""
        messages = (
            self.body.get("messages") or self.body.get("contents")
            if isinstance(self.body, dict)
            else None
        )
        return "\n".join(_texts(messages))


class ShapeError(ValueError):
    """An interaction that is not one: says which part is missing or odd."""


def _texts(value: Json) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, list):
        return [text for item in value for text in _texts(item)]
    if isinstance(value, dict):
        return [text for name in ("content", "parts", "text") for text in _texts(value.get(name))]
    return []


def relative_path(judge: str, suite: str, submission: str) -> str:
    """Where the calls of one submission at one suite to one judge are kept, below the workspace."""
    return f"{FOLDER}/{judge}/{suite}/{submission}.json"


def files(root: Path) -> tuple[str, ...]:
    """Every cassette of a workspace, as paths below it, sorted."""
    found = (root / FOLDER).rglob("*.json") if (root / FOLDER).is_dir() else ()
    return tuple(
        sorted(path.relative_to(root).as_posix() for path in found if not path.name.startswith("."))
    )


def read(root: Path, file: str) -> Sequence[Json]:
    """The interactions of a cassette, as vcrpy stores them; each is an object with objects `request` and `response`.

    `file` is its path below the workspace `root`. Raises FilesError with file, line and fix for anything that is no cassette:
    a broken file never counts as empty.
    """
    data = read_bytes(root / file, file, root)
    try:
        document = orjson.loads(data)
    except orjson.JSONDecodeError:
        document = parse(data, file)  # says what is wrong, and where
    interactions = document.get("interactions") if isinstance(document, dict) else None
    if not isinstance(interactions, list):
        raise FilesError(Problem(file, 'is no cassette: it lacks the list "interactions"', _FIX))
    odd = [at for at, item in enumerate(interactions) if not _has_both(item)]
    if odd:
        raise FilesError(_shape_problem(data, file, odd[0], 'lacks "request" or "response"'))
    return interactions


def _has_both(item: Json) -> bool:
    return (
        isinstance(item, dict)
        and isinstance(item.get("request"), dict)
        and isinstance(item.get("response"), dict)
    )


def _shape_problem(data: bytes, shown: str, position: int, what: str) -> Problem:
    at = ("interactions", position)
    return Problem(shown, what, _FIX, line=locate(data, {at})[at], at=f"$.interactions[{position}]")


def exchange(interaction: Json) -> Exchange:
    """One interaction, read. Raises ShapeError where it is no exchange of JSON over HTTP."""
    sent, got = interaction["request"], interaction["response"]
    method, uri = sent.get("method"), sent.get("uri")
    if not isinstance(method, str) or not isinstance(uri, str):
        raise ShapeError("has no method or no uri")
    return Exchange(
        method, _path_of(uri), _sent_body(sent.get("body")), _status(got), _reply_text(got)
    )


def _path_of(uri: str) -> str:
    try:
        return urlsplit(uri).path
    except ValueError as error:
        raise ShapeError(f"has an uri that cannot be read: {error}") from error


def _sent_body(body: Json) -> Json:
    if isinstance(body, dict):
        body = body.get("string")
    if not isinstance(body, str):
        raise ShapeError("has a request without a body")
    try:
        return orjson.loads(body)
    except orjson.JSONDecodeError as error:
        raise ShapeError(f"has a request body that is no JSON: {error}") from error


def _status(response: Json) -> int:
    status = response.get("status")
    code = status.get("code") if isinstance(status, dict) else response.get("status_code")
    if not isinstance(code, int):
        raise ShapeError("has a response without a status code")
    return code


def _reply_text(response: Json) -> str:
    body = response.get("body", response.get("content"))
    if isinstance(body, dict):
        body = _decoded(body["base64_string"]) if "base64_string" in body else body.get("string")
    if not isinstance(body, str):
        raise ShapeError("has a response without a body")
    return body


def _decoded(text: Json) -> str | None:
    try:
        return base64.b64decode(text).decode()
    except (TypeError, binascii.Error, UnicodeDecodeError):
        return None


def key_of(interaction: Json) -> str | None:
    """The key of an interaction, or None for one that is no judge call or has no key."""
    try:
        return exchange(interaction).key
    except (ShapeError, request.UnkeyableError):
        return None


def line_of(interaction: Json) -> bytes:
    """One interaction as it stands in a cassette or a journal: one line of ASCII, keys sorted."""
    return json.dumps(interaction, ensure_ascii=True, sort_keys=True, allow_nan=False).encode(
        "ascii"
    )


def dump(interactions: Iterable[Json]) -> bytes:
    """A whole cassette: one line per interaction, sorted by key; what has no key stands first."""
    lines = sorted((key_of(item) or "", line_of(item)) for item in interactions)
    return _FIRST + b",\n".join(line for _, line in lines) + _LAST if lines else _EMPTY


def write(path: Path, interactions: Iterable[Json]) -> None:
    """Put a cassette in place in one step."""
    put(path, dump(interactions))


def put(path: Path, data: bytes) -> None:
    """Put the bytes of a cassette (see `dump`) in place in one step, and wait until they are on the disk."""
    write_atomic(path, data, durable=True)
