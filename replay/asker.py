"""How scoring reaches the judges: cassettes first, and the judge itself if recording is allowed."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from typing import Literal, get_args

from leaderboard.errors import JudgeError, Problem
from leaderboard.gc_pause import running_collector
from leaderboard.retries import RetryPolicy
from leaderboard.types import JudgeCall, JudgeReply
from replay.cassettes import cassette_file
from replay.cassettes.call_identity import Keyer, UnkeyableError
from replay.cassettes.cassette_index import Index
from replay.cassettes.nearest import Nearest
from replay.offline import no_network
from replay.recording.journal import file_leftover, open_journal
from replay.recording.live_calls import Progress
from replay.recording.recorder import Order, Recorder

RecordMode = Literal["none", "new_episodes", "all"]


class Asker:
    """Answers judge calls in the order given (a leaderboard.types.Ask).

    Without `open_recorder` it only looks calls up. With it, each distinct request is asked at most
    once: if it is not recorded, or in any case with `record_all`; and if `named` holds submissions,
    only for those. `explain_misses` False spares the search for the nearest recorded call.

    `used` holds the keys of all calls that got a reply, `recorded` counts those recorded now, and
    `failures` has the reason of each call that was asked in vain, by key.
    """

    def __init__(
        self,
        root: Path,
        index: Index,
        open_recorder: Callable[[], Recorder] | None = None,
        *,
        record_all: bool = False,
        named: Collection[str] = (),
        explain_misses: bool = True,
    ) -> None:
        self.index = index
        self.used: set[str] = set()
        self.recorded = 0
        self.failures: dict[str, str] = {}
        self._root = root
        self._open_recorder = open_recorder
        self._record_all = record_all
        self._named = named
        self._explain_misses = explain_misses
        self._nearest: Nearest | None = None
        self._keyers: dict[str, Keyer] = {}
        self._asked: set[str] = set()
        self._misses: dict[str, JudgeReply] = {}

    def __call__(self, calls: Sequence[JudgeCall]) -> tuple[JudgeReply, ...]:
        """Returns one reply per call. A missing call gets one without text.

        Raises JudgeError when a judge has to be asked and cannot be, or a prompt cannot be sent.
        """
        keys = [self._key(call) for call in calls]
        if self._open_recorder is not None:
            self._record(dict(zip(keys, calls, strict=True)), self._open_recorder)
        return tuple(self._reply(key, call) for key, call in zip(keys, calls, strict=True))

    def _reply(self, key: str, call: JudgeCall) -> JudgeReply:
        recorded = self.index.find(key)
        if recorded:
            self.used.add(key)
            return JudgeReply(key, recorded.text)
        if key in self.failures:
            return JudgeReply(key, None, None, self.failures[key])
        if not self._explain_misses:
            return JudgeReply(key, None)
        if key not in self._misses:
            self._nearest = self._nearest or Nearest(self._root)
            self._misses[key] = JudgeReply(key, None, *self._nearest.to(call))
        return self._misses[key]

    def _record(
        self, calls: Mapping[str, JudgeCall], open_recorder: Callable[[], Recorder]
    ) -> None:
        orders = []
        for key, call in calls.items():
            known = self.index.find(key)
            allowed = not self._named or call.submission in self._named
            wanted = known is None or self._record_all
            if not allowed or not wanted or key in self._asked:
                continue
            # The reply serves every submission. It is filed with the first that needs it.
            own = cassette_file.relative_path(call.judge.name, call.suite, call.submission)
            orders.append(Order(key, call, known.file if known else own))
        if not orders:
            return
        self._asked.update(order.key for order in orders)
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
            # One judge may be asked with several settings.
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
    named: Collection[str] = (),
    *,
    offline: bool = False,
    record_mode: RecordMode = "none",
    jobs: int = 4,
    progress: Progress | None = None,
    policy: RetryPolicy | None = None,
) -> Iterator[Asker]:
    """Opens the judges of a workspace for scoring; leaving the context files what was recorded.

    `none` only looks calls up, and so does `offline`, which also refuses the network.
    `new_episodes` asks for what is not recorded, `all` for everything once; if submissions are
    `named`, only for those. `progress` receives how many calls are done. What an interrupted
    recording left is filed first.

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
            Index.load(root),
            None if only_replay else open_recorder,
            record_all=record_mode == "all",
            named=named,
        )
