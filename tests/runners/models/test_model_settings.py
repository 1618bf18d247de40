"""Keys and addresses of models."""

from __future__ import annotations

import pytest

from leaderboard.network import secret_keys
from leaderboard.network.secret_keys import without_known_keys
from runners.models.model_settings import (
    MissingKeyError,
    ModelSettings,
    api_key,
    remember_usual_keys,
)
from tests.runners.model_board import KEY


@pytest.mark.usefixtures("keys")
def test_keys_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """The usual or the named variable holds the key; a server on this computer needs none."""
    assert api_key(ModelSettings("openai", "m")) == KEY
    monkeypatch.delenv("GEMINI_API_KEY")
    monkeypatch.setenv("GOOGLE_API_KEY", f" {KEY}2 \n")
    assert api_key(ModelSettings("google", "m")) == f"{KEY}2"
    monkeypatch.delenv("OPENAI_API_KEY")
    assert api_key(ModelSettings("openai", "m", "http://localhost:8000/v1")) == "none-needed"
    monkeypatch.setenv("MY_KEY", "abc")
    assert api_key(ModelSettings("openai", "m", "https://example.org/v1", "MY_KEY")) == "abc"


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        (ModelSettings("openai", "m"), "OPENAI_API_KEY is not set"),
        (ModelSettings("google", "m"), "GEMINI_API_KEY or GOOGLE_API_KEY is not set"),
        (ModelSettings("openai", "m", "https://example.org/v1"), "OPENAI_API_KEY is not set"),
        (ModelSettings("openai", "m", "http://127.0.0.1:1/v1", "MY_KEY"), "MY_KEY is not set"),
        (
            ModelSettings("openai", "m", None, "ODD_KEY"),
            "contains spaces or characters that no key has",
        ),
    ],
)
def test_a_missing_key_is_named(
    monkeypatch: pytest.MonkeyPatch, settings: ModelSettings, named: str
) -> None:
    """The message says which variable to set."""
    for name in ("OPENAI_API_KEY", "GEMINI_API_KEY"):
        monkeypatch.setenv(name, " ")
    monkeypatch.setenv("ODD_KEY", "two words")
    with pytest.raises(MissingKeyError, match=named):
        api_key(settings)


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        (None, None),
        ("http://127.0.0.1:8123/v1/", "http://localhost/v1"),
        ("http://[::1]:11434/v1", "http://localhost/v1"),
        (
            "https://user:secret@models.example.org:8443/v1?key=abc#x",
            "https://models.example.org:8443/v1",
        ),
    ],
)
def test_an_address_on_a_card_has_no_secrets(address: str | None, shown: str | None) -> None:
    """The card names the host, without user, and without a port of this computer."""
    assert ModelSettings("openai", "m", address).endpoint == shown


def test_t18_keys_headers_and_secret_fields_are_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing that was sent in secret is kept. The key that stands for none hides no words."""
    monkeypatch.setattr(secret_keys, "_known", set())
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    local = "http://127.0.0.1:1/v1"
    headers, body = {"X": "Bearer hidden-part"}, {"token": "hidden-field"}
    sent = ModelSettings("openai", "m", local, headers=headers, extra_body=body)
    assert api_key(sent) == KEY
    given = f"x{KEY}y, none-needed, a, hidden-part, hidden-field"
    assert without_known_keys(given) == "x[key]y, none-needed, a, [key], [key]"
    monkeypatch.delenv("OPENAI_API_KEY")
    assert api_key(ModelSettings("openai", "m", local)) == "none-needed"
    assert without_known_keys("none-needed") == "none-needed"


def test_t18_the_keys_of_all_providers_are_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file of replies does not say which key its server got. A variable may be missing."""
    monkeypatch.setattr(secret_keys, "_known", set())
    monkeypatch.delenv("GEMINI_API_KEY", raising=False)
    monkeypatch.setenv("OPENAI_API_KEY", f" {KEY}1\n")
    monkeypatch.setenv("GOOGLE_API_KEY", f"{KEY}2")
    monkeypatch.setenv("ANTHROPIC_API_KEY", f"{KEY}3")
    remember_usual_keys()
    assert without_known_keys(f"{KEY}1 {KEY}2 {KEY}3 {KEY}4") == f"[key] [key] [key] {KEY}4"


def test_words_that_stand_in_for_a_key_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server on this machine needs no key, but its client wants one."""
    monkeypatch.setattr(secret_keys, "_known", set())
    monkeypatch.setenv("OPENAI_API_KEY", "not-needed-here")
    remember_usual_keys()
    assert without_known_keys("A key is not-needed-here.") == "A key is not-needed-here."
