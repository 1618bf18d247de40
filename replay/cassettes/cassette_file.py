"""Cassette files: recorded HTTP exchanges as stock vcrpy loads them with `serializer="json"`.

    {"interactions": [
    {"request": {…}, "response": {…}},
    {"request": {…}, "response": {…}}
    ], "version": 1}

One exchange per line, ASCII, sorted by key: git packs such files well, a diff shows one line per
judge call, and no locale can misread them. Reading accepts any layout of the same JSON.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from leaderboard.errors import FilesError, Problem
from leaderboard.files.cassette_paths import CassettePath
from leaderboard.files.file_bytes import read_bytes
from leaderboard.files.json_files import locate, parse, parse_value
from leaderboard.limits import CASSETTE_CALLS, FILE_BYTES, megabytes
from leaderboard.machine.atomic_files import write_atomic
from leaderboard.network.secret_keys import redact
from leaderboard.responses.forms.model_reply import member
from leaderboard.types import Json
from replay.cassettes import call_identity
from replay.providers import provider_of_path
from replay.providers.interface import no_text, text_in

_SPLIT: Final = "send fewer trials, or split the suite"
_FIX: Final = "restore it from version control, or delete it and record again"


class ShapeError(ValueError):
    """An interaction that is not an exchange of JSON; the message names the missing part."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """A recorded judge call: its key, the judge's reply, and its place.

    `position` counts from 0. It is -1 while the call is only in the journal.
    """

    key: str
    text: str
    file: str
    position: int

    @property
    def judge(self) -> str:
        """The name of the judge, which the path of the cassette has."""
        return CassettePath.of(self.file).judge

    @property
    def is_new(self) -> bool:
        """Whether it was recorded in this run."""
        return self.position < 0


@dataclass(frozen=True, slots=True)
class Exchange:
    """One recorded exchange: `body` is parsed, `reply` is the response body as text."""

    method: str
    path: str
    body: Json
    status: int
    reply: str

    @property
    def key(self) -> str:
        """The identity of the request, computed from what was sent. Raises UnkeyableError."""
        return call_identity.key(self.method, self.path, self.body)

    @property
    def ok(self) -> bool:
        return 200 <= self.status < 300

    @property
    def text(self) -> str:
        """The judge's reply, or a sentence in brackets that says why there is none."""
        try:
            reply = parse_value(self.reply)
        except ValueError:
            return no_text("it is not JSON")
        return redact(text_in(reply, provider_of_path(self.path)))

    @property
    def prompt(self) -> str:
        """The text that the judge was asked, empty if the body has another shape."""
        return "\n".join(_texts(member(self.body, "messages") or member(self.body, "contents")))


def _texts(value: Json) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        value = [value.get(name) for name in ("content", "parts", "text")]
    return [text for item in value for text in _texts(item)] if isinstance(value, list) else []


def read(root: Path, file: str) -> Sequence[Json]:
    """Reads the interactions of a cassette, each an object with objects `request` and `response`.

    `file` is its path below the workspace `root`. Raises FilesError with file, line and fix for
    anything else: a broken file never counts as empty.
    """
    return interactions_of(read_bytes(root / file, file, root), file)


def interactions_of(data: bytes, file: str) -> Sequence[Json]:
    """The interactions in the bytes of a cassette. See `read`."""
    try:
        document = parse_value(data)
    except ValueError:
        document = parse(data, file)  # raises an error that says what is wrong, and where
    interactions = member(document, "interactions")
    if not isinstance(interactions, list):
        raise FilesError.about(file, 'is not a cassette: it lacks the list "interactions"', _FIX)
    check_size(file, len(interactions), len(data))
    for position, item in enumerate(interactions):
        if not all(isinstance(member(item, side), dict) for side in ("request", "response")):
            at = ("interactions", position)
            line, place = locate(data, {at})[at], f"$.interactions[{position}]"
            what = 'lacks "request" or "response"'
            raise FilesError.about(file, what, _FIX, line=line, at=place)
    return interactions


def problem_at(root: Path, file: str, position: int, what: str, fix: str) -> Problem:
    """A problem of an interaction (from 0), with its line. Raises FilesError."""
    at = ("interactions", position)
    line = locate(read_bytes(root / file, file, root), {at})[at]
    return Problem(file, what, fix, line, f"$.interactions[{position}]")


def exchange(interaction: Json) -> Exchange:
    """Reads one interaction. Raises ShapeError if it is not an exchange of JSON over HTTP."""
    sent, got = interaction["request"], interaction["response"]
    method, uri = sent.get("method"), sent.get("uri")
    if not isinstance(method, str) or not isinstance(uri, str):
        raise ShapeError("has no method or no uri")
    try:
        path = urlsplit(uri).path
    except ValueError as error:
        raise ShapeError(f"has an uri that cannot be read: {error}") from error
    text = sent.get("body")
    if not isinstance(text, str):
        raise ShapeError("has a request without a body")
    try:
        body = parse_value(text)
    except ValueError as error:
        raise ShapeError(f"has a request body that is not JSON: {error}") from error
    status, reply = member(got.get("status"), "code"), member(got.get("body"), "string")
    if not isinstance(status, int):
        raise ShapeError("has a response without a status code")
    if not isinstance(reply, str):
        raise ShapeError("has a response without a body")
    return Exchange(method, path, body, status, reply)


def key_of(interaction: Json) -> str | None:
    """The key of an interaction, or None if it is not a judge call or has no key."""
    try:
        return exchange(interaction).key
    except (ShapeError, call_identity.UnkeyableError):
        return None


def line_of(interaction: Json) -> bytes:
    """An interaction as one line of ASCII with sorted keys."""
    return json.dumps(interaction, ensure_ascii=True, sort_keys=True, allow_nan=False).encode(
        "ascii"
    )


def dump(interactions: Iterable[Json]) -> bytes:
    """A whole cassette, sorted by key. Interactions without a key come first."""
    lines = sorted((key_of(item) or "", line_of(item)) for item in interactions)
    calls = b",\n".join(line for _, line in lines) + b"\n" if lines else b""
    return b'{"interactions": [\n' + calls + b'], "version": 1}\n'


def write(root: Path, file: str, interactions: Collection[Json]) -> None:
    """Writes a cassette in one step, and waits until it is on the disk.

    `file` is its path below the workspace `root`. Raises FilesError for a cassette that is too
    large to be read again.
    """
    data = dump(interactions)
    check_size(file, len(interactions), len(data), verb="would have")
    write_atomic(root / file, data, durable=True)


def check_size(file: str, calls: int, size: int, *, verb: str = "has") -> None:
    """Raises FilesError if a cassette of so many judge calls and bytes is too large."""
    if calls > CASSETTE_CALLS:
        what = f"{verb} {calls:,} judge calls; the limit is {CASSETTE_CALLS:,}"
        raise FilesError.about(file, what, _SPLIT)
    if size > FILE_BYTES:
        what = f"{verb} {megabytes(size)}; the limit is {megabytes(FILE_BYTES)}"
        raise FilesError.about(file, what, _SPLIT)
