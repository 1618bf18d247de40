"""All recorded judge calls of a workspace, found by their keys."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from leaderboard.digest import digest_bytes
from leaderboard.errors import FilesError, Problem, raise_any
from leaderboard.files.cassette_paths import cassette_files
from leaderboard.files.file_bytes import read_bytes
from leaderboard.machine.gc_pause import paused_collector
from leaderboard.types import Json, JudgeSettings
from replay.cassettes import cassette_file
from replay.cassettes.cached_calls import CachedCalls, CachedCassettes
from replay.cassettes.call_identity import UnkeyableError
from replay.cassettes.cassette_file import Recorded
from replay.cassettes.maintainers_recordings import CountedRecordings

_ASK_AGAIN: Final = (
    "ask the judge again with lb rescore; lb cassettes prune --unused removes calls of no answer"
)


class Index:
    """Every call in a workspace's cassettes.

    Keys are computed from the recorded bodies, because a stored key could be wrong. `problems`
    holds what can be read but is never replayed, such as recorded errors. With `base`, a reply that
    the base has too is the base's.

    Of different replies to one request, the one that counts is found. `contradictions` has those
    that count too, and `ignored` warns of those that do not. `superseded` holds the file and the
    position of each reply that does not count beside one that does.

    Whose replies count is up to the workspace, or to that of `base` (see `CountedRecordings`).

    A cassette with the digest of one in `cached` is not parsed. `read` has what can be cached:
    cassettes without problems.
    """

    def __init__(
        self, root: Path, base: Index | None = None, cached: CachedCassettes | None = None
    ) -> None:
        self.root = root
        self._base = base
        self._cached = cached or {}
        self._begin()

    def _begin(self) -> None:
        """Starts without any call."""
        self.read: dict[str, CachedCalls] = {}
        self.problems: list[Problem] = []
        self.ignored: list[Problem] = []
        self.superseded: set[tuple[str, int]] = set()
        self._contradictions: dict[str, list[Problem]] = {}
        self._differing: list[tuple[Recorded, Recorded]] = []  # from what was merged
        self._counted = CountedRecordings(self._base.root if self._base else self.root)
        self._calls: dict[str, Recorded] = {}
        self._copies: dict[str, list[Recorded]] = {}
        self._opened: dict[str, Sequence[Json]] = {}

    @classmethod
    def load(
        cls, root: Path, base: Index | None = None, cached: CachedCassettes | None = None
    ) -> Index:
        """Reads all cassettes below `root`. Raises FilesError with the problems of all files."""
        index = cls(root, base, cached)
        index._read_all()
        return index

    def reload(self) -> None:
        """Reads again what another process may have written meanwhile. Raises FilesError."""
        self._cached = self.read
        self._begin()
        self._read_all()

    def _read_all(self) -> None:
        broken: list[Problem] = []
        with paused_collector():
            for file in cassette_files(self.root):
                try:
                    self.add_file(file)
                except FilesError as error:
                    broken.extend(error.problems)
        raise_any(broken)
        self.settle()

    def __iter__(self) -> Iterator[Recorded]:
        return iter(self._calls.values())

    def find(self, key: str) -> Recorded | None:
        """The recorded call with this key, or None."""
        return self._calls.get(key)

    def files_of(self, key: str) -> tuple[str, ...]:
        """Every cassette that holds a call; most calls are in one."""
        return tuple(dict.fromkeys(reply.file for reply in self.replies(key)))

    def replies(self, key: str) -> tuple[Recorded, ...]:
        """Every recorded reply to a call, the one that is found first."""
        known = self._calls.get(key)
        return () if known is None else (known, *self._copies.get(key, ()))

    @property
    def contradictions(self) -> list[Problem]:
        """The replies that contradict another one, until the judge is asked again."""
        return self.contradictions_of(None)

    def contradictions_of(self, keys: Container[str] | None) -> list[Problem]:
        """The replies to these requests, or to any, that contradict another one."""
        return [
            problem
            for key, found in self._contradictions.items()
            if keys is None or key in keys
            for problem in found
        ]

    def counts(self, call: Recorded, judge: JudgeSettings) -> bool:
        """Whether a recorded reply of this judge counts. Raises FilesError."""
        return self._counted.counts(call, judge)

    def counts_by_path(self, call: Recorded) -> bool:
        """Whether a reply counts as one of the judge that its cassette's path names."""
        return self._counted.counts_by_path(call)

    def deciding(self, key: str, judge: JudgeSettings) -> Recorded | None:
        """The only recorded call with this key that counts. Raises FilesError."""
        call = self.find(key)
        if call is None or key in self._contradictions or not self.counts(call, judge):
            return None
        return call

    def exchange(self, call: Recorded) -> cassette_file.Exchange:
        """The whole exchange of a recorded call. Raises FilesError."""
        if call.file not in self._opened:
            self._opened[call.file] = cassette_file.read(self.root, call.file)
        return cassette_file.exchange(self._opened[call.file][call.position])

    def put(self, call: Recorded) -> None:
        """Adds a call, in place of any that has its key."""
        self._calls[call.key] = call
        self._contradictions.pop(call.key, None)

    def add_file(self, file: str) -> None:
        """Adds the calls of a cassette, a path below the workspace. Raises FilesError."""
        data = read_bytes(self.root / file, file, self.root)
        digest, known = digest_bytes(data), self._cached.get(file)
        if known is not None and known.digest == digest:
            self.read[file] = known
            for position, (key, text) in enumerate(known.calls):
                self._add(Recorded(key, text, file, position))
            return
        interactions = cassette_file.interactions_of(data, file)
        calls = self.add(file, interactions)
        if len(calls) == len(interactions):
            self.read[file] = CachedCalls(digest, [(call.key, call.text) for call in calls])

    def add(self, file: str, interactions: Sequence[Json]) -> list[Recorded]:
        """Adds the calls of a cassette that was read already, and returns them."""
        calls = list(self._calls_of(file, interactions))
        for call in calls:
            self._add(call)
        return calls

    def _calls_of(self, file: str, interactions: Sequence[Json]) -> Iterator[Recorded]:
        """Yields the calls that can be replayed, and reports the other interactions."""
        texts: dict[str, str] = {}  # one object for equal texts, because replies repeat
        for position, interaction in enumerate(interactions):
            try:
                found = cassette_file.exchange(interaction)
                key = found.key
            except (cassette_file.ShapeError, UnkeyableError) as error:
                self._report(file, position, f"{error}; it is never replayed")
                continue
            if not found.ok:
                self._report(file, position, "records an error, not a reply; it is never replayed")
                continue
            text = found.text
            yield Recorded(key, texts.setdefault(text, text), file, position)

    def _add(self, call: Recorded) -> None:
        """Adds a call. The first cassette with a request counts, until `settle`."""
        merged = self._base.find(call.key) if self._base else None
        if merged is not None and merged.text != call.text:
            self._differing.append((call, merged))
            call = replace(call, text=merged.text)
        known = self._calls.setdefault(call.key, call)
        if known is not call:
            self._copies.setdefault(call.key, []).append(call)

    def settle(self) -> None:
        """Chooses between different replies to one request, after all files are added.

        Raises FilesError if it cannot be read whose replies count.
        """
        for call, merged in self._differing:
            if self.counts_by_path(merged):
                problem = self._problem(call, merged, "the other one was merged first", _ASK_AGAIN)
                self._contradictions.setdefault(call.key, []).append(problem)
        for key, copies in self._copies.items():
            replies = [self._calls[key], *copies]
            if len({reply.text for reply in replies}) > 1:
                self._choose(replies, [one for one in replies if self.counts_by_path(one)])

    def _choose(self, replies: Sequence[Recorded], counting: Sequence[Recorded]) -> None:
        """Replies that differ, and those of them that count, if any."""
        chosen = (counting or replies)[0]
        self._calls[chosen.key] = chosen
        self._copies[chosen.key] = [reply for reply in replies if reply is not chosen]
        for reply in self._copies[chosen.key]:
            if reply.text == chosen.text:
                continue
            if reply in counting:
                why = "nothing shows which is genuine"
                problem = self._problem(reply, chosen, why, _ASK_AGAIN)
                self._contradictions.setdefault(reply.key, []).append(problem)
                continue
            if counting:
                self.superseded.add((reply.file, reply.position))
                why, fix = "the other one counts", "run lb cassettes prune"
            else:
                why, fix = "neither counts", "a maintainer asks the judge with lb rescore"
            warning = replace(self._problem(reply, chosen, why, fix), severity="warning")
            self.ignored.append(warning)

    def _problem(self, call: Recorded, known: Recorded, why: str, fix: str) -> Problem:
        where = f"{known.file}, interaction {known.position}"
        what = f"its reply to the request {call.key[:16]} differs from that in {where}; {why}"
        return cassette_file.problem_at(self.root, call.file, call.position, what, fix)

    def _report(self, file: str, position: int, what: str) -> None:
        at, fix = f"$.interactions[{position}]", "remove it with lb cassettes prune"
        self.problems.append(Problem(file, what, fix, at=at, severity="warning"))
