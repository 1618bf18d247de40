"""The providers' raw replies, kept on request: one JSON line each, never a header or a key."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

from leaderboard.errors import FilesError
from leaderboard.files.json_files import parse
from leaderboard.machine.appended_lines import append_line, open_for_lines
from leaderboard.machine.atomic_files import errors_naming, write_atomic
from leaderboard.network.secret_keys import without_known_keys
from leaderboard.types import Json
from runners.submission_writer import encode

_KEYS: Final = frozenset({"id", "trial", "turn", "reply"})


@dataclass(frozen=True, slots=True)
class RawReplies:
    """An open file of raw replies, with its lines in the order of the replies."""

    path: Path
    file: IO[bytes]

    def keep(self, case_id: str, trial: int, turn: int, reply: Json) -> None:
        """Adds one reply. `turn` counts from 0 within a case and trial. Raises OSError."""
        line = {"id": case_id, "trial": trial, "turn": turn, "reply": reply}
        with errors_naming(self.path):
            append_line(self.file, _encoded(line), durable=False)


@contextmanager
def open_raw_replies(path: Path) -> Iterator[RawReplies]:
    """The raw replies at `path`, open for more."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with open_for_lines(path) as file:
        yield RawReplies(path, file)


def sort_raw_replies(path: Path, case_ids: Sequence[str]) -> None:
    """Sorts the lines by case, trial and turn, without the turns that were asked again.

    Raises FilesError when the file contains anything else.
    """
    position = {case_id: number for number, case_id in enumerate(case_ids)}
    kept: dict[tuple[int, int], dict[int, dict[str, Json]]] = {}
    for number, data in enumerate(path.read_bytes().split(b"\n"), start=1):
        try:
            line = parse(data, path.name)
        except FilesError:  # empty, or cut off by a kill
            continue
        if not isinstance(line, dict) or not line.keys() >= _KEYS or line["id"] not in position:
            what = "contains a line that is not a raw reply of this suite"
            raise FilesError.about(str(path), what, "move it away", line=number)
        turns = kept.setdefault((position[line["id"]], line["trial"]), {})
        if line["turn"] == 0:
            turns.clear()  # a first turn starts the conversation again
        turns[line["turn"]] = line
    lines = [kept[place][turn] for place in sorted(kept) for turn in sorted(kept[place])]
    write_atomic(path, b"".join(_encoded(line) for line in lines))


def _encoded(line: dict[str, Json]) -> bytes:
    return encode(json.dumps(without_known_keys(line), ensure_ascii=False) + "\n")
