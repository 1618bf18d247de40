"""Which judge calls of a run are recorded: those without a reply that counts."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from leaderboard.files.cassette_paths import relative_path
from leaderboard.machine.gc_pause import running_collector
from leaderboard.types import JudgeCall
from replay.cassettes.cassette_index import Index
from replay.cassettes.counted_recordings import CountedRecordings
from replay.recording.recorder import Order, Recorder


class NewRecordings:
    """Records judge calls and adds their replies to the index. Each call is asked at most once.

    A call is asked if it has no reply that counts, or several, or in any case with `record_all`. If
    `named` holds submissions, only their calls are asked.

    `recorded` counts the calls recorded now, `listed` those of them that only maintainers may
    record, and `failures` has the reason of each call that was asked in vain, by key.
    """

    def __init__(
        self,
        index: Index,
        counted: CountedRecordings,
        open_recorder: Callable[[], Recorder],
        *,
        record_all: bool,
        named: Collection[str],
    ) -> None:
        self.recorded = 0
        self.listed = 0
        self.failures: dict[str, str] = {}
        self._index = index
        self._counted = counted
        self._open_recorder = open_recorder
        self._record_all = record_all
        self.named = named
        self._asked: set[str] = set()

    def record(self, calls: Mapping[str, JudgeCall]) -> None:
        """Records what is wanted of these calls, which are keyed by their identities.

        Raises JudgeError when a judge cannot be asked at all.
        """
        orders = [
            Order(key, call, self._files(key, call))
            for key, call in calls.items()
            if key not in self._asked and self._is_wanted(key, call)
        ]
        if not orders:
            return
        self._asked.update(order.key for order in orders)
        with running_collector():
            outcomes = self._open_recorder().record(orders)
        for order, outcome in zip(orders, outcomes, strict=True):
            if isinstance(outcome, str):
                self.failures[order.key] = outcome
            else:
                self._index.put(outcome)
                self.recorded += 1
                self.listed += order.call.judge.needs_maintainer

    def _is_wanted(self, key: str, call: JudgeCall) -> bool:
        if self.named and call.submission not in self.named:
            return False
        if self._record_all:
            return True
        known = self._index.find(key)
        if known is None or self._index.is_contradicted(key):
            return True
        return not self._counted.count(known, call.judge)

    def _files(self, key: str, call: JudgeCall) -> tuple[str, ...]:
        """The cassettes that hold the call; else that of the first submission that needs it."""
        own = relative_path(call.judge.name, call.suite, call.submission)
        return self._index.files_of(key) or (own,)
