"""Limits, seeds, efforts, further fields and headers, as each provider's API takes them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from leaderboard.types import Price
from runners.early_ends import RunInterrupted
from runners.models.model_settings import MissingKeyError, ModelError, ModelSettings, api_key
from tests.runners.model_board import KEY, Bench
from tests.runners.scripted_server import (
    Answer,
    Seen,
    always,
    echo,
    message,
    refused,
    said,
    serving,
)

# Planted: no file may contain any of these.
HEADER = "Bearer planted-header-7f3a9c"
BODY = {"api_token": "planted-body-value", "options": ["planted9random1text2"], "top_k": 5}
QUOTED = 'planted"quote\\8d2'
PLANTED = (
    "planted-header-7f3a9c",
    "planted-body-value",
    "planted9random1text2",
    KEY,
    QUOTED,
    json.dumps(QUOTED)[1:-1],
)


def test_settings_are_in_every_request(bench: Bench) -> None:
    """Each provider has its own names for the same settings."""
    effort = {"max_tokens": 99, "reasoning_effort": "low"}
    seed = {} if bench.provider == "anthropic" else {"seed": 7}
    more: dict[str, Any] = {"extra_body": {"service_tier": "flex"}, "headers": {"X-Team": "a b"}}
    _, server = bench.run(echo, limit=1, model={**effort, **seed, **more})
    [seen] = server.seen
    assert seen.headers["x-team"] == "a b"
    body = seen.body
    assert body["service_tier"] == "flex"
    if seen.is_google:
        thinking = {"thinking_level": "LOW"}
        expected = {"temperature": 0, "maxOutputTokens": 99, "seed": 7, "thinkingConfig": thinking}
        assert body["generationConfig"] == expected
    elif seen.is_anthropic:
        assert (body["max_tokens"], body["output_config"]) == (99, {"effort": "low"})
        assert body["temperature"] == 0
    else:
        assert (body["max_tokens"], body["seed"], body["reasoning_effort"]) == (99, 7, "low")
    settings = bench.card()["settings"]
    assert (settings["max_tokens"], settings["extra_body"]) == (99, ["service_tier"])
    assert settings["headers"] == ["X-Team"]


@pytest.mark.large
def test_secrets_reach_no_file(bench: Bench, tmp_path: Any) -> None:
    """A server that repeats keys, headers and fields cannot get them written anywhere."""

    def leak(seen: Seen) -> Answer:
        if "B00" in seen.query:
            return refused(400, f"not with {HEADER} and {json.dumps(BODY)} and {KEY}")
        body = said(seen, f"{HEADER} {json.dumps(BODY)} {KEY} {QUOTED}").body
        name = "modelVersion" if seen.is_google else "model"
        return Answer({**body, name: f"m-{KEY}", "new": {KEY: [HEADER, QUOTED]}})

    model = {"headers": {"X-Proxy-Auth": HEADER, "X-Odd": QUOTED}, "extra_body": BODY}
    report, server = bench.run(leak, model=model, keep_raw=bench.folder.root / "raw")
    assert server.seen[0].headers["x-proxy-auth"] == HEADER
    assert server.seen[0].body["api_token"] == BODY["api_token"]
    written = [path for path in bench.folder.root.rglob("*") if path.is_file()]
    assert len(written) > 8
    for path in written:
        text = path.read_text(encoding="utf-8", errors="replace")
        assert not [secret for secret in PLANTED if secret in text], path
    assert not [secret for secret in PLANTED if secret in str(report)]


@pytest.mark.large
def test_a_budget_stops_before_it_is_exceeded_and_can_be_continued(bench: Bench) -> None:
    """The answers so far are kept; a larger budget asks the others, and none twice."""
    # A reply costs 7 output tokens at 1,000 dollars per million; a request keeps 10 of them aside.
    plan: dict[str, Any] = {"price": Price(0.0, 1000.0), "concurrency": 1}
    model = {"max_tokens": 10}
    with pytest.raises(RunInterrupted) as stopped:
        bench.run(echo, model=model, budget=0.025, **plan)
    assert (stopped.value.kept, stopped.value.total) == (3, 5)
    assert stopped.value.dollars == pytest.approx(0.021)
    assert not (bench.folder.root / "submissions/m").exists()
    report, server = bench.run(echo, model=model, budget=0.04, resume=True, **plan)
    assert (report.answers, len(server.seen)) == (5, 2)
    assert report.spent is not None
    assert report.spent.dollars == pytest.approx(0.035)
    assert (report.spent.requests, report.spent.output_tokens) == (2, 14)


@pytest.mark.large
def test_requests_under_way_do_not_end_the_budget(bench: Bench) -> None:
    """They cost less than is kept aside for them, so further ones wait for their replies."""
    # A request keeps 10 tokens aside, and its reply has 7: two fit at a time, and three in all.
    plan: dict[str, Any] = {"price": Price(0.0, 1000.0), "concurrency": 8}
    with pytest.raises(RunInterrupted) as stopped:
        bench.run(echo, model={"max_tokens": 10}, budget=0.025, **plan)
    assert (stopped.value.kept, stopped.value.total) == (3, 5)
    report, _ = bench.run(echo, model={"max_tokens": 10}, budget=0.04, resume=True, **plan)
    assert report.answers == 5


def test_nothing_answered_is_no_submission(bench: Bench) -> None:
    """A server that refuses every case stops the run, however few cases there are."""
    with (
        serving(always(refused(400, "unknown field"))) as server,
        pytest.raises(ModelError, match="nothing was answered"),
    ):
        bench.against(server, limit=2)
    assert not (bench.folder.root / "submissions/m").exists()


def test_anthropic_turns_go_back_whole(board: Any) -> None:
    """Thoughts with their signatures, calls and results; the next turn has the tool's reply."""
    thought = {"type": "thinking", "thinking": "Hm.", "signature": "sig"}
    use = {"type": "tool_use", "id": "t1", "name": "type_letter", "input": {"letter": "h"}}

    def script(seen: Seen) -> Answer:
        if seen.turn == 0:
            return message(thought, use, stop="tool_use")
        assert seen.body["messages"][1]["content"] == [thought, use]
        result = seen.body["messages"][2]["content"][0]
        assert (result["type"], result["tool_use_id"]) == ("tool_result", "t1")
        return message({"type": "text", "text": "done"})

    bench = Bench(board, "anthropic")
    report, _ = bench.run(script, "acts", limit=1)
    [record] = bench.records("acts")
    assert (report.unanswered, record["output"], record["state"]) == (0, "done", "h")


def test_vertex_asks_gemini_with_a_key_or_an_account(
    board: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a key the address names no project. Without one, this computer's account is used."""
    monkeypatch.setenv("GOOGLE_API_KEY", KEY)
    with serving(echo) as server:
        settings = ModelSettings("vertex", "gemini-x", server.url)
        bench = Bench(board, "vertex")
        bench.against(server, limit=1)
    [seen] = server.seen
    assert seen.path == "/v1beta/publishers/google/models/scripted-1:generateContent"
    assert seen.headers["x-goog-api-key"] == KEY
    monkeypatch.delenv("GOOGLE_API_KEY")
    monkeypatch.setenv("GOOGLE_CLOUD_PROJECT", "p-1")
    assert api_key(settings) == ""
    monkeypatch.delenv("GOOGLE_CLOUD_PROJECT")
    with pytest.raises(MissingKeyError, match="set GOOGLE_CLOUD_PROJECT and GOOGLE_CLOUD_LOCATION"):
        api_key(ModelSettings("vertex", "gemini-x"))
