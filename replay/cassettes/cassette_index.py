"""All recorded judge calls of a workspace, found by their keys."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from leaderboard.digest import digest_bytes
from leaderboard.errors import FilesError, Problem
from leaderboard.files.cassette_paths import cassette_files
from leaderboard.files.file_bytes import read_bytes
from leaderboard.gc_pause import paused_collector
from leaderboard.types import Json
from replay.cassettes import cassette_file
from replay.cassettes.cached_calls import CachedCalls, CachedCassettes
from replay.cassettes.call_identity import UnkeyableError


@dataclass(frozen=True, slots=True)
class Recorded:
    """A recorded judge call: its key, the judge's reply, and its place.

    `position` counts from 0. It is -1 while the call is only in the journal.
    """

    key: str
    text: str
    file: str
    position: int

    @property
    def is_new(self) -> bool:
        """Whether it was recorded in this run."""
        return self.position < 0


class Index:
    """Every call in a workspace's cassettes.

    Keys are computed from the recorded bodies, because a stored key could be wrong. `problems`
    holds what can be read but is never replayed, such as recorded errors. `contradictions` holds
    second replies to a request that differ from the first one. With `base`, a reply that the base
    has too is the base's. Two replies that are `pending` do not contradict each other: neither
    decides anything, and a maintainer's recording replaces both.

    A cassette with the digest of one in `cached` is not parsed. `read` has what can be cached:
    cassettes without problems.
    """

    def __init__(
        self,
        root: Path,
        base: Index | None = None,
        cached: CachedCassettes | None = None,
        *,
        pending: Callable[[Recorded], bool] = lambda _: False,
    ) -> None:
        self.root = root
        self.read: dict[str, CachedCalls] = {}
        self.problems: list[Problem] = []
        self.contradictions: list[Problem] = []
        self._base = base
        self._pending = pending
        self._cached = cached or {}
        self._calls: dict[str, Recorded] = {}
        self._copies: dict[str, list[str]] = {}
        self._opened: dict[str, Sequence[Json]] = {}

    @classmethod
    def load(
        cls,
        root: Path,
        base: Index | None = None,
        cached: CachedCassettes | None = None,
        *,
        pending: Callable[[Recorded], bool] = lambda _: False,
    ) -> Index:
        """Reads all cassettes below `root`. Raises FilesError with the problems of all files."""
        index = cls(root, base, cached, pending=pending)
        broken: list[Problem] = []
        with paused_collector():
            for file in cassette_files(root):
                try:
                    index.add_file(file)
                except FilesError as error:
                    broken.extend(error.problems)
        if broken:
            raise FilesError(broken)
        return index

    def __len__(self) -> int:
        return len(self._calls)

    def __iter__(self) -> Iterator[Recorded]:
        return iter(self._calls.values())

    def find(self, key: str) -> Recorded | None:
        """Returns the recorded call with this key, or None."""
        return self._calls.get(key)

    def files_of(self, key: str) -> tuple[str, ...]:
        """Returns every cassette that holds a call; most calls are in one."""
        known = self._calls.get(key)
        return tuple(dict.fromkeys((known.file, *self._copies.get(key, ())))) if known else ()

    def exchange(self, call: Recorded) -> cassette_file.Exchange:
        """Returns the whole exchange of a recorded call. Raises FilesError."""
        if call.file not in self._opened:
            self._opened[call.file] = cassette_file.read(self.root, call.file)
        return cassette_file.exchange(self._opened[call.file][call.position])

    def put(self, call: Recorded) -> None:
        """Adds a call, in place of any that has its key."""
        self._calls[call.key] = call

    def add_file(self, file: str) -> None:
        """Adds the calls of a cassette (a path below the workspace). Raises FilesError."""
        data = read_bytes(self.root / file, file, self.root)
        digest, known = digest_bytes(data), self._cached.get(file)
        if known is not None and known.digest == digest:
            self.read[file] = known
            for position, (key, text) in enumerate(known.calls):
                self._add(Recorded(key, text, file, position))
            return
        interactions = cassette_file.interactions_of(data, file)
        calls = list(self._calls_of(file, interactions))
        for call in calls:
            self._add(call)
        if len(calls) == len(interactions):
            self.read[file] = CachedCalls(digest, [(call.key, call.text) for call in calls])

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
        """Adds a call. The first cassette with a request counts."""
        key, text, file, position = call.key, call.text, call.file, call.position
        merged = self._base.find(key) if self._base else None
        if merged is not None and merged.text != text:
            self._contradict(call, merged, "which was merged before")
            call = Recorded(key, merged.text, file, position)
        known = self._calls.setdefault(key, call)
        if known is not call:
            self._copies.setdefault(key, []).append(file)
            if merged is None and known.text != text:
                self._contradict(call, known, "and nothing says which one is genuine")

    def _contradict(self, call: Recorded, known: Recorded, why: str) -> None:
        if self._pending(call) and self._pending(known):
            return
        where = f"{known.file}, interaction {known.position}"
        what = f"contradicts {where}: another reply to the same request {call.key[:16]}, {why}"
        fix = "remove the reply that the judge did not give, or record it again"
        problem = cassette_file.problem_at(self.root, call.file, call.position, what, fix)
        self.contradictions.append(problem)

    def _report(self, file: str, position: int, what: str) -> None:
        at, fix = f"$.interactions[{position}]", "remove it with lb cassettes prune"
        self.problems.append(Problem(file, what, fix, at=at, severity="warning"))
