"""sha256 of canonical JSON and of files. The manifest has the digest of every input."""

from __future__ import annotations

import hashlib
import json

import orjson

from leaderboard.types import Json


def canonical(value: Json) -> bytes:
    """Returns JSON with sorted keys and no blanks. Integers beyond 64 bits keep every digit."""
    try:
        return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
    except TypeError:  # an integer beyond 64 bits
        return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def digest_of(value: Json) -> str:
    """Returns the sha256 (64 hex digits) of a JSON value, independent of key order and blanks."""
    return hashlib.sha256(canonical(value)).hexdigest()


def digest_bytes(data: bytes) -> str:
    """Returns the sha256 (64 hex digits) of bytes."""
    return hashlib.sha256(data).hexdigest()
