"""Models asked outside judging: live, many at once, and without a recording."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest

from leaderboard.network.retries import CallError, RetryPolicy
from leaderboard.types import JudgeSettings
from replay.asking_judges import LiveCall, ask_again, ask_judges, completing
from replay.providers import open_client
from tests.replay.judge_server import JudgeServer, judge_server

POLICY = RetryPolicy(attempts=2, timeout=20, first_pause=0.01)
AT_ONCE = 20


@pytest.fixture
def server() -> Iterator[JudgeServer]:
    with judge_server() as running:
        yield running


@pytest.mark.large
def test_many_are_asked_at_once(server: JudgeServer) -> None:
    """Each reply comes only when all twenty requests are there."""
    gate = threading.Barrier(AT_ONCE, timeout=15)

    def say(prompt: str) -> str:
        gate.wait()
        return f"said {prompt}"

    server.say = say
    with completing(server.openai(), POLICY) as complete, ThreadPoolExecutor(AT_ONCE) as pool:
        prompts = [str(number) for number in range(AT_ONCE)]
        assert [f"said {prompt}" for prompt in prompts] == list(pool.map(complete, prompts))


def test_no_reply_is_an_error() -> None:
    """It names the reason."""
    with closing(socket.create_server(("127.0.0.1", 0))) as free:
        port = free.getsockname()[1]
    judge = JudgeSettings("gone", "openai", "m", f"http://127.0.0.1:{port}/v1", {})
    with (
        completing(judge, POLICY) as complete,
        pytest.raises(CallError, match="could not be reached"),
    ):
        complete("Anybody?")


@pytest.mark.parametrize("jobs", [1, 8])
def test_each_reply_is_announced(server: JudgeServer, jobs: int) -> None:
    """A prompt that gets no reply is announced too."""
    server.statuses = [400]
    told: list[None] = []
    replies = ask_again(server.openai(), list("abc"), jobs, lambda: told.append(None))
    assert (3, 1) == (len(told), replies.count(None))


def test_no_attempt_follows_an_end(server: JudgeServer) -> None:
    """When the asking ends early, a call that waits for its next attempt is given up."""
    server.statuses = [400, 503]

    def stop() -> None:
        raise KeyboardInterrupt

    judge, patient = server.openai(), RetryPolicy(attempts=2, timeout=20, first_pause=1)
    with closing(open_client(judge, patient)) as client, pytest.raises(KeyboardInterrupt):
        ask_judges([LiveCall(judge, client.ask, prompt) for prompt in "ab"], 2, stop)
    assert len(server.asked) == 2
