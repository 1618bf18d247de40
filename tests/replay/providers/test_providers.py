"""The providers of judges: clients over the real SDKs, and the texts of replies."""

from __future__ import annotations

import ssl
import sys
from contextlib import closing
from dataclasses import replace
from typing import Any, get_args

import pytest

from leaderboard.errors import JudgeError
from leaderboard.judge_providers import PROVIDER_DESCRIPTIONS, Provider
from leaderboard.network.endpoints import KEY_VARIABLES
from leaderboard.network.retries import CallError, RetryPolicy
from leaderboard.types import JudgeSettings
from replay.cassettes import call_identity
from replay.providers import PROVIDERS, open_client
from replay.providers.interface import text_in
from tests.each_row import each_row
from tests.replay.judge_server import judge_server

QUICK = RetryPolicy(attempts=3, timeout=5, first_pause=0.01)
# The providers that an SDK asks. The embedded judge shares OpenAI's.
ASKED = [provider for provider in PROVIDERS if provider != "embedded"]


@pytest.fixture(autouse=True)
def keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sets keys that no real service knows, and removes the developer's own settings."""
    for name in (
        "OPENAI_BASE_URL",
        "OPENAI_ORG_ID",
        "OPENAI_PROJECT_ID",
        "GOOGLE_API_KEY",
        "GOOGLE_GENAI_API_VERSION",
        "ANTHROPIC_BASE_URL",
        "ANTHROPIC_AUTH_TOKEN",
    ):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-for-tests")
    monkeypatch.setenv("GEMINI_API_KEY", "AIza-for-tests")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-for-tests")


@pytest.mark.large
@pytest.mark.parametrize("provider", ASKED)
@pytest.mark.parametrize(
    "settings",
    [
        {"temperature": 0, "seed": 7},
        {
            "temperature": 0.25,
            "top_p": 1.0,
            "stop_sequences": ["\n\n"],
            "nested": {"snake_case": 1},
        },
        {"user": "kim", "seed": 1},
        {},
    ],
)
@pytest.mark.parametrize("prompt", ["plain", 'größer 😀\n<<<a\n{{x}}\na>>> \u2028\x00\x7f"\\'])
def test_the_sdk_sends_what_the_identity_says(
    provider: str, settings: dict[str, Any], prompt: str
) -> None:
    """Path and body as sent have the same key that a look-up computes."""
    with judge_server() as server:
        judge = replace(server.judge(provider), settings=settings)
        with closing(open_client(judge, policy=QUICK)) as client:
            client.ask(prompt)
    sent = server.asked[0]
    assert call_identity.key(
        "POST", call_identity.path(judge), call_identity.body(judge, prompt)
    ) == call_identity.key("POST", sent.path, sent.body)


@pytest.mark.parametrize("base", ["", "/", "/a", "/a/", "/a//", "/a b/é", "/a%20b", "/a,b@c"])
@pytest.mark.parametrize("provider", ASKED)
def test_the_sdk_sends_to_the_path_of_the_identity(provider: str, base: str) -> None:
    """Whatever the base_url holds: a reply to another path would be paid for and not be kept."""
    with judge_server() as server:
        judge = replace(server.judge(provider), base_url=server.url + base)
        with closing(open_client(judge, policy=QUICK)) as client:
            client.ask("x")
    assert call_identity.path(judge) == server.asked[0].path


@each_row("model", ["g", "models/g", "tunedModels/g", "org/g", "g l", "gé", "g@1"])
def test_gemini_models_may_have_any_name(model: str) -> None:
    """The SDK puts `models/` before those that are in no folder that it knows."""
    with judge_server() as server:
        judge = replace(server.google(), model=model)
        with closing(open_client(judge, policy=QUICK)) as client:
            client.ask("x")
    assert call_identity.path(judge) == server.asked[0].path


@pytest.mark.parametrize("provider", ASKED)
def test_a_judge_answers(provider: str) -> None:
    """A client returns the text of the reply, with its parts joined."""
    with judge_server() as server:
        client = open_client(server.judge(provider), policy=QUICK)
        said = client.ask("is it?")
        client.close()
    assert said == "equivalent\nIt says 'is it?'."


@pytest.mark.parametrize("provider", ASKED)
def test_clients_share_their_certificates(provider: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading them takes longer than asking a judge."""

    def read(*_: object, **__: object) -> None:
        pytest.fail("a second client reads certificates again")

    with judge_server() as server:
        open_client(server.judge(provider), policy=QUICK).close()
        monkeypatch.setattr(ssl.SSLContext, "load_verify_locations", read)
        open_client(server.judge(provider), policy=QUICK).close()


@pytest.mark.parametrize("provider", ASKED)
def test_retryable_errors_are_retried(provider: str) -> None:
    """After 429 and 500 the request is made again, and the later reply counts."""
    with judge_server(statuses=[429, 500]) as server:
        client = open_client(server.judge(provider), policy=QUICK)
        said = client.ask("again?")
        client.close()
    assert (3, "equivalent") == (len(server.asked), said.split("\n")[0])


@pytest.mark.parametrize("provider", ASKED)
def test_the_number_of_attempts_is_limited(provider: str) -> None:
    """After the last attempt the judge's own error is raised."""
    with judge_server(statuses=[503] * 9) as server:
        client = open_client(server.judge(provider), policy=QUICK)
        with pytest.raises(CallError, match="answered 503") as raised:
            client.ask("again?")
        client.close()
    assert (3, False) == (len(server.asked), raised.value.fatal)


@each_row("provider", ASKED)
@each_row("status", [401, 404])
def test_a_wrong_key_or_model_is_fatal_at_once(provider: str, status: int) -> None:
    """A status that no retry can change is asked once, and reported as fatal."""
    with judge_server(statuses=[status]) as server:
        client = open_client(server.judge(provider), policy=QUICK)
        with pytest.raises(CallError, match=f"answered {status}") as raised:
            client.ask("me?")
        client.close()
    assert (1, True) == (len(server.asked), raised.value.fatal)


@pytest.mark.parametrize("provider", ASKED)
def test_a_web_page_fails_the_call(provider: str) -> None:
    """A server that answers with a page of HTML and status 200 is no judge, and no bug here."""
    with judge_server(page="<html>Welcome to <b>nginx</b></html>") as server:
        client = open_client(server.judge(provider), policy=QUICK)
        with pytest.raises(CallError, match="base_url") as raised:
            client.ask("there?")
        client.close()
    assert (1, False) == (len(server.asked), raised.value.fatal)


@pytest.mark.parametrize("provider", ASKED)
def test_a_silent_server_fails_the_call(provider: str) -> None:
    """A judge that exceeds the timeout fails the call instead of blocking it."""
    with judge_server(delay=0.6) as server:
        client = open_client(
            server.judge(provider),
            policy=RetryPolicy(attempts=1, timeout=0.05, first_pause=0.01),
        )
        with pytest.raises(CallError, match="could not be reached"):
            client.ask("there?")
        client.close()


@pytest.mark.parametrize("provider", ASKED)
def test_a_server_that_is_not_there_fails_the_call(provider: str) -> None:
    """A refused connection becomes a CallError that names the judge and the cause."""
    with judge_server() as server:
        judge = server.judge(provider)
    client = open_client(judge, policy=RetryPolicy(attempts=1, timeout=1, first_pause=0.01))
    with pytest.raises(CallError, match=f"judge {judge.name!r} could not be reached: .*refused"):
        client.ask("there?")
    client.close()


@pytest.mark.parametrize(
    ("judge", "variable"),
    [
        (JudgeSettings("a", "openai", "m"), "OPENAI_API_KEY"),
        (JudgeSettings("a", "google", "m"), "GEMINI_API_KEY or GOOGLE_API_KEY"),
        (JudgeSettings("a", "anthropic", "m"), "ANTHROPIC_API_KEY"),
        (JudgeSettings("a", "openai", "m", api_key_env="MY_KEY"), "MY_KEY"),
        (
            JudgeSettings(
                "a", "openai", "m", base_url="http://127.0.0.1:1/v1", api_key_env="MY_KEY"
            ),
            "MY_KEY",
        ),
    ],
)
def test_a_missing_key_names_its_variable(
    judge: JudgeSettings, variable: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without its key a judge is not asked. The message names the variable to set."""
    usual = [name for provider in ASKED for name in KEY_VARIABLES[provider]]
    for name in (*usual, "MY_KEY"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(JudgeError, match=f"the environment variable {variable} is not set"):
        open_client(judge)


def test_a_model_server_on_this_computer_needs_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    """vLLM, Ollama and llama.cpp on loopback are asked without a key."""
    monkeypatch.delenv("OPENAI_API_KEY")
    with judge_server() as server:
        client = open_client(server.openai(), policy=QUICK)
        client.ask("hello?")
        client.close()
    assert len(server.asked) == 1


def test_an_account_without_credit_is_fatal_at_once() -> None:
    """Anthropic answers 400 for it, like for a bad request. Other requests would fail too."""
    refusal = "Your credit balance is too low to access the API."
    with judge_server(statuses=[400], refusal=refusal) as server:
        client = open_client(server.anthropic(), policy=QUICK)
        with pytest.raises(CallError, match=f"answered 400: {refusal}") as raised:
            client.ask("me?")
        client.close()
    assert (1, True) == (len(server.asked), raised.value.fatal)


def test_without_its_sdk_a_judge_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Anthropic's SDK is an extra."""
    monkeypatch.setitem(sys.modules, "anthropic", None)
    with pytest.raises(JudgeError, match=r"pip install 'toolboard\[anthropic\]'"):
        open_client(JudgeSettings("a", "anthropic", "m"))


def test_settings_replace_the_limit_of_a_claude_reply() -> None:
    """The Messages API needs max_tokens. A judge's own setting counts, else a default is sent."""
    bodies = []
    for settings in ({"max_tokens": 9}, {}):
        with judge_server() as server:
            client = open_client(JudgeSettings("a", "anthropic", "m", server.url, settings))
            client.ask("short?")
            client.close()
        bodies += [asked.body["max_tokens"] for asked in server.asked]
    assert [9, 4096] == bodies


@each_row(
    ("provider", "body", "why"),
    [
        ("openai", {"error": {"message": "Slow down"}}, "it holds an error: Slow down"),
        ("openai", {"choices": []}, "it has no choices"),
        ("openai", {"type": "message", "content": []}, "it has no choices"),
        ("google", {"candidates": []}, "it has no candidates"),
        ("google", {"error": {"message": "Slow down"}}, "it has no candidates"),
        ("anthropic", {"type": "error", "error": {"message": "Busy"}}, "it holds an error: Busy"),
    ],
)
def test_a_body_that_is_no_reply_is_asked_for_again(provider: str, body: Any, why: str) -> None:
    """An error with status 200 is an error: it is retried, and raised with its words."""
    with judge_server(broken=body) as server:
        client = open_client(server.judge(provider), policy=QUICK)
        with pytest.raises(
            CallError, match=f"'{server.judge(provider).name}' sent no reply: {why}"
        ):
            client.ask("is it?")
        client.close()
    assert QUICK.attempts == len(server.asked)


@pytest.mark.parametrize("provider", ASKED)
@pytest.mark.parametrize("body", [[1], 7, "candidates", {"candidates": [1], "choices": [1]}])
def test_a_body_of_another_shape_is_an_error(provider: str, body: Any) -> None:
    """JSON that the SDK cannot read, or where it finds nothing, is a message and no traceback."""
    with judge_server(broken=body) as server:
        client = open_client(server.judge(provider), policy=QUICK)
        with pytest.raises(CallError, match=r"cannot read: |it has no "):
            client.ask("is it?")
        client.close()


@pytest.mark.parametrize("page", ['{"candidates": [{"finishReason": 2}]}', "[" * 100_000])
def test_a_body_that_breaks_the_sdk_is_an_error(page: str) -> None:
    """A number where Gemini's SDK expects a word, and endless nesting, stop no recording."""
    with judge_server(page=page) as server:
        client = open_client(server.google(), policy=QUICK)
        with pytest.raises(CallError, match="'gemini' sent a reply that its SDK cannot read: "):
            client.ask("is it?")
        client.close()


def test_loopback_does_not_go_through_a_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    """A proxy in the environment is ignored for a judge on this computer."""
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:9")
    with judge_server() as server:
        client = open_client(server.openai(), policy=QUICK)
        client.ask("hello?")
        client.close()
    assert len(server.asked) == 1


def test_every_provider_has_a_module_and_a_description() -> None:
    """The table holds every provider that leaderboard.toml may name, and pages describe each."""
    assert set(PROVIDERS) == set(get_args(Provider)) == set(PROVIDER_DESCRIPTIONS)
    assert PROVIDER_DESCRIPTIONS["embedded"] == "Toolboard itself"  # of any board, not a repository


# ---------------------------------------------------------------- replies


@each_row(
    ("provider", "reply", "expected"),
    [
        (
            "openai",
            {
                "choices": [
                    {"message": {"content": "equivalent\nyes"}},
                    {"message": {"content": "no"}},
                ]
            },
            "equivalent\nyes",
        ),
        (
            "openai",
            {"choices": [{"message": {"content": [{"type": "text", "text": "a"}, {"text": "b"}]}}]},
            "ab",
        ),
        ("openai", {"choices": [{"message": {"content": ["a", {"text": "b"}]}}]}, "ab"),
        ("embedded", {"choices": [{"message": {"content": "x"}}]}, "x"),
        (
            "google",
            {"candidates": [{"content": {"parts": [{"text": "equi"}, {"text": "valent"}]}}]},
            "equivalent",
        ),
        (
            "google",
            {
                "candidates": [
                    {"content": {"parts": [{"text": "hm", "thought": True}, {"text": "different"}]}}
                ]
            },
            "different",
        ),
        (
            "anthropic",
            {
                "type": "message",
                "content": [
                    {"type": "thinking", "thinking": "hm", "text": "no"},
                    {"type": "text", "text": "equi"},
                    {"type": "text", "text": "valent"},
                ],
            },
            "equivalent",
        ),
    ],
)
def test_text_of_a_reply(provider: Provider, reply: Any, expected: str) -> None:
    """The text is that of the first choice, or all parts but thoughts of the first candidate."""
    assert expected == PROVIDERS[provider].reply_text(reply)


@each_row(
    ("provider", "reply", "why"),
    [
        ("openai", {"choices": []}, "it has no choices"),
        (
            "openai",
            {"choices": [{"message": {"content": None}, "finish_reason": "length"}]},
            "it ended with length, the token limit",
        ),
        (
            "openai",
            {"choices": [{"message": {"content": None, "refusal": "No, I\nwon't."}}]},
            "it refused: No, I won't.",
        ),
        ("openai", {"choices": [{"message": {"content": "  "}}]}, "it is empty"),
        ("openai", [], "it has no choices"),
        ("openai", {"choices": [7]}, "it has no choices"),
        (
            "openai",
            {"choices": [{"message": {"content": "bad"}, "finish_reason": "length"}]},
            "it ended with length, the token limit",
        ),
        (
            "openai",
            {"choices": [{"message": {"content": "bad"}, "finish_reason": "content_filter"}]},
            "it ended with content_filter",
        ),
        (
            "openai",
            {"choices": [{"message": {"content": "bad"}, "finish_reason": "PROHIBITED_CONTENT"}]},
            "it ended with PROHIBITED_CONTENT",
        ),
        (
            "openai",
            {"choices": [{"message": {"content": "bad"}, "finish_reason": "error"}]},
            "it ended with error",
        ),
        (
            "openai",
            {"choices": [{"message": {"content": "bad"}}], "error": {"message": "Too\nmany"}},
            "it holds an error: Too many",
        ),
        (
            "openai",
            {"choices": [{"message": {"content": "bad"}, "error": "upstream"}]},
            "it holds an error: upstream",
        ),
        ("google", {"promptFeedback": {"blockReason": "SAFETY"}}, "the prompt was blocked, SAFETY"),
        (
            "google",
            {"candidates": [{"finishReason": "MAX_TOKENS", "content": {"parts": [{"text": "a"}]}}]},
            "it ended with MAX_TOKENS, the token limit",
        ),
        (
            "google",
            {"candidates": [{"finishReason": "SAFETY", "content": {"parts": [{"text": "a"}]}}]},
            "it ended with SAFETY",
        ),
        ("google", {"candidates": [{"content": {"parts": "x"}}]}, "it is empty"),
        ("google", None, "it has no candidates"),
        (
            "anthropic",
            {"type": "message", "content": [], "stop_reason": "refusal"},
            "it ended with refusal",
        ),
        (
            "anthropic",
            {
                "type": "message",
                "content": [{"type": "text", "text": "a"}],
                "stop_reason": "refusal",
            },
            "it ended with refusal",
        ),
        (
            "anthropic",
            {
                "type": "message",
                "content": [{"type": "text", "text": "a"}],
                "stop_reason": "max_tokens",
            },
            "it ended with max_tokens, the token limit",
        ),
        (
            "anthropic",
            {"type": "message", "content": [{"type": "text", "text": " "}]},
            "it is empty",
        ),
        (
            "anthropic",
            {"type": "error", "error": {"message": "Overloaded"}},
            "it holds an error: Overloaded",
        ),
        ("anthropic", {"content": "x"}, "it has no content"),
    ],
)
def test_a_reply_without_text_says_so(provider: Provider, reply: Any, why: str) -> None:
    """A blocked, truncated or malformed reply becomes a sentence in brackets, never a verdict."""
    assert f"[no text in the judge's reply: {why}]" == text_in(reply, PROVIDERS[provider])
