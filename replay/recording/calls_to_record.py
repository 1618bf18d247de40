"""Which judge calls of a run are recorded: those without a reply that counts."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from contextlib import ExitStack
from functools import cached_property
from typing import Final

from leaderboard.files.cassette_paths import relative_path
from leaderboard.machine.gc_pause import running_collector
from leaderboard.types import JudgeCall
from replay.cassettes import cassette_file
from replay.cassettes.cassette_index import Index
from replay.recording.journal import open_journal
from replay.recording.recorder import Order, Recorder

# The bytes of a recorded call around its prompt: headers, settings and a very short reply.
_AROUND_PROMPT: Final = 500


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
        opened: ExitStack,
        *,
        jobs: int,
        record_all: bool,
        named: Collection[str],
    ) -> None:
        self.recorded = 0
        self.listed = 0
        self.failures: dict[str, str] = {}
        self._index = index
        self._opened = opened
        self._jobs = jobs
        self._record_all = record_all
        self.named = named
        self._asked: set[str] = set()
        self._sizes: dict[str, int] = {}  # of cassettes with the calls recorded now, at least

    def record(self, calls: Mapping[str, JudgeCall]) -> None:
        """Records what is wanted of these calls, which are keyed by their identities.

        Raises JudgeError when a judge cannot be asked at all, and FilesError before any is asked if
        a cassette would be too large to be read again.
        """
        if not self._orders(calls):
            return
        recorder = self._recorder
        orders = self._orders(calls)  # again: opening the recorder reads the cassettes again
        self._check_sizes([order for order in orders if self._index.find(order.key) is None])
        self._asked.update(order.key for order in orders)
        with running_collector():
            outcomes = recorder.record(orders)
        for order, outcome in zip(orders, outcomes, strict=True):
            if isinstance(outcome, str):
                self.failures[order.key] = outcome
            else:
                self._index.put(outcome)
                self.recorded += 1
                self.listed += order.call.judge.needs_maintainer

    @cached_property
    def _recorder(self) -> Recorder:
        """Holds the journal until `opened` is closed."""
        journal = self._opened.enter_context(open_journal(self._index.root))
        self._index.reload()  # another recording may have ended since, and its replies are paid for
        return Recorder(journal, self._opened, self._jobs)

    def _orders(self, calls: Mapping[str, JudgeCall]) -> list[Order]:
        return [
            Order(key, call, self._files(key, call))
            for key, call in calls.items()
            if key not in self._asked and self._is_wanted(key, call)
        ]

    def _check_sizes(self, orders: Sequence[Order]) -> None:
        """Raises FilesError if these new calls would make a cassette too large."""
        added: defaultdict[str, list[int]] = defaultdict(list)
        for order in orders:
            # A body is JSON in JSON, so its characters are escaped twice.
            size = len(json.dumps(json.dumps(order.call.prompt))) + _AROUND_PROMPT
            for file in order.files:
                added[file].append(size)
        known = Counter(call.file for call in self._index)
        sizes = {}
        for file, new in sorted(added.items()):
            path = self._index.root / file
            before = path.stat().st_size if path.exists() else 0
            sizes[file] = self._sizes.get(file, before) + sum(new)
            cassette_file.check_size(
                file, known[file] + len(new), sizes[file], verb="would have at least"
            )
        self._sizes.update(sizes)

    def _is_wanted(self, key: str, call: JudgeCall) -> bool:
        if self.named and call.submission not in self.named:
            return False
        return self._record_all or self._index.deciding(key, call.judge) is None

    def _files(self, key: str, call: JudgeCall) -> tuple[str, ...]:
        """The cassettes that hold the call; else that of the first submission that needs it."""
        own = relative_path(call.judge.name, call.suite, call.submission)
        return self._index.files_of(key) or (own,)
