"""How scoring reaches the judges: cassettes first, and the judge itself if recording is allowed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from typing import Literal, get_args

from leaderboard.errors import JudgeError, Problem
from leaderboard.gc_pause import running_collector
from leaderboard.retries import RetryPolicy
from leaderboard.types import JudgeCall, JudgeReply, JudgeSettings
from replay.cassettes import cassette_file
from replay.cassettes.cassette_index import Index
from replay.cassettes.nearest import Nearest
from replay.cassettes.request import Keyer, UnkeyableError
from replay.offline import no_network
from replay.recording.journal import file_leftover, open_journal
from replay.recording.live_calls import Progress
from replay.recording.recorder import Order, Recorder

RecordMode = Literal["none", "new_episodes", "all"]


class Asker:
    """Answers judge calls in the order given (a leaderboard.types.Ask), each distinct request once.

    Without `open_recorder` it only looks calls up. `record_all` asks for recorded calls again.
    `explain_misses` False spares the search for the nearest recorded call.

    `used` holds the keys of all calls that got a reply, `recorded` counts those recorded now, and
    `failures` has the reason of each call that was asked in vain, by key.
    """

    def __init__(
        self,
        root: Path,
        judges: Sequence[JudgeSettings],
        index: Index,
        open_recorder: Callable[[], Recorder] | None = None,
        *,
        record_all: bool = False,
        explain_misses: bool = True,
    ) -> None:
        self.index = index
        self.used: set[str] = set()
        self.recorded = 0
        self.failures: dict[str, str] = {}
        self._root = root
        self._open_recorder = open_recorder
        self._record_all = record_all
        self._explain_misses = explain_misses
        self._nearest: Nearest | None = None
        self._keyers = {judge.name: Keyer(judge) for judge in judges}
        self._replies: dict[str, JudgeReply] = {}

    def __call__(self, calls: Sequence[JudgeCall]) -> tuple[JudgeReply, ...]:
        """Returns one reply per call. A missing call gets one without text.

        Raises JudgeError when a judge has to be asked and cannot be, or a prompt cannot be sent.
        """
        keys = [self._key(call) for call in calls]
        unknown = {
            key: call for key, call in zip(keys, calls, strict=True) if key not in self._replies
        }
        if self._open_recorder is not None:
            self._record(unknown, self._open_recorder)
        for key, call in unknown.items():
            self._replies[key] = self._look_up(key, call)
        return tuple(self._replies[key] for key in keys)

    def _look_up(self, key: str, call: JudgeCall) -> JudgeReply:
        recorded = self.index.find(key)
        if recorded:
            self.used.add(key)
            return JudgeReply(key, recorded.text)
        if key in self.failures:
            return JudgeReply(key, None, None, self.failures[key])
        if not self._explain_misses:
            return JudgeReply(key, None)
        self._nearest = self._nearest or Nearest(self._root)
        return JudgeReply(key, None, *self._nearest.to(call))

    def _record(
        self, unknown: Mapping[str, JudgeCall], open_recorder: Callable[[], Recorder]
    ) -> None:
        orders = []
        for key, call in unknown.items():
            known = self.index.find(key)
            if known is None:
                # The reply serves every submission. It is filed with the first that needs it.
                file = cassette_file.relative_path(call.judge.name, call.suite, call.submission)
                orders.append(Order(key, call, file))
            elif self._record_all:
                orders.append(Order(key, call, known.file))
        if not orders:
            return
        with running_collector():
            outcomes = open_recorder().record(orders)
        for order, outcome in zip(orders, outcomes, strict=True):
            if isinstance(outcome, str):
                self.failures[order.key] = outcome
            else:
                self.index.put(outcome)
                self.recorded += 1

    def _key(self, call: JudgeCall) -> str:
        keyer = self._keyers.get(call.judge.name)
        if keyer is None or (keyer.judge is not call.judge and keyer.judge != call.judge):
            # The settings of the call decide, not those that the asker was opened with.
            keyer = self._keyers[call.judge.name] = Keyer(call.judge)
        try:
            return keyer.key(call.prompt)
        except UnkeyableError as error:
            what = f"a prompt for judge {call.judge.name!r} cannot be sent: {error}"
            file = f"submissions/{call.submission}/{call.suite}.json"
            raise JudgeError(Problem(file, what, "remove the lone surrogate")) from error


@contextmanager
def open_asker(
    root: Path,
    judges: Sequence[JudgeSettings],
    *,
    offline: bool = False,
    record_mode: RecordMode = "none",
    jobs: int = 4,
    progress: Progress | None = None,
    policy: RetryPolicy | None = None,
) -> Iterator[Asker]:
    """Opens the judges of a workspace for scoring; leaving the context files what was recorded.

    `none` only looks calls up, and so does `offline`, which also refuses the network.
    `new_episodes` asks for what is not recorded, `all` for everything once. `progress` receives
    how many calls are done. What an interrupted recording left is filed first.

    Raises FilesError for a broken cassette, JudgeError for a judge that cannot be asked.
    """
    if record_mode not in get_args(RecordMode):
        raise ValueError(f"no such record mode: {record_mode!r}")
    file_leftover(root)
    with ExitStack() as stack:
        if offline:
            stack.enter_context(no_network())

        @cache
        def open_recorder() -> Recorder:
            return Recorder(stack.enter_context(open_journal(root)), stack, jobs, progress, policy)

        only_replay = offline or record_mode == "none"
        yield Asker(
            root,
            judges,
            Index.load(root),
            None if only_replay else open_recorder,
            record_all=record_mode == "all",
        )
