"""What passes between the asker and the recorder: calls to be asked, and what became of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from leaderboard.types import JudgeCall
from replay.cassettes.cassette_index import Recorded

# Told how many of how many calls are done.
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Order:
    """A call that is to be asked and kept: its key, and the cassette it belongs into."""

    key: str
    call: JudgeCall
    file: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of an order: the recorded call, or why there is none."""

    order: Order
    recorded: Recorded | None
    why: str = ""
