"""Keys in texts."""

from __future__ import annotations

import json
import time

import pytest

from leaderboard.network import secret_keys
from leaderboard.network.secret_keys import (
    kinds_of_keys,
    kinds_of_keys_in_json,
    redact,
    redact_json,
    redact_live,
    remember_key,
    without_known_keys,
)
from tests.each_row import each_row

KEY = "sk-" + "a1B2" * 8
KEYS = [
    KEY,
    "AIza" + "Sy" * 18,
    "Bearer " + "abc." * 8,
    "github_pat_" + "a1" * 18,
    "xoxb-" + "12ab" * 6,
    "xai-" + "a1B2" * 6,
    "gsk_" + "a1B2" * 6,
    "org-" + "aB1c" * 6,
    "AKIA" + "ABCD" * 4,
    "-----BEGIN PRIVATE KEY-----\nMIIE\nabc\n-----END PRIVATE KEY-----",
]


@each_row("key", KEYS)
def test_t18_what_looks_like_a_key_is_replaced(key: str) -> None:
    """The words around it stay, and doing it twice changes nothing."""
    once = redact(f"Incorrect key: {key} given")
    assert "Incorrect key: [redacted] given" == once == redact(once)
    assert {} == kinds_of_keys(once) != kinds_of_keys(key)


@pytest.mark.large
def test_t12_the_line_of_a_key_is_counted() -> None:
    """A break that JSON writes as letters is no line, and many empty lines take little time."""
    start = time.monotonic()
    text = f'{{"a": "x\\n{KEY}"}}'
    found = kinds_of_keys_in_json("\n" * 2_000_000 + f"{text}\n{text}")
    assert {"an OpenAI key": 2_000_001} == found
    assert time.monotonic() - start < 2


@each_row("before", [r"KEY\u003d", r"\u003C", r"\\u0022", r"\\\n", r"\u0073k-abc \u0020"])
def test_t18_escapes_of_json_hide_no_key(before: str) -> None:
    """Some programs write "=" and "<" as escapes, which end in letters."""
    escaped = KEY.replace("s", r"\u0073", 1)
    assert kinds_of_keys_in_json(before + KEY) == {"an OpenAI key": 1}
    assert kinds_of_keys_in_json(before + escaped) == {"an OpenAI key": 1}


def test_ordinary_texts_stay() -> None:
    """Words, hashes and short ids are no keys."""
    text = "task-force, organisation, org-wide, 4f1c2d3e5a6b7c8d, sk-8, bearer of bad news, AIza"
    assert text == redact(text) == redact_live(text)


def test_t18_the_keys_of_this_process_are_replaced_whatever_they_look_like(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A key that was read from the environment is removed from what a server sends."""
    monkeypatch.setattr(secret_keys, "_known", set())
    remember_key("token-abc123")
    remember_key("short")
    assert "no [redacted], short" == redact_live("no token-abc123, short")
    assert "no token-abc123" == redact("no token-abc123"), "equal texts, in any environment"


def test_t18_no_part_of_a_value_holds_a_key_of_this_process(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Names of members, numbers, and JSON inside a text can repeat a key. Other values stay."""
    monkeypatch.setattr(secret_keys, "_known", set())
    for key in ("12345678", 'odd"key\\1', "token-abc", "token-abc123"):
        remember_key(key)
    inner = json.dumps({"x": 'odd"key\\1'})
    given = {"token-abc": [12345678, ("token-abc123",)], "text": inner, "n": [1, 0.5, None, True]}
    hidden = {"[key]": ["[key]", ["[key]"]], "text": '{"x": "[key]"}', "n": [1, 0.5, None, True]}
    assert without_known_keys(given) == hidden


def test_every_text_in_a_value_is_redacted() -> None:
    """Lists and members are searched. Other values stay."""
    given = {"a": [KEY, 1, None], "b": {"c": f"x {KEY}"}, "d": 0.5}
    assert {"a": ["[redacted]", 1, None], "b": {"c": "x [redacted]"}, "d": 0.5} == redact_json(
        given
    )


@pytest.mark.parametrize("text", ["\\", "-----BEGIN PRIVATE KEY-----", "-----BEGIN A ", "Bearer "])
def test_t12_keys_are_searched_in_linear_time(text: str) -> None:
    """An answer may hold 200,000 characters that only start like a key."""
    start = time.monotonic()
    text *= 200_000 // len(text)
    kinds_of_keys_in_json(text)
    redact(text)
    assert time.monotonic() - start < 2
