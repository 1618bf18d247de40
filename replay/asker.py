"""How scoring reaches the judges: cassettes first, and the judge itself if recording is allowed."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from typing import Literal, get_args

from leaderboard.errors import FilesError, JudgeError, Problem
from leaderboard.files.cassette_paths import relative_path
from leaderboard.gc_pause import running_collector
from leaderboard.retries import RetryPolicy
from leaderboard.types import JudgeCall, JudgeReply, JudgeSettings
from replay.cassettes.call_identity import Keyer, UnkeyableError
from replay.cassettes.cassette_index import Index, Recorded
from replay.cassettes.kept_calls import Kept
from replay.cassettes.maintainers_recordings import digest_of_reply, read_recordings
from replay.cassettes.nearest_call import Nearest
from replay.live_calls import Progress
from replay.network_guard import no_network
from replay.recomputed import ChangedReply, difference_from_own_reply, problems_of
from replay.recording.journal import file_leftover, open_journal
from replay.recording.recorder import Order, Recorder

RecordMode = Literal["none", "new_episodes", "all"]


class Asker:
    """Answers judge calls in the order given (a leaderboard.types.Ask).

    Without `open_recorder` it only looks calls up. With it, each distinct request is asked at most
    once: if it is not recorded, or in any case with `record_all`; and if `named` holds submissions,
    only for those. `explain_misses` False spares the search for the nearest recorded call.

    The replies of a judge that can be recomputed are compared with its own code. Those of another
    judge count if `maintained` lists them, or if submitters may record. Otherwise they are pending.

    `used` holds the keys of all calls that got a reply, `recomputed` those that were recomputed,
    and `differences` those whose recorded reply is another one: the judge's own is returned.
    `recorded` counts the calls recorded now, `listed` those of them that only maintainers may
    record, and `failures` has the reason of each call that was asked in vain, by key.
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
        maintained: Mapping[str, str] | None = None,
        recompute: bool = True,
    ) -> None:
        self.index = index
        self.used: set[str] = set()
        self.recomputed: set[str] = set()
        self.differences: dict[str, ChangedReply] = {}
        self.recorded = 0
        self.listed = 0
        self.failures: dict[str, str] = {}
        self._root = root
        self._maintained = maintained
        self._recomputes = recompute
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

    @property
    def only_replays(self) -> bool:
        """Whether no judge is ever asked."""
        return self._open_recorder is None

    def counted_reply(self, judge: JudgeSettings, key: str) -> str | None:
        """Returns the recorded reply to a call, if it decides."""
        recorded = self.index.find(key)
        return recorded.text if recorded and self._counts(recorded, judge) else None

    def _reply(self, key: str, call: JudgeCall) -> JudgeReply:
        recorded = self.index.find(key)
        if recorded and self._counts(recorded, call.judge):
            self.used.add(key)
            genuine = self._recompute(recorded, call) if self._recomputes else None
            return JudgeReply(key, genuine or recorded.text)
        if recorded and key not in self.failures:
            return JudgeReply(key, None, pending=True)
        if key in self.failures:
            return JudgeReply(key, None, None, self.failures[key])
        if not self._explain_misses:
            return JudgeReply(key, None)
        if key not in self._misses:
            self._nearest = self._nearest or Nearest(self._root)
            self._misses[key] = JudgeReply(key, None, *self._nearest.to(call))
        return self._misses[key]

    def _counts(self, recorded: Recorded, judge: JudgeSettings) -> bool:
        """Whether a recorded reply counts. For some judges, a maintainer must have recorded it."""
        if not judge.needs_maintainer:
            return True
        if self._maintained is None:
            self._maintained = read_recordings(self._root)
        is_new = recorded.position < 0  # it was recorded just now
        return is_new or self._maintained.get(recorded.key) == digest_of_reply(recorded.text)

    def _recompute(self, recorded: Recorded, call: JudgeCall) -> str | None:
        """Returns the judge's own reply if it is known and is not the recorded one."""
        if not call.judge.is_recomputed:
            return None
        if recorded.key not in self.recomputed:
            self.recomputed.add(recorded.key)
            difference = difference_from_own_reply(recorded, call.judge, call.prompt)
            if difference is not None:
                self.differences[recorded.key] = difference
        changed = self.differences.get(recorded.key)
        return changed.own if changed else None

    def _record(
        self, calls: Mapping[str, JudgeCall], open_recorder: Callable[[], Recorder]
    ) -> None:
        orders = []
        for key, call in calls.items():
            known = self.index.find(key)
            allowed = not self._named or call.submission in self._named
            counts = known is not None and self._counts(known, call.judge)
            wanted = self._record_all or not counts
            if not allowed or not wanted or key in self._asked:
                continue
            # The reply serves every submission. It is filed with the first that needs it.
            own = relative_path(call.judge.name, call.suite, call.submission)
            orders.append(Order(key, call, self.index.files_of(key) or (own,)))
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
                self.listed += order.call.judge.needs_maintainer

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
    base: Path | None = None,
    offline: bool = False,
    record_mode: RecordMode = "none",
    jobs: int = 4,
    progress: Progress | None = None,
    policy: RetryPolicy | None = None,
    kept: Kept | None = None,
) -> Iterator[Asker]:
    """Opens the judges of a workspace for scoring. Leaving the context writes new cassettes.

    `none` only looks calls up, and so does `offline`, which also refuses the network.
    `new_episodes` asks for what is not recorded, `all` for everything once; if submissions are
    `named`, only for those. `progress` receives how many calls are done. What an interrupted
    recording left is filed first.

    `base` is the workspace that a proposal is compared with: its recordings count, and its list of
    recordings by maintainers. Then contradictions and differences are left to the caller. `kept` is
    what an earlier run read of the cassettes.

    Raises FilesError for a broken cassette, for two replies to one request, and at the end for
    replies that are not those of a judge that was recomputed. Raises JudgeError for a judge that
    cannot be asked.
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

        index = Index.load(root, None if base is None else Index.load(base), kept)
        if base is None and index.contradictions:
            raise FilesError(index.contradictions)
        only_replay = offline or record_mode == "none"
        asker = Asker(
            root,
            index,
            None if only_replay else open_recorder,
            record_all=record_mode == "all",
            named=named,
            maintained=None if base is None else read_recordings(base),
        )
        yield asker
        if base is None and asker.differences:
            raise FilesError(problems_of(root, list(asker.differences.values())))
