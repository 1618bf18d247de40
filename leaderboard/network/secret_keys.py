"""Removes keys and tokens from texts that others wrote, before they are kept or shown."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import Any, Final

REPLACEMENT: Final = "[redacted]"
_SHORTEST_KEY: Final = 8  # a shorter one would also remove ordinary words

# What keys look like, anywhere in a text: kind, parts of which each match holds one (they are
# quick to find), and the whole pattern.
_PATTERNS: Final = tuple(
    (kind, parts, re.compile(pattern, re.DOTALL))
    for kind, parts, pattern in (
        ("an OpenAI key", ("sk-",), r"\bsk-[A-Za-z0-9_-]{16,}"),
        ("a Google key", ("AIza",), r"\bAIza[A-Za-z0-9_-]{30,}"),
        ("a bearer token", ("earer ",), r"\b[Bb]earer +[A-Za-z0-9._~+/-]{16,}"),
        (
            "an access token",
            ("gh", "github_pat_", "hf_", "xox", "xai-", "gsk_"),
            r"\b(?:gh[pousr]_|github_pat_|hf_|xox[abprs]-|xai-|gsk_)[A-Za-z0-9_-]{16,}",
        ),
        (
            "an organisation id",
            ("org", "proj"),
            r"(?<![\w-])(?:org|proj)[-_][A-Za-z0-9]{16,}\b",
        ),
        ("a cloud access key", ("AKIA",), r"\bAKIA[0-9A-Z]{16}\b"),
        (
            "a private key",
            ("PRIVATE KEY",),
            # The search for its end stops at other dashes, so that it needs linear time.
            (
                r"-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----"
                r"(?:(?:[^-]|-(?!----))*-----END [A-Z ]{0,40}PRIVATE KEY-----)?"
            ),
        ),
    )
)

# Texts may be JSON inside JSON.
_ESCAPED: Final = re.compile(r"(?<!\\)\\+(?:[nrt]|u00([2-7][0-9A-Fa-f]))")

# The keys that this process read from its environment.
_known: set[str] = set()


def remember_key(key: str) -> None:
    """Makes `redact_live` and `without_known_keys` remove this key, whatever it looks like."""
    if len(key) >= _SHORTEST_KEY:
        _known.update((key, json.dumps(key)[1:-1]))  # a text may hold JSON


def kinds_of_keys(text: str) -> dict[str, int]:
    """Names the kinds of keys that a text seems to hold, each with the line of its first key."""
    lines = {}
    for kind, parts, pattern in _PATTERNS:
        is_likely = any(part in text for part in parts)
        if is_likely and (found := pattern.search(text)):
            lines[kind] = text.count("\n", 0, found.start()) + 1
    return lines


def kinds_of_keys_in_json(text: str) -> dict[str, int]:
    """The same for JSON, where a line break or "=" before a key may be written as letters."""
    return kinds_of_keys(_ESCAPED.sub(_unescaped, text))


def _unescaped(escape: re.Match[str]) -> str:
    return chr(int(escape[1], 16)) if escape[1] else " "


@lru_cache(maxsize=4096)  # judges repeat themselves
def redact(text: str) -> str:
    """Replaces what looks like a key. Equal texts give equal results, in any environment."""
    for _, parts, pattern in _PATTERNS:
        if any(part in text for part in parts):
            text = pattern.sub(REPLACEMENT, text)
    return text


def redact_live(text: str) -> str:
    """Replaces what looks like a key, and the keys of this process: for what a server sends."""
    return redact(_without_known(text, REPLACEMENT))


def _without_known(text: str, replacement: str) -> str:
    for key in sorted(_known, key=len, reverse=True):
        text = text.replace(key, replacement)
    return text


def without_known_keys(value: Any) -> Any:
    """A JSON value without the keys of this process, which a server may have repeated.

    Names of members are searched too, and the digits of numbers.
    """
    if not _known:
        return value
    if isinstance(value, list | tuple):
        return [without_known_keys(item) for item in value]
    if isinstance(value, dict):
        return {_without_known(name, "[key]"): without_known_keys(value[name]) for name in value}
    hidden = _without_known(str(value), "[key]")
    return value if hidden == str(value) else hidden


def redact_json(value: Any, *, live: bool = False) -> Any:
    """Redacts every text in a JSON value, but not the names of members."""
    if isinstance(value, str):
        return redact_live(value) if live else redact(value)
    if isinstance(value, list):
        return [redact_json(item, live=live) for item in value]
    if isinstance(value, dict):
        return {name: redact_json(item, live=live) for name, item in value.items()}
    return value
