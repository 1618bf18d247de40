"""How scoring reaches the judges: out of the cassettes first, and (only when recording is allowed) from the judge itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from leaderboard.types import JudgeCall, JudgeReply, JudgeSettings
from replay.index import Index
from replay.nearest import Nearest
from replay.request import Keyer, UnkeyableError

RecordMode = Literal["none", "new_episodes", "all"]


@dataclass(frozen=True, slots=True)
class Missing:
    """A judge call without a reply. `why` is set where it was asked and got none; else `nearest` and `difference` may be."""

    call: JudgeCall
    key: str
    nearest: str | None = None
    difference: str | None = None
    why: str | None = None


@dataclass(frozen=True, slots=True)
class Statistics:
    """What became of the judge calls so far: distinct requests replayed, recorded now, and missing."""

    replayed: int
    recorded: int
    missing: tuple[Missing, ...]
    used: frozenset[str]


class Asker:
    """Answers judge calls in the order given (it is a leaderboard.types.Ask). Each distinct request is looked up or asked once."""

    def __init__(self, root: Path, judges: Mapping[str, JudgeSettings], index: Index) -> None:
        self.index = index
        self._keyers = {name: Keyer(judge) for name, judge in judges.items()}
        self._nearest = Nearest(root)
        self._replies: dict[str, JudgeReply] = {}
        self._missing: dict[str, Missing] = {}

    def __call__(self, calls: Sequence[JudgeCall]) -> tuple[JudgeReply, ...]:
        """One reply per call. A call that nobody recorded gets a reply without text. Raises JudgeError, UnkeyableError."""
        return tuple(self._reply(call) for call in calls)

    @property
    def statistics(self) -> Statistics:
        """What became of the calls so far."""
        missing = tuple(self._missing[key] for key in sorted(self._missing))
        used = frozenset(self._replies) - self._missing.keys()
        return Statistics(len(used), 0, missing, used)

    def _reply(self, call: JudgeCall) -> JudgeReply:
        key = self._key(call)
        known = self._replies.get(key)
        if known is None:
            recorded = self.index.find(key)
            known = JudgeReply(key, recorded.text) if recorded else self._miss(call, key)
            self._replies[key] = known
        return known

    def _miss(self, call: JudgeCall, key: str) -> JudgeReply:
        nearest, difference = self._nearest.to(call)
        self._missing[key] = Missing(call, key, nearest, difference)
        return JudgeReply(key, None, nearest, difference)

    def _key(self, call: JudgeCall) -> str:
        keyer = self._keyers.get(call.judge.name)
        if keyer is None or (keyer.judge is not call.judge and keyer.judge != call.judge):
            keyer = self._keyers[call.judge.name] = Keyer(call.judge)
        return keyer.key(call.prompt)


@contextmanager
def open_asker(
    root: Path,
    judges: Sequence[JudgeSettings],
    *,
    offline: bool = False,
    record_mode: RecordMode = "none",
    jobs: int = 4,
) -> Iterator[Asker]:
    """The way to the judges of a workspace, for `scoring`; leaving the context keeps what was recorded.

    `offline`, like record mode `none`, only looks calls up. Raises FilesError for a broken cassette, JudgeError for a judge
    that cannot be asked.
    """
    if record_mode not in get_args(RecordMode):
        raise ValueError(f"no such record mode: {record_mode!r}")
    yield Asker(root, {judge.name: judge for judge in judges}, Index.load(root))
