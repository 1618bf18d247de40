"""A judge as a plain `prompt -> text` function, for callers that are not judging."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager

from leaderboard.retries import RetryPolicy
from leaderboard.types import JudgeSettings
from replay.providers import open_client


@contextmanager
def completing(judge: JudgeSettings, policy: RetryPolicy) -> Iterator[Callable[[str], str]]:
    """Asks a model live, from many threads at once, and records nothing.

    The function raises CallError without a reply. Raises JudgeError if there is no key.
    """
    with closing(open_client(judge, policy=policy)) as client:
        yield client.ask
