"""A judge as a plain `prompt -> text` function, for callers that are not judging."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path

from leaderboard.errors import JudgeError, Problem
from leaderboard.types import JudgeCall, JudgeSettings
from replay.asker import Asker, open_asker


@contextmanager
def completing(
    root: Path,
    judge: JudgeSettings,
    suite: str,
    submission: str,
    show: Callable[[Sequence[Problem]], None],
) -> Iterator[Callable[[str], str | None]]:
    """Replies from the cassettes; new ones are recorded in that of `submission`.

    Safe to use from many threads, one call at a time. A prompt without a reply gives None and is
    asked again the next time: a server outlives the bad moments of a model. `show` gets the
    problems of a judge that cannot be asked.
    """
    # What a player of APIs says decides no score, so nobody has to have recorded it.
    player = replace(judge, recordings="submitters")
    lock = threading.Lock()
    opened = ExitStack()
    askers: list[Asker] = []

    def complete(prompt: str) -> str | None:
        with lock:
            if not askers:
                asker = open_asker(root, record_mode="new_episodes", jobs=1)
                askers.append(opened.enter_context(asker))
            text = None
            try:
                text = askers[0]([JudgeCall(player, suite, submission, prompt)])[0].text
            except JudgeError as error:
                show(error.problems)
            if text is None:  # an asker remembers for good that a prompt has no reply
                askers.clear()
                opened.close()
            return text

    with opened:
        yield complete
