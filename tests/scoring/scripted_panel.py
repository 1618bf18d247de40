"""A panel of judges whose replies a test decides."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from leaderboard.types import JudgeCall, JudgeReply


class Panel:
    """Judges that say what a function of the call says, and remember each batch they were asked."""

    def __init__(self, says: Callable[[JudgeCall], str | None]) -> None:
        self.says = says
        self.batches: list[list[JudgeCall]] = []

    def __call__(self, calls: Sequence[JudgeCall]) -> list[JudgeReply]:
        self.batches.append(list(calls))
        return [
            JudgeReply(f"{c.judge.name}/{c.judge.settings.get('seed')}/{c.prompt}", self.says(c))
            for c in calls
        ]
