"""Asking judges live, several calls at a time, or as a plain function from prompt to text."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import ExitStack, closing, contextmanager
from itertools import islice
from typing import Final, NamedTuple

from leaderboard.errors import JudgeError
from leaderboard.network.retries import CallError, RetryPolicy
from leaderboard.types import JudgeSettings
from replay.providers import open_client

# This many failures in a row mean that the judge cannot be reached, not that the calls are odd.
_MOST_FAILURES: Final = 5


# Asks a prompt, and waits with the second argument before further attempts. Raises CallError.
AskLive = Callable[[str, Callable[[float], None]], str]


class LiveCall(NamedTuple):
    """A prompt to ask a judge, and how to ask it."""

    judge: JudgeSettings
    ask: AskLive
    prompt: str


def ask_judges(
    calls: Sequence[LiveCall], jobs: int, after_reply: Callable[[], None]
) -> list[str | CallError]:
    """Asks every call; returns replies and errors in their order.

    `after_reply` is called for each of them, and its exceptions end the asking. Raises JudgeError
    when a judge cannot be asked at all. Requests that have started are always awaited, but not the
    pauses before further attempts.
    """
    ended = threading.Event()

    def pause(seconds: float) -> None:
        if ended.wait(seconds):
            raise CallError("the run ended before the next attempt")

    results: dict[int, str | CallError] = {}
    failures_in_a_row = 0
    left = iter(enumerate(calls))
    running: dict[Future[str], int] = {}
    with (
        ThreadPoolExecutor(max(1, jobs), thread_name_prefix="judge") as pool,
        ExitStack() as at_the_end,
    ):
        at_the_end.callback(ended.set)
        while len(results) < len(calls):
            # Only as many calls start as can run at once, so that Ctrl-C leaves no queue behind.
            for position, call in islice(left, max(1, jobs) - len(running)):
                running[pool.submit(call.ask, call.prompt, pause)] = position
            finished, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in finished:
                position = running.pop(future)
                results[position] = result = _reply_or_error(future)
                after_reply()
                if isinstance(result, str):
                    failures_in_a_row = 0
                    continue
                failures_in_a_row += 1
                if result.fatal or failures_in_a_row >= _MOST_FAILURES:
                    raise _out_of_reach(calls[position].judge, result)
    return [results[position] for position in range(len(calls))]


def _reply_or_error(future: Future[str]) -> str | CallError:
    try:
        return future.result()
    except CallError as error:
        return error


def _out_of_reach(judge: JudgeSettings, error: CallError) -> JudgeError:
    fix = "check its model, its address and its key; recorded replies are kept"
    return JudgeError.about("leaderboard.toml", str(error), fix, at=f"judges.{judge.name}")


def ask_again(
    judge: JudgeSettings, prompts: Sequence[str], jobs: int, after_reply: Callable[[], None]
) -> tuple[str | None, ...]:
    """Asks a judge prompts that are recorded already; a prompt without a reply gets None.

    `after_reply` is called for each of them. Nothing is written into a cassette. Raises JudgeError
    when the judge cannot be asked at all.
    """
    with closing(open_client(judge)) as client:
        calls = [LiveCall(judge, client.ask, prompt) for prompt in prompts]
        replies = ask_judges(calls, jobs, after_reply)
    return tuple(reply if isinstance(reply, str) else None for reply in replies)


@contextmanager
def completing(judge: JudgeSettings, policy: RetryPolicy) -> Iterator[Callable[[str], str]]:
    """Asks a model live, from many threads at once, and records nothing.

    The function raises CallError without a reply. Raises JudgeError if there is no key.
    """
    with closing(open_client(judge, policy=policy)) as client:
        yield client.ask
