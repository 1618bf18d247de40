"""The raw replies of providers, kept on request: one JSON line per reply, bodies only, never a header or a key."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import IO, Final, Self

from leaderboard.errors import FilesError, Problem
from leaderboard.files.document import parse
from leaderboard.store import write_atomic
from leaderboard.types import Json
from runners.models.model_choice import hide
from runners.submission_writer import encode

Line = dict[str, Json]
_KEYS: Final = frozenset({"id", "trial", "turn", "reply"})


class RawReplies:
    """A file of raw replies that is open for more. While cases are under way the lines stand as they came."""

    def __init__(self, path: Path, key: str) -> None:
        self._path = path
        self._key = key
        self._file: IO[bytes] | None = None

    def __enter__(self) -> Self:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._file = self._path.open("ab")
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._file is not None:
            self._file.close()

    def keep(self, case_id: str, trial: int, turn: int, reply: Json) -> None:
        """Adds one reply; `turn` counts from 0 within a case and trial."""
        if self._file is None:
            raise ValueError("the file of raw replies is not open")
        self._file.write(
            _encoded({"id": case_id, "trial": trial, "turn": turn, "reply": reply}, self._key)
        )
        self._file.flush()

    def settle(self, order: Sequence[str]) -> None:
        """Puts the lines in the order of the cases, whoever answered first, and leaves out what was asked again.

        Raises FilesError when the file holds something else.
        """
        position = {case_id: number for number, case_id in enumerate(order)}
        lines = sorted(
            _last(_read(self._path, position)),
            key=lambda at: (position[at["id"]], at["trial"], at["turn"]),
        )
        write_atomic(self._path, b"".join(_encoded(line, self._key) for line in lines))


def _encoded(line: Line, key: str) -> bytes:
    return encode(hide(json.dumps(line, ensure_ascii=False), key) + "\n")


def _read(path: Path, known: Mapping[str, int]) -> Iterator[Line]:
    """The lines of a file; one that a kill has cut off is left out. Raises FilesError for one of another kind."""
    for number, line in enumerate(path.read_bytes().split(b"\n"), start=1):
        try:
            read = parse(line, path.name) if line else None
        except FilesError:
            continue
        if read is not None and not (
            isinstance(read, dict) and read.keys() >= _KEYS and read["id"] in known
        ):
            raise FilesError(
                Problem(
                    str(path),
                    "holds a line that is no raw reply of this suite",
                    "move it away",
                    line=number,
                )
            )
        if read is not None:
            yield read


def _last(lines: Iterable[Line]) -> list[Line]:
    """Of each case and trial the turns of its last conversation: its first turn begins a new one."""
    kept: dict[tuple[str, int], dict[int, Line]] = {}
    for line in lines:
        turns = kept.setdefault((line["id"], line["trial"]), {})
        if line["turn"] == 0:
            turns.clear()
        turns[line["turn"]] = line
    return [line for turns in kept.values() for line in turns.values()]
