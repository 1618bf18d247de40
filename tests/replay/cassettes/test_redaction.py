"""Nothing that must not stand in a cassette gets into one."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leaderboard.types import JudgeCall
from replay.asker import open_asker
from replay.cassettes import redaction
from replay.cassettes.cassette_check import check
from replay.cassettes.redaction import UnrecordableError, clean
from replay.providers import openai
from tests.each_row import each_row
from tests.replay.judge_server import JudgeServer, judge_server

SECRET = "s3cr3t"


@pytest.fixture(autouse=True)
def secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    """Plants a secret in every environment variable that the SDKs read."""
    monkeypatch.setenv("OPENAI_API_KEY", f"sk-{SECRET}-key")
    monkeypatch.setenv("OPENAI_ORG_ID", f"org-{SECRET}-id")
    monkeypatch.setenv("OPENAI_PROJECT_ID", f"proj-{SECRET}-id")
    monkeypatch.setenv("GEMINI_API_KEY", f"AIza-{SECRET}-key")
    monkeypatch.setenv("ANTHROPIC_API_KEY", f"sk-ant-{SECRET}-key")
    monkeypatch.setenv("ANTHROPIC_AUTH_TOKEN", f"{SECRET}-token")
    monkeypatch.delenv("GOOGLE_API_KEY", raising=False)


LEAKS = {
    "set-cookie": f"session={SECRET}; Path=/",
    "openai-organization": f"org-{SECRET}",
    "openai-project": f"proj-{SECRET}",
    "anthropic-organization-id": SECRET,
    "request-id": f"req_{SECRET}",
    "x-request-id": f"req-{SECRET}",
    "x-goog-request-id": f"req-{SECRET}",
    "cf-ray": SECRET,
    "server-timing": SECRET,
    "content-type": f"application/json; boundary={SECRET}",
}
EXTRA: dict[str, Any] = {
    "id": f"chatcmpl-{SECRET}",
    "system_fingerprint": SECRET,
    "service_tier": SECRET,
    "metadata": {"user": SECRET},
    "responseId": SECRET,
    "usage": {"prompt_tokens": 1, "completion_tokens": 2, "total_tokens": 3, "trace": SECRET},
    "usageMetadata": {"promptTokenCount": 1, "note": SECRET},
    "container": {"id": SECRET, "expires_at": "2026-01-01T00:00:00Z"},
}


@pytest.fixture(params=[False, True], ids=["plain", "gzip"])
def leaking(request: pytest.FixtureRequest) -> Iterator[JudgeServer]:
    """A judge whose replies carry secrets in every possible place."""
    with judge_server(headers=LEAKS, extra=EXTRA, compressed=request.param) as server:
        yield server


PERSONAL: dict[str, dict[str, Any]] = {
    "openai": {"user": SECRET, "safety_identifier": SECRET, "seed": 7},
    "google": {"seed": 7},
    "anthropic": {"metadata": {"user_id": SECRET}, "max_tokens": 9},
}


@pytest.mark.large
@pytest.mark.parametrize("provider", PERSONAL)
def test_nothing_secret_is_written(tmp_path: Path, leaking: JudgeServer, provider: str) -> None:
    """Secrets planted everywhere on both sides of a call are in no written file."""
    judge = leaking.judge(provider, **PERSONAL[provider])
    host = f"http://{SECRET}:{SECRET}@127.0.0.1:{leaking.port}"
    address = {"openai": f"{host}/v1?key={SECRET}", "anthropic": f"{host}?key={SECRET}"}
    tricky = replace(judge, base_url=address.get(provider, judge.base_url))
    with open_asker(tmp_path, record_mode="new_episodes") as ask:
        replies = ask([JudgeCall(tricky, "s", "sub", "is it?")])
    written = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert [("equivalent", 2)] == [
        (str(reply.text).split("\n")[0], len(written)) for reply in replies
    ]
    assert SECRET in json.dumps([[asked.headers, asked.body] for asked in leaking.asked])
    assert all(SECRET.encode() not in path.read_bytes() for path in written)
    assert check(tmp_path) == ()
    with open_asker(tmp_path, offline=True) as ask:
        assert replies == ask([JudgeCall(tricky, "s", "sub", "is it?")])


def stored(**changes: dict[str, Any]) -> dict[str, Any]:
    """An interaction as vcrpy passes it on, with everything that a recording must drop."""
    reply = {
        "choices": [
            {
                "index": 4,
                "message": {"role": "x", "content": "hi", "tool_calls": []},
                "logprobs": {},
            }
        ],
        **EXTRA,
    }
    made: dict[str, dict[str, Any]] = {
        "request": {
            "method": "post",
            "uri": f"https://kim:{SECRET}@h.example:8443/v1/chat/completions?key={SECRET}#{SECRET}",
            "headers": {
                "Authorization": [f"Bearer {SECRET}"],
                "Cookie": [SECRET],
                "Content-Type": ["application/json"],
            },
            "body": json.dumps({"user": SECRET, "model": "m", "messages": [], "temperature": 1.0}),
        },
        "response": {
            "status": {"code": 200, "message": "OK"},
            "headers": LEAKS,
            "body": {"string": json.dumps(reply)},
        },
    }
    return {side: {**made[side], **changes.get(side, {})} for side in made}


def test_what_is_kept_of_an_exchange() -> None:
    """Cleaning keeps the identity of the request, and the texts and token counts of the reply."""
    body = '{"messages":[],"model":"m","temperature":1}'
    choices = '[{"finish_reason":null,"index":0,"message":{"content":"hi","role":"assistant"}}]'
    usage = '{"completion_tokens":2,"prompt_tokens":1,"total_tokens":3}'
    assert clean(stored()) == {
        "request": {
            "method": "POST",
            "uri": "https://h.example:8443/v1/chat/completions",
            "headers": {"content-type": ["application/json"]},
            "body": body,
        },
        "response": {
            "status": {"code": 200, "message": "OK"},
            "headers": {"content-type": ["application/json"]},
            "body": {
                "string": f'{{"choices":{choices},"object":"chat.completion","usage":{usage}}}'
            },
        },
    }


def test_only_the_texts_are_kept_of_a_content_in_parts() -> None:
    """Parts may hold ids of files and accounts, and thoughts. The reply reads the same without."""
    parts = [
        {"type": "thinking", "thinking": [{"type": "text", "text": SECRET}]},
        {"type": "text", "text": "equi", "id": SECRET, "annotations": [{"file_id": SECRET}]},
        "valent",
    ]
    choice = {"finish_reason": {"id": SECRET}, "message": {"content": parts, "refusal": [SECRET]}}
    path = "/v1/chat/completions"
    reply = {"choices": [choice], "model": [SECRET]}
    kept = redaction.clean_reply(reply, path, "m")

    message = {"role": "assistant", "content": "equivalent"}
    assert [{"index": 0, "finish_reason": None, "message": message}] == kept["choices"]
    assert SECRET not in json.dumps(kept)
    assert openai.reply_text(kept) == openai.reply_text(reply) == "equivalent"


def test_cleaning_twice_is_cleaning_once() -> None:
    """Cleaning a clean interaction changes nothing."""
    assert clean(stored()) == clean(clean(stored()))


@pytest.mark.large
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers(-5, 5) | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
)
def test_any_reply_is_cleaned_or_refused(reply: Any) -> None:
    """Cleaning keeps a part of any reply or says why not. Cleaning again changes nothing."""
    chat, gemini, claude = "/v1/chat/completions", "/v1beta/m:generateContent", "/v1/messages"
    for path, wrapped in (
        (chat, reply),
        (chat, {"choices": reply}),
        (chat, {"choices": [reply]}),
        (gemini, {"candidates": [reply]}),
        (gemini, {"candidates": [{"content": reply}]}),
        (gemini, {"promptFeedback": reply}),
        (claude, {"type": "message", "content": reply}),
        (claude, {"type": "message", "content": [reply]}),
    ):
        try:
            kept = redaction.clean_reply(wrapped, path, "judge-1")
        except UnrecordableError:
            continue
        assert kept == redaction.clean_reply(kept, path, "judge-1")


LARGE_NUMBER = '{"choices": [{}], "usage": {"prompt_tokens": 9223372036854775808}}'
ERROR_IN_CHOICE = '{"choices": [{"finish_reason": "error", "message": {"content": "different"}}]}'


@each_row(
    ("changes", "why"),
    [
        ({"response": {"status": {"code": 429, "message": "Slow down"}}}, "answered 429"),
        ({"response": {"body": {"string": "<html>"}}}, "reply is not JSON"),
        ({"response": {"body": {"string": '{"error": {"message": "x"}}'}}}, "an error: x"),
        ({"response": {"body": {"string": '{"choices": []}'}}}, "has no choices"),
        ({"response": {"body": {"string": '{"type": "message", "content": []}'}}}, "no choices"),
        ({"response": {"body": {"string": ERROR_IN_CHOICE}}}, "ended with error"),
        ({"request": {"body": None}}, "request is not JSON"),
        ({"request": {"body": '{"seed": 99999999999999999999}'}}, "no single meaning"),
        ({"request": {"uri": "https://h.example:99999/v1"}}, "address cannot be read"),
        ({"request": {"headers": [["cookie", "x"]]}}, "headers are not an object"),
        ({"response": {"body": {"string": LARGE_NUMBER}}}, "reply has no single meaning"),
        ({"response": {"body": {"string": "[" * 300 + "]" * 300}}}, "reply is not JSON"),
    ],
)
def test_errors_are_not_recorded(changes: dict[str, Any], why: str) -> None:
    """Errors, HTML, replies without a choice or of others, and bodies without a key are refused."""
    with pytest.raises(UnrecordableError, match=why):
        clean(stored(**changes))
