"""How scoring reaches the judges: cassettes first, and the judge itself if recording is allowed."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Literal

from leaderboard.errors import FilesError, JudgeError
from leaderboard.types import JudgeCall, JudgeReply, JudgeSettings
from replay.cassettes.cached_calls import CachedCassettes
from replay.cassettes.call_identity import Keyer, UnkeyableError
from replay.cassettes.cassette_file import Recorded
from replay.cassettes.cassette_index import Index
from replay.cassettes.nearest_call import Nearest
from replay.network_guard import no_network
from replay.recomputed_replies import ChangedReply, RecomputedReplies, problems_of
from replay.recording.calls_to_record import NewRecordings
from replay.recording.journal import file_leftover

RecordMode = Literal["none", "new_episodes", "all"]


class Asker:
    """Answers judge calls in the order given (a leaderboard.types.Ask).

    It looks calls up in `index`, after `recording` has recorded what is missing. A recorded reply
    that does not count is pending. With `recompute`, a judge whose code is here gives its own reply
    instead of the recorded one. `nearest` finds what is close to a call that is not recorded.

    `differences` has, by key, the replies used so far that are not their judge's own. `filed`
    counts the calls that an interrupted recording left and that are in the cassettes now.
    """

    def __init__(
        self,
        index: Index,
        *,
        recording: NewRecordings | None = None,
        recompute: bool = True,
        nearest: Nearest | None = None,
        filed: int = 0,
    ) -> None:
        self.index = index
        self.filed = filed
        self.recording = recording
        self.recomputed = RecomputedReplies()
        self.differences: dict[str, ChangedReply] = {}
        self._recompute = recompute
        self._nearest = nearest
        self._keyers: dict[str, Keyer] = {}

    def __call__(self, calls: Sequence[JudgeCall]) -> tuple[JudgeReply, ...]:
        """One reply per call. A missing call gets one without text.

        Raises JudgeError when a judge has to be asked and cannot be, or a prompt cannot be sent.
        """
        keys = [self._key(call) for call in calls]
        if self.recording is not None:
            self.recording.record(dict(zip(keys, calls, strict=True)))
        return tuple(self._reply(key, call) for key, call in zip(keys, calls, strict=True))

    def counted_reply(self, judge: JudgeSettings, key: str) -> str | None:
        """The recorded reply to a call, if it decides."""
        recorded = self.index.deciding(key, judge)
        return None if recorded is None else recorded.text

    def _reply(self, key: str, call: JudgeCall) -> JudgeReply:
        recorded = self.index.find(key)
        if recorded and self.index.counts(recorded, call.judge):
            if self._recompute and call.judge.is_recomputed:
                return JudgeReply(key, self._own_reply(recorded, call))
            return JudgeReply(key, recorded.text)
        waiting = JudgeReply(key, None, characters=len(call.prompt))
        if self.recording is not None and key in self.recording.failures:
            return replace(waiting, difference=self.recording.failures[key])
        if recorded:
            return replace(waiting, pending=True)
        explained = None if self._nearest is None else self._nearest.to(key, call)
        if explained is None:
            return waiting
        return replace(waiting, nearest=explained.key, difference=explained.difference)

    def _own_reply(self, recorded: Recorded, call: JudgeCall) -> str:
        """The reply that the judge gives, whatever is recorded."""
        changed = self.recomputed.changed(recorded, call.judge, call.prompt)
        if changed is None:
            return recorded.text
        self.differences[recorded.key] = changed
        return changed.own

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
            raise JudgeError.about(file, what, "remove the lone surrogate") from error


@contextmanager
def open_asker(
    root: Path,
    named: Collection[str] = (),
    *,
    offline: bool = False,
    record_mode: RecordMode = "none",
    jobs: int = 4,
    cached: CachedCassettes | None = None,
) -> Iterator[Asker]:
    """Opens the judges of a workspace for scoring. Leaving the context writes new cassettes.

    `none` only looks calls up, and so does `offline`, which also refuses the network.
    `new_episodes` asks for what is not recorded, `all` for everything once; if submissions are
    `named`, only for those. What an interrupted recording left is filed first. Without recording,
    no file of the workspace changes. `cached` is what an earlier run read of the cassettes.

    Raises FilesError for a broken cassette, for two replies to one request that both count, and at
    the end for replies that are not those of a judge that was recomputed. Recording asks about
    contradicting replies again, and raises at the end if some are left. Raises JudgeError for a
    judge that cannot be asked.
    """
    records = record_mode != "none" and not offline
    filed = file_leftover(root) if records else 0
    with no_network() if offline else nullcontext(), ExitStack() as opened:
        index = Index.load(root, cached=cached)
        recording = None
        if records:
            every = record_mode == "all"
            recording = NewRecordings(index, opened, jobs=jobs, record_all=every, named=named)
        else:
            _refuse_contradictions(index)
        asker = Asker(index, recording=recording, nearest=Nearest(index), filed=filed)
        yield asker
        _refuse_contradictions(index)
        if asker.differences:
            raise FilesError(problems_of(root, asker.differences.values()))


@contextmanager
def open_reviewer(proposed: Path, base: Path) -> Iterator[Asker]:
    """Opens the judges of a proposal to the board `base`. It records nothing and asks no network.

    The recordings of the base count, and its list of recordings by maintainers. Contradictions and
    replies that differ from a recomputed judge's are left to the caller. Raises FilesError for a
    broken cassette.
    """
    with no_network():
        index = Index.load(proposed, Index.load(base))
        yield Asker(index, nearest=Nearest(index))


def _refuse_contradictions(index: Index) -> None:
    if index.contradictions:
        raise FilesError(index.contradictions)
