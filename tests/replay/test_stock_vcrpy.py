"""The index and stock vcrpy with the SDKs read the same replies."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
import vcr  # type: ignore[import-untyped]

from leaderboard.files.cassette_paths import cassette_files
from leaderboard.judge_providers import EMBEDDED_MODEL
from leaderboard.network.endpoints import GEMINI_VERSION
from leaderboard.network.retries import RetryPolicy
from leaderboard.types import JudgeCall, JudgeSettings
from replay.asker import open_asker
from replay.cassettes import call_identity, cassette_file
from replay.cassettes.cassette_index import Index
from replay.lexical.embedded_judge import judge
from replay.network_guard import no_network
from replay.providers import anthropic, google, open_client, provider_of_path
from replay.providers.interface import Client
from tests.conftest import PROJECT
from tests.replay.judge_server import judge_server

SHIPPED = cassette_files(PROJECT)
SETTINGS: dict[str, dict[str, float]] = {
    "openai": {"temperature": 0.0, "seed": 7},
    "google": {"temperature": 0.5, "max_output_tokens": 9},
    "anthropic": {"temperature": 1.0, "max_tokens": 9},
}
MOST = 25  # calls per file: stock vcrpy scans a cassette from its start for every call


@pytest.fixture(autouse=True)
def keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-for-tests")
    monkeypatch.setenv("GEMINI_API_KEY", "AIza-for-tests")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-for-tests")


def judge_for(exchange: cassette_file.Exchange) -> JudgeSettings:
    """Returns a judge that sends exactly this recorded request."""
    body = dict(exchange.body)
    if provider_of_path(exchange.path) is google:
        model = exchange.path.removesuffix(":generateContent").rpartition("/models/")[2]
        base = exchange.path.rpartition(f"/{GEMINI_VERSION}/")[0]
        return JudgeSettings(
            "j", "google", model, f"http://localhost{base}", body.get("generationConfig", {})
        )
    settings = {name: value for name, value in body.items() if name not in ("model", "messages")}
    if provider_of_path(exchange.path) is anthropic:
        base = exchange.path.removesuffix("/v1/messages")
        return JudgeSettings("j", "anthropic", body["model"], f"http://localhost{base}", settings)
    base = exchange.path.removesuffix("/chat/completions")
    return JudgeSettings("j", "openai", body["model"], f"http://localhost{base}", settings)


def replayed(root: Path, file: str) -> Iterator[tuple[str, str]]:
    """Yields the replies of stock vcrpy and of the index, for a sample of a cassette."""
    index = Index.load(root)
    exchanges = [cassette_file.exchange(item) for item in cassette_file.read(root, file)]
    sample = random.Random(7).sample(exchanges, min(MOST, len(exchanges)))
    stock = vcr.VCR(
        serializer="json", record_mode=vcr.mode.NONE, match_on=["method", "path", "body"]
    )
    clients: dict[str, Client] = {}
    with no_network(), stock.use_cassette(str(root / file), allow_playback_repeats=True):
        for exchange in sample:
            asked = judge_for(exchange)
            client = clients.setdefault(
                f"{asked.provider} {asked.model} {asked.settings}",
                open_client(asked, RetryPolicy(attempts=1)),
            )
            found = index.find(
                call_identity.key(
                    call_identity.METHOD,
                    call_identity.path(asked),
                    call_identity.body(asked, exchange.prompt),
                )
            )
            yield client.ask(exchange.prompt), found.text if found else "not in the index"
    for client in clients.values():
        with closing(client):
            pass


@pytest.mark.large
@pytest.mark.parametrize("provider", SETTINGS)
def test_recorded_calls_replay_the_same_both_ways(tmp_path: Path, provider: str) -> None:
    """Both ways replay the same replies of a new recording with unusual texts."""
    prompts = ["plain", "größer 😀", "a\nb\r\nc\u2028", '"\\"', "\x00\x7f", "1", "1.0", "x" * 5000]
    with judge_server(say=lambda prompt: f"equivalent\n{prompt[::-1]}") as server:
        asked = server.judge(provider, **SETTINGS[provider])
        with open_asker(tmp_path, record_mode="new_episodes") as ask:
            ask([JudgeCall(asked, "s", "a", prompt) for prompt in prompts])
    (file,) = cassette_files(tmp_path)
    pairs = list(replayed(tmp_path, file))
    assert (len(prompts), [slow for slow, _ in pairs]) == (
        len(pairs),
        [quick for _, quick in pairs],
    )
    assert all(slow.startswith("equivalent\n") for slow, _ in pairs)


@pytest.mark.large
@pytest.mark.skipif(not SHIPPED, reason="no cassette is shipped")
@pytest.mark.parametrize(
    "file", [file for file in SHIPPED if file.startswith(f"cassettes/{EMBEDDED_MODEL}/")]
)
def test_shipped_replies_of_the_embedded_judge_are_current(file: str) -> None:
    """The recorded replies of the embedded judge are those of its current rules."""
    exchanges = [cassette_file.exchange(item) for item in cassette_file.read(PROJECT, file)]
    assert [judge(exchange.prompt) for exchange in exchanges] == [
        exchange.text for exchange in exchanges
    ]


@pytest.mark.large
@pytest.mark.skipif(not SHIPPED, reason="no cassette is shipped")
@pytest.mark.parametrize("file", SHIPPED)
def test_shipped_cassettes_replay_the_same_both_ways(file: str) -> None:
    """Both ways replay the same replies of every shipped cassette."""
    pairs = list(replayed(PROJECT, file))
    assert [slow for slow, _ in pairs] == [quick for _, quick in pairs]
