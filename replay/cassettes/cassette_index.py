"""All recorded judge calls at hand: cassettes read once, every call found by its key in a microsecond."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from leaderboard.errors import FilesError, Problem
from leaderboard.gc_pause import paused_collector
from leaderboard.types import Json
from replay.cassettes import cassette_file
from replay.cassettes.request import UnkeyableError


@dataclass(frozen=True, slots=True)
class Recorded:
    """A recorded judge call: its key, what the judge said, and where the whole exchange lies (file, position from 0)."""

    key: str
    text: str
    file: str
    position: int


class Index:
    """Every call in a workspace's cassettes. Keys are computed from the recorded bodies; a stored key is never trusted."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.problems: list[Problem] = []
        self._calls: dict[str, Recorded] = {}

    @classmethod
    def load(cls, root: Path) -> Index:
        """Read all cassettes below `root`. Raises FilesError with every problem of every file that is no cassette.

        What can be read but not used (an error that was recorded, a request recorded twice with different replies) is
        collected in `problems`.
        """
        index = cls(root)
        broken: list[Problem] = []
        with paused_collector():
            for file in cassette_file.files(root):
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
        """The recorded call with that key, or None."""
        return self._calls.get(key)

    def put(self, call: Recorded) -> None:
        """Take up a call, in place of any that has its key."""
        self._calls[call.key] = call

    def add_file(self, file: str) -> None:
        """Take up the calls of one cassette, given by its path below the workspace. Raises FilesError."""
        texts: dict[str, str] = {}  # replies repeat themselves: one object for equal texts
        for position, interaction in enumerate(cassette_file.read(self.root, file)):
            try:
                call = _recorded(interaction, file, position, texts)
            except (cassette_file.ShapeError, UnkeyableError) as error:
                self._report(file, position, f"{error}; it is never replayed")
                continue
            if call is None:
                self._report(file, position, "records an error, not a reply; it is never replayed")
            else:
                self._add(call)

    def _add(self, call: Recorded) -> None:
        known = self._calls.setdefault(call.key, call)
        if known.text != call.text:
            where = f"{known.file}, interaction {known.position}"
            self._report(
                call.file,
                call.position,
                f"repeats the request of {where} with another reply; that one counts",
            )

    def _report(self, file: str, position: int, what: str) -> None:
        fix = "lb cassettes prune takes it out"
        self.problems.append(
            Problem(file, what, fix, at=f"$.interactions[{position}]", severity="warning")
        )


def _recorded(
    interaction: Json, file: str, position: int, texts: dict[str, str]
) -> Recorded | None:
    read = cassette_file.exchange(interaction)
    if not read.ok:
        return None
    text = read.text
    return Recorded(read.key, texts.setdefault(text, text), file, position)
