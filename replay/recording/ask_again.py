"""Asking a judge again, live, about calls that are recorded already. Nothing of it is ever written into a cassette."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from typing import Final

from leaderboard.errors import JudgeError, Problem
from leaderboard.types import JudgeSettings
from replay.providers.clients import CallError, Opener, open_client
from replay.providers.embedded import serving
from replay.recording.orders import Progress

# So many calls in a row without a reply mean that the judge is out of reach.
_MOST_FAILURES: Final = 5


def ask_again(
    judge: JudgeSettings,
    prompts: Sequence[str],
    jobs: int = 4,
    opener: Opener = open_client,
    progress: Progress | None = None,
) -> tuple[str | None, ...]:
    """What the judge says now to each prompt, `jobs` at a time; None where it gave no reply after all tries.

    Raises JudgeError when the judge cannot be asked at all.
    """
    with ExitStack() as stack:
        address = stack.enter_context(serving()) if judge.provider == "embedded" else None
        client = opener(judge, address)
        stack.callback(client.close)
        pool = ThreadPoolExecutor(max(1, jobs), thread_name_prefix="judge")
        stack.callback(
            pool.shutdown, cancel_futures=True
        )  # before the client is closed: a call under way still needs it
        futures = [pool.submit(client.ask, prompt) for prompt in prompts]
        return tuple(_replies(judge, futures, progress))


def _replies(
    judge: JudgeSettings, futures: Sequence[Future[str]], progress: Progress | None
) -> Iterator[str | None]:
    in_a_row = 0
    for done, future in enumerate(futures, start=1):
        try:
            reply = future.result()
        except CallError as error:
            in_a_row += 1
            if error.hopeless or in_a_row >= _MOST_FAILURES:
                fix = "check its model, its address and its key"
                raise JudgeError(
                    Problem("leaderboard.toml", str(error), fix, at=f"judges.{judge.name}")
                ) from error
            reply = None
        else:
            in_a_row = 0
        if progress:
            progress(done, len(futures))
        yield reply
