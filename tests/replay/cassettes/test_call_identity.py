"""The identity of judge calls."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leaderboard.errors import JudgeError
from leaderboard.types import JudgeSettings
from replay.cassettes.call_identity import Keyer, UnkeyableError, body, canonical, key, path
from replay.providers import google, openai, provider_of_path
from tests.each_row import each_row

OPENAI = JudgeSettings("a", "openai", "gpt-x", settings={"temperature": 0.0, "seed": 7})
GOOGLE = JudgeSettings(
    "b", "google", "gemini-x", settings={"temperature": 0.5, "max_output_tokens": 100}
)
EMBEDDED = JudgeSettings("c", "embedded", "embedded-1")


@each_row(
    ("judge", "expected"),
    [
        (OPENAI, "/v1/chat/completions"),
        (EMBEDDED, "/v1/chat/completions"),
        (
            JudgeSettings("d", "openai", "m", base_url="http://localhost:11434/v1/"),
            "/v1/chat/completions",
        ),
        (
            JudgeSettings("d", "openai", "m", base_url="https://h.example/openai/deployments/m"),
            "/openai/deployments/m/chat/completions",
        ),
        (GOOGLE, "/v1beta/models/gemini-x:generateContent"),
        (
            JudgeSettings("d", "google", "tunedModels/t-1"),
            "/v1beta/tunedModels/t-1:generateContent",
        ),
        (
            JudgeSettings("d", "google", "m", base_url="https://proxy.example/gemini"),
            "/gemini/v1beta/models/m:generateContent",
        ),
        (JudgeSettings("d", "anthropic", "m"), "/v1/messages"),
        (
            JudgeSettings("d", "anthropic", "m", base_url="https://proxy.example/claude/"),
            "/claude/v1/messages",
        ),
    ],
)
def test_path_keeps_the_path_of_the_base_url_and_no_host(
    judge: JudgeSettings, expected: str
) -> None:
    """The path is what the SDK asks for below the host, whatever the host."""
    assert expected == path(judge)


def test_body_of_an_openai_call_holds_model_message_and_settings() -> None:
    """Settings are added beside model and messages without a change."""
    expected = {
        "model": "gpt-x",
        "messages": [{"role": "user", "content": "hi"}],
        "temperature": 0.0,
        "seed": 7,
    }
    assert expected == body(OPENAI, "hi")


def test_body_of_a_google_call_holds_contents_and_camel_case_settings() -> None:
    """Generation settings go into generationConfig, safety settings beside it."""
    judge = JudgeSettings(
        "b",
        "google",
        "m",
        settings={"max_output_tokens": 9, "safety_settings": [{"category": "X"}]},
    )
    expected = {
        "contents": [{"role": "user", "parts": [{"text": "hi"}]}],
        "safetySettings": [{"category": "X"}],
        "generationConfig": {"maxOutputTokens": 9},
    }
    assert expected == body(judge, "hi")


@pytest.mark.parametrize("name", ["model", "messages", "stream"])
def test_settings_that_the_call_fills_in_are_refused(name: str) -> None:
    """Settings that would overwrite the message or switch to streaming are refused by name."""
    judge = JudgeSettings("a", "openai", "m", settings={name: "x"})
    with pytest.raises(JudgeError, match=f"judge 'a': its settings contain {name}"):
        body(judge, "hi")


def test_key_ignores_what_does_not_change_the_question() -> None:
    """Key order, the method's letter case, whole floats and the user do not change the key."""
    sent = {"model": "m", "messages": [], "temperature": 0}
    same = {"temperature": 0.0, "messages": [], "model": "m", "user": "kim"}
    assert key("POST", "/v1", sent) == key("post", "/v1", same)


@each_row(
    "other",
    [
        ("GET", "/v1", {"n": 1}),
        ("POST", "/v2", {"n": 1}),
        ("POST", "/v1", {"n": 2}),
        ("POST", "/v1", {"n": True}),
        ("POST", "/v1", {"n": "1"}),
        ("POST", "/v1", {"n": 1, "m": None}),
        ("POST", "/v1", {"n": [1]}),
    ],
)
def test_different_requests_have_different_keys(other: tuple[str, str, Any]) -> None:
    """Method, path, values, types and members all change the key, and true is not 1."""
    assert key("POST", "/v1", {"n": 1}) != key(*other)


@each_row(
    "value",
    [
        2**63,
        -(2**63) - 1,
        1e300,
        float("nan"),
        float("inf"),
        "\ud83d",
        {"\ud83d": 1},
        {1: 2},
        object(),
        b"x",
    ],
)
def test_values_without_a_single_meaning_are_refused(value: Any) -> None:
    """Numbers over 64 bits, NaN, infinities, lone surrogates and other types get no key."""
    with pytest.raises(UnkeyableError):
        canonical({"v": value})


def test_deep_nesting_is_refused() -> None:
    """A body with thousands of levels is refused."""
    deep: list[Any] = []
    for _ in range(5000):
        deep = [deep]
    with pytest.raises(UnkeyableError):
        canonical(deep)


def test_big_numbers_never_share_a_key() -> None:
    """Two integers that are equal as floats never share a key: both are refused."""
    for text in ('{"seed": 18446744073709551616}', '{"seed": 18446744073709551617}'):
        with pytest.raises(UnkeyableError, match="64 bits"):
            key("POST", "/v1", json.loads(text))


@pytest.mark.parametrize("judge", [OPENAI, GOOGLE, EMBEDDED])
@given(prompt=st.text())
def test_keyer_and_key_agree(judge: JudgeSettings, prompt: str) -> None:
    """A Keyer gives every prompt the key of its whole request."""
    assert key("POST", path(judge), body(judge, prompt)) == Keyer(judge).key(prompt)


def test_a_setting_may_equal_the_placeholder() -> None:
    """Settings may hold the word that the Keyer uses as a placeholder."""
    judge = JudgeSettings("a", "openai", "prompt", settings={"stop": ["prompt", "prompt?"]})
    assert key("POST", path(judge), body(judge, "hi")) == Keyer(judge).key("hi")


def test_a_prompt_with_a_lone_surrogate_is_refused() -> None:
    """A lone surrogate cannot be sent, so it has no key."""
    with pytest.raises(UnkeyableError, match="surrogate"):
        Keyer(OPENAI).key("\ud83d")


def test_settings_that_no_request_can_carry_name_the_judge() -> None:
    """A judge whose seed does not fit into 64 bits is reported by its name."""
    with pytest.raises(JudgeError, match="judge 'a'"):
        Keyer(JudgeSettings("a", "openai", "m", settings={"seed": 2**64}))


def test_provider_of_a_recorded_path() -> None:
    """The path of a recorded request identifies its protocol."""
    assert [provider_of_path(path(judge)) for judge in (OPENAI, GOOGLE)] == [openai, google]
