"""How scoring reaches the judges: out of the cassettes first, and (only when recording is allowed) from the judge itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args

from leaderboard.errors import JudgeError, Problem
from leaderboard.gc_pause import running_collector
from leaderboard.types import JudgeCall, JudgeReply, JudgeSettings
from replay.cassettes import cassette_file
from replay.cassettes.cassette_index import Index
from replay.cassettes.nearest import Nearest
from replay.cassettes.request import Keyer, UnkeyableError
from replay.offline import no_network
from replay.recording.journal import file_leftover, recording
from replay.recording.orders import Order, Outcome, Progress

if TYPE_CHECKING:
    from replay.providers.clients import Opener
    from replay.recording.recorder import Recorder


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
    """What became of the judge calls so far, each distinct request counted once.

    `used` holds the keys of all that have a reply: `replayed` from a cassette or `recorded` now. `missing` have none. `failed`
    were asked without success; those that an older recording answers are not missing.
    """

    replayed: int
    recorded: int
    missing: tuple[Missing, ...]
    used: frozenset[str]
    failed: tuple[Missing, ...] = ()


class Asker:
    """Answers judge calls in the order given (a leaderboard.types.Ask); each distinct request is looked up or asked once."""

    def __init__(
        self,
        root: Path,
        judges: Sequence[JudgeSettings],
        index: Index,
        recording: Recording | None = None,
    ) -> None:
        self.index = index
        self._root = root
        self._recording = recording
        self._keyers = {judge.name: Keyer(judge) for judge in judges}
        self._nearest: Nearest | None = None
        self._replies: dict[str, JudgeReply] = {}
        self._missing: dict[str, Missing] = {}
        self._failed: dict[str, Missing] = {}
        self._recorded = 0

    def __call__(self, calls: Sequence[JudgeCall]) -> tuple[JudgeReply, ...]:
        """One reply per call. A call that has no reply gets one without text, and stands in the statistics as missing.

        Raises JudgeError when a judge has to be asked and cannot be, or a prompt cannot be sent at all.
        """
        keys = [self._key(call) for call in calls]
        unknown = {
            key: call for key, call in zip(keys, calls, strict=True) if key not in self._replies
        }
        if self._recording:
            self._record(self._recording, unknown)
        for key, call in unknown.items():
            self._replies[key] = self._look_up(key, call)
        return tuple(map(self._replies.__getitem__, keys))

    @property
    def statistics(self) -> Statistics:
        """What became of the calls so far."""
        used = frozenset(self._replies) - self._missing.keys()
        return Statistics(
            len(used) - self._recorded,
            self._recorded,
            _sorted(self._missing),
            used,
            _sorted(self._failed),
        )

    def _look_up(self, key: str, call: JudgeCall) -> JudgeReply:
        recorded = self.index.find(key)
        if recorded:
            return JudgeReply(key, recorded.text)
        missing = self._failed.get(key)
        if missing is None:
            self._nearest = self._nearest or Nearest(self._root)
            missing = Missing(call, key, *self._nearest.to(call))
        self._missing[key] = missing
        return JudgeReply(key, None, missing.nearest, missing.difference or missing.why)

    def _record(self, recording: Recording, unknown: Mapping[str, JudgeCall]) -> None:
        orders = [
            (key, call)
            for key, call in unknown.items()
            if recording.every or self.index.find(key) is None
        ]
        for outcome in (
            recording.record([self._order(key, call) for key, call in orders]) if orders else ()
        ):
            if outcome.recorded:
                self.index.put(outcome.recorded)
                self._recorded += 1
            else:
                self._failed[outcome.order.key] = Missing(
                    outcome.order.call, outcome.order.key, why=outcome.why
                )

    def _order(self, key: str, call: JudgeCall) -> Order:
        """Where a reply belongs: in place of the one that is recorded, else into the cassette of whoever needs it first."""
        known = self.index.find(key)
        file = (
            known.file
            if known
            else cassette_file.relative_path(call.judge.name, call.suite, call.submission)
        )
        return Order(key, call, file)

    def _key(self, call: JudgeCall) -> str:
        keyer = self._keyers.get(call.judge.name)
        if keyer is None or (keyer.judge is not call.judge and keyer.judge != call.judge):
            keyer = self._keyers[call.judge.name] = Keyer(call.judge)
        try:
            return keyer.key(call.prompt)
        except UnkeyableError as error:
            what = f"a prompt for judge {call.judge.name!r} cannot be sent: {error}"
            file = f"submissions/{call.submission}/{call.suite}.json"
            raise JudgeError(Problem(file, what, "write whole characters")) from error


def _sorted(calls: Mapping[str, Missing]) -> tuple[Missing, ...]:
    return tuple(calls[key] for key in sorted(calls))


@contextmanager
def open_asker(
    root: Path,
    judges: Sequence[JudgeSettings],
    *,
    offline: bool = False,
    record_mode: RecordMode = "none",
    jobs: int = 4,
    opener: Opener | None = None,
    progress: Progress | None = None,
) -> Iterator[Asker]:
    """The way to the judges of a workspace, for `scoring`; leaving the context files what was recorded.

    `none` (and `offline`, which also refuses the network) only looks calls up; `new_episodes` asks for what is not recorded;
    `all` asks for everything again, once. `progress` is told how many of the calls to be asked are done. What an interrupted
    recording left is filed first. Raises FilesError for a broken cassette, JudgeError for a judge that cannot be asked.
    """
    if record_mode not in get_args(RecordMode):
        raise ValueError(f"no such record mode: {record_mode!r}")
    file_leftover(root)
    with ExitStack() as stack:
        if offline:
            stack.enter_context(no_network())
        index = Index.load(root)
        recording = None
        if record_mode != "none" and not offline:
            recording = Recording(
                root, stack, every=record_mode == "all", jobs=jobs, opener=opener, progress=progress
            )
        yield Asker(root, judges, index, recording)


class Recording:
    """The recorder, made when the first call has to be asked: a board that is all recorded never imports vcrpy or an SDK."""

    def __init__(
        self,
        root: Path,
        stack: ExitStack,
        *,
        every: bool,
        jobs: int,
        opener: Opener | None,
        progress: Progress | None,
    ) -> None:
        self.every = every
        self._root = root
        self._stack = stack
        self._jobs = jobs
        self._opener = opener
        self._progress = progress
        self._recorder: Recorder | None = None

    def record(self, orders: Sequence[Order]) -> Sequence[Outcome]:
        """Ask and keep; see recording.Recorder.record."""
        if self._recorder is None:
            from replay.providers.clients import open_client  # noqa: PLC0415 - half a second that replaying never spends
            from replay.recording.recorder import Recorder  # noqa: PLC0415

            journal = self._stack.enter_context(recording(self._root))
            self._recorder = Recorder(
                journal, self._stack, self._jobs, self._opener or open_client, self._progress
            )
        with running_collector():
            return self._recorder.record(orders)
